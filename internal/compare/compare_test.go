package compare_test

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/check"
	"github.com/docent-mcp/docent/internal/compare"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/golang"
	"github.com/docent-mcp/docent/internal/ecosystem/npm"
	"github.com/docent-mcp/docent/internal/ecosystem/python"
	"github.com/docent-mcp/docent/internal/ecosystem/rust"
	"github.com/docent-mcp/docent/internal/ecosystem/swift"
	"github.com/docent-mcp/docent/internal/filetest"
)

var styles = map[string]apidoc.Style{
	"go":     golang.New(ecosystem.Options{}).Info().Style,
	"npm":    npm.New(ecosystem.Options{}).Info().Style,
	"python": python.New(ecosystem.Options{}).Info().Style,
	"rust":   rust.New(ecosystem.Options{}).Info().Style,
	"swift":  swift.New(ecosystem.Options{}).Info().Style,
}

// pkg returns a package with the symbols that lines declare: KIND PATH = SIGNATURE. A path that
// consists of several names is the path of a member.
func pkg(language, name, version, lines string) *apidoc.Package {
	p := &apidoc.Package{Name: name, Version: version, Style: styles[language]}
	sep := p.Separator()
	find := func(symbols []apidoc.Symbol, path string) *apidoc.Symbol {
		for i := range symbols {
			if symbols[i].Path == path {
				return &symbols[i]
			}
		}
		return nil
	}
	for l := range strings.Lines(lines) {
		head, signature, ok := strings.Cut(strings.TrimSpace(l), " = ")
		if !ok {
			continue
		}
		kind, path, _ := strings.Cut(strings.ReplaceAll(head, "~", " "), ": ")
		s := apidoc.Symbol{Path: path, Kind: apidoc.Kind(kind), Signature: strings.ReplaceAll(signature, "⏎", "\n")}
		if i := strings.LastIndex(path, sep); i > 0 {
			if owner := find(p.Symbols, path[:i]); owner != nil {
				owner.Members = append(owner.Members, s)
				continue
			}
		}
		p.Symbols = append(p.Symbols, s)
	}
	return p
}

