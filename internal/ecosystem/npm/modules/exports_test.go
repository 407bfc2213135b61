package modules

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/work"
)

// An entryTest consists of a package.json, the names of files separated by spaces, and the file that an import of
// the package leads to.
type entryTest struct{ name, manifest, files, subpath, want string }

func expectEntries(t *testing.T, tests []entryTest) {
	t.Helper()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			files := map[string]string{"package.json": tt.manifest}
			for f := range strings.FieldsSeq(tt.files) {
				files[f] = "export {}"
			}
			if got, _ := newWorld(files).reader(t).entry(tt.subpath); got.path != tt.want {
				t.Errorf("%s leads to %q, want %q", tt.subpath, got.path, tt.want)
			}
		})
	}
}

func TestExports_Conditions(t *testing.T) {
	expectEntries(t, []entryTest{
		{"node before default", `{"exports": {"node": "./n.js", "default": "./d.js"}}`, "n.d.ts d.d.ts", ".", "n.d.ts"},
		{"default before node", `{"exports": {"default": "./d.js", "node": "./n.js"}}`, "n.d.ts d.d.ts", ".", "d.d.ts"},
		{"module-sync", `{"exports": {"module-sync": "./s.js", "default": "./d.js"}}`, "s.d.ts d.d.ts", ".", "s.d.ts"},
		{"import after require", `{"exports": {"require": "./r.cjs", "import": "./i.mjs"}}`, "r.d.cts i.d.mts", ".", "i.d.mts"},
		{"default after require", `{"exports": {"require": "./r.cjs", "default": "./d.js"}}`, "r.d.cts d.d.ts", ".", "d.d.ts"},
		{"require if the file of import is missing", `{"exports": {"import": "./i.mjs", "require": "./r.cjs"}}`, "r.d.cts", ".", "r.d.cts"},
		{"browser", `{"exports": {"browser": "./b.js"}}`, "b.d.ts", ".", ""},
		{"development", `{"exports": {"development": "./dev.js", "default": "./d.js"}}`, "dev.d.ts d.d.ts", ".", "d.d.ts"},
		{"three levels", `{"exports": {".": {"node": {"import": {"types": "./t.d.ts"}}, "default": "./d.js"}}}`, "t.d.ts d.d.ts", ".", "t.d.ts"},
		{"an inner object without a condition that is met", `{"exports": {"node": {"browser": "./b.js"}, "default": "./d.js"}}`, "b.d.ts d.d.ts", ".", "d.d.ts"},
		{"an inner require", `{"exports": {"node": {"require": "./r.cjs"}, "default": "./d.js"}}`, "r.d.cts d.d.ts", ".", "r.d.cts"},
		{"types after import", `{"exports": {"import": "./i.mjs", "types": "./t.d.ts"}}`, "i.mjs t.d.ts", ".", "t.d.ts"},
		{"types of JavaScript", `{"exports": {"types": "./gone.d.ts", "import": "./i.mjs"}}`, "i.mjs", ".", "i.mjs"},
		{"an empty object", `{"exports": {}}`, "index.d.ts", ".", ""},
		{"exports that are null", `{"exports": null}`, "index.d.ts", ".", "index.d.ts"},
		{"exports that are false", `{"exports": false}`, "index.d.ts", ".", ""},
		{"a condition that is null", `{"exports": {".": {"import": null, "default": "./d.js"}}}`, "d.d.ts", ".", "d.d.ts"},
		{"conditions in a list", `{"exports": {".": [{"browser": "./b.js"}, {"import": "./i.mjs"}, "./d.js"]}}`, "b.d.ts i.d.mts d.d.ts", ".", "i.d.mts"},
		{"types@ of a newer version", `{"exports": {"types@>=99": "./new.d.ts", "types": "./t.d.ts"}}`, "new.d.ts t.d.ts", ".", "t.d.ts"},
		{"types@ of two ranges", `{"exports": {"types@<4 || >=5.5": "./both.d.ts", "types": "./t.d.ts"}}`, "both.d.ts t.d.ts", ".", "both.d.ts"},
		{"types@ with a range that cannot be read", `{"exports": {"types@new": "./new.d.ts", "types": "./t.d.ts"}}`, "new.d.ts t.d.ts", ".", "t.d.ts"},
		{"a byte order mark", "\uFEFF" + `{"exports": "./d.js"}`, "d.d.ts", ".", "d.d.ts"},
	})
}

