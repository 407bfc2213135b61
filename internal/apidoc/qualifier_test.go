package apidoc

import "testing"

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
	p := &Package{
		Style: Style{FollowTypes: true}, Name: "@box/vue-dialog", Qualifiers: []string{"R"},
		Symbols: []Symbol{
			{Path: "Root", Kind: "function", Signature: "function Root(): void"},
			{Path: "root", Kind: "function", Signature: "function root(): void"},
			{Path: "Dialog", Kind: Class, Members: []Symbol{{Path: "Dialog.open", Kind: Method}}},
			{Path: "open", Kind: "function", Signature: "function open(): Dialog"},
		},
	}
	for path, want := range map[string]string{
		"VueDialog.Root": "Root", "vuedialog.root": "root", "Dialog.Root": "Root", "Dialog.open": "Dialog.open",
		"R.open": "open", "VueDialog.Dialog.open": "Dialog.open", "Other.Root": "", "R.close": "",
	} {
		s, err := p.Find(path)
		if want == "" {
			if err == nil {
				t.Errorf("Find(%s) = %s", path, s.Path)
			}
			continue
		}
		if err != nil || s.Path != want || p.Exact(path) != s {
			t.Errorf("Find(%s) = %v, %v, want %s", path, s, err, want)
		}
	}
	if found, err := p.Select("VueDialog.*"); len(found) != 4 || err != nil {
		t.Errorf("a pattern selects %d, %v", len(found), err)
	}
	for path, want := range map[string]bool{"R": true, "VueDialog": true, "Dialog": false, "BoxVueDialog": true, "Root": false, "Other": false} {
		if got := p.IsWhole(path); got != want {
			t.Errorf("%s means the package: %v", path, got)
		}
	}
}
