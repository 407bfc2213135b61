package npm

import (
	"fmt"
	"maps"
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
		"node_modules/clay/package.json":            `{"name": "clay", "version": "1.0.0"}`,
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
		"node_modules/typed/package.json":           `{"name": "typed", "version": "1.0.0", "types": "index.d.ts"}`,
		"node_modules/typed/index.d.ts":             `export interface Typed { size: number } export const typed: Typed;`,
		"setup.js":                                  `Kiln.prototype.assigned = 1; extend(Kiln, { extended() {} }); k.onlyRead();`,
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
		{kiln + `k.data; k.nested`, "[data nested]"},
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
		{`import { typed } from "typed"; typed.gone`, "[]"},                                               // nothing is known about its code
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
