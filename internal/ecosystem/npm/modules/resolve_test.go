package modules

import (
	"strings"
	"testing"
)

func TestEntryPointsAreFoundAsTypeScriptFindsThem(t *testing.T) {
	tests := []struct {
		name     string
		manifest string
		files    string // separated by spaces
		subpath  string
		want     string
	}{
		{"no package.json", "", "index.d.ts index.js", ".", "index.d.ts"},
		{"types", `{"types": "./lib/a.d.ts", "main": "b.js"}`, "lib/a.d.ts b.js b.d.ts", ".", "lib/a.d.ts"},
		{"typings without an extension", `{"typings": "lib/a"}`, "lib/a.d.ts", ".", "lib/a.d.ts"},
		{"types of a directory", `{"types": "lib"}`, "lib/index.d.ts", ".", "lib/index.d.ts"},
		{"types that are missing", `{"types": "gone.d.ts", "main": "b.js"}`, "b.d.ts b.js", ".", "b.d.ts"},
		{"declarations beside main", `{"main": "lib/b.js"}`, "lib/b.js lib/b.d.ts", ".", "lib/b.d.ts"},
		{"declarations for .mjs", `{"main": "b.mjs"}`, "b.mjs b.d.mts b.d.ts", ".", "b.d.mts"},
		{"declarations for .cjs", `{"main": "b.cjs"}`, "b.cjs b.d.cts", ".", "b.d.cts"},
		{"JavaScript alone", `{"main": "b"}`, "b.js", ".", "b.js"},
		{"the module field of JavaScript", `{"main": "b.js", "module": "m.js"}`, "b.js m.js", ".", "m.js"},
		{"exports as a string", `{"exports": "./b.js"}`, "b.js b.d.ts index.d.ts", ".", "b.d.ts"},
		{"types that exports forget", `{"exports": "./b.js", "types": "t.d.ts"}`, "b.js t.d.ts", ".", "t.d.ts"},
		{"types where exports have no main", `{"exports": {"./sub": "./b.js"}, "types": "t.d.ts"}`, "b.js t.d.ts", ".", ""},
		{"conditions in order", `{"exports": {"import": {"types": "./i.d.mts", "default": "./i.mjs"}, "require": {"types": "./r.d.cts"}}}`, "i.d.mts r.d.cts", ".", "i.d.mts"},
		{"types first", `{"exports": {".": {"types": "./t.d.ts", "import": "./i.mjs"}}}`, "t.d.ts i.mjs i.d.mts", ".", "t.d.ts"},
		{"require alone", `{"exports": {"require": {"types": "./r.d.cts"}}}`, "r.d.cts", ".", "r.d.cts"},
		{"a condition whose file is missing", `{"exports": {"import": "./i.mjs", "default": "./d.js"}}`, "i.mjs d.js d.d.ts", ".", "d.d.ts"},
		{"unknown conditions", `{"exports": {"browser": "./b.js", "@x/source": "./s.ts", "default": "./d.js"}}`, "b.d.ts s.ts d.d.ts", ".", "d.d.ts"},
		{"types by version", `{"exports": {"types@<4": "./old.d.ts", "types@>=4.2": "./new.d.ts"}}`, "old.d.ts new.d.ts", ".", "new.d.ts"},
		{"a list", `{"exports": {".": ["./gone.js", "./b.js"]}}`, "b.d.ts", ".", "b.d.ts"},
		{"a subpath", `{"exports": {"./sub": "./lib/sub.js"}}`, "lib/sub.d.ts", "./sub", "lib/sub.d.ts"},
		{"a pattern", `{"exports": {"./*": "./lib/*.js", "./*.css": "./css/*.css"}}`, "lib/a/b.d.ts", "./a/b", "lib/a/b.d.ts"},
		{"the longer pattern", `{"exports": {"./*": "./x/*.js", "./lib/*": "./y/*.js", "./lib/*.js": "./y/*.js"}}`, "y/a.d.ts", "./lib/a.js", "y/a.d.ts"},
		{"a pattern that is closed", `{"exports": {"./*": "./*.js", "./internal/*": null}}`, "internal/a.d.ts", "./internal/a", ""},
		{"a directory of the first years", `{"exports": {"./lib/": "./lib/"}}`, "lib/a.d.ts lib/a.js", "./lib/a.js", "lib/a.d.ts"},
		{"a subpath that is not exported", `{"exports": {".": "./index.js"}}`, "index.d.ts sub.d.ts", "./sub", ""},
		{"a file without exports", `{}`, "index.d.ts sub.d.ts", "./sub", "sub.d.ts"},
		{"a directory with its own package.json", `{}`, "sub/package.json sub/x.d.ts", "./sub", "sub/x.d.ts"},
		{"typesVersions", `{"types": "a.d.ts", "typesVersions": {"<4.0": {"*": ["old/*"]}, ">=4.0": {"*": ["new/*"]}}}`, "a.d.ts old/a.d.ts new/a.d.ts", ".", "new/a.d.ts"},
		{"typesVersions of a subpath", `{"typesVersions": {"*": {"sub": ["./dist/sub.d.ts"]}}}`, "dist/sub.d.ts", "./sub", "dist/sub.d.ts"},
		{"declarations of a style sheet", `{"exports": {"./a.css": "./a.css"}}`, "a.css a.d.css.ts", "./a.css", "a.d.css.ts"},
		{"a target outside of the package", `{"exports": {".": "./../x.js"}, "types": "../y.d.ts"}`, "x.d.ts", ".", ""},
		{"a target outside of the package without exports", `{"types": "../../y.d.ts"}`, "y.d.ts", ".", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			files := map[string]string{"readme.md": ""}
			for f := range strings.FieldsSeq(tt.files) {
				files[f] = "export {}"
				if strings.HasSuffix(f, "/package.json") {
					files[f] = `{"types": "x.d.ts"}`
				}
			}
			if tt.manifest != "" {
				files["package.json"] = tt.manifest
			}
			got, ok := newWorld(files).reader(t).entry(tt.subpath)
			if got.path != tt.want || ok != (tt.want != "") {
				t.Errorf("got %q, want %q", got.path, tt.want)
			}
		})
	}
}

