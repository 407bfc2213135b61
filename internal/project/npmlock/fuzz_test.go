package npmlock

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/filetest"
)

// FuzzLock reads hostile lock files of every kind. Reading must not panic, and the
// dependency that a lookup returns must be bounded in size.
func FuzzLock(f *testing.F) {
	files, err := filepath.Glob("testdata/*/*lock*")
	if err != nil || len(files) == 0 {
		f.Fatal("no lock files in testdata", err)
	}
	for _, file := range files {
		data := filetest.Read(f, file)
		for kind, l := range lockFiles {
			if strings.HasSuffix(file, l.name) {
				f.Add(kind, string(data))
			}
		}
	}
	f.Fuzz(func(t *testing.T, kind int, data string) {
		if kind < 0 || kind >= len(lockFiles) {
			return
		}
		lk, err := lockFiles[kind].parse(context.Background(), []byte(data))
		if err != nil {
			return
		}
		if err := lk.each(context.Background(), func(e Entry) { e.Platforms.Include("linux", "x64", "glibc") }); err != nil {
			t.Error(err)
		}
		for _, importer := range []string{".", "packages/app", "../x"} {
			lk.knows(importer)
			for _, name := range []string{"ms", "seven", "@types/ms"} {
				for _, spec := range []string{"", "2.1.2", "npm:is-number@^7.0.0", "link:..", "patch:ms@npm%3A2"} {
					lk.find(importer, name, spec)
				}
			}
		}
	})
}

// FuzzManifest reads hostile package.json files and specifiers.
func FuzzManifest(f *testing.F) {
	f.Add(rootManifest)
	f.Add(`{"workspaces":{"packages":["a/**"]},"dependencies":{"x":1,"y":"patch:y@npm%3A1#p"}}`)
	f.Fuzz(func(t *testing.T, data string) {
		m, err := ParseManifest([]byte(data))
		if err != nil {
			return
		}
		for name, spec := range m.Dependencies {
			ParseSpec(spec)
			if ValidName(name) && (strings.Contains(name, "..") && strings.HasPrefix(name, ".") || strings.Count(name, "/") > 1) {
				t.Errorf("%q is accepted", name)
			}
		}
	})
}
