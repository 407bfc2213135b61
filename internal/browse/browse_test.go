package browse

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/console"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/filetest"
)

var sizes = []console.Size{{Columns: 80, Lines: 24}, {Columns: 120, Lines: 40}}

func TestScreens(t *testing.T) {
	for _, size := range sizes {
		t.Run(fmt.Sprintf("%dx%d", size.Columns, size.Lines), func(t *testing.T) {
			s := open(t, newStudio(t), size, Options{})
			golden := func(name string) {
				t.Helper()
				filetest.Golden(t, filepath.Join("testdata", fmt.Sprintf("%dx%d", size.Columns, size.Lines), name+".txt"), s.screen())
			}
			golden("packages")
			s.write("ese")
			golden("packages-filtered")
			s.send(console.Escape).write("eas").send(console.Enter)
			golden("symbols")
			s.write("hng")
			golden("symbols-filtered")
			s.send(console.Tab)
			golden("search-nothing")
			s.send(console.Key("ctrl+u")).write("folds picture")
			golden("search")
			s.send(console.Tab, console.Key("ctrl+u"), console.Down, console.Enter)
			golden("guide")
			s.send(console.Escape).write("easel").send(console.Enter)
			golden("symbol")
			s.send(console.Enter)
			golden("links")
			s.send(console.Escape, console.Key("s"))
			golden("source")
			s.send(console.Key("/")).write("type")
			golden("find")
			s.send(console.Escape, console.Key("?"))
			golden("help")
			s.send(console.Left, console.Left, console.Left, console.Left, console.Key("ctrl+u"), console.Tab).write("hair")
			golden("search-project")
		})
	}
}

func TestBrowse_OpensWhatIsNamed(t *testing.T) {
	for _, tt := range []struct {
		name    string
		options Options
		want    []string
	}{
		{"nothing", Options{}, []string{"studio", "Filter packages:", "▸ studio"}},
		{"a package", Options{Package: "brush"}, []string{"studio › brush@v0.3.1", "Filter symbols:", "▸ Overview"}},
		{"a package of a language", Options{Language: "paint", Package: "brush"}, []string{"studio › brush@v0.3.1"}},
		{"a symbol", Options{Package: "easel", Symbol: "Easel.Hang"}, []string{"studio › easel@v1.2.0 › Easel.Hang", "Hang hangs a picture"}},
		{"a symbol after its package", Options{Package: "easel.Open"}, []string{"easel@v1.2.0 › Open", "Open opens an easel"}},
		{"no package", Options{Package: "palette"}, []string{"no package palette; name another"}},
		{"no symbol", Options{Package: "easel", Symbol: "Shut"}, []string{"no symbol Shut in easel@v1.2.0; the nearest are"}},
		{"no language", Options{Language: "clay", Package: "easel"}, []string{"clay"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			open(t, newStudio(t), sizes[0], tt.options).shows(tt.want...)
		})
	}
}

func TestBrowse_WithoutProject(t *testing.T) {
	out := open(t, newStudio(t), sizes[0], Options{Project: "/nowhere"})
	out.shows("there is no project in /nowhere", "Type the name of a package to")
	out.write(" ").shows("there is no project in /nowhere")
	out.write("brus").send(console.Enter).shows("brush@v0.3.1")
}

func TestBrowse_Version(t *testing.T) {
	s := open(t, newStudio(t), sizes[0], Options{Package: "easel@v1.0.0"})
	s.shows("easel@v1.0.0").write("Easel").send(console.Enter).shows("easel@v1.0.0 › Easel", "Easel is an old easel.")
	s.send(console.Tab).shows("easel@v1.0.0").send(console.Tab).write("old").shows("Easel is an old easel.")
}

func TestBrowse_SeveralVersions(t *testing.T) {
	s := newStudio(t)
	s.used = append(s.used, ecosystem.Used{Name: "easel", Version: "v1.0.0", Installed: true})
	b := open(t, s, sizes[0], Options{})
	b.write("easel").shows("▸ easel       v1.2.0").send(console.Enter).shows("easel@v1.2.0").send(console.Escape)
	b.send(console.Down, console.Enter).shows("easel@v1.0.0").write("Easel").send(console.Enter).shows("easel@v1.0.0 › Easel", "an old easel")
}

func TestBrowse_TypedPackage(t *testing.T) {
	s := open(t, newStudio(t), sizes[0], Options{})
	s.write("std").shows("▸ std/frame").send(console.Enter).shows("› std/frame@v9\n")
	s.send(console.Escape).send(console.Key("ctrl+u")).write("easel Fold").shows("▸ Open easel Fold")
	s.send(console.Enter).shows("easel@v1.2.0 › Fold", "Fold folds the easel.")
	s.send(console.Escape, console.Key("ctrl+w")).write("Crease").send(console.Enter).shows("no symbol Crease in easel@v1.2.0")
}

