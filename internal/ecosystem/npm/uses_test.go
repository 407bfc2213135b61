package npm

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/filetest"
	"github.com/docent-mcp/docent/internal/usetest"
)

func TestUses_NPM(t *testing.T) {
	usetest.Run(t, &NPM{}, "", []usetest.Case{
		{Name: "imports", File: "a.ts", Src: "import 'a/b'\nimport c, { d as e, type f, default as g } from \"@h/i/j\"\nimport type { k } from 'l'\nimport * as m from 'n'\nexport { o as p } from 'q'\nexport * from 'r'\nconst s = await import('t')\nimport u = require('v')\n",
			Want: []string{"1:8 a", "2:8 @h/i/j as c", "2:13 @h/i/j d", "2:26 @h/i/j f", "2:49 @h/i", "3:15 l k", "3:24 l", "4:20 n", "5:10 q o", "5:24 q", "6:15 r", "7:24 t", "8:8 v as u", "8:20 v"}},
		{Name: "names that are strings", File: "a.ts", Src: "import { 'a b' as c, d } from 'e'\nimport { type 'f' as g } from 'e'\nexport { h as 'i j', 'k' as 'l', 'm' } from 'e'\nc.n\n",
			Want: []string{"1:22 e d", "1:31 e", "2:31 e", "3:10 e h", "3:45 e"}},
		{Name: "what is no package", File: "a.ts", Src: "import './a'\nimport '../b'\nimport 'node:fs'\nimport 'fs/promises'\nimport '#c'\nimport '@/d'\nimport '~/e'\nimport 'f/g.css'\nimport 'https://h.example/i.js'\nimport 'virtual:j'\nx.import('k')\n", Want: nil},
		{Name: "require", File: "a.js", Src: "const { a, b: c, d = 1 } = require('e')\nconst f = require('g')\nf.h()\nconst i = require('j').k\n",
			Want: []string{"1:9 e a", "1:12 e b", "1:36 e", "2:7 g as f", "2:19 g", "4:19 j"}},
		{Name: "members of what require returns", File: "a.js", Src: "const { a } = require('b')[c].d()\nconst { e } = require('f')(g)\nconst { h } = require('i')?.j\n",
			Want: []string{"1:23 b", "2:23 f", "3:23 i"}},
		{Name: "members of namespaces", File: "a.js", Src: "import * as a from 'b'\na.c(1)\nx.a.d\na['e']\na.f = 1\n", Want: []string{"1:20 b", "2:3 b c"}},
		{Name: "calls", File: "a.ts", Src: "import { a, B } from 'c'\na(1, [2, 3], f(4, 5))\na(...x)\nnew B()\na<T>(1)\na(x < y, z)\n",
			Want: []string{"1:10 c a", "1:13 c B", "1:22 c", "2:1 c a (3)", "3:1 c a (0 *)", "4:5 c B (0)"}},
		{Name: "calls in JavaScript", File: "a.js", Src: "import { a } from 'c'\na(1)\n", Want: []string{"1:10 c a", "1:19 c"}},
		{Name: "types of Flow", File: "a.js", Src: "import type { A } from 'b'\nimport typeof { C } from 'b'\nimport { type D, typeof E, f } from 'b'\nimport { typeof as g } from 'b'\n",
			Want: []string{"1:24 b", "2:26 b", "3:28 b f", "3:37 b", "4:10 b typeof", "4:29 b"}},
		{Name: "names that others bind", File: "a.ts", Src: "import { a, b, c, d, e, f, g } from 'h'\nconst { a, x: [b] } = y\nfunction z(c: T, { d }) { d() }\nconst w = (e) => e()\nconst v = f => f()\ntry {} catch (g) { g() }\na(); b(); c()\n",
			Want: []string{"1:10 h a", "1:13 h b", "1:16 h c", "1:19 h d", "1:22 h e", "1:25 h f", "1:28 h g", "1:37 h"}},
		{Name: "what a comment hides", File: "a.ts", Src: "import { a } from 'c'\n// @ts-expect-error on purpose\na(1)\n", Want: []string{"1:10 c a", "1:19 c"}},
		{Name: "text within JSX", File: "a.tsx", Src: "import { A } from 'b'\nconst x = <A>don't</A>\nA(1)\n", Want: []string{"1:10 b A", "1:19 b"}},
		{Name: "methods with the names of imports", File: "a.ts", Src: "import { a } from 'c'\nclass D {\n  a(x) { a() }\n  private a(): E {}\n}\nq ? a(1) : b\n",
			Want: []string{"1:10 c a", "1:19 c", "3:10 c a (0)", "6:5 c a (1)"}},
		{Name: "members of values", File: "a.ts", Src: "import b, { a } from 'c'\nimport * as d from 'e'\na.f(1).g?.h!.i\na().j()\nnew a().k\nd.l.m\nb.n<T>(2).o\nnew d.P<Q>(1, 2).r\n",
			Want: []string{"1:8 c as b", "1:13 c a", "1:22 c", "2:20 e", "3:3 c a .f(1).g.h.i", "4:1 c a (0)", "4:5 c a ().j(0)", "5:5 c a (0)", "5:9 c a {}.k", "6:3 e l", "6:5 e l .m", "7:3 c default .n().o", "8:7 e P", "8:18 e P {}.r"}},
		{Name: "members of variables", File: "a.ts", Src: "import { a, B } from 'c'\nconst d = a.e(1);\nd.f\nlet g: B<h> = i\ng.j?.()\nfunction k(l: B, m?: B) { l.n(); m.o }\nconst p = a.q() as any\np.r\nconst s = await a()\ns.t\n",
			Want: []string{"1:10 c a", "1:13 c B", "1:22 c", "2:13 c a .e(1)", "3:3 c a [.e(1)].f", "5:3 c B {}.j", "6:29 c B {}.n(0)", "7:13 c a .q(0)", "9:17 c a (0)"}},
		{Name: "variables whose types may be narrowed", File: "a.ts", Src: "import { a } from 'b'\nconst c = a.x()\nif (c instanceof D) c.d\nconst e = a.x()\nif (isE(e)) e.f\nconst g = a.x()\nif (g.isG()) g.h\nconst i = a.x()\nif ('j' in i) i.j\nconst k = a.x()\nassertK(k)\nk.l\nconst m = a.x()\nif (!n(m)) m.o\nconst p = a.x()\nq(p); p.r\n",
			Want: []string{"1:10 b a", "1:19 b", "2:13 b a .x(0)", "4:13 b a .x(0)", "6:13 b a .x(0)", "8:13 b a .x(0)", "10:13 b a .x(0)", "13:13 b a .x(0)", "15:13 b a .x(0)", "16:9 b a [.x(0)].r"}},
		{Name: "a variable whose value comes from a parameter without a type", File: "a.ts", Src: "import type { A } from 'b'\nfunction f(x: A) {}\nfunction g(x) {\n  const y = x.c()\n  y.d()\n}\nfunction h(z: A) {\n  if (z instanceof D) {\n    const w = z.e()\n    w.f()\n  }\n}\n", Want: []string{"1:15 b A", "1:24 b"}},
		{Name: "variables that are bound twice", File: "a.ts", Src: "import { a } from 'b'\nconst c = a.x()\n{ const c = 1; c.d }\na < c && e > (f)\n", Want: []string{"1:10 b a", "1:19 b", "2:13 b a .x(0)"}},
		{Name: "a component", File: "a.vue", Src: "<template><p>it's</p></template>\n<script setup lang=\"ts\">\nimport { a } from 'b'\n</script>\n", Want: []string{"3:10 b a", "3:19 b"}},
	})
}

