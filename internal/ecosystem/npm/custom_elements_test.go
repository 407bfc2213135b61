package npm

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/docent-mcp/docent/internal/apidoc"
)

const elementsManifest = `{"modules":[
	{"path":"button/button.js","declarations":[{"name":"XButton","tagName":"x-button"}]},
	{"path":"menu/menu.js","declarations":[{"name":"XMenu","tagName":"x-menu"}]}]}`

func TestCustomElements_ManifestIsFoundByPackageJSON(t *testing.T) {
	for _, tt := range []struct {
		name          string
		files         map[string]string
		want, warning string
	}{
		{"the field", map[string]string{"package.json": `{"customElements":"./dist/e.json"}`, "dist/e.json": elementsManifest}, "x-button x-menu", ""},
		{"no field", map[string]string{"package.json": `{}`, "custom-elements.json": elementsManifest}, "x-button x-menu", ""},
		{"no manifest", map[string]string{"package.json": `{}`}, "", ""},
		{"a missing file", map[string]string{"package.json": `{"customElements":"e.json"}`}, "", "e.json, which describes"},
		{"a malformed file", map[string]string{"package.json": `{"customElements":"e.json"}`, "e.json": "{"}, "", "e.json, which describes"},
		{"a file outside", map[string]string{"package.json": `{"customElements":"../e.json"}`}, "", "../e.json, which describes"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			files := fstest.MapFS{}
			for name, text := range tt.files {
				files[name] = &fstest.MapFile{Data: []byte(text)}
			}
			all, warning := customElements(files)
			var tags []string
			for _, e := range all {
				tags = append(tags, e.Symbol.Path)
			}
			if got := strings.Join(tags, " "); got != tt.want || !strings.HasPrefix(warning, tt.warning) || (tt.warning == "") != (warning == "") {
				t.Errorf("got %q, warning %q", got, warning)
			}
		})
	}
}

func TestCustomElements_OfEntryPoints(t *testing.T) {
	all, warning := customElements(fstest.MapFS{"custom-elements.json": {Data: []byte(elementsManifest)}})
	if warning != "" {
		t.Fatal(warning)
	}
	for _, tt := range []struct{ subpath, exports, want string }{
		{".", "", "x-button x-menu"},
		{".", "XMenu", "XMenu x-button x-menu"},
		{"./menu/menu.js", "", "x-menu"},
		{"./menu", "", ""},
		{"./all", "XButton", "XButton x-button"},
		{".", "x-menu", "x-menu x-button"},
	} {
		p := &apidoc.Package{}
		if tt.exports != "" {
			p.Symbols = []apidoc.Symbol{{Path: tt.exports, Kind: apidoc.Class, File: "types.d.ts", Line: 3}}
		}
		addElements(p, tt.subpath, all)
		var paths []string
		for _, s := range p.Symbols {
			paths = append(paths, s.Path)
			if tt.exports == "XMenu" && s.Path == "x-menu" && (s.File != "types.d.ts" || s.Doc != "Class: `XMenu`") {
				t.Errorf("x-menu: %s, %q", s.File, s.Doc)
			}
			if s.Path == "XMenu" && !strings.Contains(s.Doc, "`x-menu`") {
				t.Errorf("the comment on the class: %q", s.Doc)
			}
		}
		if got := strings.Join(paths, " "); got != tt.want {
			t.Errorf("%s, exporting %q: got %q, want %q", tt.subpath, tt.exports, got, tt.want)
		}
	}
}
