package source

import (
	"strings"
	"testing"
)

// hostile returns strings of about the given size that repeat one construct or are
// unterminated. If one of them took quadratic time to read, the test would time out.
func hostile(size int) map[string]string {
	all := map[string]string{}
	for _, unit := range []string{
		"(", "[", "{", "<", ")", "]", "}", ">", "\"", "\"\"\"", "#\"", "\"\\(", "\"\"\"\\(", "`", "/", " /a", "#/", "#/\n", "##/", "/*", "*/", "/**/", "//", "///\n", "/** */",
		"#", "@", "@a", "@a\n", "@a(", "#if a\n", "#else\n", "#elseif a\n", "#endif\n", "#if a &&\n", "#if ", "#if (", "#if !", "#if @a\n", "#if a\n@b\n#endif\n", "\\", "?", "!", ".", "...", ",", ";", ":",
		"=", "->", "&", "\x00", "\xff", "é", "√", "👍", "a", "a ", "a.", "a<", "a<b,", "x: a<", "1", "1.", "0x", "1e", "struct A {", "struct A<", "struct A: ", "struct A where ",
		"class ", "class class ", "enum A { case ", "enum A { case a(", "case a = ", "case a,", "func f", "func f(", "func f() -> ", "func f() async throws ", "func f(a: ", "func f(a: b = ",
		"func <", "func ==<", "func /(", "init(", "init?", "subscript(", "var a", "var a = ", "var a: ", "var a: b = c ", "var a { get ", "var a { @a ", "var a { #if b\n", "var a = b {", "var a = b<", "var (", "let (a, ", "let ((", "let a = if ",
		"let a = b ? ", "let a = b\n#if c\n.d\n", "let a = try await ", "let a: b<c> = ", "let a: @b ", "let a: some ", "let a: (b) async ", "let a = (b) async ", "let a = b as ", "extension ", "protocol A { associatedtype ", "typealias A = ",
		"import ", "import a.", "operator ", "infix operator + : a, ", "precedencegroup a {", "macro a(", "public ", "private(set) ", "nonisolated(", "async ", "static class ", "deinit ", "package.a ",
		"a /* */ ", "x\n///\n", "struct A {\n///\n", "where ", "where A: B, ", "each ", "repeat ", "any ", "\r", "\r\n", "\uFEFF", "#!", "#sourceLocation(", "#a {", "#a(",
	} {
		all[unit] = strings.Repeat(unit, size/len(unit))
	}
	for name, parts := range map[string][2]string{
		"angles":       {"let a = b", " < c"},
		"regex":        {"let a = ", "/\\"},
		"long comment": {"/*", " a * / "},
		"deep strings": {"let a = ", "\"\"\"\n\\("},
		"accessors":    {"var a: b {", " mutating"},
		"attributes":   {"var a: b {", " @c(d)"},
		"conditions":   {"var a: b {", " #if c\n"},
		"parameters":   {"func f(", "a: b, "},
		"generics":     {"func f<", "a: b, "},
		"elements":     {"enum A { case b(", "c: d, "},
		"cases":        {"enum A { case ", "c, "},
		"tuple":        {"let (", "a, "},
		"postfix":      {"let a = b", "\n#if c\n.d\n#endif\n"},
		"ternaries":    {"let a = b", " ? c : d"},
		"closures":     {"let a = b", " { } c:"},
		"members":      {"let a = b", "\n.c()"},
		"types":        {"let a: ", "b -> "},
		"optional":     {"let a: b", "?"},
		"compositions": {"let a: b", " & c"},
	} {
		all[name] = parts[0] + strings.Repeat(parts[1], size/len(parts[1]))
	}
	return all
}

func TestHostile(t *testing.T) {
	for name, text := range hostile(150_000) {
		f := Parse(name, []byte(text))
		if len(f.Skipped) > MaxSkipped {
			t.Errorf("%q: %d places of skipped declarations", name, len(f.Skipped))
		}
		walk(f.Decls, func(d *Decl) {
			d.Doc()
			d.Title()
			d.Availability()
			if len(d.Generics) < 100 {
				d.Declaration(Inferred{})
			}
		})
	}
}

func walk(decls []*Decl, visit func(*Decl)) {
	for _, d := range decls {
		visit(d)
		walk(d.Members, visit)
	}
}

func TestWhatCannotBeReadLosesItselfAlone(t *testing.T) {
	for _, broken := range []string{
		"func (", "func f(a b: ) {}", "func f(1: Int) {}", "struct { }", "var = 1", "var : Int", "let (a = 1", "enum E { case 1 }", "extension { }", "protocol { }",
		"typealias A", "subscript -> Int", "init -> Int", "import 1", "operator", "precedencegroup", "@ func", "func f(a: Int", "x y z", "\x00\xff", "case", "associatedtype",
		"macro", "struct A<", "#else", "#endif", "%%%", "public private", "class class",
	} {
		f := Parse("a.swift", []byte("public struct Before { func inside() {} }\n"+broken+"\npublic struct After { }\n"))
		var got []string
		for _, d := range f.Decls {
			got = append(got, d.Name)
		}
		if s := strings.Join(got, " "); !strings.HasPrefix(s, "Before") || !strings.HasSuffix(s, "After") {
			t.Errorf("%q: read %s", broken, s)
		} else if f.Decls[len(f.Decls)-1].Access != Public && !strings.HasPrefix(broken, "public") {
			t.Errorf("%q: what follows is not public", broken)
		}
	}
}

func TestTooManyDeclarations(t *testing.T) {
	f := Parse("a.swift", []byte("enum A { case a"+strings.Repeat(",a", 1_000_000)+"}"))
	if n := len(f.Decls[0].Members); n*declSize > maxSpent+declSize || n < 100_000 || f.Lost == 0 {
		t.Errorf("read %d cases, lost %d declarations", n, f.Lost)
	}
}

func TestLargeFile(t *testing.T) {
	unit := "/// Doc.\npublic func f(a: Int) -> Int { \"\\(a)\" }\n" + strings.Repeat("// A comment\n", 10)
	f := Parse("a.swift", []byte(strings.Repeat(unit, 20<<20/len(unit))))
	if want := 20 << 20 / len(unit); len(f.Decls) != want || f.Lost != 0 {
		t.Errorf("read %d declarations, lost %d, want %d", len(f.Decls), f.Lost, want)
	}
}
