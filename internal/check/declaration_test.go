package check

import (
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/golang/godoc"
	"github.com/docent-mcp/docent/internal/ecosystem/python/modules"
)

func TestDeclarationsLeaveOutLongTypes(t *testing.T) {
	decl := func(text string) *apidoc.Decl {
		s := apidoc.Symbol{Signature: text}
		return &apidoc.Decl{Text: text, Parts: modules.Syntax{}.Parts(&s)}
	}
	const short = "def get(url: str | bytes, timeout: float | None = None) -> Response"
	if got := declarations(decl(short)); got != short {
		t.Errorf("%q, want it unchanged", got)
	}
	long := "def get(url: str, params: " + strings.Repeat("Mapping | ", 20) + "None = None, headers: " + strings.Repeat("Sequence | ", 20) + "None = None, verify: bool | str = True) -> Response"
	const want = "def get(url: str, params: … = None, headers: … = None, verify: bool | str = True) -> Response"
	got := declarations(decl(long))
	if got == want || !strings.Contains(got, "params: Mapping") || !strings.Contains(got, "headers: … = None, verify: bool | str") {
		t.Errorf("%q, want only the longest type left out, because that is enough", got)
	}
	if got := declarations(decl(strings.NewReplacer("Sequence", strings.Repeat("Sequence", 4), "Mapping", strings.Repeat("Mapping", 4)).Replace(long))); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := declarations(decl(short + "\n" + short)); got != short {
		t.Errorf("%q, want equal overloads once", got)
	}
}

func TestShortenedShowsTheFirstOfManyLongOverloads(t *testing.T) {
	long := strings.Repeat("x", maxTyped+1)
	for _, tt := range []struct{ declaration, want string }{
		{"a\nb\nc", "a\nb\nc"},
		{long + "\n" + long + "\n" + long, long + "\n… 2 more lines"},
		{long + "\n" + long, long + "\n… 1 more line"},
		{"a\nb\nc\nd\ne\nf", "a\nb\nc\nd\ne\nf"},
		{"a\nb\nc\nd\ne\nf\ng", "a\nb\nc\nd\ne\n… 2 more lines"},
	} {
		if got := shortened(tt.declaration, maxLine); got != tt.want {
			t.Errorf("%.20q: %q, want %q", tt.declaration, got, tt.want)
		}
	}
}

func TestEvidence_CutsTheDeclarationOfASimilarName(t *testing.T) {
	declaration := "def Field(" + strings.Repeat("name: str = None, ", 40) + ")"
	for _, tt := range []struct {
		f    Finding
		want int // maximum size in bytes
	}{
		{Finding{Kind: Name, Near: []string{"Field"}, Declaration: declaration + "\n" + declaration}, 300},
		{Finding{Kind: Call, Near: []string{"name"}, Declaration: declaration}, 300},
		{Finding{Kind: Call, Declaration: declaration}, len("declared as ") + len(declaration)},
	} {
		lines := tt.f.evidence(true)
		if text := lines[len(lines)-1]; !strings.Contains(text, "declared as ") || len(text) > tt.want || len(text) < tt.want-60 {
			t.Errorf("%s: %d bytes, want about %d: %s", tt.f.Kind, len(text), tt.want, text)
		}
	}
}

func TestDeclarationsOfTypesLeaveOutComments(t *testing.T) {
	parts := func(text string) *apidoc.Decl {
		s := apidoc.Symbol{Signature: text, Kind: "struct"}
		return &apidoc.Decl{Text: text, Parts: godoc.Syntax{}.Parts(&s)}
	}
	const short = "type Page struct {\n\t// Title is shown.\n\tTitle string\n}"
	if got := declarations(parts(short)); got != short {
		t.Errorf("%q, want it unchanged", got)
	}
	const want = "type Page struct { Title string Body []byte Tags []string }"
	if got := declarations(parts("type Page struct {\n\t// Title is shown.\n\t// It is short.\n\tTitle string // not empty\n\tBody  []byte\n\n\t/* Tags is\n\tsorted. */\n\tTags []string\n}")); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
