package npm

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/filetest"
)

// importable are packages with the kinds of modules that a project can import.
var importable = map[string]string{
	"package.json":  `{"name": "shop", "type": "module"}`,
	"ambient.d.ts":  `declare module "listed/virtual"; declare module "made/*"; declare module "node:fs/promised";`,
	"extend.ts":     `import "equal"; declare module "equal" { export interface Added {} } declare module "spaces" { namespace N { interface Added {} } }`,
	"tsconfig.json": `{"compilerOptions": {"paths": {"listed/mapped/*": ["src/*"]}}}`,

	"vite.config.js": `export default { resolve: { alias: { "aliased/old": "./old.js" } } }`,

	"node_modules/aliased/package.json":     `{"name": "aliased", "version": "1.0.0"}`,
	"node_modules/listed/package.json":      `{"name": "listed", "version": "1.0.0", "type": "module", "exports": {".": "./index.js", "./a": "./a.js", "./b/*": "./b/*.js", "./c/*": "./lost/*.js", "./d": "./d.js"}}`,
	"node_modules/listed/index.d.ts":        `export declare const x: number; export type T = string; export * from "./a.js";`,
	"node_modules/listed/a.d.ts":            `export declare const a: number; declare const _default: string; export default _default;`,
	"node_modules/listed/b/one.d.ts":        `export declare const one: 1;`,
	"node_modules/listed/b/browser.css":     ``,
	"node_modules/listed/hidden.js":         ``,
	"node_modules/listed/open.d.ts":         `export * from "nowhere";`,
	"node_modules/equal/package.json":       `{"name": "equal", "version": "2.0.0", "types": "index.d.ts"}`,
	"node_modules/equal/index.d.ts":         `declare function equal(): void; declare namespace equal { interface Options {} const depth: number } export = equal;`,
	"node_modules/equal/lib/file.js":        ``,
	"node_modules/value/package.json":       `{"name": "value", "version": "3.0.0", "types": "index.d.ts"}`,
	"node_modules/value/index.d.ts":         `declare const v: V.Static; declare namespace V { interface Static { chunk(): void } } export = v;`,
	"node_modules/loose/package.json":       `{"name": "loose", "version": "4.0.0", "types": "index.d.ts"}`,
	"node_modules/loose/index.d.ts":         `declare const v: { [name: string]: any }; export = v;`,
	"node_modules/partly/package.json":      `{"name": "partly", "version": "5.0.0", "types": "index.d.ts"}`,
	"node_modules/partly/index.d.ts":        `export * from "nowhere"; export declare const x: 1;`,
	"node_modules/unchecked/package.json":   `{"name": "unchecked", "version": "1.0.0", "types": "index.d.ts"}`,
	"node_modules/unchecked/index.d.ts":     "// @ts-nocheck\nexport declare const x: 1;",
	"node_modules/compiled/package.json":    `{"name": "compiled", "version": "1.0.0", "type": "module", "main": "index.js", "types": "index.d.ts"}`,
	"node_modules/compiled/index.d.ts":      `export declare const made: 1;`,
	"node_modules/compiled/index.js":        `export const made = 1, undeclared = 2;`,
	"node_modules/spaces/package.json":      `{"name": "spaces", "version": "1.0.0", "types": "index.d.ts"}`,
	"node_modules/spaces/index.d.ts":        `export declare namespace N { interface One {} } export type N = 1; export declare class C {} export declare namespace C { interface One {} }`,
	"node_modules/both/package.json":        `{"name": "both", "version": "6.0.0", "types": "old.d.ts", "exports": {".": {"mine": "./mine.ts", "import": "./i.mjs", "require": "./r.cjs"}}}`,
	"node_modules/both/i.d.mts":             `export declare const x: 1;`,
	"node_modules/both/r.d.cts":             `export declare const required: 1;`,
	"node_modules/both/mine.ts":             `export const mine = 1;`,
	"node_modules/both/old.d.ts":            `export declare const old: 1;`,
	"node_modules/@types/node/package.json": `{"name": "@types/node", "version": "20.0.0", "types": "index.d.ts"}`,
	"node_modules/@types/node/index.d.ts":   `declare module "fs" { export function readFile(): void } declare module "node:fs" { export * from "fs"; } declare module "node:fs/promises" { export * from "fs"; }`,
}

