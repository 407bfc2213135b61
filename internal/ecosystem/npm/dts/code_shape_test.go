package dts

import (
	"fmt"
	"strings"
	"testing"
)

// shapes writes expressions and statements with brackets around every operation.
func shapes(list []*Expr, separator string) string {
	var all []string
	for _, x := range list {
		all = append(all, shape(x))
	}
	return strings.Join(all, separator)
}

func shape(x *Expr) string {
	if x == nil {
		return "_"
	}
	mark := ""
	if x.Optional {
		mark = "?."
	}
	arg := func(i int) string {
		if i >= len(x.List) {
			return ""
		}
		return shape(x.List[i])
	}
	switch x.Kind {
	case ExprName:
		return x.Text
	case ExprThis:
		return "this"
	case ExprSuper:
		return "super"
	case ExprLiteral:
		if len(x.List) > 0 {
			return "`" + shapes(x.List, " ") + "`"
		}
		return x.Type.String()
	case ExprArray:
		return "[" + shapes(x.List, ", ") + "]"
	case ExprObject:
		return "{" + shapes(x.List, ", ") + "}"
	case ExprProp:
		text := x.Text + ": " + arg(0)
		if x.Getter {
			text = "accessor " + text
		}
		if d := arg(1); d != "" && d != "_" {
			text += " = " + d
		}
		return text
	case ExprSpread:
		return "..." + arg(0)
	case ExprFunc:
		text := strings.TrimSpace("fn " + x.Text)
		if x.Type.Has(FlagAsync) {
			text = "async " + text
		}
		if x.Generator {
			text += "*"
		}
		if x.Static {
			text = "static " + text
		}
		return text + "(" + shapes(x.List[1:], ", ") + ") " + arg(0)
	case ExprParam:
		text := x.Type.Text
		if x.List[0] != nil {
			text = arg(0)
		}
		if x.List[1] != nil {
			text += " = " + arg(1)
		}
		return text
	case ExprClass:
		return strings.TrimSpace("class "+x.Text) + " {" + shapes(x.List, "; ") + "}"
	case ExprCall:
		return arg(0) + mark + typeArguments(x) + "(" + shapes(x.List[1:], ", ") + ")"
	case ExprNew:
		return "new " + arg(0) + typeArguments(x) + "(" + shapes(x.List[1:], ", ") + ")"
	case ExprMember:
		if mark == "" {
			mark = "."
		}
		return arg(0) + mark + x.Text
	case ExprIndex:
		return arg(0) + mark + "[" + arg(1) + "]"
	case ExprAs:
		if x.Type == nil {
			return "(" + arg(0) + " as const)"
		}
		return "(" + arg(0) + " as " + x.Type.String() + ")"
	case ExprSatisfies:
		return "(" + arg(0) + " satisfies " + x.Type.String() + ")"
	case ExprNonNull:
		return arg(0) + "!"
	case ExprUnary:
		return "(" + x.Text + " " + arg(0) + ")"
	case ExprBinary, ExprAssign:
		return "(" + arg(0) + " " + x.Text + " " + arg(1) + ")"
	case ExprConditional:
		return "(" + arg(0) + " ? " + arg(1) + " : " + arg(2) + ")"
	case ExprAwait:
		return "(await " + arg(0) + ")"
	case ExprImport:
		return fmt.Sprintf("import(%q)", x.Text)
	case ExprMarkup:
		return "<" + strings.TrimSpace(x.Text+" "+shapes(x.List, " ")) + ">"
	case StmtBlock:
		return "{" + shapes(x.List, "; ") + "}"
	case StmtVar:
		return x.Text + " " + shapes(x.List, ", ")
	case StmtBinding:
		text := x.Text
		if x.List[0] != nil {
			text = arg(0)
		}
		if x.Type != nil {
			text += ": " + x.Type.String()
		}
		if len(x.List) > 1 && x.List[1] != nil {
			text += " = " + arg(1)
		}
		return text
	case StmtReturn:
		return "return " + arg(0)
	case StmtForOf:
		return "for " + arg(0) + " " + x.Text + " " + arg(1) + " " + arg(2)
	case StmtType:
		return x.Type.Signature()
	case StmtOther:
		return "<" + strings.TrimSpace(x.Text+" "+shapes(x.List, " ")) + ">"
	default:
		return "<" + shapes(x.List, " ") + ">"
	}
}