func TestExports_Targets(t *testing.T) {
	expectEntries(t, []entryTest{
		{"a target without ./", `{"exports": {".": "lib/a.js"}}`, "lib/a.d.ts", ".", ""},
		{"an absolute target", `{"exports": {".": "/lib/a.js"}}`, "lib/a.d.ts", ".", ""},
		{"a target of another package", `{"exports": {".": "dep"}}`, "dep.d.ts", ".", ""},
		{"a target that is a directory", `{"exports": {".": "./lib"}}`, "lib/index.d.ts", ".", ""},
		{"a target with a dot in it", `{"exports": {".": "./lib/./a.js"}}`, "lib/a.d.ts", ".", "lib/a.d.ts"},
		{"a target that leaves a directory", `{"exports": {".": "./lib/../a.js"}}`, "a.d.ts", ".", "a.d.ts"},
		{"the source beside a program", `{"exports": "./a.js"}`, "a.ts a.d.ts a.js", ".", "a.ts"},
		{"the source of a component", `{"exports": "./a.jsx"}`, "a.tsx a.d.ts", ".", "a.tsx"},
		{"the source of a CommonJS module", `{"exports": "./a.cjs"}`, "a.cts a.d.cts a.ts", ".", "a.cts"},
		{"declarations of a JavaScript module only", `{"exports": "./a.mjs"}`, "a.d.ts a.mjs", ".", "a.mjs"},
		{"declarations without their source", `{"exports": {"types": "./a.ts"}}`, "a.d.ts", ".", "a.d.ts"},
		{"declarations without a module's source", `{"exports": {"types": "./a.mts"}}`, "a.d.mts", ".", "a.d.mts"},
		{"declarations of JSON", `{"exports": {"./data": "./data.json"}}`, "data.json data.d.json.ts", "./data", "data.d.json.ts"},
		{"main despite exports", `{"exports": {"./a": "./a.js"}, "main": "b.js"}`, "a.d.ts b.d.ts", ".", ""},
		{"a path below a file that exports", `{"exports": "./a.js"}`, "a.d.ts b.d.ts", "./b", ""},
	})
}

func TestExports_Patterns(t *testing.T) {
	expectEntries(t, []entryTest{
		{"an exact key before a pattern", `{"exports": {"./*": "./x/*.js", "./a": "./y/a.js"}}`, "x/a.d.ts y/a.d.ts", "./a", "y/a.d.ts"},
		{"the longer beginning", `{"exports": {"./*": "./x/*.js", "./lib/*": "./y/*.js"}}`, "x/lib/a.d.ts y/a.d.ts", "./lib/a", "y/a.d.ts"},
		{"the longer end", `{"exports": {"./*": "./x/*.js", "./*.js": "./y/*.js"}}`, "x/a.js.d.ts y/a.d.ts", "./a.js", "y/a.d.ts"},
		{"a star for several directories", `{"exports": {"./*": "./x/*.js"}}`, "x/a/b/c.d.ts", "./a/b/c", "x/a/b/c.d.ts"},
		{"a star that occurs twice in a target", `{"exports": {"./*": "./x/*/*.js"}}`, "x/a/a.d.ts", "./a", "x/a/a.d.ts"},
		{"a star in the middle", `{"exports": {"./a/*/z": "./x/*.js"}}`, "x/b.d.ts", "./a/b/z", "x/b.d.ts"},
		{"a star in the middle with another end", `{"exports": {"./a/*/z": "./x/*.js"}}`, "x/b.d.ts", "./a/b/y", ""},
		{"a beginning and an end that overlap", `{"exports": {"./ab*ba": "./x/*.js"}}`, "x/.d.ts", "./aba", ""},
		{"conditions of a pattern", `{"exports": {"./*": {"browser": "./b/*.js", "types": "./t/*.d.ts"}}}`, "b/a.d.ts t/a.d.ts", "./a", "t/a.d.ts"},
		{"a list in a pattern", `{"exports": {"./*": ["./x/*.js", "./y/*.js"]}}`, "y/a.d.ts", "./a", "y/a.d.ts"},
		{"a subpath that is closed", `{"exports": {"./*": "./x/*.js", "./a": null}}`, "x/a.d.ts", "./a", ""},
		{"a star that leaves the package", `{"exports": {"./*": "./x/*.js"}}`, "a.d.ts", "./../../a", ""},
		{"a request with a star", `{"exports": {"./*": "./x/*.js"}}`, "x/a.d.ts", "./*", ""},
		{"the longer directory", `{"exports": {"./x/": "./a/", "./x/y/": "./b/"}}`, "a/y/z.d.ts b/z.d.ts", "./x/y/z.js", "b/z.d.ts"},
		{"a directory of conditions", `{"exports": {"./x/": {"import": "./a/"}}}`, "a/z.d.ts", "./x/z.js", ""},
	})
}

