package source

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// corpus returns the Swift files below the folder given by SWIFT_SOURCES, or else those of the
// golden tests, repeated.
func corpus(b *testing.B) [][]byte {
	names := inputs(b)
	repeat := 50
	if root := os.Getenv("SWIFT_SOURCES"); root != "" {
		names, repeat = nil, 1
		err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
			if err == nil && e.Type().IsRegular() && strings.HasSuffix(path, ".swift") {
				names = append(names, path)
			}
			return err
		})
		if err != nil || len(names) == 0 {
			b.Fatal("no Swift files below ", root, err)
		}
	}
	var all [][]byte
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		for range repeat {
			all = append(all, text)
		}
	}
	return all
}

// BenchmarkDeclarations reads files and the documentation of their public declarations.
func BenchmarkDeclarations(b *testing.B) {
	files := corpus(b)
	size := 0
	for _, text := range files {
		size += len(text)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	docs := 0
	for b.Loop() {
		for _, text := range files {
			docs += readDocs(Parse("a.swift", text).Decls, false)
		}
	}
	if docs == 0 {
		b.Fatal("no documentation was read")
	}
}

// readDocs cleans the comments of public declarations and returns their size.
func readDocs(decls []*Decl, public bool) int {
	n := 0
	for _, d := range decls {
		if d.Comment != "" && (public || d.Access >= Public) {
			n += len(d.Doc())
		}
		n += readDocs(d.Members, d.Access >= Public && (d.Kind == Protocol || d.Kind == Enum || d.Kind == Extension))
	}
	return n
}
