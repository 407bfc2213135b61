package docc

import (
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/docent-mcp/docent/internal/filetest"
)

// filesOf lists the files below a file system.
func filesOf(t *testing.T, files fs.FS) []string {
	var all []string
	if err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			all = append(all, name)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return all
}

func TestCatalogue(t *testing.T) {
	root := os.DirFS("testdata/kettle")
	c := Read(root, filesOf(t, root), "Kettle")
	symbols := func(link string) (string, bool) {
		return strings.TrimPrefix(link, "Kettle."), strings.Contains(link, "heat")
	}
	var b strings.Builder
	for _, s := range c.Sections(symbols) {
		fmt.Fprintf(&b, "=== %s | %s | %d | %s\n%s\n", s.ID, s.Title, s.Level, s.File, s.Body)
	}
	names := make([]string, 0, len(c.Extensions))
	for name := range c.Extensions {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		e := c.Extensions[name]
		fmt.Fprintf(&b, "=== extension %s | override %t\n%s\n%q\n", name, e.Override, e.Comment("Heats."), e.Topics)
	}
	fmt.Fprintf(&b, "%q\n", c.Warnings)
	filetest.Golden(t, "testdata/kettle.golden", b.String())
}

func TestExtension(t *testing.T) {
	root := os.DirFS("testdata/kettle")
	c := Read(root, filesOf(t, root), "Kettle")
	for path, want := range map[string]bool{"": true, "Kettle": true, "Kettle.heat(to:)": true, "Kettle.drain()": false} {
		if got := c.Extension(path) != nil; got != want {
			t.Errorf("extension of %q: %t, want %t", path, got, want)
		}
	}
	if got := c.Extension("Kettle.heat(to:)").Comment("Old."); strings.Contains(got, "Old.") {
		t.Errorf("a page that overrides the comment keeps it: %q", got)
	}
	if got := c.Extension("Kettle").Comment("Old."); !strings.HasPrefix(got, "Old.\n\n") {
		t.Errorf("a page that extends the comment replaces it: %q", got)
	}
	var none *Catalogue
	if none.Extension("x").Comment("c") != "c" {
		t.Error("without a catalogue a comment is not itself")
	}
}

// A module that exports others also shows their pages.
func TestExportedModules(t *testing.T) {
	files := fstest.MapFS{
		"Sources/Core/Core.docc/Core.md":   {Data: []byte("# ``Core``\n\nThe core; see <doc:Start>.\n\n## Topics\n\n- ``Part``\n")},
		"Sources/Core/Core.docc/Part.md":   {Data: []byte("# ``Core/Part``\n\nParts.\n")},
		"Sources/Core/Core.docc/Start.md":  {Data: []byte("# Starting\n\nText.\n")},
		"Sources/Extra/Extra.docc/More.md": {Data: []byte("# ``Extra``\n\nThe rest.\n")},
	}
	core := []string{"Sources/Core/Core.docc/Core.md", "Sources/Core/Core.docc/Part.md", "Sources/Core/Core.docc/Start.md"}
	c := Read(files, core, "All")
	if e := c.Extension(""); e == nil || e.Text != "The core; see [Starting](docc/start)." || len(e.Topics) != 1 {
		t.Errorf("the page of the only module: %+v", e)
	}
	if e := c.Extension("Part"); e == nil || e.Text != "Parts." {
		t.Errorf("the page of a symbol: %+v", e)
	}
	c = Read(files, append(core, "Sources/Extra/Extra.docc/More.md"), "All")
	if e := c.Extension(""); e != nil {
		t.Errorf("of two modules one is shown: %+v", e)
	}
	if e := Read(files, append(core, "Sources/Extra/Extra.docc/More.md"), "Extra").Extension(""); e == nil || e.Text != "The rest." {
		t.Errorf("the page of the module that is shown: %+v", e)
	}
}

func TestBounds(t *testing.T) {
	files := fstest.MapFS{"A.docc/long.md": {Data: []byte("# Long\n\n" + strings.Repeat("word ", maxPage/5))}, "A.docc/binary.swift": {Data: []byte("a\x00b")},
		"A.docc/large.swift": {Data: []byte(strings.Repeat("let x = 1\n", maxShown/10+1))}}
	for i := range maxPages + 5 {
		files[fmt.Sprintf("A.docc/p%04d.md", i)] = &fstest.MapFile{Data: []byte(fmt.Sprintf("# Page %d\n\nText.", i))}
	}
	names := append(filesOf(t, files), "A.docc/zz.md")
	c := Read(files, names, "A")
	if len(c.pages) != maxPages || len(c.Warnings) != 2 || !strings.Contains(c.Warnings[0], "bytes of A.docc/long.md") || !strings.Contains(c.Warnings[1], "7 more pages") {
		t.Errorf("%d pages, warnings %q", len(c.pages), c.Warnings)
	}
	if _, ok := c.shownFile("binary.swift"); ok {
		t.Error("a binary file is shown")
	}
	if text, ok := c.shownFile("dir/large.swift"); !ok || !strings.HasSuffix(text, "\n// …\n") || len(text) > maxShown+10 {
		t.Errorf("a large file: %t, %d bytes", ok, len(text))
	}
	if got := Read(files, []string{"A.docc/gone.md"}, "A").Warnings; len(got) != 1 || !strings.Contains(got[0], "could not read A.docc/gone.md") {
		t.Errorf("a file that is missing: %q", got)
	}
}

func TestSnippet(t *testing.T) {
	text, err := os.ReadFile("testdata/kettle/Snippets/Boil.swift")
	if err != nil {
		t.Fatal(err)
	}
	for slice, want := range map[string]string{
		"":     "let kettle = Kettle()\ndo {\n  kettle.heat(to: 100)\n}\nkettle.drain()",
		"heat": "do {\n  kettle.heat(to: 100)\n}",
		"none": "",
	} {
		if got := Snippet(string(text), slice); got != want {
			t.Errorf("slice %q: got %q, want %q", slice, got, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	root := os.DirFS("testdata/kettle/Sources/Kettle/Kettle.docc")
	for _, name := range []string{"Getting Started.md", "Safety.md", "Extensions/Heat.md", "Tutorials/Boiling.tutorial", "Tutorials/Contents.tutorial"} {
		text, err := fs.ReadFile(root, name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text), "let x = 1")
	}
	f.Fuzz(func(_ *testing.T, text, code string) {
		files := fstest.MapFS{"A.docc/a.md": {Data: []byte(text)}, "A.docc/b.tutorial": {Data: []byte(text)}, "A.docc/boil-2.swift": {Data: []byte(code)}, "Snippets/Boil.swift": {Data: []byte(code)}}
		c := Read(files, []string{"A.docc/a.md", "A.docc/b.tutorial", "A.docc/boil-2.swift"}, "A")
		c.Sections(nil)
		Snippet(code, text)
	})
}
