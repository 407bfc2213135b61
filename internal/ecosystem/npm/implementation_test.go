package npm

import (
	"fmt"
	"maps"
	"path/filepath"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/filetest"
)

// TestTypes_MembersThatNoCodeContains uses members that declarations lack, in JavaScript. Their names do not resemble others.
func TestTypes_MembersThatNoCodeContains(t *testing.T) {
	files := maps.Clone(library)
	maps.Copy(files, map[string]string{
		"package.json":                              `{"name": "shop", "dependencies": {"kiln": "1.0.0", "wheel": "1.0.0"}, "devDependencies": {"binary": "1.0.0", "matchers": "1.0.0"}}`,
		"node_modules/binary/package.json":          `{"name": "binary", "version": "1.0.0"}`,
		"node_modules/binary/binding.node":          "",
		"node_modules/matchers/package.json":        `{"name": "matchers", "version": "1.0.0"}`,
		"node_modules/matchers/index.js":            `exports.install = k => { k.matched = 1 }`,
		"node_modules/kiln/package.json":            `{"name": "kiln", "version": "1.0.0", "types": "index.d.ts", "dependencies": {"clay": "1.0.0"}}`,
		"node_modules/kiln/index.js":                `exports.Kiln = class { constructor() { this.undeclared = 1 } }`,
		"node_modules/kiln/data.json":               `{"data": 1}`,
		"node_modules/kiln/names.js":                `k["load" + type] = 1; k[` + "`fire${type}`" + `] = 1; const suffix = "Async"; option("kebab-case");`,
		"node_modules/clay/package.json":            `{"name": "clay", "version": "1.0.0", "optionalDependencies": {"mud": "1.0.0"}}`,
		"node_modules/mud/package.json":             `{"name": "mud", "version": "1.0.0"}`,
		"node_modules/mud/index.js":                 `exports.indirect = 1`,
		"node_modules/clay/index.mjs":               `export const mixed = 1`,
		"node_modules/plugin/package.json":          `{"name": "plugin", "version": "1.0.0"}`,
		"node_modules/plugin/index.js":              `module.exports = k => { k["plugged"] = 1 }`,
		"node_modules/native/package.json":          `{"name": "native", "version": "1.0.0"}`,
		"node_modules/native/build/binding.node":    "",
		"node_modules/wheel/package.json":           `{"name": "wheel", "version": "1.0.0"}`,
		"node_modules/wheel/index.js":               `exports.turn = () => ({ turned: 1 })`,
		"node_modules/@types/wheel/package.json":    `{"name": "@types/wheel", "version": "1.0.0", "dependencies": {"@types/rim": "*", "@types/node": "*"}}`,
		"node_modules/@types/wheel/index.d.ts":      `import { Rim } from "rim"; export interface Wheel { spin: number } export function make(): Wheel; export function rim(): Rim;`,
		"node_modules/@types/rim/package.json":      `{"name": "@types/rim", "version": "1.0.0"}`,
		"node_modules/@types/rim/index.d.ts":        `export interface Rim { size: number }`,
		"node_modules/@types/node/package.json":     `{"name": "@types/node", "version": "1.0.0"}`,
		"node_modules/@types/node/index.d.ts":       `declare module "node:fs" { export function read(): void; export function write(): void }`,
		"node_modules/page/package.json":            `{"name": "page", "version": "1.0.0"}`,
		"node_modules/page/index.js":                `window.page = { size: 1 }`,
		"node_modules/@types/page/package.json":     `{"name": "@types/page", "version": "1.0.0"}`,
		"node_modules/@types/page/index.d.ts":       `interface Page { size: number } declare const page: Page;`,
		"node_modules/typed/package.json":           `{"name": "typed", "version": "1.0.0", "types": "index.d.ts"}`,
		"node_modules/typed/index.d.ts":             `export interface Typed { size: number } export const typed: Typed;`,
		"setup.js":                                  `Kiln.prototype.assigned = 1; extend(Kiln, { extended() {} }); k.onlyRead(); k.counted ??= 0; k.numbered++`,
		"node_modules/kiln/node_modules/x/index.js": `nested`,
	})
	dir := filetest.Dir(t, files)
	checked, err := New(ecosystem.Options{Offline: true}).Types(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	const kiln = `import { Kiln } from "kiln"; const k = new Kiln("a"); `
	for i, test := range []struct{ src, want string }{
		{kiln + `k.gone()`, "[gone]"},
		{kiln + `k.version; k.nested`, "[version nested]"},
		{kiln + `k.data`, "[]"}, // Data may contain names of members.
		{kiln + `k.loadUsers(); k.fireAll(); k.burnAsync(); k.kebabCase; k.unloadUsers()`, "[unloadUsers]"},
		{kiln + `k.indirect; k.counted; k.numbered`, "[]"},
		{kiln + `for (const name of names) k[name] = () => 1; k.gone()`, "[]"},
		{kiln + `list[0] = 1; const [a, b] = list; k.gone()`, "[gone]"},
		{kiln + `k.undeclared; k.mixed; k.matched`, "[]"},                 // its own code and that of a dependency
		{kiln + `k.assigned(); k.extended(); k.onlyRead()`, "[onlyRead]"}, // other files of the project
		{kiln + `k.gone = 1; k.gone()`, "[]"},
		{`import "plugin"; ` + kiln + `k.plugged(); k.gone()`, "[gone]"},
		{`import native from "native"; ` + kiln + `k.gone()`, "[]"},
		{`import absent from "absent"; ` + kiln + `k.gone()`, "[]"},
		{`import fs from "node:fs"; ` + kiln + `k.gone()`, "[gone]"},
		{`import { make, rim } from "wheel"; make().gone; make().turned; rim().gone; rim().turned`, "[gone gone]"},
		{`import * as kiln from "kiln"; kiln.gone; kiln.undeclared`, "[gone]"},
		{`import fs from "node:fs"; import * as wheel from "wheel"; fs.gone; fs.raed; "".gone`, "[raed]"}, // newer releases have more members
		{`page.gone`, "[]"}, // A page may load plugins from elsewhere.
		{`import "page"; page.gone`, "[gone]"},
		{`import { typed } from "typed"; typed.gone`, "[]"}, // nothing is known about its code
	} {
		f := &ecosystem.SourceFile{Name: fmt.Sprintf("main%d.mjs", i), Dir: dir, Text: []byte(test.src)}
		var got []string
		for _, u := range checked.Uses([]*ecosystem.SourceFile{f})[f] {
			if u.Fault == ecosystem.AbsentFault {
				got = append(got, u.Text)
			}
		}
		if fmt.Sprint(got) != test.want {
			t.Errorf("%s: the absent members are %v, want %s", test.src, got, test.want)
		}
	}
}

// TestTypes_MembersInMuchCode uses a member that no code contains, with a limit on the size of this code.
func TestTypes_MembersInMuchCode(t *testing.T) {
	const kiln = `exports.kiln = {}`
	dir := filetest.Dir(t, map[string]string{
		"package.json":                   `{"name": "shop", "dependencies": {"kiln": "1.0.0"}}`,
		"node_modules/kiln/package.json": `{"name": "kiln", "version": "1.0.0", "types": "index.d.ts"}`,
		"node_modules/kiln/index.js":     kiln,
		"node_modules/kiln/index.d.ts":   `export interface Kiln { heat(): void } export const kiln: Kiln;`,
	})
	for _, test := range []struct{ rest, want int }{{len(kiln), 1}, {len(kiln) - 1, 0}} {
		checked, err := New(ecosystem.Options{Offline: true}).Types(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		checked.(*typeChecker).implementations.rest = test.rest
		f := &ecosystem.SourceFile{Name: "main.mjs", Dir: dir, Text: []byte(`import { kiln } from "kiln"; kiln.gone()`)}
		got := 0
		for _, u := range checked.Uses([]*ecosystem.SourceFile{f})[f] {
			if u.Fault == ecosystem.AbsentFault {
				got++
			}
		}
		if got != test.want {
			t.Errorf("with %d bytes of code: %d absent members, want %d", test.rest, got, test.want)
		}
	}
}

// TestTypes_MembersInWorkspaces uses a member that no code of its package contains, in projects whose code or workspace may create it.
func TestTypes_MembersInWorkspaces(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"shop/other.js", `export const wrap = k => new Proxy(k, {})`, "[]"},
		{"shop/other.js", `export const proxy = 1`, "[gone]"},
		{"node_modules/plugin/index.js", `k => { k.gone = 1 }`, "[]"},
		{"package.json", `{"name": "all", "workspaces": ["shop"], "devDependencies": {"absent": "1.0.0"}}`, "[]"},
		{"package.json", `{"name": "all", "workspaces": ["shop"], "peerDependencies": {"absent": "1.0.0"}}`, "[gone]"},
	} {
		files := map[string]string{
			"package.json":                        `{"name": "all", "workspaces": ["shop"], "devDependencies": {"plugin": "1.0.0"}}`,
			"node_modules/plugin/package.json":    `{"name": "plugin", "version": "1.0.0"}`,
			"shop/package.json":                   `{"name": "shop", "dependencies": {"kiln": "1.0.0"}}`,
			"shop/node_modules/kiln/package.json": `{"name": "kiln", "version": "1.0.0", "types": "index.d.ts"}`,
			"shop/node_modules/kiln/index.js":     `exports.kiln = {}`,
			"shop/node_modules/kiln/index.d.ts":   `export interface Kiln { heat(): void } export const kiln: Kiln;`,
		}
		files[test.name] = test.text
		dir := filetest.Dir(t, files)
		checked, err := New(ecosystem.Options{Offline: true}).Types(t.Context(), filepath.Join(dir, "shop"))
		if err != nil {
			t.Fatal(err)
		}
		f := &ecosystem.SourceFile{Name: "main.mjs", Dir: filepath.Join(dir, "shop"), Text: []byte(`import { kiln } from "kiln"; kiln.heat(); kiln.gone()`)}
		got := []string{}
		for _, u := range checked.Uses([]*ecosystem.SourceFile{f})[f] {
			if u.Fault == ecosystem.AbsentFault {
				got = append(got, u.Text)
			}
		}
		if fmt.Sprint(got) != test.want {
			t.Errorf("with %s: the absent members are %v, want %s", test.text, got, test.want)
		}
	}
}
