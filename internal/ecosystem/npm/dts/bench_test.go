package dts

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// corpus returns the declaration files below DOCENT_DTS_CORPUS, or the small ones in
// testdata.
func corpus(tb testing.TB) (files []string, size int64) {
	tb.Helper()
	dir := os.Getenv("DOCENT_DTS_CORPUS")
	if dir == "" {
		dir = "testdata"
	}
	for d := range strings.SplitSeq(dir, ":") {
		err := filepath.WalkDir(d, func(path string, e os.DirEntry, err error) error {
			if err != nil || e.IsDir() || !strings.HasSuffix(path, ".d.ts") {
				return err
			}
			src, err := os.ReadFile(path)
			files, size = append(files, string(src)), size+int64(len(src))
			return err
		})
		if err != nil {
			tb.Fatal(err)
		}
	}
	return files, size
}

// BenchmarkParse only parses the declarations.
func BenchmarkParse(b *testing.B) {
	files, size := corpus(b)
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for _, src := range files {
			if _, err := Parse(src, Declarations); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkDeclarations reads the declarations, prints the signatures of all
// declarations and members, and converts all doc comments to Markdown.
func BenchmarkDeclarations(b *testing.B) {
	files, size := corpus(b)
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for _, src := range files {
			f, err := Parse(src, Declarations)
			if err != nil {
				b.Fatal(err)
			}
			everything(f, f.Root)
		}
	}
}

var sink int

func everything(f *File, n *Node) {
	for c := n.first; c != nil; c = c.next {
		switch {
		case c.Kind >= Variable && c.Kind <= Namespace, c.IsMember():
			sink += len(c.Signature()) + len(ReadDoc(f.Doc(c)).Markdown)
		}
		switch c.Kind {
		case Class, Interface, Enum, Namespace, Global:
			everything(f, c)
		}
	}
}
