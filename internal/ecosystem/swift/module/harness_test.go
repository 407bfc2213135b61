package module

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// packageOf creates a package from a text with a line "-- Module/File.swift --" before
// each file. The first module is the one that is read; each may import the others.
func packageOf(text string) Package {
	files := fstest.MapFS{}
	p := Package{Name: "test", Root: files, Platform: "linux/amd64"}
	name := "M/a.swift"
	var modules []string
	for line := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(line, "-- "); ok {
			name = strings.TrimSuffix(strings.TrimSpace(rest), " --")
			continue
		}
		f := files[name]
		if f == nil {
			f = &fstest.MapFile{}
			files[name] = f
		}
		f.Data = append(f.Data, line...)
		if m, _, _ := strings.Cut(name, "/"); !slices.Contains(modules, m) {
			modules = append(modules, m)
		}
	}
	for _, m := range modules {
		t := Target{Name: m, Dir: m, Products: []string{m}, Dependencies: modules}
		for name := range files {
			if strings.HasPrefix(name, m+"/") {
				t.Files = append(t.Files, name)
			}
		}
		p.Targets = append(p.Targets, t)
	}
	p.Module = modules[0]
	return p
}

// lines formats symbols, one per line, with their paths and signatures.
func lines(all []apidoc.Symbol, depth int) []string {
	var out []string
	for i := range all {
		s := &all[i]
		line := strings.Repeat("  ", depth) + strings.ReplaceAll(s.Signature, "\n", " | ")
		if s.From != "" {
			line += " (from " + s.From + ")"
		}
		if s.Constraint != "" {
			line += " (only " + s.Constraint + ")"
		}
		if s.Deprecated != "" {
			line += " (deprecated: " + s.Deprecated + ")"
		}
		out = append(out, line)
		out = append(out, lines(s.Members, depth+1)...)
	}
	return out
}

func read(t *testing.T, p Package) *apidoc.Package {
	t.Helper()
	out, err := Read(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
