package npm

import (
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/npm/modules"
	"github.com/docent-mcp/docent/internal/filetest"
)

// TestAugmentations_Types checks to which types a file adds the member lock.
func TestAugmentations_Types(t *testing.T) {
	door := modules.TypeName{Package: "kiln", Name: "Door"}
	for _, tt := range []struct {
		name, src string
		to        modules.TypeName
		want      bool
	}{
		{"an interface of a module", `declare module "kiln" { interface Door { lock(): void } }`, door, true},
		{"an interface of another name", `declare module "kiln" { interface Window { lock(): void } }`, door, false},
		{"another member", `declare module "kiln" { interface Door { bolt(): void } }`, door, false},
		{"an exported interface", `declare module "kiln" { export interface Door { lock: 1 } }`, door, true},
		{"a quoted member", `declare module "kiln" { interface Door { "lock": 1 } }`, door, true},
		{"an optional member", `declare module "kiln" { interface Door { lock?: 1 } }`, door, true},
		{"a member of a member's type", `declare module "kiln" { interface Door { bolts: { lock: 1 } } }`, door, true},
		{"a function of a module", `declare module "kiln" { function lock(): void }`, modules.TypeName{Package: "kiln"}, true},
		{"a constant of a module", `declare module "kiln" { const lock: 1 }`, modules.TypeName{Package: "kiln"}, true},
		{"a static member", `declare module "kiln" { namespace Door { function lock(): void } }`, door, true},
		{"an export list of a namespace", `declare module "kiln" { namespace Door { export { bolt as lock } } }`, door, true},
		{"a nested interface", `declare module "kiln" { namespace Parts { interface Door { lock: 1 } } }`, door, false},
		{"a nested interface for a nested type", `declare module "kiln" { namespace Parts { interface Door { lock: 1 } } }`, modules.TypeName{Package: "kiln", Name: "Parts.Door", Nested: true}, true},
		{"a global interface", `declare global { interface String { lock: 1 } } export {}`, modules.TypeName{Name: "String", Global: true}, true},
		{"a global interface with the name of one of a module", `declare global { interface Door { lock: 1 } } export {}`, door, false},
		{"a global interface in a namespace", `declare global { namespace NodeJS { interface Process { lock: 1 } } } export {}`, modules.TypeName{Name: "NodeJS.Process", Nested: true}, true},
		{"all objects", `declare global { interface Object { lock: 1 } } export {}`, door, true},
		{"all functions", `declare global { interface Function { lock: 1 } } export {}`, door, true},
		{"any type", `declare module "kiln" { interface Door { lock: 1 } }`, modules.AnyType, true},
		{"a wildcard module", `declare module "*.svg" { const lock: string }`, door, false},
		{"a text in a comment", `// declare module "kiln" { interface Door { lock: 1 } }`, door, false},
		{"an interface of a module file", `export interface Door { lock: 1 }`, door, false},
		{"a class", `declare module "kiln" { class Door { lock: 1 } }`, door, false},
	} {
		a := &augmentations{ctx: t.Context(), members: map[string][]modules.TypeName{}, interfaces: map[string][]modules.TypeName{}, bases: map[string][]addedBase{}, packages: map[string]bool{}, modules: map[string]bool{}, local: map[string]bool{}}
		a.search(nil, "src/env.ts", tt.src)
		if got := a.mayAdd("lock", []modules.TypeName{tt.to}); got != tt.want {
			t.Errorf("%s: %s\n%v may get it: %t", tt.name, tt.src, tt.to, got)
		}
	}
}

// TestAugmentations_Bases checks whether a file adds a base to Door that may have further members.
func TestAugmentations_Bases(t *testing.T) {
	types := []modules.TypeName{{Package: "kiln", Name: "Door"}, {Package: "kiln", Name: "Part"}}
	for src, want := range map[string]bool{
		`declare module "kiln" { interface Door extends Lockable {} }`:               true,
		`declare module "kiln" { interface Door extends Part {} }`:                   true, // may have been merged late
		`declare module "kiln" { interface Door extends Part, Lockable {} }`:         true,
		`declare module "kiln" { interface Door extends locks.Lockable<string> {} }`: true,
		`declare module "kiln" { interface Window extends Lockable {} }`:             false,
		`declare module "oven" { interface Door extends Lockable {} }`:               true,
		`declare global { interface Door extends Lockable {} } export {}`:            false, // another type
	} {
		a := &augmentations{ctx: t.Context(), members: map[string][]modules.TypeName{}, interfaces: map[string][]modules.TypeName{}, bases: map[string][]addedBase{}, packages: map[string]bool{}, modules: map[string]bool{}, local: map[string]bool{}}
		a.search(nil, "src/env.ts", src)
		if got := a.mayAdd("lock", types); got != want {
			t.Errorf("%s: %t, want %t", src, got, want)
		}
	}
}