func TestTypes_AbsentImports(t *testing.T) {
	files := maps.Clone(library)
	maps.Copy(files, importable)
	for src, want := range map[string]string{
		`import { x, T, a } from "listed"`:                                      "",
		`import { y } from "listed"`:                                            "1: listed@1.0.0 has no y",
		`export { x as z, y as x } from "listed"`:                               "1: listed@1.0.0 has no y",
		`import type { U } from "listed"`:                                       "1: listed@1.0.0 has no U",
		`import none from "listed"`:                                             "1: listed of listed@1.0.0 has no default export",
		`import one from "listed/a"`:                                            "",
		`import { one } from "listed/b/one"`:                                    "",
		`import { two } from "listed/b/one"`:                                    "1: listed/b/one of listed@1.0.0 has no two",
		`import "listed/b/two"`:                                                 "1: listed@1.0.0 has no module listed/b/two",
		`export * from "listed/other"`:                                          "1: listed@1.0.0 has no module listed/other",
		`const o = require("listed/other")`:                                     "1: listed@1.0.0 has no module listed/other",
		`import o = require("listed/other")`:                                    "1: listed@1.0.0 has no module listed/other",
		`import "listed/b/browser"`:                                             "", // a bundler may import it
		`import "listed/style.css"`:                                             "",
		`import "listed/c/one"`:                                                 "", // the directory is not built
		`import "listed/d"`:                                                     "", // nor is the file
		`import "listed/hidden"`:                                                "", // older resolution modes ignore exports
		`import "aliased/old"`:                                                  "",
		`import "listed/virtual"`:                                               "",
		`import "listed/mapped/x"`:                                              "",
		`import "made/thing"`:                                                   "",
		`import equal, { Options, depth } from "equal"`:                         "",
		`import { Added } from "equal"`:                                         "",
		`import { width } from "equal"`:                                         "1: equal@2.0.0 has no width",
		`import "equal/lib/file"`:                                               "",
		`import "equal/lib/other"`:                                              "1: equal@2.0.0 has no module equal/lib/other",
		`import { chunk } from "value"`:                                         "",
		`import { chunks } from "value"`:                                        "1: value@3.0.0 has no chunks",
		`import { anything } from "loose"`:                                      "",
		`import { y } from "partly"`:                                            "",
		`import { x, required, mine, old } from "both"`:                         "", // under some conditions
		`import { y } from "both"`:                                              "1: both@6.0.0 has no y",
		`import * as b from "both"; b.required`:                                 "",
		`import * as b from "both"; b.y`:                                        "1: both@6.0.0 has no y",
		`import y from "both"`:                                                  "1: both of both@6.0.0 has no default export",
		`import { readFile } from "node:fs"`:                                    "",
		`import { readFle } from "node:fs"`:                                     "1: node:fs of @types/node@20.0.0 has no readFle",
		`import "node:sf/promises"`:                                             "1: @types/node@20.0.0 has no module node:sf/promises",
		`import "node:vfs"`:                                                     "",
		`import "node:fs/promise/iter"`:                                         "",
		`import "node:fs/promised"`:                                             "", // the project declares it
		`import * as l from "listed"; function f() { enum l { P } let v: l.P }`: "",
		`import * as l from "listed"; namespace Z { namespace l { export type P = 1 } type X = l.P }`:                              "",
		`import * as l from "listed"; namespace Z { namespace o { export type P = 1 } namespace Y { import l = o; type X = l.P }}`: "",
		`import { y } from "unchecked"`:                                                         "1: unchecked@1.0.0 has no y",
		`import * as l from "listed"; let v: l.T`:                                               "",
		`import * as l from "listed"; let v: l.U`:                                               "1: listed@1.0.0 has no U",
		`import e from "equal"; type A = e.Options[]`:                                           "",
		`import e from "equal"; type A = e.Option[]`:                                            "1: equal@2.0.0 has no Option",
		`import e from "equal"; type A = e.Added[]`:                                             "",
		`import * as e from "equal"; function f() { new Map<string, (o: e.Option) => void>() }`: "1: equal@2.0.0 has no Option",
		`import { N } from "spaces"; type A = N | N.One | N.Added`:                              "",
		`import { N as M } from "spaces"; type A = M.Two<string>`:                               "1: spaces@1.0.0 has no N.Two",
		`import { C } from "spaces"; type A = C.Two`:                                            "",
		`import * as p from "partly"; let v: p.y`:                                               "",
		"// @ts-ignore\nimport { y } from \"listed\"":                                           "",
	} {
		if got := absentInProject(t, files, src); got != want {
			t.Errorf("%s: found %q, want %q", src, got, want)
		}
	}
}