func TestBrowse_History(t *testing.T) {
	s := open(t, newStudio(t), sizes[0], Options{})
	s.send(console.Escape, console.Left, console.Right).shows("Filter packages:")
	s.write("eas").send(console.Down, console.Up, console.Enter).write("fol").send(console.Enter).shows("› Easel.Fold")
	s.send(console.Left).shows("Filter symbols: fol").send(console.Left).shows("Filter packages: eas")
	s.send(console.Right, console.Key("alt+right")).shows("› Easel.Fold")
	s.send(console.Mouse{Button: console.BackButton}).shows("Filter symbols: fol")
	s.send(console.Mouse{Button: console.ForwardButton}).shows("› Easel.Fold")
	s.send(console.Escape, console.Key("ctrl+u")).write("open").send(console.Enter).shows("› Open")
	s.send(console.Right).shows("› Open") // A new page removes the pages that were ahead in the history.
	for range 3 * maxHistory {
		s.send(console.Key("s"), console.Enter, console.Enter)
	}
	if n := len(s.history); n > maxHistory {
		t.Errorf("the history has %d pages", n)
	}
	for range maxHistory {
		s.send(console.Left)
	}
	s.shows("Filter packages: eas")
}

func TestBrowse_Mouse(t *testing.T) {
	s := open(t, newStudio(t), sizes[0], Options{})
	s.click("easel ").shows("Filter symbols:")
	s.click("Open ").shows("func Open(legs int) Easel", "Open opens an easel for a brush.Brush.")
	s.click("Easel\n"[:5]).shows("› Easel\n", "Easel holds a picture.")
	s.click("‹").shows("› Open\n")
	s.click("Brush.").shows("brush@v0.3.1 › Brush")
	s.send(console.Mouse{Button: console.WheelDown}).shows(" 4–").send(console.Mouse{Button: console.WheelUp}).shows(" 1–")
	s.click("‹").click("easel@").shows("Filter symbols:")
	s.click("studio").shows("Filter packages:")
	s.click("tab").shows("Search documentation:").click("tab").shows("Filter packages:")
	s.send(console.Tab).write("x").send(console.Escape).shows("Search documentation:\n").send(console.Escape).shows("Filter packages:")
	s.send(console.Mouse{Button: console.LeftButton, Column: 5, Line: 20}).shows("Filter packages:")
	s.click("ctrl+c")
	if !s.Done() {
		t.Error("a click on ctrl+c quit does not end the program")
	}
}

func TestBrowse_Document(t *testing.T) {
	s := open(t, newStudio(t), sizes[0], Options{Package: "brush", Symbol: "Brush"})
	s.shows("1–22 of ", "It has 3 hairs").send(console.PageDown).shows("22–43 of").send(console.Key(" "), console.Key(" "), console.Key(" ")).shows("It has 60 hairs")
	s.send(console.Home).shows("1–22").send(console.End).shows("It has 60 hairs").send(console.Key("g")).shows("1–22")
	s.send(console.Key("j"), console.Key("j"), console.Key("k")).shows("2–23").send(console.Key("d")).shows("13–34").send(console.Key("u")).shows("2–23")
	s.send(console.Key("/")).write("50 HAIRS").shows("Find: 50 HAIRS", "It has 50 hairs").send(console.Enter).shows("It has 50 hairs").lacks("Find:")
	s.send(console.Home, console.Key("/")).write("0 hairs").send(console.Enter).shows("10 hairs").send(console.Key("n")).shows("20 hairs").lacks("10 hairs")
	s.send(console.Key("N")).shows("10 hairs")
	s.send(console.Size{Columns: 40, Lines: 10}).shows("hairs").send(sizes[1]).shows("hairs")
	s.send(console.Key("s")).shows("the source of Brush is not in brush").lacks("Reading") // The package has no source file.
	s.send(console.Escape, console.Tab).shows("Filter symbols:").send(console.Escape, console.Key("q"))
	if !s.Done() {
		t.Error("q does not end the program")
	}
}

func TestBrowse_SourceAndBack(t *testing.T) {
	s := open(t, newStudio(t), sizes[0], Options{Package: "easel", Symbol: "Open"})
	s.send(console.Key("s")).shows("› Open › source", "10  func Open(legs int) Easel {", "    return Easel{legs}")
	s.send(console.Key("s")).shows("Open opens an easel").lacks("› source")
	if s.current != 1 {
		t.Errorf("the documentation is page %d of the history, not the one before the source", s.current)
	}
	s.send(console.Right).shows("› source").click("Open ›").shows("Open opens an easel")
}

