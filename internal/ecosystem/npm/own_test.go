package npm

import (
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/filetest"
)

// TestOwn checks which packages a project declares instead of installing them.
func TestOwn(t *testing.T) {
	dir := filetest.Dir(t, map[string]string{
		"package.json":       `{"name": "shop"}`,
		"types/env.d.ts":     `declare module "made"; declare module "virtual-*" { export const x: 1 }`,
		"types/extend.d.ts":  `declare module "extended" { interface X {} } export {}`,
		"types/comment.d.ts": `// declare module "commented";`,
	})
	own := New(ecosystem.Options{Offline: true}).Own(dir, nil)
	for pkg, want := range map[string]bool{"made": true, "virtual-a": true, "extended": false, "commented": false, "made/part": false} {
		if got := own(pkg); got != want {
			t.Errorf("%s: %v, want %v", pkg, got, want)
		}
	}
}