func typeArguments(x *Expr) string {
	if len(x.Args) == 0 {
		return ""
	}
	var all []string
	for _, a := range x.Args {
		all = append(all, a.String())
	}
	return "<" + strings.Join(all, ", ") + ">"
}

// checkShapes compares the shapes of code with those in pairs of a source and its shape.
func checkShapes(t *testing.T, markup bool, pairs ...[2]string) {
	t.Helper()
	for _, c := range pairs {
		code, err := ParseCode(nil, c[0], TypeScript, markup)
		if err != nil {
			t.Errorf("%s: %v", c[0], err)
		} else if got := shapes(code.Statements, "; "); got != c[1] {
			t.Errorf("%s is read as\n%s, want\n%s", c[0], got, c[1])
		}
	}
}

func TestCode_Operators(t *testing.T) {
	checkShapes(t, false, [][2]string{
		{"a + b * c - d", "<((a + (b * c)) - d)>"},
		{"a ** b ** c", "<(a ** (b ** c))>"},
		{"a || b && c | d", "<(a || (b && (c | d)))>"},
		{"a ?? b ?? c", "<((a ?? b) ?? c)>"},
		{"a < b === c > d", "<((a < b) === (c > d))>"},
		{"a << 1 >> 2 >>> 3", "<(((a << number) >> number) >>> number)>"},
		{"a in b instanceof c", "<((a in b) instanceof c)>"},
		{"a ^ b & c == d", "<(a ^ (b & (c == d)))>"},
		{"!a && typeof b", "<((! a) && (typeof b))>"},
		{"- -a + +b", "<((- (- a)) + (+ b))>"},
		{"a = b = c", "<(a = (b = c))>"},
		{"a ||= b; c **= 2; d >>>= 1; e ??= f; g += h", "<(a ||= b)>; <(c **= number)>; <(d >>>= number)>; <(e ??= f)>; <(g += h)>"},
		{"a ? b : c ? d : e", "<(a ? b : (c ? d : e))>"},
		{"a, b = c, d", "<((a , (b = c)) , d)>"},
		{"await a.b", "<(await a.b)>"},
		{"a as B as C satisfies D", "<(((a as B) as C) satisfies D)>"},
		{"a as const", "<(a as const)>"},
		{"<T>a.b", "<(a.b as T)>"},
		{"<const>[a]", "<([a] as const)>"},
		{"a!.b!()", "<a!.b!()>"},
		{"(a, b).c", "<(a , b).c>"},
	}...)
}

func TestCode_Members(t *testing.T) {
	checkShapes(t, false, [][2]string{
		{"a.b?.c[d]?.[e]?.(f)", "<a.b?.c[d][e]?.(f)>"},
		{"a.default.new.class", "<a.default.new.class>"},
		{"this.#a.b; #a in b", "<this.#a.b>; <(<> in b)>"},
		{"super.a(); super(b)", "<super.a()>; <super(b)>"},
		{"f<T>(a)<U>(b)", "<f<T>(a)<U>(b)>"},
		{"a < b > c", "<((a < b) > c)>"},
		{"new A; new A(b); new a.B<C>(d).e", "<new A()>; <new A(b)>; <new a.B<C>(d).e>"},
		{"new a[b](c)", "<new a[b](c)>"},
		{"new new A(b)(c)", "<new new A(b)(c)>"},
		{"f(...a, b)", "<f(...a, b)>"},
		{"tag`a${b}`", "<tag(...`b`)>"},
		{"import('x').then(f)", `<import("x").then(f)>`},
		{"import(x)", "<<>>"},
		{"import.meta.url", "<<>>"},
	}...)
}

