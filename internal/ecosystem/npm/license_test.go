package npm

import (
	"context"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/filetest"
)

func TestLicense(t *testing.T) {
	dir := filetest.Dir(t, map[string]string{
		"package.json":                      `{"name":"app"}`,
		"node_modules/name/package.json":    `{"name":"name","version":"1.0.0","license":"MIT"}`,
		"node_modules/object/package.json":  `{"name":"object","version":"1.0.0","license":{"type":"ISC","url":"x"}}`,
		"node_modules/list/package.json":    `{"name":"list","version":"1.0.0","licenses":[{"type":"MIT"},{"type":"Apache-2.0"},[[]]]}`,
		"node_modules/text/package.json":    `{"name":"text","version":"1.0.0","license":"SEE LICENSE IN LICENSE"}`,
		"node_modules/text/LICENSE":         "Mozilla Public License Version 2.0",
		"node_modules/none/package.json":    `{"name":"none","version":"1.0.0"}`,
		"node_modules/another/package.json": `{"name":"another","version":"2.0.0","license":"MIT"}`,
	})
	n := New(ecosystem.Options{Env: []string{"HOME=" + dir}, Offline: true})
	for name, want := range map[string]ecosystem.License{
		"name": {Expression: "MIT", From: "package.json"}, "object": {Expression: "ISC", From: "package.json"}, "list": {Expression: "MIT OR Apache-2.0", From: "package.json"},
		"text": {Expression: "MPL-2.0", From: "LICENSE"}, "none": {}, "another": {}, "../../etc": {},
	} {
		if got := n.License(context.Background(), dir, &ecosystem.Used{Name: name, Version: "1.0.0"}); got != want {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
}
