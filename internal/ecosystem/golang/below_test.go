package golang

import (
	"slices"
	"testing"
)

func TestBelow(t *testing.T) {
	w := newWorld(t, map[string]string{
		"app/go.mod": "module example.com/app\n\ngo 1.24\n\nrequire (\n\texample.com/kiln/v5 v5.1.0\n\texample.com/Gone v1.0.0\n)\n",
		"modcache/example.com/kiln/v5@v5.1.0/kiln.go":             "package kiln\n",
		"modcache/example.com/kiln/v5@v5.1.0/glaze/g.go":          "package glaze\n",
		"modcache/example.com/kiln/v5@v5.1.0/glaze/mix/m.go":      "package mix\n",
		"modcache/example.com/kiln/v5@v5.1.0/internal/x/x.go":     "package x\n",
		"modcache/example.com/kiln/v5@v5.1.0/glaze/testdata/t.go": "package t\n",
		"modcache/example.com/kiln/v5@v5.10.0/kiln.go":            "package kiln\n",
		"modcache/example.com/kiln/v5@v5.10.0/new/o.go":           "package new\n",
		"modcache/example.com/kiln/v5@v5.10.0/new/red/r.go":       "package red\n",
		"modcache/example.com/kiln/v5@v5.10.0/new/z.go":           "package new\n",
		"modcache/example.com/kiln/v5@v5.9.0/old/o.go":            "package old\n",
		"modcache/example.com/!other@v1.0.0/o.go":                 "package other\n",
		"modcache/example.com/!other@v1.0.0/kiln/k.go":            "package kiln\n",
		"modcache/example.com/!other@v1.0.0/docs/a.md":            "",
		"modcache/example.com/!other@v1.0.0/a/b/c/d.go":           "package c\n",
		"modcache/cache/download/x@y/z":                           "",
	})
	if got, want := w.golang().Below(w.path("app")), []string{"example.com/kiln/v5/glaze", "example.com/kiln/v5/glaze/mix"}; !slices.Equal(got, want) {
		t.Errorf("in the project: %q, want %q", got, want)
	}
	got := w.golang().Below("")
	if !slices.Equal(got, []string{"example.com/Other", "example.com/kiln/v5", "example.com/kiln/v5/new", "example.com/kiln/v5/new/red"}) {
		t.Errorf("without a project: %q", got)
	}
}
