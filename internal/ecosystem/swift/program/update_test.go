package program_test

import (
	"fmt"
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
	for _, u := range p.Uses("App", name, program.Tokenize(text)) {
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
	if p.Uses("Unknown", "a.swift", program.Tokenize("let a = 1\n")) != nil {
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

// TestProgram_ReplacedFiles replaces the first file of a module, which declares a variable, and checks the second file.
func TestProgram_ReplacedFiles(t *testing.T) {
	const (
		before = "import Kite\nimport Later\nvar shared = Late()\nfunc f() {}\n"
		user   = "import Kite\nimport Later\nfunc g(l: Late) { shared.wait(); shared.hurry() }\n"
	)
	for _, tt := range []struct {
		name, text, want string
		same             bool
	}{
		{"the same text", before, "Late.hurry", true},
		{"another body and a comment", "import Kite\nimport Later\n\n/// Documented.\nvar shared = Late()\nfunc f() { g() }\n", "Late.hurry", true},
		{"another import", "import Kite\nvar shared = Late()\nfunc f() {}\n", "", true}, // the type of the variable is unknown
		{"a re-export", "@_exported import Kite\nimport Later\nvar shared = Late()\nfunc f() {}\n", "Late.hurry", false},
		{"another declaration", "import Kite\nimport Later\nvar shared = Late()\nfunc f() {}\nextension Late { func hurry() {} }\n", "", false},
		{"another label", "import Kite\nimport Later\nvar shared = Late()\nfunc f(a: Int) {}\n", "Late.hurry", false},
		{"a declaration that cannot be read", "import Kite\nimport Later\nvar shared = Late()\nfunc f() {}\nfunc (\n", "Late.hurry", false},
	} {
		reads := 0
		p := program.New([]*program.Module{
			{Name: "App", Package: "App", Read: func() ([]*source.File, bool) {
				return []*source.File{source.Parse("App0.swift", before), source.Parse("App1.swift", user)}, true
			}},
			{Name: "Kite", Package: "Kite", Read: func() ([]*source.File, bool) { return []*source.File{source.Parse("Kite.swift", library)}, true }},
			{Name: "Later", Package: "Later", Read: func() ([]*source.File, bool) {
				reads++
				return []*source.File{source.Parse("Later.swift", "public struct Late { public init() {}; public func wait() {} }\n")}, true
			}},
		})
		p.Load("App")
		if got := strings.Join(absentIn(p, "App1.swift", user), " "); got != "Late.hurry" {
			t.Fatalf("before, absent are %q", got)
		}
		updated := p.Update("App", source.Parse("App0.swift", tt.text))
		if got := strings.Join(absentIn(updated, "App1.swift", user), " "); got != tt.want || (updated == p) != tt.same || reads != 1 {
			t.Errorf("%s: absent are %q, want %q; the program is the same: %t; %d reads", tt.name, got, tt.want, updated == p, reads)
		}
		restored := updated.Update("App", source.Parse("App0.swift", before))
		if got := strings.Join(absentIn(restored, "App1.swift", user), " "); got != "Late.hurry" {
			t.Errorf("%s: after the file is restored, absent are %q", tt.name, got)
		}
	}
}

// TestProgram_ManyUpdates changes a file so often that its former declarations would be too many to compare with.
func TestProgram_ManyUpdates(t *testing.T) {
	reads := 0
	p := twoFiles(&reads)
	p.Load("App")
	const call = "import Kite\nfunc f() { x.reelIn(spool: 1, 2) }\n"
	for i := range 150 {
		if got := absentIn(p, "App0.swift", call); i > 0 && !slices.Equal(got, []string{"reelIn"}) {
			t.Fatalf("after %d updates, absent are %q", i, got)
		}
		p = p.Update("App", source.Parse("App1.swift", fmt.Sprintf("import Kite\nstruct Shop { func reelIn(spool: Int) { print(%d) } }\nvar n%d = 1\n", i, i/2)))
		p.Load("App")
	}
	p = p.Update("App", source.Parse("App1.swift", "import Kite\nstruct Shop { func reelIn(spool: Int, _ n: Int) {} }\n"))
	if got := absentIn(p, "App0.swift", call); got != nil {
		t.Errorf("after a function was changed, absent are %q", got)
	}
	p = p.Update("App", source.Parse("App1.swift", "import Kite\nstruct Shop { func reelIn(spool: Int) {} }\n"))
	if got := absentIn(p, "App0.swift", call); !slices.Equal(got, []string{"reelIn"}) {
		t.Errorf("after the function was restored, absent are %q", got)
	}
}

func TestProgram_SameDeclarations(t *testing.T) {
	reads := 0
	p := twoFiles(&reads)
	p.Load("App")
	const declares = "import Kite\nextension Kite { func swoop() {} }\nstruct Shop { var k: Kite }\n"
	for text, same := range map[string]bool{
		declares: true, strings.Replace(declares, "swoop() {}", "swoop() { self.fly() }", 1): true, "// A shop.\n" + declares: true,
		declares + "import Later\n": false, strings.Replace(declares, "swoop", "dive", 1): false, strings.Replace(declares, "k: Kite", "k: Kite?", 1): false,
	} {
		if got := p.With("App", "App1.swift", text) == p; got != same {
			t.Errorf("with %q, the program is the same: %t", text, got)
		}
	}
}

func TestProgram_Expansions(t *testing.T) {
	const user = "func f(l: Late) { l.hurry }\n"
	p := program.New([]*program.Module{{Name: "App", Package: "App", Read: func() ([]*source.File, bool) {
		return []*source.File{
			source.Parse("App0.swift", "struct Late {\n}\n"), source.Parse("App1.swift", user),
			source.Parse("Macros.swift", "@freestanding(declaration, names: named(hurry))\nmacro Hurry() = #externalMacro(module: \"M\", type: \"H\")\n"),
		}, true
	}}})
	p.Load("App")
	if got := strings.Join(absentIn(p, "App1.swift", user), " "); got != "Late.hurry" {
		t.Errorf("without the expansion, absent are %q", got)
	}
	p = p.Update("App", source.Parse("App0.swift", "struct Late {\n\t#Hurry\n}\n"))
	if got := strings.Join(absentIn(p, "App1.swift", user), " "); got != "" {
		t.Errorf("with the expansion, absent are %q", got)
	}
}
