package naming

import (
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
)

func TestIdentifiersAreNamedAfterPackages(t *testing.T) {
	for _, tt := range []struct {
		identifier, name string
		want, same       bool
	}{
		{"ReactDOM", "react-dom", true, true},
		{"DOM", "react-dom", true, false},
		{"Papa", "papaparse", true, false},
		{"VueQuery", "@tanstack/vue-query", true, false},
		{"PIXI", "pixi.js", true, false},
		{"ReactDOMServer", "react-dom/server", true, true},
		{"ReactDOMServer", "react-dom", false, false},
		{"arse", "papaparse", false, false},
		{"R", "ramda", false, false},
		{"$", "jquery", false, false},
		{"_", "lodash", false, false},
		{"", "", false, true},
	} {
		if got := NamedAfter(tt.identifier, tt.name); got != tt.want {
			t.Errorf("%q is named after %q: %v", tt.identifier, tt.name, got)
		}
		if got := SameWords(tt.identifier, tt.name); got != tt.same {
			t.Errorf("%q has the words of %q: %v", tt.identifier, tt.name, got)
		}
	}
}

func TestPathsMayBeginWithANameForTheWholePackage(t *testing.T) {
	p := &apidoc.Package{
		Style: apidoc.Style{FollowTypes: true}, Name: "@box/vue-dialog", Qualifiers: []string{"R"},
		Symbols: []apidoc.Symbol{
			{Path: "Root", Kind: "function", Signature: "function Root(): void"},
			{Path: "root", Kind: "function", Signature: "function root(): void"},
			{Path: "Dialog", Kind: apidoc.Class, Members: []apidoc.Symbol{{Path: "Dialog.open", Kind: apidoc.Method}}},
			{Path: "open", Kind: "function", Signature: "function open(): Dialog"},
		},
	}
	for path, want := range map[string]string{
		"VueDialog.Root": "Root", "vuedialog.root": "root", "Dialog.Root": "Root", "Dialog.open": "Dialog.open",
		"R.open": "open", "VueDialog.Dialog.open": "Dialog.open", "Other.Root": "", "R.close": "",
	} {
		s, err := Find(p, path)
		if want == "" {
			if err == nil {
				t.Errorf("Find(%s) = %s", path, s.Path)
			}
			continue
		}
		if err != nil || s.Path != want || Exact(p, path) != s {
			t.Errorf("Find(%s) = %v, %v, want %s", path, s, err, want)
		}
	}
	if found, err := Select(p, "VueDialog.*"); len(found) != 4 || err != nil {
		t.Errorf("a pattern selects %d, %v", len(found), err)
	}
	for path, want := range map[string]bool{"R": true, "VueDialog": true, "Dialog": false, "BoxVueDialog": true, "Root": false, "Other": false} {
		if got := IsWhole(p, path); got != want {
			t.Errorf("%s means the package: %v", path, got)
		}
	}
}