func TestUses_NPMLeavesOutAliases(t *testing.T) {
	dir := filetest.Dir(t, map[string]string{
		"tsconfig.json":     "{\n  // ours\n  \"compilerOptions\": { \"baseUrl\": \"src\", \"paths\": { \"lib/*\": [\"./x/*\"], \"exact\": [\"./y\"] } }\n}",
		"src/components/x":  "",
		"src/helper.ts":     "",
		"app/tsconfig.json": "{ \"compilerOptions\": { \"paths\": { \"inner/*\": [\"./*\"] } } }",
	})
	n := &NPM{}
	const src = "import 'lib/a'\nimport 'exact'\nimport 'exactly'\nimport 'components/x'\nimport 'helper'\nimport 'inner/z'\nimport 'other'\n"
	if got, want := usetest.List(n, dir, "app/a.ts", src), []string{"3:8 exactly", "7:8 other"}; !slices.Equal(got, want) {
		t.Errorf("the uses are %v, want %v", got, want)
	}
	app := filepath.Join(dir, "app")
	if err := os.WriteFile(filepath.Join(app, "tsconfig.app.json"), []byte(`{ "compilerOptions": { "paths": { "other": ["./o"] } } }`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(app, time.Time{}, time.Now().Add(time.Second)); err != nil {
		t.Fatal(err)
	}
	if got, want := usetest.List(n, dir, "app/a.ts", src), []string{"3:8 exactly"}; !slices.Equal(got, want) {
		t.Errorf("with another configuration, the uses are %v, want %v", got, want)
	}
}

func TestUses_NPMTypesOfUntypedPackages(t *testing.T) {
	dir := filetest.Dir(t, map[string]string{
		"node_modules/plain/package.json":           `{"name": "plain"}`,
		"node_modules/typed/package.json":           `{"name": "typed", "types": "index.d.ts"}`,
		"node_modules/typed/index.d.ts":             "",
		"node_modules/separate/package.json":        `{"name": "separate"}`,
		"node_modules/@types/separate/index.d.ts":   "",
		"node_modules/@types/separate/package.json": `{"name": "@types/separate"}`,
	})
	const src = "import { A, B as C, D } from 'plain'\nimport { E } from 'typed'\nimport { F } from 'separate'\nlet x: A, y: typeof F = new C()\nD.f\n"
	got := usetest.List(&NPM{}, dir, "a.ts", src)
	if want := []string{"1:13 plain B", "1:21 plain D", "1:30 plain", "2:10 typed E", "2:19 typed", "3:10 separate F", "3:19 separate", "4:29 plain B (0)", "5:3 plain D .f"}; !slices.Equal(got, want) {
		t.Errorf("the uses are %v, want %v", got, want)
	}
}

func FuzzUses(f *testing.F) {
	usetest.Fuzz(f, &NPM{}, "a.vue", "import a, { b as c } from 'd'\nc(1, ...e)\n", "const { a } = require('b')", "export * as x from \"y\"", "import(", "<script>import 'a'", "import { a } from 'b'\n(a) => { a.b }\n/x/")
}

// TestUses_InstalledTypes checks that the types of an installed package are reported if there are
// declarations, which can be beside the file that its manifest names.
func TestUses_InstalledTypes(t *testing.T) {
	dir := filetest.Dir(t, map[string]string{
		"package.json":                     `{"name": "shop"}`,
		"node_modules/plain/package.json":  `{"name": "plain", "main": "lib/index.js"}`,
		"node_modules/kiln/package.json":   `{"name": "kiln", "main": "lib/index.js"}`,
		"node_modules/kiln/lib/index.d.ts": "export interface Door {}\n",
		"node_modules/oven/package.json":   `{"name": "oven", "main": "lib"}`,
		"node_modules/oven/lib/index.d.ts": "export interface Door {}\n",
		"node_modules/ash/package.json":    `{"name": "ash"}`,
		"node_modules/ash/index.d.ts":      "export interface Door {}\n",
		"node_modules/lost/package.json":   `{"name": "lost", "exports": {".": {"types": "./lib/index.d.ts", "default": "./lib/index.js"}}}`,
		"node_modules/flue/package.json":   `{"name": "flue", "exports": {".": {"types": "./lib/main.d.mts", "default": "./lib/index.js"}}}`,
		"node_modules/flue/lib/main.d.mts": "export interface Door {}\n",
		"part/package.json":                `{"name": "part"}`, // a package of a workspace, whose packages are installed above it
	})
	var got []string
	for _, name := range []string{"plain", "kiln", "oven", "ash", "lost", "flue"} {
		uses, err := New(ecosystem.Options{}).Uses(&ecosystem.SourceFile{Name: "src/a.ts", Dir: filepath.Join(dir, "part"), Text: []byte("import { type Door } from \"" + name + "\";\n")})
		if err != nil {
			t.Fatal(err)
		}
		for _, u := range uses {
			got = append(got, u.Package+":"+u.Path)
		}
	}
	if want := "[plain: kiln:Door kiln: oven:Door oven: ash:Door ash: lost: flue:Door flue:]"; fmt.Sprint(got) != want {
		t.Errorf("got %v, want %s", got, want)
	}
}
