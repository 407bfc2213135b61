package signature_test

import (
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/apidoc/decltest"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/signature"
	_ "github.com/docent-mcp/docent/internal/filetest" // the flag -update
)

func TestSyntax_Parts(t *testing.T) {
	for _, tt := range []struct {
		kind      apidoc.Kind
		signature string
		want      []string // the parts within the declaration, one per line
	}{
		{apidoc.Method, "pub async fn map<U, F>(\n    &'a mut self,\n    (a, b): (u8, T),\n    f: F,\n) -> Result<Guard<'a, U>, io::Error>\nwhere\n    F: FnOnce(&mut U) -> Option<&mut U> + Send,\n    U: Iterator<Item = F>,", []string{
			"modifier pub", "effect async", "name map", "type parameter U", "  name U", "type parameter F", "  name F",
			"parameter &'a mut self [self]", "  trivia 'a", "  name self",
			"parameter (a, b): (u8, T)", "  name (a, b) [pattern]", "  type (u8, T)", "    reference u8 [builtin]", "    reference T",
			"parameter f: F", "  name f", "  type F", "    reference F [local]",
			"result Result<Guard<'a, U>, io::Error>", "  type Result<Guard<'a, U>, io::Error>", "    reference Result [builtin]", "    reference Guard", "    trivia 'a,", "    reference U [local]", "    reference io::Error",
			"constraint F: FnOnce(&mut U) -> Option<&mut U> + Send", "  reference F [local]", "  reference FnOnce [builtin]", "  reference U [local]", "  reference Option [builtin]", "  reference U [local]", "  reference Send [builtin]",
			"constraint U: Iterator<Item = F>", "  reference U [local]", "  reference Iterator [builtin]", "  reference F [local]",
		}},
		{apidoc.Function, "pub const unsafe extern \"C\" fn f<'a, const N: usize>(x: impl Into<Y> + 'a, ...)", []string{
			"modifier pub", "modifier const", "effect unsafe", "modifier extern \"C\"", "name f",
			"type parameter 'a [elidable]", "  name 'a", "type parameter const N: usize", "  modifier const", "  name N", "  constraint usize", "    reference usize [builtin]",
			"parameter x: impl Into<Y> + 'a", "  name x", "  type impl Into<Y> + 'a", "    reference Into [builtin]", "    reference Y", "    trivia + 'a", "parameter ... [variadic]",
		}},
		{apidoc.Struct, "#[must_use = \"x\"]\npub struct Guard<'a, T: ?Sized + Debug, U = T> { /* private fields */ }", []string{
			"attribute #[must_use = \"x\"]", "modifier pub", "name Guard", "type parameter 'a [elidable]", "  name 'a",
			"type parameter T: ?Sized + Debug", "  name T", "  constraint ?Sized", "    reference Sized [builtin]", "  constraint Debug", "    reference Debug",
			"type parameter U = T [optional]", "  name U", "  default T", "    reference T [local]",
		}},
		{apidoc.Struct, "pub struct P {\n    pub x: Vec<Q>,\n    pub y: u8,\n    /* private fields */\n}", []string{
			"modifier pub", "name P", "member pub x: Vec<Q>", "  modifier pub", "  name x", "  type Vec<Q>", "    reference Vec [builtin]", "    reference Q",
			"member pub y: u8", "  modifier pub", "  name y", "  type u8", "    reference u8 [builtin]", "comment /* private fields */",
		}},
		{apidoc.Enum, "pub enum E<T> {\n    // A comment.\n    A,\n    B(T, Rc<u8>),\n    C { d: F },\n    G = 3,\n}", []string{
			"modifier pub", "name E", "type parameter T", "  name T", "comment // A comment.", "member A", "  name A",
			"member B(T, Rc<u8>)", "  name B", "  member T", "    type T", "      reference T [local]", "  member Rc<u8>", "    type Rc<u8>", "      reference Rc", "      reference u8 [builtin]",
			"member C { d: F }", "  name C", "  member d: F", "    name d", "    type F", "      reference F", "member G = 3", "  name G", "  value 3",
		}},
		{apidoc.Trait, "pub trait Stream: Sized + fmt::Debug", []string{"modifier pub", "name Stream", "base Sized", "  reference Sized [builtin]", "base fmt::Debug", "  reference fmt::Debug"}},
		{apidoc.Impl, "unsafe impl<T> Send for Cell<T>\nwhere\n    T: Send,", []string{
			"effect unsafe", "type parameter T", "  name T", "base Send", "  reference Send [builtin]", "type Cell<T>", "  reference Cell", "  reference T [local]",
			"constraint T: Send", "  reference T [local]", "  reference Send [builtin]",
		}},
		{apidoc.Impl, "impl Clone, From<&'a str> for Name", []string{"base Clone", "  reference Clone [builtin]", "base From<&'a str>", "  reference From [builtin]", "  trivia 'a", "  reference str [builtin]", "type Name", "  reference Name"}},
		{apidoc.TypeAlias, "pub type R<T> = std::result::Result<T, Error>;", []string{
			"modifier pub", "name R", "type parameter T", "  name T", "type std::result::Result<T, Error>", "  reference std::result::Result", "  reference T [local]", "  reference Error",
		}},
		{apidoc.Const, "pub const MAX: usize = A as usize + 1;", []string{"modifier pub", "name MAX", "type usize", "  reference usize [builtin]", "value A as usize + 1"}},
		{apidoc.Field, "0: <I as Iterator>::Item", []string{"name 0", "type <I as Iterator>::Item", "  reference I", "  reference Iterator [builtin]"}},
		{apidoc.Variant, "Other(Box<dyn Fn(u8) -> T>)", []string{
			"name Other", "member Box<dyn Fn(u8) -> T>", "  type Box<dyn Fn(u8) -> T>", "    reference Box [builtin]", "    reference Fn [builtin]", "    reference u8 [builtin]", "    reference T",
		}},
		{apidoc.Function, "pub fn f<T>(x: T)\nwhere\n    T: A,\n    (T, u8): B,\n    (): C<T>,", []string{
			"modifier pub", "name f", "type parameter T", "  name T", "parameter x: T", "  name x", "  type T", "    reference T [local]",
			"constraint T: A", "  reference T [local]", "  reference A",
			"constraint (T, u8): B", "  reference T [local]", "  reference u8 [builtin]", "  reference B",
			"constraint (): C<T>", "  reference C", "  reference T [local]",
		}},
		{apidoc.Struct, "pub struct A<T, const N: usize = { 1 + 2 }, const M: u8 = 3>(pub T)\nwhere\n    (): B<N>;", []string{
			"modifier pub", "name A", "type parameter T", "  name T",
			"type parameter const N: usize = { 1 + 2 } [optional]", "  modifier const", "  name N", "  constraint usize", "    reference usize [builtin]", "  default { 1 + 2 }",
			"type parameter const M: u8 = 3 [optional]", "  modifier const", "  name M", "  constraint u8", "    reference u8 [builtin]", "  default 3",
			"member pub T", "  modifier pub", "  type T", "    reference T [local]", "constraint (): B<N>", "  reference B", "  reference N [local]",
		}},
		{apidoc.AssocType, "type A<'a>: B\nwhere\n    Self: 'a + D<E = u8> = C;", []string{
			"name A", "type parameter 'a [elidable]", "  name 'a", "constraint B", "  reference B",
			"constraint Self: 'a + D<E = u8>", "  reference Self [local]", "  trivia 'a", "  reference D", "  reference u8 [builtin]", "type C", "  reference C",
		}},
		{apidoc.Macro, "macro_rules! vec {\n    () => { ... };\n}", []string{"name vec"}},
		{apidoc.AttributeMacro, "#[main]", []string{"attribute #[main]"}},
		{apidoc.Function, "pub fn f(", nil},
	} {
		decltest.Expect(t, signature.Syntax{}, tt.kind, tt.signature, strings.Join(tt.want, "\n"))
	}
}

func FuzzSyntax(f *testing.F) {
	for _, seed := range []string{"pub fn f<'a, T: A + B>(&self, x: T) -> C where T: D<E = F>,", "struct S<T>(pub T) where T: X;", "enum E { A(B), C { d: e }, F = 1 }", "impl<T> A for B<T>", "type A<B>: C = D;", "const A: B = C;", "0: A", "fn f(", "impl<", "where", "fn f<const N: u8 = { 1 }>() where (A, B): C, (): D,", "type A<'a>: B where Self: 'a = C;"} {
		for _, kind := range []apidoc.Kind{apidoc.Function, apidoc.Field} {
			f.Add(string(kind), seed)
		}
	}
	f.Fuzz(func(t *testing.T, kind, text string) {
		d := apidoc.Decl{Text: text, Parts: signature.Syntax{}.Parts(&apidoc.Symbol{Kind: apidoc.Kind(kind), Signature: text})}
		if err := d.Check(); err != nil {
			t.Error(err)
		}
	})
}