func TestBrowse_Paste(t *testing.T) {
	s := open(t, newStudio(t), sizes[0], Options{})
	s.send(console.Paste("ea\x1b[2Jsel\n")).shows("Filter packages: ea[2Jsel")
	s.send(console.Key("ctrl+u"), console.Paste(strings.Repeat("x", 10_000)))
	if n := len(s.history[0].(*home).query); n > maxQuery {
		t.Errorf("the query has %d bytes", n)
	}
}

func TestBrowse_SmallScreens(t *testing.T) {
	s := open(t, newStudio(t), sizes[0], Options{})
	for _, keys := range [][]any{{console.Down}, {console.Tab, console.Key("a")}, {console.Tab, console.Escape, console.Down, console.Enter}, {console.Down, console.Enter}, {console.Enter}, {console.F1}} {
		s.send(sizes[0])
		s.send(keys...)
		for columns := 1; columns < 30; columns += 3 {
			for lines := 3; lines < 12; lines++ {
				s.send(console.Size{Columns: columns, Lines: lines}, console.Down, console.PageDown, console.Up)
			}
		}
	}
	for _, size := range []console.Size{{Columns: 1, Lines: 1}, {Columns: 2, Lines: 2}} {
		s.Update(size)
		s.View()
	}
}

// hostile is a text with what no terminal should get.
const hostile = "x\x1b[2J\x1b]0;owned\x07\u202egnp.exe\u202c\u200b\u009b31m\r\n\x00y"

func TestBrowse_HostileText(t *testing.T) {
	s := newStudio(t)
	evil := &apidoc.Package{
		Name: "evil" + hostile, Version: hostile, LocalName: hostile, Synopsis: hostile, Doc: hostile + "\n\n" + strings.Repeat("> ", 200) + hostile,
		Provenance:  apidoc.Provenance{Source: hostile, ChosenBy: hostile},
		Sections:    []apidoc.Section{{ID: "readme/" + hostile, Title: hostile, Level: 2, Body: hostile, File: hostile}},
		Subpackages: []apidoc.Subpackage{{Name: hostile, Synopsis: hostile}},
		Imports:     []apidoc.Ref{{Name: "gnp", Package: hostile, Path: hostile}},
		Symbols: []apidoc.Symbol{
			{Path: "Evil", Kind: hostile, Signature: hostile + strings.Repeat("long ", 500), Doc: hostile + "gnp.exe" + hostile, File: "evil", Line: 1},
			{Path: hostile, Kind: "func", Signature: hostile, Doc: hostile, Deprecated: hostile},
			{Path: strings.Repeat("long", 100_000), Kind: "func", Signature: "func long"},
		},
	}
	s.packages[evil.Name] = evil
	s.files["evil"] = hostile + "\n" + strings.Repeat(hostile, 1000)
	s.used = append(s.used, ecosystem.Used{Name: evil.Name, Version: hostile, Aliases: []string{hostile}, Installed: true, Dir: "/" + hostile})
	for _, size := range append(sizes, console.Size{Columns: 20, Lines: 8}) {
		b := open(t, s, size, Options{}) // The browser returned by open checks each screen.
		b.write("evil").send(console.Enter)
		for range 8 {
			b.send(console.Down)
		}
		b.send(console.Home)
		for range 5 { // The pages are the overview, the guide, the package and the symbols.
			b.send(console.Enter, console.PageDown, console.Enter, console.Down, console.Left, console.Key("s"), console.End, console.Left, console.Left)
			for b.current > 1 {
				b.send(console.Left)
			}
			b.send(console.Down)
		}
		b.send(console.Tab).write("evil exe").send(console.Left, console.Tab).write(" gnp")
		b.send(console.Paste(hostile))
	}
}

func TestBrowse_Color(t *testing.T) {
	for _, noColor := range []bool{false, true} {
		s := open(t, newStudio(t), sizes[0], Options{Package: "easel", Symbol: "Open", NoColor: noColor})
		lines := strings.Join(s.View().Lines, "\n")
		if got := strings.Contains(lines, "\x1b[35m"); got == noColor {
			t.Errorf("NoColor %v: keywords are coloured: %v", noColor, got)
		}
		if !strings.Contains(lines, "\x1b[1") {
			t.Errorf("NoColor %v: nothing is bold", noColor)
		}
	}
}
