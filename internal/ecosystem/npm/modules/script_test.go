package modules

import (
	"slices"
	"testing"

	"github.com/docent-mcp/docent/internal/naming"
)

// The value that a script assigns to module.exports is known if it is an object literal or
// a declaration, but not if it is the result of another expression.
func TestRead_ScriptsThatExportResults(t *testing.T) {
	for code, dynamic := range map[string]bool{
		"function wrap(x) { return x }\nmodule.exports = wrap({ http: 1 });\nmodule.exports.wrap = wrap;": true,
		"module.exports = Object.assign({}, { http: 1 });":                                                true,
		"class A {}\nmodule.exports = new A();":                                                           true,
		"module.exports = { http: 1 };":                                                                   false,
		"module.exports = function http() {};":                                                            false,
		"module.exports = class A {};":                                                                    false,
		"exports.http = wrap(1);":                                                                         false,
		"module.exports = require('./forge');\nrequire('./aes');":                                         true,
		"module.exports = require('./forge');":                                                            false,
		"function http() {}\nmodule.exports = http;":                                                      false,
		"['a', 'b'].forEach(m => { exports[m] = wrap(m) });":                                              true,
		"module.exports = { ...require('./made'), one: 1 };":                                              true,
		"module.exports = require('./made');":                                                             true,
		"Object.assign(exports, wrap(1));":                                                                true,
		"Object.defineProperty(exports, name, { value: 1 });":                                             true,
		"exports['a'] = 1; exports[\"b\"] = 2; Object.assign(exports, { c: 1 }); x = exports[0];":         false,
		"module.exports = { ...require('./forge') };":                                                     false,
		"var f = require('./forge');\nObject.keys(f).forEach(function (key) {\n  if (key in exports && exports[key] === f[key]) return;\n  Object.defineProperty(exports, key, { get: function () { return f[key]; } });\n});": false,
		"function __export(m) {\n    for (var p in m) if (!exports.hasOwnProperty(p)) exports[p] = m[p];\n}\n__export(require('./forge'));":                                                                                    false,
	} {
		w := newWorld(map[string]string{"package.json": `{"main": "index.js"}`, "index.js": code, "forge.js": "module.exports = { options: {} };", "made.js": "for (const k of keys) exports[k] = 1;"})
		r, err := Open(t.Context(), w["pkg"], w.open)
		if err != nil {
			t.Fatal(err)
		}
		p, err := r.Read(".")
		if err != nil {
			t.Fatal(err)
		}
		if (p.Dynamic != "") != dynamic {
			t.Errorf("%q: the package is dynamic: %q, want %v", code, p.Dynamic, dynamic)
		}
	}
}

// TestRead_ExportedValue checks the names that programs can import from the value that a module assigns to export =, and
// that functions of JavaScript may be called with any number of arguments.
func TestRead_ExportedValue(t *testing.T) {
	for code, want := range map[string]struct{ hidden, wrapped []string }{
		"declare const log: log.Root; export = log; declare namespace log { interface Base { warn(): void } interface Root extends Base { get(): Base } }": {hidden: []string{"get", "warn"}},
		"import { Root } from 'absent'; declare const log: Root; export = log;":                                                                            {hidden: []string{"*"}},
		"declare function log(): void; export = log;":                                                                                                      {},
		"declare class Base { static warn(): void } declare class Log extends Base { static level: number; get(): void } export = Log;":                    {hidden: []string{"prototype", "level", "warn"}},
		"import { Base } from 'absent'; declare class Log extends Base {} export = Log;":                                                                   {hidden: []string{"*"}},
		"export const log: { warn(): void };":                                                                                                              {},
	} {
		w := newWorld(map[string]string{"package.json": `{"types": "index.d.ts"}`, "index.d.ts": code})
		if got := w.read(t); !slices.Equal(got.Hidden, want.hidden) || !slices.Equal(got.Wrapped, want.wrapped) {
			t.Errorf("%q: hidden: %q, wrapped: %q", code, got.Hidden, got.Wrapped)
		}
	}
	w := newWorld(map[string]string{"package.json": `{"main": "index.js"}`, "index.js": "exports.log = function (a, b) {}"})
	if got := w.read(t); !slices.Equal(got.Wrapped, []string{"*"}) {
		t.Errorf("wrapped: %q", got.Wrapped)
	}
}

// TestRead_MembersElsewhere checks that a class whose namespace is documented under another name may have more members.
func TestRead_MembersElsewhere(t *testing.T) {
	p := newWorld(map[string]string{"package.json": `{"types": "index.d.ts"}`, "index.d.ts": `export { Oven as default } from "./oven"; export { Oven } from "./oven";`,
		"oven.d.ts": `export declare class Oven { heat: number } export declare namespace Oven { export interface Options {} }`}).read(t)
	for path, closed := range map[string]bool{"Oven": true, "default": false} {
		if found, err := naming.Find(p, path); err != nil || found.Closed != closed {
			t.Errorf("%s: %v, %v", path, found, err)
		}
	}
}
