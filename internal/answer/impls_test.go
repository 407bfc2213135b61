package answer

import (
	"fmt"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// extractor returns a package with a trait that has many implementations.
func extractor(methods int) *apidoc.Package {
	trait := apidoc.Symbol{Path: "Extract", Kind: "trait", Signature: "pub trait Extract<S>", Doc: "Makes a value of a request."}
	trait.Members = append(trait.Members, apidoc.Symbol{Path: "Extract::extract", Kind: apidoc.Method, Signature: "fn extract(request: Request, state: &S) -> Self", Doc: "Extracts it."})
	for i := range methods {
		trait.Members = append(trait.Members, apidoc.Symbol{Path: fmt.Sprintf("Extract::then_%d", i), Kind: apidoc.Method, Signature: fmt.Sprintf("fn then_%d(self, other: Self) -> Result<Self, Rejection> { ... }", i)})
	}
	for i := range 30 {
		tuple := "(" + strings.Repeat("T, ", i+1) + ")"
		trait.Members = append(trait.Members, apidoc.Symbol{
			Path: "Extract::impl Extract<S> for " + tuple, Kind: "impl", Signature: "impl<S> Extract<S> for " + tuple + "\nwhere\n    T: Extract<S> + Send + Sync + 'static,\n    S: Send + Sync,",
		})
	}
	p := &apidoc.Package{Name: "extractor", Version: "1.0.0", Style: apidoc.Style{Syntax: rustSyntax, Separator: "::", LineComment: "// "}}
	p.Symbols = []apidoc.Symbol{trait, {Path: "Layer", Kind: "struct", Signature: "pub struct Layer", Doc: strings.Repeat("It has much to say. ", 300)}}
	return p
}

func TestImplementations_ComeAfterWhatATraitDeclares(t *testing.T) {
	for name, tt := range map[string]struct {
		methods int
		limit   int
		symbols string
		want    []string
	}{
		"alone":                             {2, 4000, "Extract", []string{"fn extract(request: Request, state: &S) -> Self\n", "fn then_1(self", "Implementations: "}},
		"with others":                       {2, 6000, "Layer, Extract", []string{"fn extract(request: Request, state: &S) -> Self\n", "fn then_1(self", "Implementations: "}},
		"what is required, if no more fits": {90, 4000, "Extract", []string{"fn extract(request: Request, state: &S) -> Self\n", "More members: then_0, then_1"}},
	} {
		t.Run(name, func(t *testing.T) {
			text := describe(t, extractor(tt.methods), Options{MaxTokens: tt.limit / 4, Guide: guide}, tt.symbols).Text
			for _, want := range tt.want {
				if !strings.Contains(text, want) {
					t.Errorf("it lacks %q:\n%s", want, text)
				}
			}
			if before, _, _ := strings.Cut(text, "fn extract("); strings.Contains(before, "impl") {
				t.Errorf("an implementation comes first:\n%s", text)
			}
		})
	}
}