func TestEntry_TypesVersions(t *testing.T) {
	expectEntries(t, []entryTest{
		{"the first range that fits", `{"typesVersions": {">=5": {"*": ["a/*"]}, ">=4": {"*": ["b/*"]}}}`, "a/index.d.ts b/index.d.ts", ".", "a/index.d.ts"},
		{"no range that fits", `{"typesVersions": {"<5": {"*": ["a/*"]}}}`, "a/index.d.ts index.d.ts", ".", "index.d.ts"},
		{"the second path of a list", `{"typesVersions": {"*": {"*": ["a/*", "b/*"]}}}`, "b/index.d.ts index.d.ts", ".", "b/index.d.ts"},
		{"paths whose files are missing", `{"typesVersions": {"*": {"*": ["a/*"]}}}`, "index.d.ts", ".", "index.d.ts"},
		{"a name before a pattern", `{"typesVersions": {"*": {"*": ["a/*"], "sub": ["b/sub"]}}}`, "a/sub.d.ts b/sub.d.ts", "./sub", "b/sub.d.ts"},
		{"the longer beginning", `{"typesVersions": {"*": {"lib/*": ["b/*"], "*": ["a/*"]}}}`, "a/lib/x.d.ts b/x.d.ts", "./lib/x", "b/x.d.ts"},
		{"the field types", `{"types": "./x.d.ts", "typesVersions": {"*": {"x.d.ts": ["y.d.ts"]}}}`, "x.d.ts y.d.ts", ".", "y.d.ts"},
		{"the field typings", `{"typings": "x.d.ts", "typesVersions": {"*": {"x.d.ts": ["y.d.ts"]}}}`, "x.d.ts y.d.ts", ".", "y.d.ts"},
		{"the field main", `{"main": "./lib/x.js", "typesVersions": {"*": {"lib/*": ["types/*"]}}}`, "lib/x.d.ts types/x.d.ts", ".", "types/x.d.ts"},
		{"a directory", `{"typesVersions": {"*": {"sub": ["dist/sub"]}}}`, "dist/sub/index.d.ts", "./sub", "dist/sub/index.d.ts"},
		{"a path outside of the package", `{"typesVersions": {"*": {"sub": ["../x", "dist/x"]}}}`, "x.d.ts dist/x.d.ts", "./sub", "dist/x.d.ts"},
		{"exports come first", `{"exports": {".": "./e.js"}, "typesVersions": {"*": {"*": ["a/*"]}}}`, "e.d.ts a/e.d.ts a/index.d.ts", ".", "e.d.ts"},
		{"JavaScript is not mapped", `{"main": "x.js", "typesVersions": {"*": {"*": ["a/*"]}}}`, "x.js a/x.js", ".", "x.js"},
	})
}

func TestEntry_Fields(t *testing.T) {
	expectEntries(t, []entryTest{
		{"types before typings", `{"types": "a.d.ts", "typings": "b.d.ts"}`, "a.d.ts b.d.ts", ".", "a.d.ts"},
		{"types that are empty", `{"types": "", "typings": "b.d.ts"}`, "b.d.ts", ".", "b.d.ts"},
		{"types that are no text", `{"types": ["a.d.ts"], "main": "b.js"}`, "a.d.ts b.d.ts", ".", "b.d.ts"},
		{"types that name a program", `{"types": "a.js"}`, "a.js a.d.ts", ".", "a.d.ts"},
		{"types before declarations of main", `{"main": "b.js", "types": "a.d.ts"}`, "a.d.ts b.d.ts", ".", "a.d.ts"},
		{"main that is a directory", `{"main": "./lib/"}`, "lib/index.js lib/index.d.ts", ".", "lib/index.d.ts"},
		{"main that is the package", `{"main": "."}`, "index.d.ts", ".", "index.d.ts"},
		{"main that is missing", `{"main": "gone.js"}`, "index.d.ts", ".", "index.d.ts"},
		{"declarations of the index before the program of main", `{"main": "b.js"}`, "b.js index.d.ts", ".", "index.d.ts"},
		{"main if module is missing", `{"main": "b.js", "module": "gone.js"}`, "b.js", ".", "b.js"},
		{"declarations of main rather than module", `{"main": "b.js", "module": "m.js"}`, "b.d.ts m.js b.js", ".", "b.d.ts"},
		{"a file before the directory of its name", `{}`, "sub.d.ts sub/index.d.ts", "./sub", "sub.d.ts"},
		{"JavaScript if nothing is declared", `{}`, "sub.mjs", "./sub", "sub.mjs"},
		{"declarations of another directory than the program", `{}`, "sub.js sub/index.d.ts", "./sub", "sub/index.d.ts"},
	})
}

// TestRead_Spent reads a package that takes too many steps. The symbols may be incomplete, so docent check must not
// report that one is missing.
func TestRead_Spent(t *testing.T) {
	w := newWorld(map[string]string{"package.json": `{"types":"index.d.ts"}`, "index.d.ts": "export function open(): void;"})
	err := work.Run(t.Context(), work.Base, func(ctx context.Context) error {
		r, err := Open(ctx, w["pkg"], w.open)
		if err != nil {
			return err
		}
		m := work.FromContext(ctx)
		m.Step(int(m.Limit()))
		p, err := r.Read(".")
		if err == nil && !slices.ContainsFunc(p.Warnings, func(s string) bool { return strings.Contains(s, "requires more work") }) {
			t.Errorf("the warnings are %q", p.Warnings)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