// outline returns changes, one per line.
func outline(changes []compare.Change) string {
	var b strings.Builder
	for _, c := range changes {
		fmt.Fprintf(&b, "%s %s %s", c.Severity, c.Kind, c.Path)
		if c.NewPath != "" {
			fmt.Fprintf(&b, " -> %s (%s)", c.NewPath, c.Evidence)
		}
		for _, d := range c.Details {
			fmt.Fprintf(&b, "; %s", d)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func one(p *apidoc.Package) []*apidoc.Package { return []*apidoc.Package{p} }

func TestPackages(t *testing.T) {
	for _, tt := range []struct{ language, name, old, new, want string }{
		{"go", "a parameter breaks callers", "func: F = func F(a int)", "func: F = func F(a int, b string)", "breaking changed F; parameter added b (required)"},
		{"go", "a variadic parameter breaks function values", "func: F = func F(a int)", "func: F = func F(a int, b ...string)", "breaking changed F; parameter added b (optional)"},
		{"go", "names of parameters mean nothing", "func: F = func F(a, b int) (n int, err error)", "func: F = func F(x int, y int) (int, error)", ""},
		{"go", "any is interface{}", "func: F = func F(a interface{}) map[string]interface{}", "func: F = func F(a any) map[string]any", ""},
		{"go", "type parameters are known by their place", "func: F = func F[K comparable, V any](m map[K]V) []K", "func: F = func F[A comparable, B any](m map[A]B) []A", ""},
		{"go", "another type parameter is another type", "func: F = func F[K comparable, V any](m map[K]V) []K", "func: F = func F[K comparable, V any](m map[K]V) []V", "breaking changed F; result: []K → []V"},
		{"go", "results", "func: F = func F() int", "func: F = func F() (int, error)", "breaking changed F; result: int → int, error"},
		{"go", "a struct becomes an interface", "type: T = type T struct{}", "type: T = type T interface{}", "breaking changed T; kind: struct → interface"},
		{"go", "a method of an interface breaks those who implement it", "type: I = type I interface {⏎\tA()⏎}\nmethod: I.A = A()", "type: I = type I interface {⏎\tA()⏎\tB()⏎}\nmethod: I.A = A()\nmethod: I.B = B()", "breaking added I.B"},
		{"go", "an embedded interface breaks those who implement the other", "type: I = type I interface {⏎\tA()⏎}\nmethod: I.A = A()", "type: I = type I interface {⏎\tA()⏎\tJ⏎}\nmethod: I.A = A()\ntype: J = type J interface {⏎\tB()⏎}\nmethod: J.B = B()", "breaking changed I; base added: J\ncompatible added J"},
		{"go", "an embedded interface without new methods", "type: I = type I interface {⏎\tA()⏎}\nmethod: I.A = A()", "type: I = type I interface {⏎\tA()⏎\tJ⏎}\nmethod: I.A = A()\ntype: J = type J interface {⏎\tA()⏎}\nmethod: J.A = A()", "compatible changed I; base added: J\ncompatible added J"},
		{"go", "but not if it has unexported methods", "type: I = type I interface {⏎\tA()⏎\t// Has unexported methods.⏎}\nmethod: I.A = A()", "type: I = type I interface {⏎\tA()⏎\tB()⏎\t// Has unexported methods.⏎}\nmethod: I.A = A()\nmethod: I.B = B()", "compatible added I.B"},
		{"go", "a field and a method of a struct are compatible", "type: T = type T struct {⏎\tA int⏎}\nfield: T.A = A int", "type: T = type T struct {⏎\tA int⏎\tB int⏎}\nfield: T.A = A int\nfield: T.B = B int\nmethod: T.M = func (t T) M()", "compatible added T.B\ncompatible added T.M"},
		{"go", "a pointer receiver", "type: T = type T struct{}\nmethod: T.M = func (t T) M()", "type: T = type T struct{}\nmethod: T.M = func (t *T) M()", "breaking changed T.M; receiver: T → *T"},
		{"go", "members of a removed type are not listed", "type: T = type T struct{}\nmethod: T.M = func (t T) M()", "func: G = func G()", "breaking removed T\ncompatible added G"},
		{"go", "another spelling", "func: GetUrl = func GetUrl() string", "func: GetURL = func GetURL() string", "breaking moved GetUrl -> GetURL (the same name in a different spelling)"},
		{"go", "values", "const: C = const C = 1", "const: C = const C = 2", "risky changed C; value: 1 → 2"},

		{"python", "an attribute becomes a value of an enumeration", "class: K = class K\nattribute: K.A = A = 'a'", "enum: K = class K(str, Enum)\nenum value: K.A = A = 'a'", "risky changed K; kind: class → enum; base added: str; base added: Enum\nrisky changed K.A; kind: attribute → enum value"},
		{"python", "parameters in the place of any number", "function: f = def f(*a, **kw)", "function: f = def f(a=None, *, b=None)", "risky changed f; parameter removed a; parameter removed kw; parameter added a (optional); parameter added b (optional)"},
		{"python", "no parameters in the place of any number", "function: f = def f(a, **kw)", "function: f = def f(a)", "breaking changed f; parameter removed kw"},
		{"python", "any positional arguments are not those by name", "function: f = def f(*a)", "function: f = def f(*, b=None)", "breaking changed f; parameter removed a; parameter added b (optional)"},
		{"python", "overloads say less than the function", "function: f = def f(a=None, b=None)", "function: f = def f(*, b: int = ...) -> int⏎def f(a: int) -> str", "risky changed f; parameter passing b: ordinary → keyword-only; overload added: def f(a: int) -> str"},

		{"rust", "an absolute path", "function: f = pub fn f(a: ::std::fmt::Error) -> Option<::std::fmt::Error>", "function: f = pub fn f(a: fmt::Error) -> Option<fmt::Error>", ""},
		{"rust", "comments are no words of a type", "enum: E = pub enum E {⏎    // One.⏎    A,⏎}\nvariant: E::A = A", "enum: E = pub enum E {⏎    // Another.⏎    A,⏎}\nvariant: E::A = A", ""},

		{"npm", "an optional parameter is compatible", "function: f = function f(a: string): void", "function: f = function f(a: string, b?: number): void", "compatible changed f; parameter added b (optional)"},
		{"npm", "an optional parameter before others", "function: f = function f(a: string, c: number): void", "function: f = function f(a: string, b: Date | undefined, c: number): void", "breaking changed f; parameter added b (required)"},
		{"npm", "a wider parameter and a narrower result", "function: f = function f(a: string): A | B", "function: f = function f(a: number | string): B", "compatible changed f; parameter type a: string → number | string; result: A | B → B"},
		{"npm", "a wider result", "function: f = function f(): A", "function: f = function f(): A | undefined", "breaking changed f; result: A → A | undefined"},
		{"npm", "unions have no order, quotes and separators no meaning", "type: T = type T = 'a' | \"b\" | { c: string; d: A | B }", "type: T = type T = | { c: string, d: B | A, } | 'b' | 'a'", ""},
		{"npm", "names of parameters within types mean nothing", "const: f = const f: (a: string) => void", "const: f = const f: (b: string) => void", ""},
		{"npm", "a required parameter becomes optional", "function: f = function f(a: string): void", "function: f = function f(a?: string): void", "compatible changed f; parameter became optional a"},
		{"npm", "a field becomes optional", "interface: I = interface I\nproperty: I.a = a: string", "interface: I = interface I\nproperty: I.a = a?: string", "breaking changed I.a; became optional"},
		{"npm", "members of interfaces", "interface: I = interface I", "interface: I = interface I\nproperty: I.a = a: string\nproperty: I.b = b?: string", "risky added I.a\ncompatible added I.b"},
		{"npm", "members of classes", "class: C = class C", "class: C = class C\nmethod: C.a = a(): void", "compatible added C.a"},
		{"npm", "readonly", "class: C = class C\nproperty: C.a = a: string", "class: C = class C\nproperty: C.a = readonly a: string", "breaking changed C.a; modifier added: readonly"},
		{"npm", "an overload goes", "function: f = function f(a: string): A⏎function f(a: number): B", "function: f = function f(a: number): B", "breaking changed f; overload removed: function f(a: string): A"},
		{"npm", "an interface becomes a type", "interface: I = interface I", "type: I = type I = A", "breaking changed I; kind: interface → type; type added: A"},
		{"npm", "a class becomes a value with an interface", "class: C = class C\nproperty: C.a = a: string\nproperty: C.b = b: string", "const: C = interface C⏎const C: Maker<C>\nproperty: C.a = a: string", "breaking removed C.b\nbreaking changed C; kind: class → const"},
		{"npm", "an interface becomes another name", "interface: I = interface I\nproperty: I.a = a: string", "type: I = type I = core.A<string>", "breaking changed I; kind: interface → type; type added: core.A<string>"},
		{"npm", "a type becomes another name", "type: T = type T = { a: string }\nproperty: T.a = a: string", "type: T = type T = core.A", "risky changed T; type added: core.A"},
		{"npm", "a type has no members any more", "type: T = type T = { a: string }\nproperty: T.a = a: string", "type: T = type T = {}", "breaking removed T.a\nrisky changed T; type added: {}"},
		{"go", "a struct becomes another name", "type: T = type T struct {⏎\tA int⏎}\nfield: T.A = A int", "type: T = type T = core.T", "risky changed T; kind removed: struct; type added: core.T"},
		{"go", "a struct without fields", "type: T = type T struct {⏎\tA int⏎}\nfield: T.A = A int", "type: T = type T struct{}", "breaking removed T.A"},
		{"npm", "a function becomes a class", "function: f = function f(): void", "class: f = class f", "breaking changed f; kind: function → class"},
		{"npm", "a type parameter with a default", "class: C = class C<T>", "class: C = class C<T, U = string>", "compatible changed C; type parameter added: U = string"},
		{"npm", "members of a type that are listed with one of its values", "const: b = const b: T\nmethod: b.f = f(): void", "const: a = const a: T\nmethod: a.f = f(): void\nconst: b = const b: T", "compatible added a"},
		{"npm", "members of a type that the new version also exports", "const: b = const b: N.T\nmethod: b.f = f(): void", "interface: T = interface T\nmethod: T.f = f(): void\nconst: b = const b: T", "compatible added T"},
		{"npm", "members of a value without a named type", "const: b = const b: {}\nmethod: b.f = f(): void", "const: b = const b: {}", "breaking removed b.f"},
		{"npm", "bases", "class: C = class C extends A<string>", "class: C = class C extends B", "breaking changed C; base removed: A<string>; base added: B"},

		{"python", "callers pass arguments by name", "function: f = def f(a, b)", "function: f = def f(a, c)", "breaking changed f; parameter renamed: b → c"},
		{"python", "but not behind a slash", "function: f = def f(a, b, /)", "function: f = def f(a, c, /)", ""},
		{"python", "an optional parameter at the end", "function: f = def f(a)", "function: f = def f(a, b=None)", "compatible changed f; parameter added b (optional)"},
		{"python", "an optional parameter before others", "function: f = def f(a, c=1)", "function: f = def f(a, b=None, c=1)", "breaking changed f; parameter added b (optional, before others)"},
		{"python", "an optional parameter by name alone", "function: f = def f(a, *, c=1)", "function: f = def f(a, *, b=None, c=1)", "compatible changed f; parameter added b (optional)"},
		{"python", "order", "function: f = def f(a, b)", "function: f = def f(b, a)", "breaking changed f; parameters reordered: a, b → b, a"},
		{"python", "by name alone", "function: f = def f(a, b)", "function: f = def f(a, *, b)", "breaking changed f; parameter passing b: ordinary → keyword-only"},
		{"python", "required", "function: f = def f(a, b=1)", "function: f = def f(a, b)", "breaking changed f; parameter became required b"},
		{"python", "defaults", "function: f = def f(a=1)", "function: f = def f(a=2)", "risky changed f; default a: 1 → 2"},
		{"python", "a default that becomes an empty string", "function: f = def f(a=None)", "function: f = def f(a='')", "risky changed f; default a: None → ''"},
		{"python", "an empty string in other quotation marks", "function: f = def f(a='')", `function: f = def f(a="")`, ""},
		{"python", "overloads that only describe a function", "function: f = def f(a, *, b=1)", "function: f = def f(a, *, b: Literal[True])⏎def f(a, *, b: Literal[False])", "risky changed f; parameter became required b; overload added: def f(a, *, b: Literal[False])"},
		{"python", "declared types are compatible", "function: f = def f(a)", "function: f = def f(a: int) -> str", ""},
		{"python", "spellings of types", "function: f = def f(a: t.Optional[List[str]], b: Union[int, 'str'] = 1) -> typing.Dict[str, Any]", "function: f = def f(a: list[str] | None, b: str | int = 1) -> dict[str, t.Any]", ""},
		{"python", "types are not enforced", "function: f = def f(a: int)", "function: f = def f(a: str)", "risky changed f; parameter type a: int → str"},
		{"python", "a parameter that others take", "function: f = def f(a, b=1)", "function: f = def f(a, **kwargs)", "risky changed f; parameter removed b; parameter added kwargs (optional)"},
		{"python", "a coroutine", "function: f = def f()", "function: f = async def f()", "breaking changed f; effect added: async"},
		{"python", "a static method", "class: C = class C\nmethod: C.m = def m(self)", "class: C = class C\nmethod: C.m = @staticmethod⏎def m()", "breaking changed C.m; modifier added: @staticmethod"},

		{"rust", "an implementation of a trait for another type", "trait: Melt = pub trait Melt<E> {⏎    fn melt(self) -> E;⏎}\nmethod: Melt::melt = fn melt(self) -> E",
			"trait: Melt = pub trait Melt<E>: Melt<()> {⏎    fn melt(self) -> E;⏎}\nmethod: Melt::melt = fn melt(self) -> E\nmethod: Melt::cool = fn cool(self)", "breaking added Melt::cool\ncompatible changed Melt; base added: Melt<()>"},
		{"rust", "a variant", "enum: E = pub enum E {⏎    A,⏎}\nvariant: E::A = A", "enum: E = pub enum E {⏎    A,⏎    B,⏎}\nvariant: E::A = A\nvariant: E::B = B", "breaking added E::B"},
		{"rust", "a variant of an enumeration that is not exhaustive", "enum: E = #[non_exhaustive]⏎pub enum E {⏎    A,⏎}\nvariant: E::A = A", "enum: E = #[non_exhaustive]⏎pub enum E {⏎    A,⏎    B,⏎}\nvariant: E::A = A\nvariant: E::B = B", "compatible added E::B"},
		{"rust", "non_exhaustive", "struct: S = pub struct S { /* private fields */ }", "struct: S = #[non_exhaustive]⏎pub struct S { /* private fields */ }", "breaking changed S; modifier added: #[non_exhaustive]"},
		{"rust", "a required method of a trait", "trait: T = pub trait T", "trait: T = pub trait T\nmethod: T::a = fn a(&self)\nmethod: T::b = fn b(&self) { ... }", "breaking added T::a\ncompatible added T::b"},
		{"rust", "lifetimes and Self", "struct: S = pub struct S<T> { /* private fields */ }\nmethod: S::m = pub fn m<'a>(&'a self, x: &'a T) -> S<T>", "struct: S = pub struct S<U> { /* private fields */ }\nmethod: S::m = pub fn m(&self, x: &U) -> Self", ""},
		{"rust", "the receiver", "struct: S = pub struct S;\nmethod: S::m = pub fn m(&self)", "struct: S = pub struct S;\nmethod: S::m = pub fn m(&mut self)", "breaking changed S::m; receiver: & → &mut"},
		{"rust", "unsafe goes, const goes", "function: f = pub const unsafe fn f()", "function: f = pub fn f()", "breaking changed f; modifier removed: const; effect removed: unsafe"},
		{"rust", "constraints", "function: f = pub fn f<T: A + B>(x: T)", "function: f = pub fn f<T: B + A + C>(x: T)", "breaking changed f; constraint T: A, B → B, A, C"},

		{"swift", "throws", "function: f() = public func f()", "function: f() = public func f() throws", "breaking changed f(); effect added: throws"},
		{"swift", "a default", "function: f(a:) = public func f(a: Int)", "function: f(a:) = public func f(a: Int = 1)", "risky changed f(a:); parameter became optional a"},
	} {
		t.Run(tt.language+" "+tt.name, func(t *testing.T) {
			old, new := pkg(tt.language, "p", "1", tt.old), pkg(tt.language, "p", "2", tt.new)
			got := outline(compare.Packages(one(old), one(new)))
			if strings.TrimSpace(got) != tt.want {
				t.Errorf("got\n%swant\n%s", got, tt.want)
			}
		})
	}
}

func TestPackages_Moves(t *testing.T) {
	old := pkg("python", "p", "1", "function: f = def f(a)\nfunction: g = def g(b)\nfunction: h = def h(c)\nclass: C = class C\nfunction: old = def old(x, y=1)\nfunction: lost = def lost()\nfunction: before = def before(z)")
	old.Symbols[1].Deprecated = "Use `p.g2` instead."
	old.Symbols[4].Doc, old.Symbols[2].Doc = "old does it.", "h."
	below := pkg("python", "p.below", "2", "function: f = def f(a)\nclass: C = class C(Base)")
	new := pkg("python", "p", "2", "function: g2 = def g2(other)\nfunction: h2 = def h2(c)\nfunction: fresh = def fresh(x, y=1)\nfunction: after = def after()")
	new.Symbols[2].Doc = "fresh does it."
	new.Sections = []apidoc.Section{{ID: "changelog/2", Title: "2.0", File: "CHANGELOG.md", Body: "Renamed `before()` to `p.after()`.\n`lost` is gone."}}
	changes := compare.Packages(one(old), []*apidoc.Package{new, below})
	const want = `breaking removed h
breaking removed lost
breaking moved f -> f (the same declaration)
breaking moved g -> g2 (the deprecation notice); parameter renamed: b → other
breaking moved C -> C (the same name); base added: Base
breaking moved old -> fresh (the same declaration and comment)
breaking moved before -> after (the changelog); parameter removed z
compatible added h2
`
	if got := outline(changes); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	for _, c := range changes {
		if has := len(c.Sections) > 0; has != (c.Path == "lost" || c.Path == "before") {
			t.Errorf("the sections of %s are %v", c.Path, c.Sections)
		}
		if c.Path == "f" && c.NewPackage != "p.below" {
			t.Errorf("f is moved to %s", c.NewPackage)
		}
	}
}

func TestPackages_Deprecation(t *testing.T) {
	old, new := pkg("go", "p", "1", "func: F = func F()\nfunc: G = func G()"), pkg("go", "p", "2", "func: F = func F()\nfunc: G = func G()")
	new.Symbols[0].Deprecated, old.Symbols[1].Deprecated = "Use H.", "Use F."
	const want = "risky deprecated F\ncompatible no longer deprecated G\n"
	if got := outline(compare.Packages(one(old), one(new))); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestPackages_MajorVersionsAndModules(t *testing.T) {
	old, new := pkg("go", "e.org/m", "v1.0.0", "type: T = type T int\nfunc: F = func F(t T, r x.R)"), pkg("go", "e.org/m/v2", "v2.0.0", "type: T = type T int\nfunc: F = func F(t T, r y.R)")
	oldSub, newSub := pkg("go", "e.org/m/sub", "v1.0.0", "func: F = func F(t m.T)"), pkg("go", "e.org/m/v2/sub", "v2.0.0", "func: F = func F(t m.T)")
	old.Imports, new.Imports = []apidoc.Ref{{Name: "x", Package: "e.org/x"}}, []apidoc.Ref{{Name: "y", Package: "e.org/y"}}
	oldSub.Imports, newSub.Imports = []apidoc.Ref{{Name: "m", Package: "e.org/m"}}, []apidoc.Ref{{Name: "m", Package: "e.org/m/v2"}}
	old.Symbols = append(old.Symbols, apidoc.Symbol{Path: "G", Kind: apidoc.Func, Signature: "func G(z.Z)"})
	new.Symbols = append(new.Symbols, apidoc.Symbol{Path: "G", Kind: apidoc.Func, Signature: "func G(z.Z)"})
	old.Imports, new.Imports = append(old.Imports, apidoc.Ref{Name: "z", Package: "e.org/z"}), append(new.Imports, apidoc.Ref{Name: "z", Package: "e.org/z/v2"})
	const want = "breaking changed F; parameter type r: x.R → y.R\nbreaking changed G; parameter type: z.Z (Z of e.org/z) → z.Z (Z of e.org/z/v2)\n"
	if got := outline(compare.Packages([]*apidoc.Package{old, oldSub}, []*apidoc.Package{new, newSub})); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestPackages_InheritedMembersAndReExports(t *testing.T) {
	old := pkg("python", "p", "1", "class: B = class B\nmethod: B.m = def m(self)\nclass: C = class C(B)\nmethod: C.m = def m(self)\nfunction: f = def f()")
	new := pkg("python", "p", "2", "class: B = class B\nclass: C = class C(B)\nfunction: g = def g()")
	old.Symbols[1].Members[0].From = "B"
	old.Symbols[2].File, old.Symbols[2].Line = "p/_f.py", 3
	below := pkg("python", "p.below", "1", "function: f = def f()")
	below.Symbols[0].File, below.Symbols[0].Line = "p/_f.py", 3
	changes := compare.Packages([]*apidoc.Package{old, below}, []*apidoc.Package{new, pkg("python", "p.below", "2", "")})
	const want = "breaking removed B.m\nbreaking removed f\ncompatible added g\n"
	if got := outline(changes); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if also := changes[1].Also; len(also) != 1 || also[0] != "p.below: f" {
		t.Errorf("f is also %v", also)
	}
}

func placesOf(c compare.Change) string {
	var all []string
	for _, p := range c.Places {
		all = append(all, fmt.Sprintf("{%s %d %d %v}", p.File, p.Line, p.Column, p.ByName))
	}
	return fmt.Sprint(all)
}

// TestUsed_Calls checks that changes of functions are limited to the calls that pass what has
// changed.
func TestUsed_Calls(t *testing.T) {
	old := pkg("go", "e.org/p", "1", "func: F = func F(a int)\nfunc: G = func G(a int, b string)\nfunc: H = func H(a int)\nfunc: V = func V(a ...int)")
	new := pkg("go", "e.org/p", "2", "func: F = func F(a int, o ...int)\nfunc: G = func G(a int, b bool)\nfunc: H = func H()\nfunc: V = func V(a ...string)")
	const text = "p.F(1)\nuse(p.F)\np.F(g(1, 2), \n\"a)\")\np.G(x...)\np.H(1)\np.V()\np.V(1)\n"
	file := check.FileUses{File: "main.go", Text: []byte(text)}
	for line, path := range []string{"F", "", "F", "", "G", "H", "V", "V"} {
		if path != "" {
			file.Uses = append(file.Uses, ecosystem.Use{Package: "e.org/p", Path: path, Text: "p." + path, Position: ecosystem.Position{Line: line + 1, Column: 1}})
		}
	}
	used := func(f check.FileUses) string {
		var all []string
		for _, c := range compare.Used(compare.Packages(one(old), one(new)), []check.FileUses{f}) {
			all = append(all, fmt.Sprintf("%v %s %s", c.Severity, c.Path, placesOf(c)))
		}
		return strings.Join(all, "\n")
	}
	const breaking = "breaking G [{main.go 5 1 false}]\nbreaking H [{main.go 6 1 false}]\nbreaking V [{main.go 8 1 false}]\n"
	if got, want := used(file), breaking+"compatible F [{main.go 1 1 false} {main.go 3 1 false}]"; got != want {
		t.Errorf("only calls: got\n%s\nwant\n%s", got, want)
	}
	file.Uses = append(file.Uses, ecosystem.Use{Package: "e.org/p", Path: "F", Text: "p.F", Position: ecosystem.Position{Line: 2, Column: 5}})
	if got, want := used(file), "breaking F [{main.go 2 5 false}]\n"+strings.TrimSuffix(breaking, "\n"); got != want {
		t.Errorf("with a value: got\n%s\nwant\n%s", got, want)
	}
}

// TestUsed_Members checks that members are not found by name where their types are known.
func TestUsed_Members(t *testing.T) {
	old, new := pkg("go", "e.org/p", "1", "type: T = type T struct{}\nmethod: T.M = func (t *T) M()"), pkg("go", "e.org/p", "2", "type: T = type T struct{}")
	at := func(line, column int) ecosystem.Position { return ecosystem.Position{Line: line, Column: column} }
	files := []check.FileUses{{
		File: "main.go", Text: []byte("t.M()\nother.M()\nunknown.M()\nq.M()\n"),
		Uses:    []ecosystem.Use{{Package: "e.org/p", Path: "T.M", Text: "T.M", Position: at(1, 3)}, {Package: "e.org/p", Path: "M", Text: "q.M", Position: at(4, 1)}},
		Members: map[ecosystem.Position]bool{at(1, 3): true, at(2, 7): true},
	}}
	var got string
	for _, c := range compare.Used(compare.Packages(one(old), one(new)), files) {
		got += c.Path + placesOf(c)
	}
	if want := "T.M[{main.go 1 3 false} {main.go 3 9 true}]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestUsed_InheritedMembers checks that a change of an inherited member is found at values whose types
// are known, and by name if the API does not contain the type.
func TestUsed_InheritedMembers(t *testing.T) {
	const types = "class: A = class A\nclass: B = class B extends A"
	old, new := pkg("npm", "p", "1", types+"\nmethod: B.f = f(): void\nmethod: A.f = f(): void"), pkg("npm", "p", "2", types)
	for i := range old.Symbols {
		if s := &old.Symbols[i]; s.Path == "B" {
			s.Members[0].From = "A"
		}
	}
	at := func(line int) ecosystem.Position { return ecosystem.Position{Line: line, Column: 3} }
	use := func(path string, line int) ecosystem.Use {
		return ecosystem.Use{Package: "p", Path: path, Text: "f", Position: at(line)}
	}
	files := []check.FileUses{{
		File: "main.ts", Text: []byte("b.f()\ni.f()\no.f()\n"), Uses: []ecosystem.Use{use("B.f", 1), use("Internal.f", 2)},
		Members: map[ecosystem.Position]bool{at(1): true, at(2): true, at(3): true},
	}}
	var got string
	for _, c := range compare.Used(compare.Packages(one(old), one(new)), files) {
		got += c.Path + placesOf(c)
	}
	if want := "A.f[{main.ts 1 3 false} {main.ts 2 3 true}]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestUsed_WholePackages checks the members of a whole package that a file gives a name: those of the
// default export, and the symbols of the package.
func TestUsed_WholePackages(t *testing.T) {
	old := pkg("npm", "p", "1", "const: export= = const p: A\ninterface: A = interface A\nproperty: A.b = b: A\nproperty: A.gone = gone: A\nfunction: f = function f(): void\nfunction: g = function g(): void")
	new := pkg("npm", "p", "2", "const: default = const p: B\ninterface: B = interface B\nproperty: B.b = b: this\nfunction: g = function g(): void\nfunction: h = function h(): void")
	const text = "const p = require('p')\np.b.b\np.gone\np.f()\np.g()\np.h()\n"
	files := []check.FileUses{{File: "a.js", Text: []byte(text), Uses: []ecosystem.Use{
		{Package: "p", Text: "p", Import: true, Whole: true, Position: ecosystem.Position{Line: 1, Column: 7}},
	}}}
	var got string
	for _, c := range compare.Used(compare.Packages(one(old), one(new)), files) {
		got += fmt.Sprint(c.Kind, " ", c.Path, " ", c.NewPath, placesOf(c), "\n")
	}
	const want = "removed A [{a.js 3 1 false}]\nremoved f [{a.js 4 1 false}]\nmoved export= default[{a.js 2 1 false} {a.js 3 1 false} {a.js 4 1 false} {a.js 5 1 false} {a.js 6 1 false}]\nadded h [{a.js 6 1 false}]\n"
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestUsed_Overloads checks that a call that another overload may accept is not broken.
func TestUsed_Overloads(t *testing.T) {
	old, new := pkg("npm", "p", "1", "function: f = function f<T>(...a: T[]): T⏎function f<T>(a: T, b: T): T"), pkg("npm", "p", "2", "function: f = function f(a: null): null⏎function f<T>(a: T): T⏎function f<T>(a: T, b: T): T")
	for call, want := range map[string]apidoc.Severity{"f(1)": apidoc.Risky, "f(1, 2, 3)": apidoc.Breaking} {
		files := []check.FileUses{{File: "a.ts", Text: []byte(call), Uses: []ecosystem.Use{{Package: "p", Path: "f", Text: "f", Position: ecosystem.Position{Line: 1, Column: 1}}}}}
		if used := compare.Used(compare.Packages(one(old), one(new)), files); len(used) != 1 || used[0].Severity != want {
			t.Errorf("%s: %+v", call, used)
		}
	}
}

// TestUsed_ParameterBeforeOthers checks that an optional parameter before others breaks only calls that pass
// arguments by position.
func TestUsed_ParameterBeforeOthers(t *testing.T) {
	old, new := pkg("python", "p", "1", "function: f = def f(a=None, c=1)"), pkg("python", "p", "2", "function: f = def f(b=None, a=None, c=1)")
	for call, want := range map[string]apidoc.Severity{"f()": apidoc.Compatible, "f(c=2)": apidoc.Compatible, "f(1)": apidoc.Breaking, "f(*x)": apidoc.Breaking} {
		files := []check.FileUses{{File: "a.py", Text: []byte(call), Uses: []ecosystem.Use{{Package: "p", Path: "f", Text: "f", Position: ecosystem.Position{Line: 1, Column: 1}}}}}
		if used := compare.Used(compare.Packages(one(old), one(new)), files); len(used) != 1 || used[0].Severity != want {
			t.Errorf("%s: %+v", call, used)
		}
	}
}

// TestUsed_Bases checks that, if types are enforced, the uses of a type that lost a base are
// reported as risky.
func TestUsed_Bases(t *testing.T) {
	for language, declared := range map[string]string{"python": "class: A = class A\nclass: B = class B(A)", "swift": "class: A = class A\nclass: B = class B : A"} {
		old := pkg(language, "m", "1", declared)
		new := pkg(language, "m", "2", "class: A = class A\nclass: B = class B")
		changes := compare.Packages(one(old), one(new))
		for text, want := range map[string]apidoc.Severity{"m.B": apidoc.Compatible, "m.B, A": apidoc.Risky} {
			files := []check.FileUses{{File: "a", Text: []byte(text), Uses: []ecosystem.Use{{Package: "m", Path: "B", Text: "m.B", Position: ecosystem.Position{Line: 1, Column: 1}}}}}
			used := compare.Used(changes, files)
			if len(used) != 1 || used[0].Severity != want || used[0].Details[0].Severity != want || changes[0].Severity != apidoc.Breaking {
				t.Errorf("%s, %s: used %+v of %+v", language, text, used, changes)
			}
		}
	}
}

// TestHidden checks names that are not part of the API.
func TestHidden(t *testing.T) {
	old, new := pkg("python", "m", "1", "function: f = def f()"), pkg("python", "m", "2", "function: f = def f()\nvar: b = b")
	old.Hidden, new.Hidden = []string{"a", "b", "_c", "_d", "*"}, []string{"_d"}
	hidden := compare.Hidden(one(old), one(new))
	files := []check.FileUses{{File: "a", Text: []byte("m._c"), Uses: []ecosystem.Use{{Package: "m", Path: "_c", Text: "m._c", Position: ecosystem.Position{Line: 1, Column: 1}}}}}
	if used := compare.Used(hidden, files); len(hidden) != 2 || len(used) != 1 || used[0].Path != "_c" || used[0].Severity != apidoc.Breaking {
		t.Errorf("removed %+v, used %+v", hidden, used)
	}
	new.Hidden = append(new.Hidden, "*")
	if hidden := compare.Hidden(one(old), one(new)); len(hidden) != 2 || hidden[0].Severity != apidoc.Risky {
		t.Errorf("got %+v for a package with unknown names", hidden)
	}
}

// TestUsed_Places checks what is reported about a change at each place.
func TestUsed_Places(t *testing.T) {
	const class = "class: C = class C\nconstructor: C.__init__ = "
	for _, tt := range []struct{ name, language, old, new, path, text, want string }{
		{"a required parameter that is passed", "python", "function: f = def f(a, b=1)", "function: f = def f(a, b)", "f", "m.f(1, 2)", "compatible f"},
		{"a required parameter that is passed by name", "python", "function: f = def f(a, b=1)", "function: f = def f(a, b)", "f", "m.f(1, b=2)", "compatible f"},
		{"a required parameter that is not passed", "python", "function: f = def f(a, b=1)", "function: f = def f(a, b)", "f", "m.f(b == 2)", "breaking f"},
		{"a renamed parameter that is passed by place", "python", "function: f = def f(a)", "function: f = def f(b)", "f", "m.f(1)", "compatible f"},
		{"a renamed parameter that is passed by name", "python", "function: f = def f(a)", "function: f = def f(b)", "f", "m.f(a=1)", "breaking f"},
		{"a parameter by name alone that is passed by name", "python", "function: f = def f(a=1)", "function: f = def f(*, a=1)", "f", "m.f(a=1)", "compatible f"},
		{"a parameter by name alone that is passed by place", "python", "function: f = def f(a=1)", "function: f = def f(*, a=1)", "f", "m.f(1)", "breaking f"},
		{"no names in the place of any", "python", "function: f = def f(a, **kw)", "function: f = def f(a)", "f", "m.f(1)", "compatible f"},
		{"a default of what is passed", "python", "function: f = def f(a=1)", "function: f = def f(a=2)", "f", "m.f(3)", "compatible f"},
		{"a default of what is not passed", "python", "function: f = def f(a=1)", "function: f = def f(a=2)", "f", "m.f()", "risky f"},
		{"annotations", "python", "function: f = def f(a: int) -> List[A]", "function: f = def f(a: str) -> list[B]", "f", "m.f(1)", "compatible f"},
		{"another result", "python", "function: f = def f() -> str", "function: f = def f() -> bytes", "f", "x = m.f()", "risky f"},
		{"another result that is discarded", "python", "function: f = def f() -> str", "function: f = def f() -> bytes", "f", "if a:\n    m.f()\n", "compatible f"},
		{"another result that is passed in several lines", "python", "function: f = def f() -> str", "function: f = def f() -> bytes", "f", "g(\n    m.f()\n)\n", "risky f"},
		{"another result in an expression of several lines", "python", "function: f = def f() -> str", "function: f = def f() -> bytes", "f", "x = 1 + \\\n    m.f()\n", "risky f"},
		{"another name of the result", "python", "function: f = def f() -> Alias", "function: f = def f() -> dict", "f", "x = m.f()", "compatible f"},
		{"a member that the new result has", "npm", "function: f = function f(): A", "class: B = class B\nmethod: B.g = g(): void\nfunction: f = function f(): B", "f", "m.f()\n  .g(1)", "compatible f"},
		{"only the differences that affect a place count", "python", "function: f = def f(a=1, b=2)", "function: f = def f(a=3)", "f", "m.f()", "risky f"},
		{"a class whose constructor is not called", "python", class + "def __init__(self, a)", class + "def __init__(self)", "C", "use(m.C)", "compatible C.__init__"},
		{"a call of a constructor", "python", class + "def __init__(self, a)", class + "def __init__(self)", "C", "m.C(1)", "breaking C.__init__"},
		{"a function in the place of a variable", "python", "var: f = f", "function: f = def f()", "f", "m.f(1)", "risky f"},
		{"a function in the place of a variable that accepts the arguments", "python", "var: f = f", "function: f = def f(*a, b)", "f", "m.f(1, 2, b=3)", "compatible f"},
		{"a function in the place of a variable that lacks a name", "python", "var: f = f", "function: f = def f(*a)", "f", "m.f(1, b=3)", "risky f"},
		{"a function in the place of a variable that is given a list", "python", "var: f = f", "function: f = def f(*a)", "f", "m.f([1])", "risky f"},
		{"a function in the place of a variable that only raises an error", "python", "var: f = f", "function: f = def f(*a) -> NoReturn", "f", "m.f(1)", "risky f"},
		{"a required parameter in the place of any number", "python", "function: f = def f(*a)", "function: f = def f(a, b=1)", "f", "m.f(1, 2)", "compatible f"},
		{"a required parameter in the place of any number that is not passed", "python", "function: f = def f(*a)", "function: f = def f(a, b)", "f", "m.f(1)", "risky f"},
		{"a function in the place of a constant that is called without arguments", "npm", "const: f = const f: (a?: A) => void", "function: f = function f(a?: B): void", "f", "m.f()", "compatible f"},
		{"a function in the place of a function in a constant", "npm", "const: f = const f: (a: A) => void", "function: f = function f(a: A): void", "f", "m.f(1)", "risky f"},
		{"a function in the place of a constant that is not called", "npm", "const: f = const f: (a: A) => void", "function: f = function f(a: A): void", "f", "use(m.f)", "compatible f"},
		{"a removed overload", "npm", "function: f = function f(a: string): A⏎function f(a: number): A", "function: f = function f(a: number): A", "f", "m.f(1)", "risky f"},
		{"declared names and any others", "python", "function: f = def f(a, **kw)", "function: f = def f(a)", "f", "m.f(a=1)", "compatible f"},
		{"other names than those declared", "python", "function: f = def f(a, **kw)", "function: f = def f(a)", "f", "m.f(1, b=1)", "breaking f"},
		{"type arguments of the result", "npm", "function: f = function f(): A<B>", "function: f = function f(): A<C, D>", "f", "m.f()", "compatible f"},
		{"another result in a language of structures", "npm", "function: f = function f(): A", "function: f = function f(): B", "f", "g(m.f())", "risky f"},
		{"another result in a language of names", "go", "func: F = func F() A", "func: F = func F() B", "F", "x := m.F()", "breaking F"},
		{"another name of a type", "go", "type: TUrl = type TUrl struct{}\nfunc: F = func F() TUrl", "type: TURL = type TURL struct{}\nfunc: F = func F() TURL", "F", "x := m.F()", "compatible F"},
		{"a constraint", "rust", "function: f = pub fn f<T>() -> T where A: B<T>", "function: f = pub fn f<T>() -> T where A: C<T>", "f", "m.f()", "risky f"},
		{"readonly is read", "npm", "class: C = class C\nproperty: C.a = static a: string", "class: C = class C\nproperty: C.a = static readonly a: string", "C.a", "m.C.a", "compatible C.a"},
		{"readonly is assigned", "npm", "class: C = class C\nproperty: C.a = static a: string", "class: C = class C\nproperty: C.a = static readonly a: string", "C.a", "m.C.a = 1", "breaking C.a"},
		{"a variant without a match", "rust", "enum: E = pub enum E {⏎    A,⏎}\nvariant: E::A = A", "enum: E = pub enum E {⏎    A,⏎    B,⏎}\nvariant: E::A = A\nvariant: E::B = B", "E", "m.E::A", "compatible E::B"},
		{"a variant with a match", "rust", "enum: E = pub enum E {⏎    A,⏎}\nvariant: E::A = A", "enum: E = pub enum E {⏎    A,⏎    B,⏎}\nvariant: E::A = A\nvariant: E::B = B", "E", "m.E::A => 1,", "breaking E::B"},
	} {
		old, new := pkg(tt.language, "m", "1", tt.old), pkg(tt.language, "m", "2", tt.new)
		start := strings.Index(tt.text, "m.")
		at := ecosystem.Position{Line: 1 + strings.Count(tt.text[:start], "\n"), Column: start - strings.LastIndex(tt.text[:start], "\n")}
		files := []check.FileUses{{File: "a", Text: []byte(tt.text), Uses: []ecosystem.Use{{Package: "m", Path: tt.path, Text: "m." + tt.path, Position: at}}}}
		var got []string
		for _, c := range compare.Used(compare.Packages(one(old), one(new)), files) {
			if c.Kind != compare.Changed || len(c.Details) > 0 && c.Details[0].Aspect != compare.Member { // The change of a variant also reports it.
				got = append(got, fmt.Sprintf("%v %s", c.Severity, c.Path))
			}
		}
		if strings.Join(got, ", ") != tt.want {
			t.Errorf("%s: %s, not %s", tt.name, strings.Join(got, ", "), tt.want)
		}
	}
}

// TestUsed_Names checks that a member is found by its name only if most members with that name have
// changed.
func TestUsed_Names(t *testing.T) {
	old := pkg("python", "m", "1", "class: A = class A\nmethod: A.f = def f(self)\nmethod: A.g = def g(self)\nclass: B = class B\nmethod: B.f = def f(self)\nclass: C = class C\nmethod: C.f = def f(self)")
	new := pkg("python", "m", "2", "class: A = class A\nclass: B = class B\nmethod: B.f = def f(self)\nclass: C = class C\nmethod: C.f = def f(self)")
	files := []check.FileUses{{File: "a.py", Text: []byte("with x as g:\nx.f()\nx.g()\n")}}
	var got string
	for _, c := range compare.Used(compare.Packages(one(old), one(new)), files) {
		got += c.Path + placesOf(c)
	}
	if want := "A.g[{a.py 3 3 true}]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestUsed_ImplementedMembers checks that members that a type gets from a trait are found by their
// names.
func TestUsed_ImplementedMembers(t *testing.T) {
	old := pkg("rust", "m", "1", "struct: S = pub struct S\ntrait: T = pub trait T {}\nmethod: T::make = fn make() -> Result<Self, Error>")
	new := pkg("rust", "m", "2", "struct: S = pub struct S\ntrait: T = pub trait T {}\nmethod: T::make = fn make() -> Self")
	files := []check.FileUses{{File: "a.rs", Text: []byte("use m::S;\nS::make();\n"), Uses: []ecosystem.Use{{Package: "m", Path: "S", Text: "m::S", Import: true, Position: ecosystem.Position{Line: 1, Column: 5}}}}}
	var got string
	for _, c := range compare.Used(compare.Packages(one(old), one(new)), files) {
		got += c.Path + placesOf(c)
	}
	if want := "T::make[{a.rs 2 1 true}]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestUsed_Imports checks that the names of imported symbols are followed through a file.
func TestUsed_Imports(t *testing.T) {
	old := pkg("npm", "p", "1", "func: f = function f(a: string): void;\nmodule: z = namespace z\nfunc: z.g = function g(a: string): void;\nfunc: z.h = function h(): void;\nmodule: y = namespace y\nfunc: y.g = function g(a: string): void;")
	new := pkg("npm", "p", "2", "func: f = function f(a: number): void;\nmodule: z = namespace z\nfunc: z.g = function g(a: number): void;\nfunc: z.h = function h(): void;\nmodule: y = namespace y")
	files := []check.FileUses{{
		File: "main.ts", Text: []byte("import { f as e, z } from 'p';\ne(1);\nf();\nz.g(1);\nz.h();\nother.e; e\n"),
		Uses: []ecosystem.Use{
			{Package: "p", Path: "f", Text: "f", Import: true, Position: ecosystem.Position{Line: 1, Column: 10}},
			{Package: "p", Path: "z", Text: "z", Import: true, Position: ecosystem.Position{Line: 1, Column: 18}},
		},
	}}
	var got string
	for _, c := range compare.Used(compare.Packages(one(old), one(new)), files) {
		got += c.Path + placesOf(c) + "\n"
	}
	if want := "f[{main.ts 2 1 false} {main.ts 6 10 false}]\nz.g[{main.ts 4 1 false}]\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestUsed_Packages checks that symbols used through the parent of their package, and calls of
// inherited constructors, are found.
func TestUsed_Packages(t *testing.T) {
	old := []*apidoc.Package{pkg("python", "m", "1", ""), pkg("python", "m.fields", "1", "func: f = def f(a)\nclass: Base = class Base\nconstructor: Base.__init__ = def __init__(self, a, b)\nclass: Str = class Str(Base)\nconstructor: Str.__init__ = def __init__(self, a, b)"), pkg("python", "m.gone", "1", "")}
	new := []*apidoc.Package{pkg("python", "m", "2", ""), pkg("python", "m.fields", "2", "class: Base = class Base\nconstructor: Base.__init__ = def __init__(self, a)\nclass: Str = class Str(Base)\nconstructor: Str.__init__ = def __init__(self, a)")}
	for _, all := range [][]*apidoc.Package{old, new} {
		for i := range all[1].Symbols {
			if s := &all[1].Symbols[i]; s.Path == "Str" {
				s.Members[0].From = "Base"
			}
		}
	}
	files := []check.FileUses{{File: "a.py", Uses: []ecosystem.Use{
		{Package: "m", Path: "fields.f", Text: "m.fields.f", Position: ecosystem.Position{Line: 1, Column: 1}},
		{Package: "m.fields", Path: "Str", Text: "fields.Str", Position: ecosystem.Position{Line: 2, Column: 1}},
		{Package: "m.gone", Text: "m.gone", Import: true, Position: ecosystem.Position{Line: 3, Column: 1}},
		{Package: "m.gone", Text: "m.gone", Import: true, Position: ecosystem.Position{Line: 3, Column: 9}},
	}}}
	var got string
	for _, c := range compare.Used(compare.Packages(old, new), files) {
		got += c.Path + placesOf(c) + "\n"
	}
	if want := "[{a.py 3 1 false}]\nf[{a.py 1 1 false}]\nBase.__init__[{a.py 2 1 false}]\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestUsed(t *testing.T) {
	old := pkg("go", "e.org/p", "1", "type: T = type T struct{}\nmethod: T.M = func (t *T) M()\nmethod: T.N = func (t *T) N()\nfunc: F = func F()\nfunc: G = func G()\ntype: I = type I interface {⏎\tA()⏎}\nmethod: I.A = A()")
	new := pkg("go", "e.org/p", "2", "type: T = type T struct{}\ntype: I = type I interface {⏎\tA()⏎\tB()⏎}\nmethod: I.A = A()\nmethod: I.B = B()")
	files := []check.FileUses{{File: "main.go", Text: []byte("package main\nfunc f(t *p.T, i p.I) {\n\tp.F()\n\tt. M() // N\n}\n"), Uses: []ecosystem.Use{
		{Package: "e.org/p", Path: "T", Position: ecosystem.Position{Line: 2, Column: 11}}, {Package: "e.org/p", Path: "I", Position: ecosystem.Position{Line: 2, Column: 18}},
		{Package: "e.org/p", Path: "F", Position: ecosystem.Position{Line: 3, Column: 2}}, {Package: "e.org/other", Path: "G", Position: ecosystem.Position{Line: 3, Column: 2}},
	}}}
	got := map[string]string{}
	for _, c := range compare.Used(compare.Packages(one(old), one(new)), files) {
		got[c.Path] = placesOf(c)
	}
	want := map[string]string{"T.M": "[{main.go 4 5 true}]", "F": "[{main.go 3 2 false}]", "I.B": "[{main.go 2 18 false}]"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the used changes are %v, want %v", got, want)
	}
}

// TestPage_NamesEveryField checks that docs/json.md names every field of a report.
func TestPage_NamesEveryField(t *testing.T) {
	page := filetest.Read(t, "../../docs/json.md")
	_, section, ok := strings.Cut(string(page), "## Differences")
	if !ok {
		t.Fatal("the section on differences is missing")
	}
	for _, typ := range []reflect.Type{reflect.TypeFor[compare.Report](), reflect.TypeFor[compare.Change](), reflect.TypeFor[compare.Detail](), reflect.TypeFor[compare.Place](), reflect.TypeFor[compare.Section](), reflect.TypeFor[compare.Version]()} {
		for f := range typ.Fields() {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if f.IsExported() && !strings.Contains(section, "`"+name+"`") {
				t.Errorf("docs/json.md does not name the field %s of %s", name, typ)
			}
		}
	}
}

func TestPackages_WholePackages(t *testing.T) {
	old, new := pkg("go", "e.org/m", "1", "func: F = func F()"), pkg("go", "e.org/m", "2", "func: F = func F()")
	gone, moved := pkg("go", "e.org/m/gone", "1", "func: A = func A()\nfunc: B = func B(b int)"), pkg("go", "e.org/m/moved", "2", "func: B = func B(b int)\nfunc: C = func C()")
	changes := compare.Packages([]*apidoc.Package{old, gone}, []*apidoc.Package{new, moved})
	const want = "breaking removed \nbreaking moved B -> B (the same declaration)\ncompatible added \n"
	if got := outline(changes); got != want || changes[0].Package != "e.org/m/gone" || changes[2].Package != "e.org/m/moved" {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	files := []check.FileUses{{File: "main.go", Uses: []ecosystem.Use{{Package: "e.org/m/gone", Import: true, Position: ecosystem.Position{Line: 3, Column: 8}}}}}
	if used := compare.Used(changes, files); len(used) != 1 || len(used[0].Places) != 1 || used[0].Places[0].Line != 3 {
		t.Errorf("the used changes are %+v", used)
	}
	report := compare.Report{Old: compare.Version{Package: "e.org/m"}, New: compare.Version{Package: "e.org/m"}, Changes: changes}
	if text := report.Text("", 0, compare.Hints{}); !strings.Contains(text, "- removed: package `e.org/m/gone`\n") {
		t.Error(text)
	}
}

func TestPackages_RemovedPackageWithoutSymbols(t *testing.T) {
	old, new := pkg("go", "e.org/m", "1", "func: F = func F(a int)"), pkg("go", "e.org/m", "2", "func: F = func F(a string)")
	new.Sections = []apidoc.Section{{ID: "changelog", Title: "Changelog", Body: "## v2\n\n- `F` takes text.\n"}}
	changes := compare.Packages([]*apidoc.Package{old, pkg("go", "e.org/m/empty", "1", "")}, one(new))
	const want = "breaking removed \nbreaking changed F; parameter type a: int → string\n"
	if got := outline(changes); got != want {
		t.Fatalf("got\n%swant\n%s", got, want)
	}
	if sections := changes[1].Sections; len(sections) != 1 || sections[0].ID != "changelog" {
		t.Errorf("F is mentioned in %v", sections)
	}
}

// BenchmarkPackages compares two versions of a package of 5,000 functions and methods with a long
// changelog. A fifth of them has changed.
func BenchmarkPackages(b *testing.B) {
	for _, language := range slices.Sorted(maps.Keys(styles)) {
		declaration := map[string]string{
			"go":     "func (c *C) M%d(ctx context.Context, name string, list []Item, more map[string]*Item) (%s, error)",
			"npm":    "m%d(name: string, list: Item[], more?: Record<string, Item | undefined>): Promise<%s | null>",
			"python": "def m%d(self, name: str, list: Sequence[Item], *, more: Optional[Dict[str, Item]] = None) -> Union[%s, None]",
			"rust":   "pub fn m%d<T: Into<String>>(&self, name: T, list: &[Item], more: Option<HashMap<String, Item>>) -> Result<%s, Error>",
			"swift":  "func m%d(_ name: String, list: [Item], more: [String: Item]? = nil) async throws -> %s",
		}[language]
		version := func(number, result string) *apidoc.Package {
			p := &apidoc.Package{Name: "p", Version: number, Style: styles[language]}
			var changelog strings.Builder
			for i := range 50 {
				owner := apidoc.Symbol{Path: fmt.Sprintf("C%d", i), Kind: apidoc.Class, Signature: fmt.Sprintf("class C%d", i)}
				for k := range 100 {
					r := "Item"
					if k%5 == 0 {
						r = result
						fmt.Fprintf(&changelog, "- `C%d.m%d` returns another type than before, which many programs will notice.\n", i, k)
					}
					owner.Members = append(owner.Members, apidoc.Symbol{Path: fmt.Sprintf("C%d%sm%d", i, p.Separator(), k), Kind: apidoc.Method, Signature: fmt.Sprintf(declaration, k, r)})
				}
				p.Symbols = append(p.Symbols, owner)
			}
			p.Sections = []apidoc.Section{{ID: "changelog", Title: "Changelog", Body: changelog.String()}}
			return p
		}
		old, new := version("1.0.0", "Old"), version("2.0.0", "New")
		b.Run(language, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if changes := compare.Packages(one(old), one(new)); len(changes) != 1000 {
					b.Fatalf("%d changes", len(changes))
				}
			}
		})
	}
}
