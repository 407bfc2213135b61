package npm

import (
	"reflect"
	"testing"
	"testing/fstest"

	"github.com/docent-mcp/docent/internal/prose"
)

func TestPackageJSONSaysWhereDocumentationIs(t *testing.T) {
	for _, tt := range []struct {
		name, manifest string
		want           prose.Layout
	}{
		{
			"all of it",
			"\uFEFF" + `{"directories":{"doc":"./manual","docs":"no","example":"try"},"files":["dist","./lib/guides/*.md"],"exports":{".":"./index.js","./examples/*":"./examples/jsm/*"}}`,
			prose.Layout{Guides: []string{"dist/docs", "./manual"}, Examples: []string{"try"}, Shipped: []string{"dist", "lib/guides/"}, Imported: []string{"examples/jsm"}},
		},
		{"another spelling", `{"directories":{"docs":"manual"}}`, prose.Layout{Guides: []string{"dist/docs", "manual"}, Examples: []string{""}}},
		{"wrong kinds", `{"directories":"docs","files":{"a":1},"exports":7}`, prose.Layout{Guides: []string{"dist/docs"}}},
		{"no JSON", `{`, prose.Layout{Guides: []string{"dist/docs"}}},
	} {
		tt.want.Code = codeFences
		if got := layoutOf(fstest.MapFS{"package.json": {Data: []byte(tt.manifest)}}); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: got %+v, want %+v", tt.name, got, tt.want)
		}
	}
}

// FuzzLayout reads hostile package.json files, and the files that they name.
func FuzzLayout(f *testing.F) {
	f.Add(`{"directories":{"doc":"docs"},"files":["x"],"exports":{"./a":"./b/c.js"}}`)
	f.Add(`{"files":"no","exports":["./examples/*"]}`)
	f.Add(`{"directories":{"doc":"../.."},"files":["../a/docs/*"]}`)
	f.Fuzz(func(t *testing.T, manifest string) {
		tree := fstest.MapFS{"package.json": {Data: []byte(manifest)}, "docs/a.md": {Data: []byte("# a")}, "examples/b.js": {Data: []byte("b()")}}
		if sections, _ := prose.Read(t.Context(), tree, layoutOf(tree)); len(sections) > 2 {
			t.Errorf("%q: %d sections of two files", manifest, len(sections))
		}
	})
}
