package answer

import (
	"fmt"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
)

func clientPackage() *apidoc.Package {
	return &apidoc.Package{
		Ecosystem: "npm", Style: apidoc.Style{Name: "npm", Fence: "ts", FollowTypes: true, Nested: true, Syntax: npmSyntax}, Name: "mill", Version: "1.0.0",
		Symbols: []apidoc.Symbol{
			{Path: "Client", Kind: apidoc.Class, Signature: "class Client", Members: []apidoc.Symbol{
				{Path: "Client.open", Kind: apidoc.Method, Signature: "open(options: Options): void", Doc: "Opens.\n\nThrows `GoneError` if there is none, `BusyError`\nif somebody else does, and `LostError`."},
				{Path: "Client.shut", Kind: apidoc.Method, Signature: "shut(e: BusyError): void", Doc: "Shuts.\n\n**Throws:** `BusyError`"},
				{Path: "Client.list", Kind: apidoc.Method, Signature: "list(): void", Doc: "Lists.\n\n**Throws:**\n\n- `BusyError`: Somebody.\n- `HeldError`: Held."},
				{Path: "Client.plain", Kind: apidoc.Method, Signature: "plain(): void", Doc: "Is like `GoneError`."},
			}},
			{Path: "Options", Kind: apidoc.Interface, Signature: "interface Options", Members: []apidoc.Symbol{
				{Path: "Options.dry", Kind: apidoc.Property, Signature: "dry?: boolean", Doc: "Checks the call. See the README."},
				{Path: "Options.retry", Kind: apidoc.Property, Signature: "retry?: number", Doc: "See the guide."},
				{Path: "Options.unit", Kind: apidoc.Property, Signature: "unit?: string", Doc: "See the docs for units."},
				{Path: "Options.quick", Kind: apidoc.Property, Signature: "quick?: boolean", Doc: "Is quick."},
			}},
			{Path: "GoneError", Kind: apidoc.Class, Signature: "class GoneError extends Error", Doc: "There is none.\n\nMore about it."},
			{Path: "BusyError", Kind: apidoc.Class, Signature: "class BusyError extends Error", Doc: "Somebody else uses it."},
			{Path: "HeldError", Kind: apidoc.Class, Signature: "class HeldError extends Error", Doc: "It is held.", Members: []apidoc.Symbol{
				{Path: "HeldError.holder", Kind: apidoc.Property, Signature: "readonly holder: string", Doc: "Who holds it."},
				{Path: "HeldError.code", Kind: apidoc.Property, Signature: "readonly code: 'held'"},
			}},
		},
		Sections: []apidoc.Section{
			{ID: "readme/dry-runs", Title: "Dry runs", Body: "A call with `{ dry: true }` changes\nnothing.\n\nMore."},
			{ID: "readme/options", Title: "Options", Body: "All of them:\n\n- `retry`: how often, `quick` or not\n- `dry-run` is another\n"},
			{ID: "guide/quick", Title: "`quick`", Body: "Does less."},
		},
	}
}

func TestRaised_LongPaths(t *testing.T) {
	r := NewRenderer(clientPackage())
	if r.errorAt("mill.BusyError") == nil || r.errorAt(strings.Repeat("mill.", 1e6)+"BusyError") != nil {
		t.Error("errorAt considers paths of any length")
	}
}

func TestRaised_ErrorsHaveOneLineEach(t *testing.T) {
	const gone, busy = "- GoneError: There is none.", "- BusyError: Somebody else uses it."
	for _, tt := range []struct {
		symbols   string
		has, lack []string
	}{
		{"Client.open", []string{"Errors:\n\n" + gone + "\n" + busy}, []string{"LostError:", "More about it"}},
		{"Client.open, GoneError", []string{busy}, []string{gone}}, // the answer shows the other in full
		{"Client.open, Client.shut", []string{gone}, []string{busy}},
		{"Client.list", []string{"Errors:\n\n- HeldError: It is held. (`readonly holder: string`)\n"}, []string{busy}},
		{"Client.plain", nil, []string{"Errors:"}},
	} {
		text := describe(t, clientPackage(), Options{}, tt.symbols).Text
		for _, want := range tt.has {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q in\n%s", tt.symbols, want, text)
			}
		}
		for _, other := range tt.lack {
			if strings.Contains(text, other) {
				t.Errorf("%s: %q in\n%s", tt.symbols, other, text)
			}
		}
	}
}

