package dts

import (
	"strings"
	"testing"
)

func TestParseCode(t *testing.T) {
	for _, src := range []string{
		"const f = async (x: number): Promise<void> => { await x; };",
		"export const f = (a: string): ((...args: unknown[]) => void) => () => a.length;",
		"const x = <T>(await y());",
		"for (const k in o) { if (a < b && c > (d)) continue; }",
		"label: for (let i = 0, n = a.length; i < n; i++) do { i--; } while (i > 0)",
		"const {a, b: {c = 1}, ...rest} = x, [d, , e = 2] = y;",
		"class A<T> extends B<T> { static { A.x = 1; } #p = undefined!\n #q = new Map<string, T>(); @dec<T>(x => x) get v() { return this.#p; } async *gen() {} }",
		"switch (x) { case 1: { break; } default: y(); }",
		"try { a?.b?.[c]?.(d) } catch { } finally { }",
		"const s = `a${b.c + `${d}`}e`, r = x / 2 / y, e = /a\\/b/g;",
		"const o = { get a() { return 1; }, async *b() {}, [c.d]: 1, 'e-f': 2, g, ...h };",
		"if (a) b; else c\nx\n++y",
		"const v = a as const satisfies B; type X = typeof import('y'); declare const z: number; enum E { A = 1 }",
		"return",
	} {
		if _, err := ParseCode(nil, src, TypeScript, false); err != nil {
			t.Errorf("%s: %v", src, err)
		}
	}
	for _, src := range []string{
		"const x = <div {...props}>Don't {a.b} http://x <b/> {ok ? <C {...p} /> : <i {...q} />}</div>;",
		"const x = <a><b>y</b></a>, z = <i>{w}</i>;",
		"const f = <T,>(x: T) => x, g = <T extends {}>(x: T) => <></>;",
	} {
		if _, err := ParseCode(nil, src, TypeScript, true); err != nil {
			t.Errorf("%s: %v", src, err)
		}
	}
	for _, src := range []string{"const = 1", "f(", "a b", strings.Repeat("(", 10_000), strings.Repeat("a?", 10_000), strings.Repeat("!", 100_000)} {
		if _, err := ParseCode(nil, src, TypeScript, true); err == nil {
			t.Errorf("%.20s: no error", src)
		}
	}
}

func FuzzParseCode(f *testing.F) {
	f.Add("const x = <div>a {b.c}</div>; class A { #x = `a${b}`; m<T>(this: A, ...y: T[]): T { return y[0] } }", true)
	f.Add("for await (const {a = 1} of b) if (<T>c) d?.[e]?.(...f)", false)
	f.Fuzz(func(_ *testing.T, src string, markup bool) {
		_, _ = ParseCode(nil, src, TypeScript, markup)
	})
}
