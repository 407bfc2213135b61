package answer

import (
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
)

func TestExporters_TypesErrorsAndPackages(t *testing.T) {
	p := &apidoc.Package{
		Ecosystem: "go", Style: apidoc.Style{Syntax: goSyntax, Name: "Go"}, Name: "example.com/mine", Module: "example.com/mine",
		Imports: []apidoc.Ref{{Name: "units", Package: "example.com/mine/units"}, {Name: "time", Package: "time"}},
		Symbols: []apidoc.Symbol{
			{Path: "Open", Kind: apidoc.Func, Signature: "func Open(in OpenInput, unit units.Unit, by time.Time) Local", Doc: "Open opens a `Seam`.\n\n**Raises:**\n\n- `BusyError`: Somebody else opens it.\n- `Local`: Never."},
			{Path: "Local", Kind: apidoc.Type, Signature: "type Local string"},
			{Path: "Close", Kind: apidoc.Func, Signature: "func Close(name Foreign)", Refs: []apidoc.Ref{{Name: "Foreign", Package: "other"}}},
		},
		Internal: []apidoc.Symbol{
			{Path: "OpenInput", Kind: apidoc.Type, Signature: "type OpenInput struct"},
			{Path: "deep.Shared", Kind: apidoc.Type, Signature: "type Shared struct"},
			{Path: "Foreign", Kind: apidoc.Type, Signature: "type Foreign struct"},
			{Path: "Unused", Kind: apidoc.Type, Signature: "type Unused struct"},
		},
	}
	p.Symbols[1].Doc = "Local is a Shared one."
	r := NewRenderer(p)
	errors := NewRenderer(&apidoc.Package{
		Ecosystem: "go", Style: apidoc.Style{Syntax: goSyntax, Name: "Go"}, Name: "mine/errors",
		Symbols: []apidoc.Symbol{{Path: "BusyError", Kind: apidoc.Type, Signature: "type BusyError struct", Members: []apidoc.Symbol{
			{Path: "BusyError.Holder", Kind: apidoc.Field, Signature: "Holder string", Doc: "Holder opens it."},
			{Path: "BusyError.code", Kind: apidoc.Field, Signature: "code int"},
		}}},
	})
	exporter := func(_ *Renderer, name string, declared *apidoc.Symbol) (string, *Renderer) {
		switch {
		case name == "BusyError" && declared == nil:
			return "mine/errors", errors
		case declared == nil:
			return "mine/wrong", errors
		}
		return "mine/types", nil
	}
	a := describe(t, p, Options{Guide: guide}, "Open Local Close")
	got := a.WithExporters([]*Renderer{r}, exporter, Options{}).Text
	rest, ok := strings.CutPrefix(got, a.Text)
	if want := "\nExported elsewhere: OpenInput in mine/types; Shared in deep; BusyError (`Holder string`) in mine/errors; units.* in example.com/mine/units.\n"; !ok || rest != want {
		t.Errorf("got %q, want %q", rest, want)
	}
	o := Options{MaxTokens: minTokens}
	long := &Answer{Text: a.Text + strings.Repeat("-", o.limit()-len(a.Text)-len(rest)+1)}
	if long.WithExporters([]*Renderer{r}, exporter, o).Text != long.Text {
		t.Error("the line does not observe the budget")
	}
}

// TestNeeds_ArgumentsOfTheBase expects a command to come with the type that its base declares as
// the output.
func TestNeeds_ArgumentsOfTheBase(t *testing.T) {
	p := &apidoc.Package{Ecosystem: "npm", Style: npmStyle, Name: "mine", Symbols: []apidoc.Symbol{
		{Path: "Command", Kind: apidoc.Class, Signature: "class Command<In, Out>"},
		{Path: "ListCommand", Kind: apidoc.Class, Signature: "class ListCommand extends Command<ListInput, ListPage>", Members: []apidoc.Symbol{
			{Path: "ListCommand.constructor", Kind: apidoc.Constructor, Signature: "constructor(input: ListInput)"},
		}},
		{Path: "ListInput", Kind: apidoc.Interface, Signature: "interface ListInput", Members: []apidoc.Symbol{{Path: "ListInput.limit", Kind: apidoc.Property, Signature: "limit?: number"}}},
		{Path: "ListPage", Kind: apidoc.Interface, Signature: "interface ListPage", Members: []apidoc.Symbol{{Path: "ListPage.next", Kind: apidoc.Property, Signature: "next?: string"}}},
		{Path: "Other", Kind: apidoc.Class, Signature: "class Other"},
	}}
	for _, symbols := range []string{"ListCommand", "ListCommand Other"} {
		text := describe(t, p, Options{Guide: guide}, symbols).Text
		if strings.Count(text, "limit?: number") != 1 || strings.Count(text, "next?: string") != 1 {
			t.Errorf("%s: the input and the output are not shown once:\n%s", symbols, text)
		}
	}
}

func TestCombined(t *testing.T) {
	gate, lamp, open := exportedName{"GateBusyError", ""}, exportedName{"LampBusyError", ""}, exportedName{"OpenInput", ""}
	for _, tt := range []struct {
		names []exportedName
		words map[string]bool
		want  string
	}{
		{[]exportedName{gate, lamp, open}, nil, "*Error OpenInput"},
		{[]exportedName{gate, lamp}, map[string]bool{"DoorError": true}, "*BusyError"},
		{[]exportedName{gate, lamp}, map[string]bool{"DoorBusyError": true}, "GateBusyError LampBusyError"},
		{[]exportedName{gate, {"LampBusyError", " (`holder: str`)"}}, nil, "GateBusyError LampBusyError (`holder: str`)"},
		{[]exportedName{open}, nil, "OpenInput"},
	} {
		if got := strings.Join(combined(tt.names, tt.words), " "); got != tt.want {
			t.Errorf("combined(%v, %v) = %s, want %s", tt.names, tt.words, got, tt.want)
		}
	}
}

func TestSaysPackage(t *testing.T) {
	for text, want := range map[string]bool{
		"**Gate (class) in yard.gates**": true,
		"- Gate.open in yard.gates":      true,
		"- Gates in yard.gates":          false,
		"- Gate in yard.gatesandmore":    false,
		"- Lamp in yard.gates, Gate":     false,
		"Gate":                           false,
	} {
		if got := saysPackage(text, "Gate", "yard.gates"); got != want {
			t.Errorf("saysPackage(%q) = %v, want %v", text, got, want)
		}
	}
}
