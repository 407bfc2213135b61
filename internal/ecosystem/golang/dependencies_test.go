package golang

import (
	"fmt"
	"slices"
	"testing"
)

func TestDependenciesOfAProject(t *testing.T) {
	w := newWorld(t, map[string]string{
		"app/go.mod": `module corp.example/app
go 1.26.0
require (
	example.com/far v1.0.0 // indirect
	example.com/lib v1.2.0
	example.com/lib/nested v0.1.0
	example.com/local v1.0.0
	example.com/rootless v1.0.0
	example.com/unfetched v1.0.0
	example.com/unused v1.0.0
	example.com/zipped v1.0.0
)
replace example.com/local => ../local
`,
		"app/a.go":                               "package app\nimport (\n\t\"fmt\"\n\t\"example.com/lib/sub\"\n\t\"corp.example/app/internal/b\"\n\t\"example.com/local\"\n\t\"C\"\n)\n",
		"app/internal/b/b.go":                    "package b\nimport l \"example.com/lib/sub\"\nimport _ \"example.com/lib/nested/deep\"\nimport \"example.com/nowhere\"\nimport \"example.com/lib/internal/x\"\n",
		"app/b_test.go":                          "package app\nimport \"example.com/lib/libtest\"\n",
		"app/testdata/t.go":                      "package t\nimport \"encoding/json\"\n",
		"app/vendor/x/x.go":                      "package x\nimport \"encoding/json\"\n",
		"app/other/go.mod":                       "module corp.example/other\n",
		"app/other/o.go":                         "package other\nimport \"encoding/json\"\n",
		"app/broken.go":                          "package app\nimport (",
		"local/go.mod":                           "module example.com/local\n",
		"local/l.go":                             "package local\n",
		"modcache/cache/download/v":              "",
		"modcache/example.com/far@v1.0.0/f.go":   "package far\n",
		"modcache/example.com/lib@v1.2.0/lib.go": "package lib\n",
		"modcache/example.com/lib/nested@v0.1.0/deep/d.go":            "package deep\n",
		"modcache/example.com/rootless@v1.0.0/cmd/c.go":               "package main\n",
		"modcache/example.com/unused@v1.0.0/u.go":                     "package unused\n",
		"modcache/cache/download/example.com/zipped/@v/v1.0.0.zip":    "zip",
		"modcache/cache/download/example.com/unfetched/@v/v1.0.0.mod": "module example.com/unfetched\n",
	})
	all, err := w.golang().Dependencies(w.path("app"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range all {
		s := d.Package + "@" + d.Version
		for _, is := range []struct {
			true bool
			word string
		}{{d.Imported, "imported"}, {d.Direct, "direct"}, {d.Installed, "installed"}} {
			if is.true {
				s += " " + is.word
			}
		}
		got = append(got, s)
	}
	want := []string{
		"example.com/lib/sub@v1.2.0 imported direct installed",
		"example.com/lib/nested/deep@v0.1.0 imported direct installed",
		"example.com/local@ imported direct installed",
		"example.com/lib/libtest@v1.2.0 imported direct installed",
		"example.com/lib@v1.2.0 direct installed",
		"example.com/unfetched@v1.0.0 direct",
		"example.com/unused@v1.0.0 direct installed",
		"example.com/zipped@v1.0.0 direct installed",
		"fmt@go1.26.3 imported direct installed",
		"example.com/far@v1.0.0 installed",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", fmt.Sprintln(got), fmt.Sprintln(want))
	}
	if names := w.golang().Names(w.path("app"), "", 100); !slices.Contains(names, "corp.example/app/internal/b") || slices.Contains(names, "net/http/internal") {
		t.Errorf("names for completion: %q", names)
	}
	if _, err := w.golang().Dependencies(w.path("home")); err == nil {
		t.Error("a directory without a project has dependencies")
	}
}
