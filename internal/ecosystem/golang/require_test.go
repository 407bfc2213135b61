package golang

import (
	"strings"
	"testing"
)

func TestUndeclaredModule_GoModDoesNotRequireIt(t *testing.T) {
	w := newWorld(t, map[string]string{
		"app/go.mod":    "module corp.example/app\ngo 1.26.0\nrequire example.com/kiln v1.0.0\n",
		"old/go.mod":    "module corp.example/old\ngo 1.16\nrequire example.com/kiln v1.0.0\n",
		"listed/go.mod": "module corp.example/listed\ngo 1.26.0\nrequire (\n\texample.com/kiln v1.0.0\n\texample.com/clay v1.2.0 // indirect\n)\n",
		"work/go.work":  "go 1.26.0\nuse ./a\n",
		"work/a/go.mod": "module corp.example/a\ngo 1.26.0\nrequire example.com/kiln v1.0.0\n",
		"modcache/example.com/kiln@v1.0.0/kiln.go":               "package kiln\n",
		"modcache/example.com/clay@v1.2.0/wet/w.go":              "package wet\n",
		"modcache/cache/download/example.com/kiln/@v/v1.0.0.mod": "module example.com/kiln\ngo 1.26.0\nrequire example.com/clay v1.2.0\n",
		"modcache/cache/download/example.com/clay/@v/v1.2.0.mod": "module example.com/clay\ngo 1.26.0\n",
	})
	w.opts.Offline = true
	const notice = "go.mod of corp.example/app does not require example.com/clay; before you import it, run go get example.com/clay@v1.2.0"
	for _, tt := range []struct{ name, project, pkg, want string }{
		{"it is in the module graph alone", "app", "example.com/clay/wet", notice},
		{"it is required", "app", "example.com/kiln", ""},
		{"it is required as indirect", "listed", "example.com/clay/wet", ""},
		{"the project is of a Go version without complete go.mod files", "old", "example.com/clay/wet", ""},
		{"the project is a workspace", "work/a", "example.com/clay/wet", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			src, err := w.locate(tt.project, tt.pkg)
			if err != nil {
				t.Fatal(err)
			}
			if src.Provenance.Undeclared != tt.want {
				t.Errorf("it says %q, want %q", src.Provenance.Undeclared, tt.want)
			}
			if advice := strings.Join(src.Warnings, " "); strings.Contains(advice, "does not require") != (tt.want != "") {
				t.Errorf("the advice is %q", advice)
			}
		})
	}
}