func TestExplanations_OptionsThatReferToTheProse(t *testing.T) {
	text := describe(t, clientPackage(), Options{}, "Client.open").Text
	for _, want := range []string{
		"`dry`, from readme/dry-runs: A call with `{ dry: true }` changes nothing.\n",
		"`retry`, from readme/options: `retry`: how often, `quick` or not\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, "`unit`, from") || strings.Contains(text, "`quick`, from") {
		t.Errorf("an option without an explanation, or without a reference, is explained:\n%s", text)
	}
	if text, id := explanation(clientPackage().Sections, "quick"); text != "Does less." || id != "guide/quick" {
		t.Errorf("the section with the name of the option: %q from %s", text, id)
	}
}

func TestExplanations_SearchTheProseForFewOptions(t *testing.T) {
	p := clientPackage()
	options := p.At("Options")
	options.Members = nil
	for i := range maxReferring + 2 {
		name := fmt.Sprintf("option%c", 'a'+i)
		options.Members = append(options.Members, apidoc.Symbol{Path: "Options." + name, Kind: apidoc.Property, Signature: name + "?: string", Doc: "See the README."})
	}
	for _, tt := range []struct {
		explained []int // indexes of the options that the README explains
		want      int
	}{{[]int{maxReferring - 1}, 1}, {[]int{maxReferring}, 0}, {[]int{0, 1, 2, 3}, maxExplained}} {
		body := "All of them:\n\n"
		for _, i := range tt.explained {
			body += "- `" + options.Members[i].Name() + "`: explained\n"
		}
		p.Sections = []apidoc.Section{{ID: "readme/options", Title: "Options", Body: body}}
		if text := describe(t, p, Options{}, "Client.open").Text; strings.Count(text, ", from readme/options: ") != tt.want {
			t.Errorf("%v: want %d explanations in\n%s", tt.explained, tt.want, text)
		}
	}
}

func TestRaised_NamesWithoutQuotesValuesAndCases(t *testing.T) {
	fields := func(path string) []apidoc.Symbol {
		return []apidoc.Symbol{{Path: path + ".Holder", Kind: apidoc.Field, Signature: "Holder string", Doc: "Holder uses it."}}
	}
	p := &apidoc.Package{Ecosystem: "go", Style: apidoc.Style{Syntax: goSyntax, Name: "Go"}, Name: "yard", Symbols: []apidoc.Symbol{
		{Path: "Open", Kind: apidoc.Func, Signature: "func Open() error", Doc: "Open fails with *GateBusyError if it is in use, and with *LampBusyError at night.\n\nIt returns `ErrGone` if there is none, or an Event."},
		{Path: "Shut", Kind: apidoc.Func, Signature: "func Shut() error", Doc: "Shut fails with `yard::ShutError::Stuck`, or a plain error. See GateBusyError."},
		{Path: "Event", Kind: apidoc.Type, Signature: "type Event struct{}", Doc: "Event happens."},
		{Path: "GateBusyError", Kind: apidoc.Type, Signature: "type GateBusyError struct", Doc: "GateBusyError says that the gate is used.", Members: fields("GateBusyError")},
		{Path: "LampBusyError", Kind: apidoc.Type, Signature: "type LampBusyError struct", Doc: "LampBusyError says that the lamp is used.", Members: fields("LampBusyError")},
		{Path: "ErrGone", Kind: apidoc.Var, Signature: "var ErrGone error", Doc: "ErrGone says that there is none."},
		{Path: "ShutError", Kind: apidoc.Type, Signature: "type ShutError enum", Members: []apidoc.Symbol{{Path: "ShutError.Stuck", Kind: apidoc.Variant, Signature: "Stuck(by string)", Doc: "It does not move."}}},
	}}
	for _, tt := range []struct{ symbols, want string }{
		{"Open", "Errors:\n\n- GateBusyError, LampBusyError: GateBusyError says that the gate is used. (`Holder string`)\n- ErrGone says that there is none.\n"},
		{"Open GateBusyError", "Errors:\n\n- LampBusyError says that the lamp is used. (`Holder string`)\n- ErrGone"},
		{"Shut", "Errors:\n\n- ShutError.Stuck: It does not move. (`Stuck(by string)`)\n"},
	} {
		if text := describe(t, p, Options{}, tt.symbols).Text; !strings.Contains(text, tt.want) || strings.Contains(text, "- Event") {
			t.Errorf("%s: no %q in\n%s", tt.symbols, tt.want, text)
		}
	}
}
