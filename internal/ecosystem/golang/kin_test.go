package golang

import (
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
)

// majors is a project that uses other modules than those in the module cache.
var majors = map[string]string{
	"app/go.mod": `module corp.example/app
go 1.26.0
require (
	example.com/pgx/v5 v5.7.0
	example.com/two/v2 v2.0.0
	example.com/two/v3 v3.1.0
	example.com/both v1.0.0 // indirect
	example.com/both/v2 v2.0.0
	example.com/deep/v2 v2.0.0 // indirect
	example.com/upstream v1.4.0
	example.com/onDisk v1.0.0
	example.com/author/uuid v1.6.0
	gopkg.in/yaml.v3 v3.0.1
)
replace example.com/upstream => example.net/fork v1.4.1
replace example.com/onDisk => ../disk
`,
	"app/app.go": "package app\n", "disk/go.mod": "module example.com/onDisk\n", "disk/d.go": "package ondisk\n",
	"modcache/example.com/pgx@v3.6.2+incompatible/pgx.go":     "package pgx\n",
	"modcache/example.com/pgx@v3.6.2+incompatible/log/l.go":   "package log\n",
	"modcache/example.com/pgx/v5@v5.7.0/pgx.go":               "package pgx\n",
	"modcache/example.com/pgx/v5@v5.7.0/pgtype/t.go":          "package pgtype\n",
	"modcache/example.com/two@v1.0.0/two.go":                  "package two\n",
	"modcache/example.com/two/v2@v2.0.0/two.go":               "package two\n",
	"modcache/example.com/two/v3@v3.1.0/two.go":               "package two\n",
	"modcache/example.com/both@v1.0.0/both.go":                "package both\n",
	"modcache/example.com/both/v2@v2.0.0/both.go":             "package both\n",
	"modcache/example.com/deep@v1.0.0/deep.go":                "package deep\n",
	"modcache/example.com/deep/v2@v2.0.0/deep.go":             "package deep\n",
	"modcache/example.net/fork@v1.4.1/fork.go":                "package upstream\n",
	"modcache/example.net/fork@v1.4.1/sub/s.go":               "package sub\n",
	"modcache/example.com/author/uuid@v1.6.0/u.go":            "package uuid\n",
	"modcache/example.com/other/uuid@v1.0.0/u.go":             "package uuid\n",
	"modcache/gopkg.in/yaml.v3@v3.0.1/y.go":                   "package yaml\n",
	"modcache/gopkg.in/yaml.v2@v2.4.0/y.go":                   "package yaml\n",
	"modcache/example.com/unrelated@v1.0.0/u.go":              "package unrelated\n",
	"modcache/example.com/pgxx@v1.0.0/x.go":                   "package pgxx\n",
	"modcache/cache/download/example.com/pgx/@v/v3.6.2.info":  "{}",
	"modcache/cache/download/example.com/two/@v/v1.0.0.info":  "{}",
	"modcache/cache/download/example.com/deep/@v/v1.0.0.info": "{}",
}

