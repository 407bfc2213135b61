package npm

import (
	"slices"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/filetest"
)

// TestOwn checks which packages a project declares instead of installing them.
func TestOwn(t *testing.T) {
	dir := filetest.Dir(t, map[string]string{
		"package.json":         `{"name": "shop"}`,
		"types/env.d.ts":       `declare module "made"; declare module "virtual-*" { export const x: 1 }`,
		"types/extend.d.ts":    `declare module "extended" { interface X {} } export {}`,
		"types/comment.d.ts":   `// declare module "commented";`,
		"web/vite.config.js":   "export default { resolve: { alias: { '@lib': 'src/lib', assets: './assets' } }, test: { 'unrelated-x': 1 } }",
		"webpack/base.js":      "module.exports = { resolve: { alias: { 'far/part$': './far' } } }",
		"src/other.js":         "const alias = { '@other': 1 }",
		"src/widgets/a.js":     "",
		"a/b/deep/a.js":        "",
		"docusaurus.config.js": "",
	})
	paths := []string{"package.json", "web/vite.config.js", "webpack/base.js", "src/other.js", "src/widgets/a.js", "a/b/deep/a.js", "docusaurus.config.js"}
	own := New(ecosystem.Options{Offline: true}).Own(dir, slices.Values(paths))
	for pkg, want := range map[string]bool{
		"made": true, "virtual-a": true, "extended": false, "commented": false, "made/part": false,
		"@lib/utils": true, "@library/utils": false, "assets": true, "asset": false, "far": true, "@other/x": false,
		"widgets": true, "src": true, "deep": false, "@site/src": true, "@sites/src": false,
	} {
		if got := own(pkg); got != want {
			t.Errorf("%s: %v, want %v", pkg, got, want)
		}
	}
}
