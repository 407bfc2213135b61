package check_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/cachedir"
	"github.com/docent-mcp/docent/internal/check"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/npm"
	"github.com/docent-mcp/docent/internal/filetest"
	"github.com/docent-mcp/docent/internal/store"
)

// oven is a package whose functions return values of several types.
const oven = `/** Bakes. */
export declare class Oven {
	constructor(heat: number);
	open(): this;
	bake(n: number): Loaf;
	loaf: Loaf;
	burn(): Loaf | Ash;
	/** @deprecated Use open. */
	unlock(): void;
	static of(heat: number): Oven;
}
declare class Ash { sweep(): void }
export interface Loaf extends Base { crust: string; slices(): Slice[]; eaten(): Loaf | undefined }
interface Base { weigh(unit?: string): number }
export interface Slice { butter(): void }
export declare function tick(this: Oven | void, done: () => void): void;
export declare class Bell<T> { ring(value: T): void; rung: Bell<void>; slice: Bell<Slice> }
export interface Open { known: number; [name: string]: unknown }
export type Tray = { loaves: Loaf; rows: number };
export type Any = Oven;
export declare const open: Open, tray: Tray, make: (heat: number) => Oven;
export declare function start(heat: number): Oven;
export declare function start(name: string): Any;
export declare function pick<T extends Oven>(oven: T): T;
export declare enum Heat { Low, High }
export declare namespace tools { function peel(): Loaf; const Peel: number }
declare const standard: Oven;
export default standard;
`