func TestWhatTheProjectUsesInsteadIsAnswered(t *testing.T) {
	w := newWorld(t, majors)
	w.opts.Offline = true
	for _, tt := range []struct{ name, project, pkg, want, advice string }{
		{"another major version", "app", "example.com/pgx", "example.com/pgx/v5 v5.7.0", "go.mod of corp.example/app uses example.com/pgx/v5, not example.com/pgx: this is example.com/pgx/v5."},
		{"a package in it", "app", "example.com/pgx/pgtype", "example.com/pgx/v5 v5.7.0", "uses example.com/pgx/v5, not example.com/pgx: this is example.com/pgx/v5/pgtype."},
		{"a higher major version than the one used", "app", "example.com/pgx/v7", "example.com/pgx/v5 v5.7.0", "uses example.com/pgx/v5, not example.com/pgx/v7: this is example.com/pgx/v5."},
		{"a package that it lacks", "app", "example.com/pgx/log", "example.com/pgx v3.6.2+incompatible", "uses example.com/pgx/v5, which has no package example.com/pgx/v5/log."},
		{"the one used itself", "app", "example.com/pgx/v5", "example.com/pgx/v5 v5.7.0", ""},
		{"a path that only begins so", "app", "example.com/pgxx", "example.com/pgxx v1.0.0", ""},
		{"an explicit version", "app", "example.com/pgx@v3.6.2", "example.com/pgx v3.6.2+incompatible", ""},
		{"no project", "", "example.com/pgx", "example.com/pgx v3.6.2+incompatible", ecosystem.Unchosen},
		{"no project, and a version", "", "example.com/pgx@v3.6.2", "example.com/pgx v3.6.2+incompatible", ""},
		{"no project, and the standard library", "", "fmt", "std go1.26.3", ""},
		{"several other major versions", "app", "example.com/two", "example.com/two v1.0.0", "uses example.com/two/v2 and example.com/two/v3, not example.com/two; request one of these."},
		{"one that only dependencies use", "app", "example.com/both", "example.com/both v1.0.0", "Only dependencies use this package; go.mod of corp.example/app itself uses example.com/both/v2."},
		{"another that only dependencies use", "app", "example.com/deep", "example.com/deep/v2 v2.0.0", "this is example.com/deep/v2."},
		{"a host that writes majors with a dot", "app", "gopkg.in/yaml.v2", "gopkg.in/yaml.v3 v3.0.1", "uses gopkg.in/yaml.v3, not gopkg.in/yaml.v2"},
		{"a module that a fork replaces", "app", "example.com/upstream/sub", "example.com/upstream v1.4.1", "This is example.net/fork@v1.4.1, which replaces example.com/upstream: replace in go.mod of corp.example/app."},
		{"the fork under its own path", "app", "example.net/fork/sub", "example.com/upstream v1.4.1", "uses example.com/upstream, not example.net/fork: this is example.com/upstream/sub."},
		{"a module that a directory replaces", "app", "example.com/onDisk", "example.com/onDisk ", "disk, which replaces example.com/onDisk"},
		{"other letters", "app", "Example.com/Author/UUID", "example.com/author/uuid v1.6.0", "uses example.com/author/uuid, not Example.com/Author/UUID"},
		{"the like of another author", "app", "example.com/other/uuid", "example.com/other/uuid v1.0.0", "go.mod of corp.example/app does not use example.com/other/uuid; it uses example.com/author/uuid."},
		{"what is like nothing", "app", "example.com/unrelated", "example.com/unrelated v1.0.0", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			src, err := w.in(t).locate(tt.project, tt.pkg)
			if err != nil {
				t.Fatal(err)
			}
			if got := src.Module + " " + src.Version; got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
			first := ""
			if len(src.Warnings) > 0 {
				first = src.Warnings[0]
			}
			if !strings.Contains(first, tt.advice) || tt.advice == "" && first != "" {
				t.Errorf("the advice is %q, want %q", first, tt.advice)
			}
		})
	}
	w.wantError("app", "example.com/pgx/nowhere", ecosystem.Unreachable, "uses example.com/pgx/v5, which has no package example.com/pgx/v5/nowhere")
}

func TestAbsentPackageOfRequiredModule(t *testing.T) {
	w := newWorld(t, anApp)
	w.opts.Offline = true
	w.write(map[string]string{
		"gone/go.mod":   "module corp.example/gone\ngo 1.26.0\nrequire example.com/lib v1.2.0\nrequire example.com/lib/sub/other v1.0.0\n",
		"old/go.mod":    "module corp.example/old\ngo 1.16\nrequire example.com/lib v1.2.0\n",
		"work/go.work":  "go 1.26.0\nuse ./a\nuse ./b\n",
		"work/a/go.mod": "module corp.example/a\ngo 1.26.0\nrequire example.com/lib v1.2.0\n",
		"work/b/go.mod": "module corp.example/b\ngo 1.26.0\nrequire example.com/absent v1.0.0\n",
	})
	w.wantError("ws/app", "example.com/lib/subb", ecosystem.NotFound,
		"no package example.com/lib/subb in example.com/lib@v1.2.0 or another module that go.mod of corp.example/app requires", "example.com/lib/sub;")
	if _, err := w.locate("ws/app", "example.com/lib/middleware"); err == nil || strings.Contains(err.Error(), "close by") {
		t.Errorf("a name that resembles none: %v", err)
	}
	w.wantError("ws/app", "example.com/local/y", ecosystem.NotFound, "no package example.com/local/y in example.com/local")
	w.wantError("ws/app", "example.com/unknown/sub", ecosystem.Unreachable, "network access is disabled")
	w.wantError("ws/app", "example.com/lib/v2/sub", ecosystem.NotFound, "no package example.com/lib/v2/sub in example.com/lib@v1.2.0")
	w.wantError("ws/app", "example.com/lib@v1.2.0/subb", ecosystem.Unreachable, "network access is disabled")
	w.wantError("gone", "example.com/lib/sub/other/x", ecosystem.Unreachable, "example.com/lib/sub/other@v1.0.0 is not on this machine")
	w.wantError("old", "example.com/lib/subb", ecosystem.Unreachable)
	w.write(map[string]string{"modcache/cache/download/example.com/lib/@v/v1.2.0.mod": "module example.com/lib\n"})
	w.wantError("old", "example.com/lib/subb", ecosystem.NotFound)
	w.wantError("work/a", "example.com/lib/subb", ecosystem.Unreachable)
	w.vars["GOFLAGS"] = "-mod=mod"
	w.wantError("ws/app", "example.com/lib/subb", ecosystem.Unreachable)
}
