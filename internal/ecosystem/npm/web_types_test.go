package npm

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/docent-mcp/docent/internal/apidoc"
)

func TestDescribeComponents(t *testing.T) {
	const manifest = `{"contributions":{"html":{"tags":[{"name":"VBtn","attributes":[{"name":"flat","description":"Removes the shadow."}]}]}}}`
	for _, tt := range []struct{ name, field, file, want, warning string }{
		{"a file", `"./dist/web-types.json"`, manifest, "Removes the shadow.", ""},
		{"several files", `["other.json", "dist/web-types.json"]`, manifest, "Removes the shadow.", "other.json, which describes"},
		{"no field", `null`, manifest, "", ""},
		{"another value", `{}`, manifest, "", ""},
		{"a malformed file", `"dist/web-types.json"`, "{", "", "dist/web-types.json, which describes"},
		{"a file outside", `"../web-types.json"`, manifest, "", "../web-types.json, which describes"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			files := fstest.MapFS{"package.json": {Data: []byte(`{"web-types":` + tt.field + `}`)}, "dist/web-types.json": {Data: []byte(tt.file)}}
			symbols := []apidoc.Symbol{{Path: "VBtn", Kind: apidoc.Const, Members: []apidoc.Symbol{{Path: "VBtn.flat", Kind: apidoc.Prop}}}}
			warning := describeComponents(files, symbols)
			if got := symbols[0].Members[0].Doc; got != tt.want || !strings.HasPrefix(warning, tt.warning) || (tt.warning == "") != (warning == "") {
				t.Errorf("the comment is %q, the warning %q", got, warning)
			}
		})
	}
}