// TestFiles_EntryPointWithTheNameOfASymbol checks a symbol of a package that is read in parts, and that has an
// entry point with the name of the symbol.
func TestFiles_EntryPointWithTheNameOfASymbol(t *testing.T) {
	dir := filetest.Dir(t, map[string]string{
		"package.json":                      `{"name": "shop", "dependencies": {"barn": "1.0.0"}}`,
		"node_modules/barn/package.json":    `{"name": "barn", "version": "1.0.0", "exports": {".": "./index.d.ts", "./Hay": "./core/Hay.d.ts"}}`,
		"node_modules/barn/index.d.ts":      "export * as Hay from './core/Hay.js';\nexport * as Loft from './loft/Loft.js';\n",
		"node_modules/barn/core/Hay.d.ts":   "export declare function mow(): void;\n",
		"node_modules/barn/loft/Loft.d.ts":  "export declare function climb(): void;\n",
		"node_modules/barn/loft/large.d.ts": "",
	})
	if err := os.Truncate(filepath.Join(dir, "node_modules/barn/loft/large.d.ts"), 32<<20); err != nil { // The package is read in parts.
		t.Fatal(err)
	}
	languages := ecosystem.Languages{npm.New(ecosystem.Options{Offline: true, Cache: cachedir.New(t.TempDir(), cachedir.Options{})})}
	c := &check.Checker{Packages: store.New(languages, store.Options{}), Languages: languages}
	r, err := c.Files(t.Context(), dir, []string{"a.ts"}, func(string) ([]byte, error) {
		return []byte("import { Hay, Loft, Straw } from 'barn'\nHay.mow()\nLoft.climb()\n"), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Findings) != 1 || r.Findings[0].Message != "barn@1.0.0 has no Straw" {
		t.Errorf("%+v", r.Findings)
	}
}

func TestFiles_OneFindingForAnImportedName(t *testing.T) {
	dir := filetest.Dir(t, map[string]string{
		"package.json":                   `{"name": "shop", "dependencies": {"oven": "1.0.0"}}`,
		"node_modules/oven/package.json": `{"name": "oven", "version": "1.0.0", "types": "index.d.ts"}`,
		"node_modules/oven/index.d.ts":   oven,
	})
	languages := ecosystem.Languages{npm.New(ecosystem.Options{Offline: true, Cache: cachedir.New(t.TempDir(), cachedir.Options{})})}
	c := &check.Checker{Packages: store.New(languages, store.Options{}), Languages: languages}
	r, err := c.Files(t.Context(), dir, []string{"a.ts"}, func(string) ([]byte, error) {
		return []byte("import * as all from 'oven'\nimport { Straw } from 'oven'\nStraw()\nStraw.cut()\nall.Straw()\nall.Stalk()\nall.Stalk()\n"), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var lines []int
	for _, f := range r.Findings {
		lines = append(lines, f.Line)
	}
	if want := []int{2, 6, 7}; !slices.Equal(lines, want) {
		t.Errorf("findings are in lines %v, want %v", lines, want)
	}
}

func TestFiles_MembersOfValues(t *testing.T) {
	files := map[string]string{
		"package.json":                      `{"name": "shop", "dependencies": {"oven": "1.0.0", "rack": "1.0.0", "warm": "1.0.0", "half": "1.0.0"}}`,
		"node_modules/oven/package.json":    `{"name": "oven", "version": "1.0.0", "types": "index.d.ts"}`,
		"node_modules/oven/index.d.ts":      oven,
		"node_modules/warm/package.json":    `{"name": "warm", "version": "1.0.0", "types": "index.d.ts"}`,
		"node_modules/warm/index.d.ts":      "export interface Plate { hot: boolean }\nexport declare const plate: Plate;\n",
		"node_modules/half/package.json":    `{"name": "half", "version": "1.0.0", "types": "index.d.ts"}`,
		"node_modules/half/index.d.ts":      "import { Gone } from 'gone'\nexport interface Half extends Gone { known: number }\nexport declare const half: Half;\n",
		"node_modules/rack/package.json":    `{"name": "rack", "version": "1.0.0", "types": "index.d.ts"}`,
		"node_modules/rack/index.d.ts":      "export declare function shelve(): import('oven').Loaf;\n",
		"node_modules/warmer/package.json":  `{"name": "warmer", "version": "1.0.0", "types": "index.d.ts"}`,
		"node_modules/warmer/types/a.d.ts":  "import 'warm'\ndeclare module 'warm' {\n\tinterface Plate { warmer(): void }\n}\n",
		"node_modules/warmer/types/b.d.ts":  "// declare module 'oven' {}\n",
		"node_modules/warmer/dist/index.js": "",
	}
	dir := filetest.Dir(t, files)
	languages := ecosystem.Languages{npm.New(ecosystem.Options{Offline: true, Cache: cachedir.New(t.TempDir(), cachedir.Options{})})}
	c := &check.Checker{Packages: store.New(languages, store.Options{}), Languages: languages}
	const head = "import standard, * as all from 'oven'\nimport { Oven, Loaf, start, pick, make, open, tray, tools, Heat, Bell, tick } from 'oven'\nimport { plate } from 'warm'\nimport { shelve } from 'rack'\nimport { half } from 'half'\n"
	for _, tt := range []struct {
		code      string
		undecided int
		want      string // part of the expected finding, or empty
	}{
		{"new Oven(1).open().bake(2).weigh().toFixed()", 1, ""},
		{"new Oven(1).opn()", 0, "6:13 name Oven of oven@1.0.0 has no member opn near open"},
		{"new Oven(1).open().opn()", 0, "6:20 name Oven of oven@1.0.0 has no member opn near open"},
		{"new Oven(1).loaf.crst", 0, "6:18 name Loaf of oven@1.0.0 has no member crst near crust"},
		{"new Oven(1).loaf.weight()", 0, "6:18 name Loaf of oven@1.0.0 has no member weight near weigh"},
		{"new Oven(1).bake()", 0, "6:13 call Oven.bake needs an argument for n"},
		{"new Oven(1).unlock()", 0, "6:13 deprecated Oven.unlock is deprecated: Use open."},
		{"new Oven(1).burn().sweep()", 1, ""},
		{"new Oven(1).burn().sweeep()", 0, "6:20 name Loaf of oven@1.0.0 has no member sweeep near sweep"},
		{"new Oven(1).loaf.eaten()?.crst", 0, "6:27 name Loaf of oven@1.0.0 has no member crst"},
		{"new Oven(1).loaf.slices().count", 1, ""},
		{"new Oven(1).toString().x", 2, ""},
		{"Oven.of(1).bake(1)", 0, ""},
		{"Oven.off(1)", 0, "6:6 name Oven of oven@1.0.0 has no member off near of"},
		{"start(1).opn", 0, "6:10 name Oven of oven@1.0.0 has no member opn"},
		{"make(1).opn", 1, "6:9 name Oven of oven@1.0.0 has no member opn"},
		{"pick(x).opn", 1, ""},
		{"open.other; half.other", 2, ""},
		{"tray.lvs", 0, "6:6 name Tray of oven@1.0.0 has no member lvs"},
		{"tray.loaves.crst", 0, "6:13 name Loaf of oven@1.0.0 has no member crst"},
		{"tools.peel().crst", 0, "6:14 name Loaf of oven@1.0.0 has no member crst"},
		{"tools.peeel()", 0, "6:7 name oven@1.0.0 has no tools.peeel near tools.peel"},
		{"Heat.Hgh", 0, "6:6 name Heat of oven@1.0.0 has no member Hgh near High"},
		{"standard.opn", 0, "6:10 name Oven of oven@1.0.0 has no member opn"},
		{"all.start(1).opn", 0, "6:14 name Oven of oven@1.0.0 has no member opn"},
		{"shelve().crst", 0, "6:10 name Loaf of oven@1.0.0 has no member crst"},
		{"tick(() => {})", 0, ""},
		{"tick()", 0, "6:1 call tick needs an argument for done"},
		{"new Bell<void>().ring()", 0, ""},
		{"new Bell<void | number>().ring()", 0, ""},
		{"const b = new Bell<void>()\nb.ring()", 0, ""},
		{"function f(b: Bell<void>) { b.ring() }", 0, ""},
		{"new Bell<number>().rung.ring()", 1, ""},
		{"new Bell<number>().slice.ring()", 0, "6:26 call Bell.ring needs an argument for value"},
		{"new Bell<number>().ring()", 0, "6:20 call Bell.ring needs an argument for value"},
		{"plate.hott", 0, "6:7 name Plate of warm@1.0.0 has no member hott near hot"},
		{"import 'warmer/types/a'\nplate.warmer()", 2, ""}, // the file adds the member
		{"function f(l: Loaf) { return l.crst }", 0, "6:32 name Loaf of oven@1.0.0 has no member crst"},
		{"const o = start(1)\no.loaf.crst", 0, "7:8 name Loaf of oven@1.0.0 has no member crst"},
	} {
		r, err := c.Files(t.Context(), dir, []string{"a.ts"}, func(string) ([]byte, error) { return []byte(head + tt.code + "\n"), nil })
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range r.Findings {
			got = append(got, fmt.Sprintf("%d:%d %s %s near %s", f.Line, f.Column, f.Kind, f.Message, strings.Join(f.Near, ", ")))
		}
		if len(got) > 1 || tt.want == "" && len(got) > 0 || tt.want != "" && !slices.ContainsFunc(got, func(s string) bool { return strings.HasPrefix(s, tt.want) }) || r.Undecided != tt.undecided {
			t.Errorf("%s: %q and %d undecided, want %q and %d", tt.code, got, r.Undecided, tt.want, tt.undecided)
		}
	}
}