// TestExtended_Packages checks which packages the files of a program extend.
func TestExtends(t *testing.T) {
	const add = ` { interface Door { lock(): void } } export {}`
	for _, tt := range []struct {
		name  string
		files map[string]string
		src   string
		want  string
	}{
		{"nothing", nil, `import "kiln"`, ""},
		{"the file itself", nil, `declare module "kiln"` + add, "kiln"},
		{"an entry point of a package", nil, `declare module "kiln/doors"` + add, "kiln"},
		{"a package in a scope", nil, `declare module "@fire/kiln/doors"` + add, "@fire/kiln"},
		{"a file of the project", nil, `declare module "./doors"` + add, ""},
		{"global interfaces", nil, "declare global { namespace Fire" + add[:len(add)-len(" export {}")] + " } export {}", "kiln lock bolt @fire/kiln ./doors"},
		{"other members of global interfaces", nil, "declare global { namespace Fire { interface Door { bolt(): void } } } export {}", ""},
		{"a file that nothing imports", map[string]string{"types/env.d.ts": `declare module "kiln"` + add}, "", "kiln"},
		{"the source of a component", map[string]string{"App.vue": "<script lang=\"ts\">\ndeclare module \"kiln\"" + add + "\n</script>"}, "", "kiln"},
		{"JavaScript", map[string]string{"env.js": `/* declare module "kiln" {} */`}, "", ""},
		{"a package that the file imports", map[string]string{"node_modules/lock/index.d.ts": `declare module "kiln"` + add}, `import "lock"`, "kiln"},
		{"a script of a package", map[string]string{"node_modules/lock/add.js": "", "node_modules/lock/index.d.ts": `declare module "kiln"` + add}, `import "lock/add"`, "kiln"},
		{"a package that nothing imports", map[string]string{"node_modules/lock/index.d.ts": `declare module "kiln"` + add}, "", ""},
		{"a package that a package imports", map[string]string{"node_modules/lock/index.d.ts": `import "bolt"`, "node_modules/bolt/index.d.ts": `declare module "kiln"` + add}, `import "lock"`, "kiln"},
		{"a package of types", map[string]string{"node_modules/@types/lock/index.d.ts": `declare module "kiln"` + add}, "", "kiln"},
		{"types of a configuration", map[string]string{"tsconfig.json": `{"compilerOptions": {"types": ["lock"]}}`, "node_modules/lock/index.d.ts": `declare module "kiln"` + add}, "", "kiln"},
		{"the source of JSX", map[string]string{"tsconfig.json": `{"compilerOptions": {"jsxImportSource": "lock"}}`, "node_modules/lock/jsx-runtime.d.ts": `declare module "kiln"` + add}, "", "kiln"},
		{"a package that declares itself", map[string]string{"node_modules/lock/index.d.ts": `declare module "lock"` + add}, `import "lock"`, ""},
		{"a directory of git", map[string]string{".git/env.d.ts": `declare module "kiln"` + add}, "", ""},
		{"node_modules of a part of the project", map[string]string{"app/node_modules/lock/index.d.ts": `declare module "kiln"` + add}, "", "kiln"},
		{"the source of an installed package", map[string]string{"app/node_modules/lock/index.ts": `declare module "kiln"` + add}, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			files := map[string]string{"package.json": `{"name":"shop"}`}
			maps.Copy(files, tt.files)
			for _, name := range []string{"kiln", "lock", "bolt", "@types/lock", "@fire/kiln"} {
				files["node_modules/"+name+"/package.json"] = `{"name":"` + name + `","version":"1.0.0"}`
			}
			files["node_modules/kiln/index.d.ts"] = `export interface Door {}`
			dir := filetest.Dir(t, files)
			extends := New(ecosystem.Options{Env: []string{}, Offline: true}).Extends(t.Context(), dir)
			f := &ecosystem.SourceFile{Name: "main.ts", Dir: dir, Text: []byte(tt.src)}
			for _, pkg := range []string{"kiln", "lock", "bolt", "@fire/kiln", "./doors"} {
				if got := extends(f, pkg, "lock"); got != strings.Contains(" "+tt.want+" ", " "+pkg+" ") {
					t.Errorf("it extends %s: %t, want %q", pkg, got, tt.want)
				}
			}
		})
	}
}

