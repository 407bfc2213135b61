package npm

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/filetest"
)

// usesOf returns the uses in a file, one a string: position, module, path, arguments.
func usesOf(dir, name, src string) (all []string) {
	uses, _ := (&NPM{}).Uses(&ecosystem.SourceFile{Name: name, Dir: dir, Text: []byte(src)})
	for _, u := range uses {
		s := strings.TrimSpace(fmt.Sprintf("%d:%d %s %s", u.Line, u.Column, u.Package, u.Path))
		if u.Args != nil {
			s += fmt.Sprintf(" (%d)", u.Args.Positional)
			if u.Args.Spread {
				s += "..."
			}
		}
		all = append(all, s)
	}
	return all
}

func TestUses_NPM(t *testing.T) {
	for _, tt := range []struct {
		name, file, src string
		want            []string
	}{
		{"imports", "a.ts", "import 'a/b'\nimport c, { d as e, type f, default as g } from \"@h/i/j\"\nimport type { k } from 'l'\nimport * as m from 'n'\nexport { o as p } from 'q'\nexport * from 'r'\nconst s = await import('t')\nimport u = require('v')\n",
			[]string{"1:8 a", "2:13 @h/i/j d", "2:26 @h/i/j f", "2:49 @h/i", "3:15 l k", "3:24 l", "4:20 n", "5:10 q o", "5:24 q", "6:15 r", "7:24 t", "8:20 v"}},
		{"what is no package", "a.ts", "import './a'\nimport '../b'\nimport 'node:fs'\nimport 'fs/promises'\nimport '#c'\nimport '@/d'\nimport '~/e'\nimport 'f/g.css'\nimport 'https://h.example/i.js'\nimport 'virtual:j'\nx.import('k')\n", nil},
		{"require", "a.js", "const { a, b: c, d = 1 } = require('e')\nconst f = require('g')\nf.h()\nconst i = require('j').k\n",
			[]string{"1:9 e a", "1:12 e b", "1:36 e", "2:19 g", "4:19 j"}},
		{"members of namespaces", "a.js", "import * as a from 'b'\na.c(1)\nx.a.d\na['e']\na.f = 1\n", []string{"1:20 b", "2:3 b c"}},
		{"calls", "a.ts", "import { a, B } from 'c'\na(1, [2, 3], f(4, 5))\na(...x)\nnew B()\na<T>(1)\na(x < y, z)\n",
			[]string{"1:10 c a", "1:13 c B", "1:22 c", "2:1 c a (3)", "3:1 c a (0)...", "4:5 c B (0)"}},
		{"calls in JavaScript", "a.js", "import { a } from 'c'\na(1)\n", []string{"1:10 c a", "1:19 c"}},
		{"names that others bind", "a.ts", "import { a, b, c, d, e, f, g } from 'h'\nconst { a, x: [b] } = y\nfunction z(c: T, { d }) { d() }\nconst w = (e) => e()\nconst v = f => f()\ntry {} catch (g) { g() }\na(); b(); c()\n",
			[]string{"1:10 h a", "1:13 h b", "1:16 h c", "1:19 h d", "1:22 h e", "1:25 h f", "1:28 h g", "1:37 h"}},
		{"what a comment hides", "a.ts", "import { a } from 'c'\n// @ts-expect-error on purpose\na(1)\n", []string{"1:10 c a", "1:19 c"}},
		{"text within JSX", "a.tsx", "import { A } from 'b'\nconst x = <A>don't</A>\nA(1)\n", []string{"1:10 b A", "1:19 b"}},
		{"a component", "a.vue", "<template><p>it's</p></template>\n<script setup lang=\"ts\">\nimport { a } from 'b'\n</script>\n", []string{"3:10 b a", "3:19 b"}},
	} {
		if got := usesOf("", tt.file, tt.src); !slices.Equal(got, tt.want) {
			t.Errorf("%s: the uses are\n%s\nwant\n%s", tt.name, strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
		}
	}
}

func TestUses_NPMLeavesOutAliases(t *testing.T) {
	dir := filetest.Dir(t, map[string]string{
		"tsconfig.json":     "{\n  // ours\n  \"compilerOptions\": { \"baseUrl\": \"src\", \"paths\": { \"lib/*\": [\"./x/*\"], \"exact\": [\"./y\"] } }\n}",
		"src/components/x":  "",
		"src/helper.ts":     "",
		"app/tsconfig.json": "{ \"compilerOptions\": { \"paths\": { \"inner/*\": [\"./*\"] } } }",
	})
	got := usesOf(dir, "app/a.ts", "import 'lib/a'\nimport 'exact'\nimport 'exactly'\nimport 'components/x'\nimport 'helper'\nimport 'inner/z'\nimport 'other'\n")
	if want := []string{"3:8 exactly", "7:8 other"}; !slices.Equal(got, want) {
		t.Errorf("the uses are %v, want %v", got, want)
	}
}

func FuzzUses(f *testing.F) {
	for _, seed := range []string{"import a, { b as c } from 'd'\nc(1, ...e)\n", "const { a } = require('b')", "export * as x from \"y\"", "import(", "<script>import 'a'", "import { a } from 'b'\n(a) => { a.b }\n/x/"} {
		f.Add("a.ts", seed)
		f.Add("a.vue", seed)
	}
	f.Fuzz(func(t *testing.T, name, src string) {
		uses, _ := (&NPM{}).Uses(&ecosystem.SourceFile{Name: name, Text: []byte(src)})
		for _, u := range uses {
			if u.Line < 1 || u.Column < 1 || u.Package == "" {
				t.Errorf("%+v", u)
			}
		}
	})
}