func TestCode_Literals(t *testing.T) {
	checkShapes(t, false, [][2]string{
		{"[, a, , ...b]", "<[_, a, _, ...b]>"},
		{"x = { a, 'b-c': d, 1: e, [f]: g, ...h }", "<(x = {a: a, b-c: d, 1: e, : g = f, ...h})>"},
		{"x = { ['a']: b }", "<(x = {a: b = 'a'})>"},
		{"x = { m() { a }, async n() {}, *g() {}, get v() { return b }, set v(c) {} }", "<(x = {m: fn m() {<a>}, n: async fn n() {}, g: fn g*() {}, accessor v: fn v() {return b}, accessor v: fn v(c) {}})>"},
		{"x = { async: a, get: b, set, async *of() {} }", "<(x = {async: a, get: b, set: set, of: async fn of*() {}})>"},
		{"`a${b + c}d${`e${f}`}`", "<`(b + c) `f``>"},
		{"`a\\`b\\${c}${d}`", "<`d`>"},
		{"x = [/[/]\\/b/g, a / b / c, 10n, 0x1F, 1_000.5e-3, .5]", "<(x = [RegExp, ((a / b) / c), bigint, number, number, number])>"},
		{"x = true ? null : undefined", "<(x = (true ? null : undefined))>"},
	}...)
}

func TestCode_Functions(t *testing.T) {
	checkShapes(t, false, [][2]string{
		{"a => b => c", "<fn(a) fn(b) c>"},
		{"async a => await a", "<async fn(a) (await a)>"},
		{"(a, b = c) => ({ d })", "<fn(a, b) {d: d}>"},
		{"({ a, b: [c] }, ...d) => {}", "<fn({a: a, b: [: c]}, d) {}>"},
		{"<T,>(a: T): T => a", "<fn(a) a>"},
		{"(function* f() { yield a; yield* b; yield })", "<fn f*() {<<a>>; <<b>>; <<>>}>"},
		{"function f(a?: T, ...b: U[]): V { return }", "fn f(a, b) {return _}"},
		{"function f(a: string): void; function f(a: any) {}", "fn f(a) _; fn f(a) {}"},
		{"async function* f() {}", "async fn f*() {}"},
		{"function f(this: A) { return new.target }", "fn f(this) {return <>}"},
		{"async; async(a); async\nb", "<async>; <async(a)>; <async>; <b>"},
	}...)
}

func TestCode_Classes(t *testing.T) {
	checkShapes(t, false, [][2]string{
		{"class A extends B<C> implements D { constructor(private e = f) { super() } }", "class A {fn(e) {<super()>}}"},
		{"class A { a = b; static c = d; #e: F = g; h?: I; j! : K }", "class A {a: b; c: d; #e: g}"},
		{"class A { get a() { return b } set a(c) {} static async *d() {} [e]() {} 'f-g'() {} }", "class A {fn a() {return b}; fn a(c) {}; static async fn d*() {}; fn [e]() {}; fn f-g() {}}"},
		{"class A { static { a() } static = 1; get = 2; async = 3; readonly b = 4 }", "class A {{<a()>}; static: number; get: number; async: number; b: number}"},
		{"@dec(a) class A { @b() c() {} @d e = f }", "class A {fn c() {}; e: f}"},
		{"abstract class A { abstract a(): void; b(c: D): void; b(c: any) {} }", "class A {fn b(c) {}}"},
		{"x = class B extends C {}; y = @dec class {}", "<(x = class B {})>; <(y = class {})>"},
		{"export default class { }", "class {}"},
	}...)
}

