package golang

import (
	"context"
	"strings"
	"testing"
)

func TestGraph(t *testing.T) {
	w := newWorld(t, map[string]string{
		"app/go.mod": `module corp.example/app
go 1.26.0
toolchain go1.26.2
require (
	example.com/lib v1.2.0
	example.com/local v1.0.0
	example.com/renamed v1.0.0
)
require example.com/far v1.0.0 // indirect
replace example.com/local => ../local
replace example.com/renamed => example.com/fork v1.1.0
`,
		"local/go.mod":                                           "module example.com/local\n\ngo 1.26.0\n",
		"modcache/example.com/lib@v1.2.0/l.go":                   "package lib\n",
		"modcache/cache/download/example.com/lib/@v/v1.2.0.mod":  "module example.com/lib\n\ngo 1.20\n\nrequire example.com/far v1.0.0\nrequire example.com/tool v0.1.0\n",
		"modcache/cache/download/example.com/far/@v/v1.0.0.mod":  "module example.com/far\n\ngo 1.20\n",
		"modcache/cache/download/example.com/fork/@v/v1.1.0.mod": "module example.com/fork\n",
		"modcache/cache/download/example.com/tool/@v/v0.1.0.mod": "module example.com/tool\n\ngo 1.20\n",
		"work/go.work":  "go 1.26.0\nuse ./a\nuse ./b\n",
		"work/a/go.mod": "module corp.example/a\n\ngo 1.26.0\n\nrequire corp.example/b v0.0.0\nrequire example.com/far v0.9.0\n",
		"work/b/go.mod": "module corp.example/b\n\ngo 1.26.0\n\nrequire example.com/far v1.0.0 // indirect\n",
	})
	for dir, want := range map[string]string{
		"app": `corp.example/app . (go.mod) > example.com/lib example.com/local example.com/renamed
!example.com/far v1.0.0 (go.mod)
example.com/lib v1.2.0 (go.mod) > example.com/far example.com/tool wanted as v1.2.0
example.com/local LOCAL (go.mod) wanted as v1.0.0
!example.com/renamed v1.1.0 (go.mod) wanted as v1.0.0
~!example.com/tool v0.1.0 (module graph)
`,
		"work/b": `corp.example/a a (a/go.mod) > corp.example/b example.com/far
corp.example/b b (b/go.mod)
!example.com/far v1.0.0 (go.mod) wanted as v1.0.0
`,
	} {
		g, err := w.golang().Graph(context.Background(), w.path(dir))
		if err != nil {
			t.Fatal(err)
		}
		want = strings.ReplaceAll(want, "LOCAL", w.path("local"))
		if got := g.String(); got != want {
			t.Errorf("%s: got\n%swant\n%s", dir, got, want)
		}
		if std := g.Bundled; len(std) != 1 || std[0].Name != "stdlib" || std[0].Version != map[string]string{"app": "1.26.2", "work/b": "1.26.0"}[dir] || std[0].File != map[string]string{"app": "go.mod", "work/b": "go.work"}[dir] {
			t.Errorf("%s: bundled %+v", dir, std)
		}
		if dir == "app" {
			renamed := g.Packages[4]
			if osv, name, version := w.golang().Advisories(&renamed); osv != "Go" || name != "example.com/fork" || version != "1.1.0" {
				t.Errorf("advisories about a replaced module: %s %s %s", osv, name, version)
			}
		}
		if missing := len(g.Problems); missing != map[string]int{"app": 0, "work/b": 1}[dir] {
			t.Errorf("%s: problems %q", dir, g.Problems)
		}
	}
}
