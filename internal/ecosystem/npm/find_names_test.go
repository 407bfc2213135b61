package npm

import (
	"fmt"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/filetest"
)

// Modules that export each other's names are read once.
func TestFindNames_Cycles(t *testing.T) {
	files := map[string]string{
		"package.json":                   `{"name": "shop", "dependencies": {"oven": "1.0.0"}}`,
		"node_modules/oven/package.json": `{"name": "oven", "version": "1.0.0", "main": "0.mjs"}`,
	}
	const count = 60
	var all strings.Builder
	for i := range count {
		fmt.Fprintf(&all, "export * from './%d.mjs'\n", i)
	}
	for i := range count {
		files[fmt.Sprintf("node_modules/oven/%d.mjs", i)] = fmt.Sprintf("export const part%d = 1\n%s", i, &all)
	}
	dir := filetest.Dir(t, files)
	find := New(ecosystem.Options{Offline: true}).FindNames(t.Context(), dir)
	for name, want := range map[string]bool{"part59": true, "part60": false} {
		if got := find(&ecosystem.SourceFile{Name: "a.mjs", Dir: dir}, "oven", name); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

// TestFindNames checks which names a program may use that the documentation of a package lacks.
func TestFindNames(t *testing.T) {
	dir := filetest.Dir(t, map[string]string{
		"package.json": `{"name": "shop", "dependencies": {"oven": "1.0.0", "lit": "1.0.0", "bare": "1.0.0"}, "devDependencies": {"@types/bare": "1.0.0", "@types/lit": "1.0.0"}}`,
		"node_modules/oven/package.json": `{"name": "oven", "version": "1.0.0", "exports": {
			".": {"types": "./index.d.ts", "default": "./index.mjs"}, "./old": {"types": "./old.d.ts", "default": "./old.cjs"},
			"./made": {"types": "./old.d.ts", "default": "./made.cjs"}, "./part": {"types": "./old.d.ts", "default": "./part.mjs"},
			"./shell": {"types": "./old.d.ts", "default": "./shell.mjs"}}}`,
		"node_modules/oven/index.d.ts":         `export declare function bake(): void`,
		"node_modules/oven/index.mjs":          `export * from "./lib/heat.mjs"; export * from "lit"; export function bake() {}`,
		"node_modules/oven/lib/types.mjs":      `export {}`,
		"node_modules/oven/lib/heat.mjs":       `export * from "./types.mjs"; function heat() {} export { heat as warm }`,
		"node_modules/oven/lib/heat.d.mts":     `export {}`,
		"node_modules/oven/old.d.ts":           `export declare function bake(): void`,
		"node_modules/oven/old.cjs":            `function heat() {} module.exports = { heat, bake() {} }`,
		"node_modules/oven/made.cjs":           `module.exports = make()`,
		"node_modules/oven/part.mjs":           `export * from "absent"`,
		"node_modules/oven/shell.mjs":          `export * from "./shell.cjs"`,
		"node_modules/oven/shell.cjs":          "if (process.env.NODE_ENV === 'production') { module.exports = require('./dist.cjs') } else { module.exports = require('./dist.cjs') }",
		"node_modules/oven/dist.cjs":           "var vent = require('vent');\nexports.bake = 1;\nObject.keys(vent).forEach(function (k) {\n  if (k !== 'default') exports[k] = vent[k];\n});",
		"node_modules/vent/package.json":       `{"name": "vent", "version": "1.0.0", "main": "index.js"}`,
		"node_modules/vent/index.js":           `module.exports = require("./vent.cjs")`,
		"node_modules/vent/vent.cjs":           `module.exports = require("./fan.cjs")`,
		"node_modules/vent/fan.cjs":            `function spin() {} module.exports = { spin }`,
		"node_modules/lit/package.json":        `{"name": "lit", "version": "1.0.0", "main": "index.js"}`,
		"node_modules/lit/index.js":            `exports.match = () => {}`,
		"node_modules/@types/lit/package.json": `{"name": "@types/lit", "version": "1.0.0", "types": "index.d.ts"}`,
		"node_modules/@types/lit/index.d.ts":   `export {}`,
		"node_modules/bare/package.json":       `{"name": "bare", "version": "1.0.0", "main": "index.js"}`,
		"node_modules/bare/index.js":           `exports.match = () => {}`,
		"added.d.ts":                           `declare module "lit" { interface Added {} } export {}`,
		"virtual.d.ts":                         `declare module "oven/virtual"`,
		"node_modules/both/package.json":       `{"name": "both", "version": "1.0.0", "types": "old.d.ts", "exports": {".": {"mine": "./mine.ts", "import": "./i.mjs", "require": "./r.cjs"}}}`,
		"node_modules/both/i.d.mts":            `export declare const x: 1`,
		"node_modules/both/r.d.cts":            `export declare const required: 1`,
		"node_modules/both/mine.ts":            `export const mine = 1`,
		"node_modules/both/old.d.ts":           `export declare const old: 1`,
	})
	find := New(ecosystem.Options{Offline: true}).FindNames(t.Context(), dir)
	for use, want := range map[[3]string]bool{
		{"a.mjs", "oven", "warm"}:       true,
		{"a.mjs", "oven", "match"}:      true,
		{"a.mjs", "oven", "heat"}:       false,
		{"a.cjs", "oven/old", "heat"}:   true,
		{"a.cjs", "oven/old", "warm"}:   false,
		{"a.cjs", "oven/made", "warm"}:  true,
		{"a.mjs", "oven/part", "warm"}:  true,
		{"a.mjs", "oven/shell", "bake"}: true,
		{"a.mjs", "oven/shell", "spin"}: true,
		{"a.mjs", "oven/shell", "warm"}: false,
		{"a.vue", "oven", "warm"}:       true,
		{"a.vue", "oven", "heat"}:       false,
		{"a.ts", "oven", "warm"}:        false,
		{"a.ts", "lit", "match"}:        false,
		{"a.ts", "bare", "Options"}:     true,
		{"a.mjs", "bare", "option"}:     false,
		{"a.ts", "lit", "Added"}:        true,
		{"a.ts", "oven/virtual", "x"}:   true,
		{"a.ts", "both", "required"}:    true,
		{"a.ts", "both", "mine"}:        true,
		{"a.ts", "both", "old"}:         true,
		{"a.ts", "both", "other"}:       false,
	} {
		if got := find(&ecosystem.SourceFile{Name: use[0], Dir: dir}, use[1], use[2]); got != want {
			t.Errorf("%v: %v, want %v", use, got, want)
		}
	}
}

// TestFindNames_Platforms checks names that packages have only on some platforms.
func TestFindNames_Platforms(t *testing.T) {
	dir := filetest.Dir(t, map[string]string{
		"package.json": `{"name": "shop"}`,
		"node_modules/oven/package.json": `{"name": "oven", "version": "1.0.0", "type": "module", "exports": {
			".": {"browser": "./browser.js", "react-native": ["./native.js"], "workerd": {"import": "./worker.js"}, "require": "./min.cjs", "default": "./node.js"},
			"./lib/*": {"browser": "./browser.js", "default": "./*.js"}, "./min": {"browser": "./min.cjs", "default": "./node.js"}}}`,
		"node_modules/oven/node.js":        "export const bake = 1",
		"node_modules/oven/browser.js":     "export const bake = 1, draw = 1",
		"node_modules/oven/native.js":      "export const bake = 1, touch = 1",
		"node_modules/oven/worker.js":      "export const bake = 1, serve = 1",
		"node_modules/oven/min.cjs":        "module.exports = make()",
		"node_modules/stove/package.json":  `{"name": "stove", "version": "1.0.0", "main": "node.js", "browser": "browser.js", "react-native": "native"}`,
		"node_modules/stove/node.js":       "exports.bake = 1",
		"node_modules/stove/browser.js":    "exports.bake = 1; exports.draw = 1",
		"node_modules/stove/native.js":     "exports.bake = 1; exports.touch = 1",
		"node_modules/kiln/package.json":   `{"name": "kiln", "version": "1.0.0", "main": "node.js", "module": "node.mjs", "browser": {"./lib/node.js": "./lib/browser.js", "fs": false}}`,
		"node_modules/kiln/node.js":        `exports.bake = 1; exports.fire = 1`,
		"node_modules/kiln/node.mjs":       `export * from "./lib/node.js"`,
		"node_modules/kiln/lib/node.js":    "export const bake = 1",
		"node_modules/kiln/lib/browser.js": "export const bake = 1, draw = 1",
	})
	find := New(ecosystem.Options{Offline: true}).FindNames(t.Context(), dir)
	for use, want := range map[[2]string]bool{
		{"oven", "draw"}:          true,
		{"oven", "touch"}:         true,
		{"oven", "serve"}:         true,
		{"oven", "spin"}:          false,
		{"oven/lib/node", "draw"}: true,
		{"oven/lib/node", "spin"}: false,
		{"oven/min", "spin"}:      true,
		{"stove", "draw"}:         true,
		{"stove", "touch"}:        true,
		{"stove", "spin"}:         false,
		{"kiln", "draw"}:          true,
		{"kiln", "fire"}:          true,
		{"kiln", "spin"}:          false,
	} {
		if got := find(&ecosystem.SourceFile{Name: "a.mjs", Dir: dir}, use[0], use[1]); got != want {
			t.Errorf("%v: %v, want %v", use, got, want)
		}
	}
}