func TestCode_Statements(t *testing.T) {
	checkShapes(t, false, [][2]string{
		{"if (a) b; else if (c) d; else { e }", "<if a <b> <if c <d> {<e>}>>"},
		{"for (const a of b) c; for (let d in e) f; async () => { for await (const g of h) {} }", "for const a of b <c>; for let d in e <f>; <async fn() {for const g await h {}}>"},
		{"for (a.b of c) d; for ([e, f] of g) h", "for a.b of c <d>; for [e, f] of g <h>"},
		{"for (;;) a; for (let i = 0, n = ('a' in b) ? 1 : 2; i < n; i++) {}", "{_; <a>}; {let i = number, n = (('a' in b) ? number : number); (i < n); (+ i); {}}"},
		{"while (a) b; do c; while (d); with (e) f", "<while a <b>>; <<c> d>; <e <f>>"},
		{"switch (a) { case b: c; break; default: d }", "{a; b; <c>; <jump>; <d>}"},
		{"try { a } catch ({ b }) { c } finally { d }", "<{<a>} {catch {b: b}; {<c>}} {<d>}>"},
		{"try {} catch (e) {} try {} catch (e: unknown) {}", "<{} {catch e: any; {}}>; <{} {catch e: unknown; {}}>"},
		{"try { a } catch { b }", "<{<a>} {{<b>}}>"},
		{"throw a; debugger; a: for (;;) { break a; continue }", "<throw a>; <>; {_; {<jump>; <jump>}}"},
		{"var a, b: T = c, [d, , ...e] = f, { g = h, i: { j }, ...k } = l", "var a, b: T = c, [: d, _, ...e] = f, {g: g = h, i: {j: j}, ...k} = l"},
		{"using a = b; await using c = d", "using a = b; using c = d"},
		{"{ a; { b } } ; ;", "{<a>; {<b>}}"},
		{"a\n++b\nc\n--\nd", "<a>; <(+ b)>; <c>; <(- d)>"},
		{"a++ + b-- - --c", "<(((+ a) + (- b)) - (- c))>"},
		{"a\n(b)\n[c]", "<a(b)[c]>"},
		{"return\na", "return _; <a>"},
		{"type A = B; interface C { d: E } enum F { g } declare const h: I; namespace J { export const k = 1 }", "type A = B; interface C; enum F; const h: I; namespace J"},
		{"type\nA\n= b", "<type>; <(A = b)>"},
		{"import a from 'b'; import { c } from 'd'; export { e }; export * from 'f'; export default a + 1; export const h = 1", "<(a + number)>; const h = number"},
		{"export default async function () {}", "async fn() {}"},
	}...)
}

func TestCode_Markup(t *testing.T) {
	checkShapes(t, true, [][2]string{
		{"<a b='c' d={e} f {...g}>h {i} <j/></a>", `<<a _ {b: 'c', d: e, f: true, ...g} i <j _ {}>>>`},
		{"<A.B c-d='e' xlink:f={g} />", `<<A.B {c-d: 'e', xlink:f: g}>>`},
		{"<></>", "<<_ _>>"},
		{"<A<T> b={<c/>} d=<e/> />", "<<A {b: <c _ {}>, d: <e _ {}>}>>"},
		{"<a>{/* b */}{...c}</a>", "<<a _ {} _ c>>"},
		{"<p>Don't {a} 'quote' // b /* c {d} </p>", "<<p _ {} a d>>"},
	}...)
}