func TestEntriesAreListed(t *testing.T) {
	tests := []struct{ name, manifest, files, want string }{
		{"without exports", `{}`, "index.d.ts a.d.ts", "."},
		{"in order, the main one first", `{"exports": {"./b": "./b.js", "./package.json": "./package.json", ".": "./index.js", "./a": {"types": "./a.d.ts"}, "./gone": "./gone.js"}}`, "index.d.ts a.d.ts b.d.ts", ". ./b ./a"},
		{"patterns", `{"exports": {"./*": {"types": "./dist/*.d.ts"}, "./raw/*": "./raw/*"}}`, "dist/a.d.ts dist/b/c.d.ts dist/d.js raw/e.js raw/f.d.ts", "./a ./b/c ./raw/e.js ./raw/f.js"},
		{"patterns of JavaScript with declarations", `{"exports": {"./*": "./dist/*.js"}}`, "dist/a.d.ts dist/a.js dist/b.js", "./a ./b"},
		{"other builds of the main one", `{"name": "pkg", "exports": {".": {"types": "./dist/pkg.d.ts", "import": "./dist/pkg.mjs"}, "./dist/*": "./dist/*", "./deep/*": "./deep/*"}}`, "dist/pkg.d.ts dist/pkg.mjs dist/pkg.min.js dist/modern/pkg.js dist/part.js deep/index.js", ". ./dist/part.js ./deep/index.js"},
		{"conditions without subpaths", `{"exports": {"import": "./a.js"}}`, "a.d.ts", "."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			files := map[string]string{"package.json": tt.manifest}
			for f := range strings.FieldsSeq(tt.files) {
				files[f] = "export {}"
			}
			var got []string
			for _, e := range newWorld(files).reader(t).Entries() {
				got = append(got, e.Subpath)
			}
			if s := strings.Join(got, " "); s != tt.want {
				t.Errorf("got %q, want %q", s, tt.want)
			}
		})
	}
}

func TestSpecifiersAreResolved(t *testing.T) {
	files := map[string]string{
		"package.json":           `{"name": "pkg", "exports": {".": "./index.js", "./self": "./lib/self.js"}, "imports": {"#in": {"types": "./lib/in.d.ts"}, "#dir/*": "./lib/*.js", "#dep": "dep"}}`,
		"index.d.ts":             "export {}",
		"lib/self.d.ts":          "export {}",
		"lib/in.d.ts":            "export {}",
		"lib/both.ts":            "export {}",
		"lib/both.d.ts":          "export {}",
		"lib/dir/index.d.ts":     "export {}",
		"lib/esm.d.mts":          "export {}",
		"lib/only.js":            "export {}",
		"lib/data.d.json.ts":     "export {}",
		"dep:index.d.ts":         "export {}",
		"dep:sub/index.d.ts":     "export {}",
		"@types/old:index.d.ts":  "export {}",
		"@types/node:index.d.ts": "declare module 'fs' { const a: 1; } declare module 'node:fs' { export * from 'fs'; }",
	}
	tests := map[string]string{
		"./self": "pkg lib/self.d.ts", "./self.js": "pkg lib/self.d.ts", "./self.d.ts": "pkg lib/self.d.ts", "./both": "pkg lib/both.ts",
		"./dir": "pkg lib/dir/index.d.ts", "./dir/": "pkg lib/dir/index.d.ts", "./esm.mjs": "pkg lib/esm.d.mts", "./only": "pkg lib/only.js",
		"./only.js": "pkg lib/only.js", "./data.json": "pkg lib/data.d.json.ts", "..": "pkg index.d.ts", "../index": "pkg index.d.ts", "./in.ts": "pkg lib/in.d.ts",
		"pkg": "pkg index.d.ts", "pkg/self": "pkg lib/self.d.ts", "pkg/lib/self": "", "#in": "pkg lib/in.d.ts", "#dir/self": "pkg lib/self.d.ts",
		"#dep": "dep index.d.ts", "#none": "", "dep": "dep index.d.ts", "dep/sub": "dep sub/index.d.ts", "dep/none": "", "old": "@types/old index.d.ts",
		"fs": "module fs", "node:fs": "module node:fs", "fs/none": "", "none": "", "@scope": "", "": "", "/abs": "", "../../out": "", `a\b`: "", "./../../../etc/passwd": "",
	}
	r := newWorld(files).reader(t)
	from := r.load(r.main, "lib/in.d.ts")
	for spec, want := range tests {
		got, ok := r.resolve(from, spec)
		s := ""
		switch {
		case !ok:
		case got.ambient != nil:
			s = "module " + got.ambient.path
		default:
			s = got.pkg.Name + " " + got.path
		}
		if s != want {
			t.Errorf("%q leads to %q, want %q", spec, s, want)
		}
	}
}

func TestRangesOfTypeScriptVersions(t *testing.T) {
	for s, want := range map[string]bool{
		"*": true, ">=4": true, ">=4.2": true, ">=6.0": true, ">=6.1": false, "<5.0": false, "<=6.0": true, ">5.9": true, "<4 || >=5": true,
		">=3.1 <5": false, ">= 4.0": true, "6": true, "5.x": false, "~6.0": true, "^5": false, ">=99": false,
	} {
		if got := versionInRange(s); got != want {
			t.Errorf("%s: %v", s, got)
		}
	}
}
