package program_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/program"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
)

// twoFiles returns a program with a module of two files, and one that it imports.
func twoFiles(reads *int) *program.Program {
	module := func(name string, files ...string) *program.Module {
		return &program.Module{Name: name, Package: name, Read: func() (all []*source.File, complete bool) {
			*reads++
			for i, text := range files {
				all = append(all, source.Parse(name+string(rune('0'+i))+".swift", text))
			}
			return all, true
		}}
	}
	return program.New([]*program.Module{
		module("App", "import Kite\n", "import Kite\nextension Kite { func swoop() {} }\nstruct Shop { var k: Kite }\n"),
		module("Kite", library),
		module("Later", "public struct Late { public init() {}; public func wait() {} }\n"),
	})
}

// absentIn returns the paths of the absent members in a file of the module App.
func absentIn(p *program.Program, name, text string) (paths []string) {
	p = p.With("App", name, text)
	p.Load("App")
	for _, u := range p.Uses("App", name, text) {
		if u.Fault == ecosystem.AbsentFault {
			paths = append(paths, u.Path)
		}
	}
	return paths
}

func TestProgram_EditedFiles(t *testing.T) {
	reads := 0
	p := twoFiles(&reads)
	for _, tt := range []struct{ name, file, text, want string }{
		{"a file sees the others", "App0.swift", "import Kite\nfunc f(s: Shop) { s.k.swoop(); s.k.dive() }\n", "Kite.dive"},
		{"a new file", "New.swift", "import Kite\nfunc f(s: Shop) { s.k.swoop(); s.j }\n", "Shop.j"},
		{"the file that declares is replaced", "App1.swift", "import Kite\nstruct Shop { var k: Kite }\nfunc f(s: Shop) { s.k.swoop() }\n", "Kite.swoop"},
		{"a module that only the new text imports", "App0.swift", "import Later\nfunc f(l: Late) { l.wait(); l.hurry() }\n", "Late.hurry"},
		{"the program itself does not change", "App0.swift", "import Kite\nfunc f(s: Shop) { s.k.swoop() }\n", ""},
		{"a file of no module", "App0.swift", "", ""},
	} {
		if got := strings.Join(absentIn(p, tt.file, tt.text), " "); got != tt.want {
			t.Errorf("%s: absent are %q, want %q", tt.name, got, tt.want)
		}
	}
	if reads != 3 {
		t.Errorf("modules were read %d times", reads)
	}
	if p.Uses("Unknown", "a.swift", "let a = 1\n") != nil {
		t.Error("a module that does not exist has uses")
	}
	text := "import Kite\n"
	p.Load("App")
	if p.With("App", "App0.swift", text) != p {
		t.Error("the same text makes another program")
	}
}

func TestProgram_UpdatedFiles(t *testing.T) {
	reads := 0
	p := twoFiles(&reads)
	const text = "import Kite\nfunc f(s: Shop) { s.k.swoop(); s.k.dive() }\n"
	if got := absentIn(p, "App0.swift", text); !slices.Equal(got, []string{"Kite.dive"}) {
		t.Errorf("before: %q", got)
	}
	updated := p.Update("App", source.Parse("App1.swift", "import Kite\nextension Kite { func dive() {} }\nstruct Shop { var k: Kite }\n"))
	if got := absentIn(updated, "App0.swift", text); !slices.Equal(got, []string{"Kite.swoop"}) {
		t.Errorf("after: %q", got)
	}
	if got := absentIn(p, "App0.swift", text); !slices.Equal(got, []string{"Kite.dive"}) {
		t.Errorf("the program before has changed: %q", got)
	}
}

// TestProgram_CutOff checks every beginning of a file. What is not complete must not be reported.
func TestProgram_CutOff(t *testing.T) {
	const text = `import Kite
@MainActor final class A<T: Flyer>: Ball {
	var k: Kite? = .init(name: "\(1 + 2)") { didSet { k?.land() } }
	init?(t: T, _ f: @escaping (Tail) async throws -> Void = { $0.cut() }) { super.init() }
	func g(w: Wind, all: [Kite]) throws -> Tail? {
		guard let k, case .breeze(let s, from: _) = w, s > 1 else { return nil }
		for x in all where x.wind == .calm { x.fly(to: 1).land() }
		switch w { case .calm, .gust: break; default: all.map { $0.tail }.first??.cut() }
		do { try k.each(1) { t in t.cut() } done: { } } catch let e as Broken { throw e }
		return all.compactMap(\.tail).first ?? Tail()
	}
}
struct Broken: Error {}
`
	reads := 0
	p := twoFiles(&reads)
	if got := absentIn(p, "App0.swift", text); got != nil {
		t.Fatalf("the whole file lacks %q", got)
	}
	for n := range len(text) {
		for _, path := range absentIn(p, "App0.swift", text[:n]) {
			if name := path[strings.LastIndexByte(path, '.')+1:]; !strings.HasSuffix(text[:n], name) {
				t.Errorf("in the first %d bytes, %s is absent", n, path)
			}
		}
	}
}
