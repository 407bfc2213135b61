package modules

import (
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/decltest"
)

func TestSyntax_Parts(t *testing.T) {
	for _, tt := range []struct {
		kind      apidoc.Kind
		signature string
		want      []string // lines of the parts within the declaration
	}{
		{KindFunction, "function get<T extends object = {}, const U = T>(url: string | URL, { a, b }?: ns.Options<T>, ...rest: U[]): Promise<Response<T>>", []string{
			"name get",
			"type parameter T extends object = {} [optional]", "  name T", "  constraint object", "    reference object [builtin]", "  default {}",
			"type parameter const U = T [optional]", "  modifier const", "  name U", "  default T", "    reference T [local]",
			"parameter url: string | URL", "  name url", "  type string | URL", "    reference string [builtin]", "    reference URL",
			"parameter { a, b }?: ns.Options<T> [optional]", "  name { a, b } [pattern]", "  type ns.Options<T>", "    reference ns.Options", "    reference T [local]",
			"parameter ...rest: U[] [variadic]", "  name rest", "  type U[]", "    reference U [local]",
			"result Promise<Response<T>>", "  type Promise<Response<T>>", "    reference Promise [builtin]", "    reference Response", "    reference T [local]",
		}},
		{apidoc.Class, "abstract class Box<T> extends Base<T> implements A, ns.B", []string{
			"modifier abstract", "name Box", "type parameter T", "  name T", "base Base<T>", "  reference Base", "  reference T [local]", "base A", "  reference A", "base ns.B", "  reference ns.B",
		}},
		{apidoc.Type, "type Handler = (event: Event, cb?: (e: Error) => void) => Result extends infer R ? R : Other", []string{
			"name Handler", "type (event: Event, cb?: (e: Error) => void) => Result extends infer R ? R : Other",
			"  reference Event", "  reference Error [builtin]", "  reference Result", "  reference R [local]", "  reference Other",
		}},
		{apidoc.Property, "readonly timeout?: { ms: number; on(x: Y): void }", []string{
			"modifier readonly", "name timeout", "modifier ?", "type { ms: number; on(x: Y): void }", "  reference number [builtin]", "  reference Y",
		}},
		{apidoc.Method, "static of(this: Box, x?: number): x is Foo", []string{
			"modifier static", "name of", "parameter this: Box [self]", "  name this", "  type Box", "    reference Box",
			"parameter x?: number [optional]", "  name x", "  type number", "    reference number [builtin]", "result x is Foo", "  type x is Foo", "    reference Foo",
		}},
		{apidoc.Method, "get(type: string): this", []string{
			"name get", "parameter type: string", "  name type", "  type string", "    reference string [builtin]", "result this", "  type this",
		}},
		{KindAccessor, "get size(): number", []string{"name size", "result number", "  type number", "    reference number [builtin]"}},
		{KindConstruct, "new (init?: Init): Thing", []string{"parameter init?: Init [optional]", "  name init", "  type Init", "    reference Init", "result Thing", "  type Thing", "    reference Thing"}},
		{KindNew, "constructor(private readonly a: A)", []string{"name constructor", "parameter private readonly a: A", "  modifier private", "  modifier readonly", "  name a", "  type A", "    reference A"}},
		{KindIndex, "[key: string]: Value", []string{"parameter key: string", "  name key", "  type string", "    reference string [builtin]", "type Value", "  reference Value"}},
		{apidoc.Method, "[Symbol.iterator](): Iterator<T>", []string{"name [Symbol.iterator]", "result Iterator<T>", "  type Iterator<T>", "    reference Iterator [builtin]", "    reference T"}},
		{apidoc.Const, "const version = \"1.0\"", []string{"name version", "value \"1.0\""}},
		{apidoc.Const, "const x: typeof import(\"y\").z", []string{"name x", "type typeof import(\"y\").z"}},
		{KindModule, `module "x/y"`, []string{`name "x/y"`}},
		{KindFunction, "function f(a: \"unclosed", nil},
		{KindFunction, "function f(a", nil},
	} {
		decltest.Expect(t, Syntax{}, tt.kind, tt.signature, strings.Join(tt.want, "\n"))
	}
}

func TestSyntax_Overloads(t *testing.T) {
	s := &apidoc.Symbol{Kind: KindFunction, Signature: "function f(a: number): number\nfunction f<T>(a: T, b?: {\n  c: T;\n}): T"}
	d := apidoc.Decl{Text: s.Signature, Parts: Syntax{}.Parts(s)}
	n := 0
	for i := range d.Within(-1, apidoc.DeclarationPart) {
		n++
		if d.ChildText(i, apidoc.NamePart) != "f" || d.Child(i, apidoc.ResultPart) < 0 {
			t.Errorf("the declaration is %q", d.PartText(i))
		}
	}
	if err := d.Check(); err != nil || n != 2 {
		t.Errorf("%d declarations, %v", n, err)
	}
}

func FuzzSyntax(f *testing.F) {
	for _, seed := range []string{"function f<T extends A = B>(a?: T, ...b: C[]): a is D", "class A<T> extends B implements C, D", "type A<T> = T extends infer U ? U : never", "[k: string]: V", "new (): T", "const x = 1", "get a(): b", "static readonly a?: (b: c) => d", "enum E", "<", "f<", "a?", "(", "interface I<in out T>"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, signature string) {
		d := apidoc.Decl{Text: signature, Parts: Syntax{}.Parts(&apidoc.Symbol{Signature: signature})}
		if err := d.Check(); err != nil {
			t.Error(err)
		}
	})
}