func TestCode_Errors(t *testing.T) {
	for src, want := range map[string]string{
		"const = 1":              "line 1: a name was expected",
		"a\nb c":                 "line 2: the end of the statement was expected",
		"do a":                   "line 1: while was expected",
		"switch (a) b":           "line 1: { was expected",
		"try a":                  "line 1: { was expected",
		"for a":                  "line 1: ( was expected",
		"for (a b) c":            "line 1: ) was expected",
		"const { 1 } = a":        "line 1: : was expected",
		"(a b)":                  "line 1: ) was expected",
		"a?.;":                   "line 1: a member was expected",
		"class A {\n a = ;\n}":   "line 2: an expression was expected",
		"`${a b}`":               "line 1: } was expected",
		"x = [a b]":              "line 1: , was expected",
		"f(a\n":                  "line 1: a bracket is not closed",
		"class A { %% }":         "line 1: a member was expected",
		"class A":                "line 1: { was expected",
		"}":                      "line 1: an expression was expected",
		"x = { a b }":            "line 1: ( was expected",
		"const { a: } = b":       "line 1: a name was expected",
		strings.Repeat("{", 999): "line 1: a bracket is not closed",
	} {
		_, err := ParseCode(nil, src, TypeScript, false)
		if got := fmt.Sprint(err); got != want {
			t.Errorf("%.30q: %s, want %s", src, got, want)
		}
	}
	for src, want := range map[string]string{
		"<a b=c/>":     "line 1: a value was expected",
		"<a 1/>":       "line 1: an attribute was expected",
		"<1/>":         "line 1: an element was expected",
		"<a>{b c}</a>": "line 1: } was expected",
		"<a>":          "line 1: an element was expected",
	} {
		_, err := ParseCode(nil, src, TypeScript, true)
		if got := fmt.Sprint(err); got != want {
			t.Errorf("%q: %s, want %s", src, got, want)
		}
	}
}

// TestCode_Hostile checks that code which nests more deeply than a parser can follow is refused.
func TestCode_Hostile(t *testing.T) {
	repeat := strings.Repeat
	for name, src := range map[string]func(n int) string{
		"round brackets":   func(n int) string { return repeat("(", n) + "a" + repeat(")", n) },
		"arrays":           func(n int) string { return "x = " + repeat("[", n) + repeat("]", n) },
		"objects":          func(n int) string { return "x = " + repeat("{a:", n) + "b" + repeat("}", n) },
		"blocks":           func(n int) string { return repeat("{", n) + repeat("}", n) },
		"arrow functions":  func(n int) string { return repeat("a => ", n) + "b" },
		"conditions":       func(n int) string { return repeat("a ? b : ", n) + "c" },
		"unary operators":  func(n int) string { return repeat("! ", n) + "a" },
		"assignments":      func(n int) string { return repeat("a = ", n) + "b" },
		"new":              func(n int) string { return repeat("new ", n) + "a" },
		"powers":           func(n int) string { return repeat("a ** ", n) + "b" },
		"if":               func(n int) string { return repeat("if (a) ", n) + "b" },
		"else":             func(n int) string { return repeat("if (a) b; else ", n) + "c" },
		"patterns":         func(n int) string { return "const " + repeat("[", n) + repeat("]", n) + " = a" },
		"templates":        func(n int) string { return repeat("`${", n) + "a" + repeat("}`", n) },
		"labels":           func(n int) string { return repeat("a: ", n) + "b" },
		"classes":          func(n int) string { return repeat("class A { a() {", n) + repeat("}}", n) },
		"type assertions":  func(n int) string { return repeat("<T>", n) + "a" },
		"awaits":           func(n int) string { return repeat("await ", n) + "a" },
		"members":          func(n int) string { return "a" + repeat(".b", 40*n) },
		"calls":            func(n int) string { return "a" + repeat("()", 40*n) },
		"sums":             func(n int) string { return "a" + repeat(" + b", 40*n) },
		"sequences":        func(n int) string { return "a" + repeat(", b", 40*n) },
		"casts":            func(n int) string { return "a" + repeat(" as B", 40*n) },
		"sums in brackets": func(n int) string { return repeat("(", n/8) + "a" + repeat(repeat("+ b", 400)+")", n/8) },
	} {
		if _, err := ParseCode(nil, src(60), TypeScript, false); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := ParseCode(nil, src(2000), TypeScript, false); err == nil || !strings.Contains(err.Error(), "deeply") {
			t.Errorf("%s: the error is %v", name, err)
		}
	}
}