// TestTypes_FilesOutsideOfTheProject checks imports of modules that files elsewhere in a monorepo declare.
func TestTypes_FilesOutsideOfTheProject(t *testing.T) {
	for config, want := range map[string]string{
		`{}`:                                  "1: kiln@1.0.0 has no Further2: equal@2.0.0 has no module equal/virtual",
		`{"include": ["src", "../../types"]}`: "",
		`{"include": ["../../**/*.d.ts"]}`:    "",
		`{"include": ["../../*s/*"]}`:         "",
		`{"include": ["../../other"]}`:        "1: kiln@1.0.0 has no Further2: equal@2.0.0 has no module equal/virtual",
		`{"include": ["../../*/*.ts"], "files": ["../../types/deep/kiln.d.ts"]}`: "",
		`{"files": ["../../types/virtual.d.ts"]}`:                                "1: kiln@1.0.0 has no Further",
		`{"compilerOptions": {"typeRoots": ["../../types"]}}`:                    "",
		`{"extends": "../../config/base.json"}`:                                  "",
	} {
		files := map[string]string{
			"config/base.json":        `{"include": ["../types"]}`,
			"types/virtual.d.ts":      `declare module "equal/virtual";`,
			"types/deep/kiln.d.ts":    `import "kiln"; declare module "kiln" { interface Further {} }`,
			"other/node_modules/a.ts": `declare module "equal/virtual";`,
		}
		for _, packages := range []map[string]string{library, importable} {
			for name, text := range packages {
				files["packages/shop/"+name] = text
			}
		}
		files["packages/shop/tsconfig.json"] = config
		dir := filepath.Join(filetest.Dir(t, files), "packages", "shop")
		checked, err := New(ecosystem.Options{Offline: true}).Types(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		f := &ecosystem.SourceFile{Name: "src/a.ts", Dir: dir, Text: []byte("import { Further } from 'kiln'\nimport 'equal/virtual'")}
		if got := absentIn(checked, f); got != want {
			t.Errorf("%s: found %q, want %q", config, got, want)
		}
	}
}

// TestTypes_MergedAugmentations checks members of properties to which files of the project give another type.
func TestTypes_MergedAugmentations(t *testing.T) {
	files := maps.Clone(library)
	maps.Copy(files, map[string]string{
		"node_modules/auth/package.json": `{"name": "auth", "version": "1.0.0", "types": "index.d.ts"}`,
		"node_modules/auth/index.d.ts":   `export * from "./types"; export declare function open(): import("./types").Session;`,
		"node_modules/auth/types.d.ts":   `export interface Base { user?: { name: string } } export interface Session extends Base {}`,
		"types/auth.d.ts":                `import "auth"; interface Mine { role: string } declare module "auth" { interface Session { user: { name: string } & Mine } }`,
	})
	dir := filetest.Dir(t, files)
	checked, err := New(ecosystem.Options{Offline: true}).Types(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	f := &ecosystem.SourceFile{Name: "src/a.ts", Dir: dir, Text: []byte("import { open } from 'auth'\nopen().user.role\nopen().user.rule\n")}
	if got, want := absentIn(checked, f), "3: the value has no member rule"; got != want {
		t.Errorf("found %q, want %q", got, want)
	}
}

// TestTypes_GlobalScripts checks members that scripts of a package add to global interfaces, which its main declarations name.
func TestTypes_GlobalScripts(t *testing.T) {
	files := maps.Clone(library)
	maps.Copy(files, map[string]string{
		"node_modules/frame/package.json":      `{"name": "frame", "version": "1.0.0", "types": "index.d.ts"}`,
		"node_modules/frame/index.d.ts":        "/// <reference types=\"./types/global\" />\nexport {}\n",
		"node_modules/frame/types/global.d.ts": "interface String {\n  framed: true\n}\n",
		"node_modules/frame/part.d.ts":         "export declare const part: string\n",
		"node_modules/frame/lone.js":           "",
	})
	dir := filetest.Dir(t, files)
	for src, want := range map[string]string{
		"import { part } from 'frame/part'\npart.framed; part.farmed": "2: String of typescript@5.0.0 has no member farmed",
		"import 'frame/lone'\n''.framed; ''.farmed":                   "2: String of typescript@5.0.0 has no member farmed",
		"''.framed; export {}":                                        "1: String of typescript@5.0.0 has no member framed",
	} {
		checked, err := New(ecosystem.Options{Offline: true}).Types(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		if got := absentIn(checked, &ecosystem.SourceFile{Name: "src/a.ts", Dir: dir, Text: []byte(src)}); got != want {
			t.Errorf("%s: found %q, want %q", src, got, want)
		}
	}
}
