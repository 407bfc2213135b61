package modules

import "testing"

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
	} {
		w := newWorld(map[string]string{"package.json": `{"main": "index.js"}`, "index.js": code, "forge.js": "module.exports = { options: {} };"})
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