func TestTypes_ImportsOfJavaScript(t *testing.T) {
	files := maps.Clone(library)
	maps.Copy(files, importable)
	dir := filetest.Dir(t, files)
	for src, want := range map[string]string{
		`import { undeclared } from "equal"`:                 "", // it has no JavaScript
		`import "equal/other"`:                               "8: equal@2.0.0 has no module equal/other",
		`import { made, undeclared, other } from "compiled"`: "28: compiled@1.0.0 has no other",
		`import other from "compiled"`:                       "",
		`import type { T, U } from "compiled"`:               "", // Flow
		`import typeof { made as M, other } from "compiled"`: "",
		`import { type T, typeof other } from "compiled"`:    "",
		`import { typeof as T } from "compiled"`:             "10: compiled@1.0.0 has no typeof",
	} {
		checked, err := New(ecosystem.Options{Offline: true}).Types(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		f := &ecosystem.SourceFile{Name: "a.js", Dir: dir, Text: []byte(src)}
		var found []string
		for _, u := range checked.Uses([]*ecosystem.SourceFile{f})[f] {
			if u.Fault == ecosystem.AbsentFault {
				found = append(found, fmt.Sprintf("%d: %s", u.Column, u.Message))
			}
		}
		if got := strings.Join(found, ", "); got != want {
			t.Errorf("%s: found %q, want %q", src, got, want)
		}
	}
}

func TestTypes_MembersThatFilesAddElsewhere(t *testing.T) {
	files := maps.Clone(library)
	files["extend.ts"] = `import "kiln"; declare module "kiln" { interface Oven { flush(): void } interface Part { flush(): void } interface MoreOptions { more: 1 } }`
	files["node_modules/kiln/parts.d.ts"] = `export interface Part { a: 1 } export interface Whole extends Required<Part> { b: 2 } export interface Free extends Readonly<Plain> { c: 3 } export type Plain = { d: 4 }; export interface Options extends MoreOptions { e: 5; f: 6 } export interface MoreOptions extends Nothing {} interface Nothing {} export type Some<T> = Omit<T, "e"> & Required<Pick<T, "e">>;`
	for src, want := range map[string]string{
		`declare const p: P; type P = { a: 1 }; p.flush`:                                     "1: P has no member flush",
		`import { Door } from "kiln"; declare const d: Door; d.flush`:                        "1: Door of kiln@1.0.0 has no member flush",
		`import { Oven } from "kiln"; declare const o: Oven; o.flush`:                        "",
		`import { Options, Some } from "kiln/parts"; declare const s: Some<Options>; s.more`: "",
		`import { Free } from "kiln/parts"; declare const f: Free; f.flush`:                  "1: Free of kiln@1.0.0 has no member flush",
		`import { Whole } from "kiln/parts"; declare const w: Whole; w.flush`:                "",
	} {
		if got := absentInProject(t, files, src); got != want {
			t.Errorf("%s: found %q, want %q", src, got, want)
		}
	}
}

func TestTypes_InterfacesThatFilesMayExtend(t *testing.T) {
	for extension, want := range map[string]string{
		"": "1: the value has no member anything",
		`import "kiln"; declare module "kiln" { interface Registry { door: any } }`: "",
	} {
		files := maps.Clone(library)
		files["other/extend.ts"] = extension
		if got := absentInProject(t, files, `import { registered } from "kiln"; registered.anything`); got != want {
			t.Errorf("with %q: found %q, want %q", extension, got, want)
		}
	}
}

// absentInProject describes the findings about absent members and imports in the file a.ts of a project with other files.
func absentInProject(t *testing.T, files map[string]string, src string) string {
	t.Helper()
	dir := filetest.Dir(t, files)
	checked, err := New(ecosystem.Options{Offline: true}).Types(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return absentIn(checked, &ecosystem.SourceFile{Name: "a.ts", Dir: dir, Text: []byte(src)})
}

// absentIn describes the findings about absent members and imports in a file.
func absentIn(checked ecosystem.Types, f *ecosystem.SourceFile) (all string) {
	for _, u := range checked.Uses([]*ecosystem.SourceFile{f})[f] {
		if u.Fault == ecosystem.AbsentFault {
			all += fmt.Sprintf("%d: %s", u.Line, u.Message)
		}
	}
	return all
}

func TestTypes_ImportsOfAliasedModules(t *testing.T) {
	for name, config := range map[string]string{
		"webpack.config.js":  `module.exports = { resolve: { alias: { equal: path.resolve("src/equal") } } }`,
		"webpack.common.js":  `module.exports = { resolve: { alias: { "equal": path.resolve("src/equal") } } }`,
		"vite.config.ts":     `export default { resolve: { alias: [{ find: /^equal\//, replacement: "/src/" }] } }`,
		"config/jest.js":     `module.exports = { moduleNameMapper: { "^equal(.*)$": "<rootDir>/src$1" } }`,
		".storybook/main.js": `export default { viteFinal(config) { config.resolve.alias["equal"] = "/src"; } }`,
		"deno.json":          `{"imports": {"equal/": "./src/"}}`,
	} {
		for text, want := range map[string]string{
			config: "",
			strings.ReplaceAll(config, "equal", "un-equal"): "1: equal@2.0.0 has no module equal/old",
		} {
			files := maps.Clone(library)
			maps.Copy(files, importable)
			files[name] = text
			dir := filetest.Dir(t, files)
			checked, err := New(ecosystem.Options{Offline: true}).Types(t.Context(), dir)
			if err != nil {
				t.Fatal(err)
			}
			f := &ecosystem.SourceFile{Name: "a.ts", Dir: dir, Text: []byte(`import "equal/old"`)}
			if got := absentIn(checked, f); got != want {
				t.Errorf("with %s %s: found %q, want %q", name, text, got, want)
			}
		}
	}
}
