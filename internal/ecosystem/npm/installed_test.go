package npm

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/filetest"
)

// installedPackage returns the files of a package whose only export is a
// constant.
func installedPackage(dir, name, version, constant string) map[string]string {
	return map[string]string{
		dir + "/package.json": `{"name":"` + name + `","version":"` + version + `","types":"index.d.ts"}`,
		dir + "/index.d.ts":   "export declare const " + constant + ": string;\n",
	}
}

func link(t *testing.T, target, name string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, name); err != nil {
		if runtime.GOOS == "windows" {
			t.Skip("this system does not let the user make symbolic links, of which package managers install packages (on Windows, turn on developer mode): " + err.Error())
		}
		t.Fatal(err)
	}
}

func TestInstalledPackagesAreFoundAsNodeFindsThem(t *testing.T) {
	w := newWorld(t)
	n := w.npm()
	filetest.Write(t, w.project, map[string]string{
		"package.json":              `{"name":"shop","workspaces":["packages/*"]}`,
		"packages/app/package.json": `{"name":"@shop/app","version":"0.1.0","types":"i.d.ts"}`,
		"packages/app/i.d.ts":       "export declare const own: 1;",
		"packages/app/src/x.ts":     "",
	})
	app := filepath.Join(w.project, "packages", "app")
	filetest.Write(t, w.project, installedPackage("node_modules/till", "till", "1.0.0", "outer"))
	filetest.Write(t, w.project, installedPackage("node_modules/@till/coins", "@till/coins", "2.0.0", "coins"))
	filetest.Write(t, app, installedPackage("node_modules/till", "till", "0.9.0", "inner"))
	for _, test := range []struct{ name, dir, symbols, version, by, source string }{
		{"till", w.project, "outer", "1.0.0", "node_modules of shop", "node_modules"},
		{"till", app, "inner", "0.9.0", "node_modules of @shop/app", "node_modules"},
		{"till", filepath.Join(app, "src"), "inner", "0.9.0", "node_modules of @shop/app", "node_modules"},
		{"@till/coins", app, "coins", "2.0.0", "node_modules of @shop/app", "node_modules"},
		{"@shop/app", w.project, "own", "", "package of the workspace", "workspace"},
		{"@shop/app", app, "own", "", "package of the project", "workspace"},
		{"./packages/app", w.project, "own", "", "the requested directory", "workspace"},
		{"till@^1", w.project, "outer", "1.0.0", "requested as ^1; this version is installed", "node_modules"},
		{"till@1.0.0", w.project, "outer", "1.0.0", "requested", "node_modules"},
	} {
		p := describe(t, n, test.name, "", test.dir)
		if symbols(p) != test.symbols || p.Version != test.version || p.Provenance.ChosenBy != test.by || p.Provenance.Source != test.source {
			t.Errorf("%s in %s is %s@%s by %+v", test.name, test.dir, symbols(p), p.Version, p.Provenance)
		}
	}
	if !n.HasProject(app) || n.HasProject(w.home) {
		t.Error("projects are not told from other directories")
	}
}

func TestPackagesThatOnlyOthersUseAreFoundInEveryStore(t *testing.T) {
	for _, dir := range []string{
		".pnpm/@till+deep@2.0.0_react@18.0.0/node_modules/@till/deep",
		".bun/@till+deep@2.0.0+0123456789abcdef/node_modules/@till/deep",
		".store/@till/deep@2.0.0-MFZ0zQBPQ1Dgu0rU7Uit1w/node_modules/@till/deep",
		".store/@till-deep-npm-2.0.0-8cb8107983/package",
		".store/@till-deep-virtual-19197636f3/package",
	} {
		t.Run(dir, func(t *testing.T) {
			w := newWorld(t)
			filetest.Write(t, w.project, map[string]string{"package.json": `{"name":"shop"}`})
			filetest.Write(t, w.project, installedPackage("node_modules/"+dir, "@till/deep", "2.0.0", "deep"))
			for _, version := range []string{"", "2.0.0"} {
				if p := describe(t, w.npm(), "@till/deep", version, w.project); symbols(p) != "deep" || p.Provenance.Source != "node_modules" {
					t.Errorf("version %q is %s by %+v", version, symbols(p), p.Provenance)
				}
			}
		})
	}
}

func TestOfSeveralLockedVersionsTheInstalledOneIsMeant(t *testing.T) {
	w := newWorld(t)
	filetest.Write(t, w.project, map[string]string{
		"package.json": `{"name":"shop"}`,
		"yarn.lock":    "till@^1:\n  version \"1.0.0\"\n\ntill@^2:\n  version \"2.0.0\"\n",
	})
	filetest.Write(t, w.project, installedPackage("node_modules/till", "till", "1.0.0", "coins"))
	p := describe(t, w.npm(), "till", "", w.project)
	if p.Version != "1.0.0" || p.Provenance.ChosenBy != "node_modules of shop" {
		t.Errorf("took %s by %s", p.Version, p.Provenance.ChosenBy)
	}
}

func TestPackagesOfPnpmAreFoundThroughLinksAndInItsStore(t *testing.T) {
	w := newWorld(t)
	store := filepath.Join(w.project, "node_modules", ".pnpm")
	filetest.Write(t, w.project, map[string]string{"package.json": `{"name":"shop","dependencies":{"till":"^1"}}`})
	files := installedPackage("till@1.0.0_react@18.0.0/node_modules/till", "till", "1.0.0", "coins")
	files["till@1.0.0_react@18.0.0/node_modules/till/index.d.ts"] = `export * from "@till/deep";`
	filetest.Write(t, store, files)
	filetest.Write(t, store, installedPackage("@till+deep@2.0.0/node_modules/@till/deep", "@till/deep", "2.0.0", "deep"))
	link(t, filepath.Join(store, "till@1.0.0_react@18.0.0", "node_modules", "till"), filepath.Join(w.project, "node_modules", "till"))
	link(t, filepath.Join(store, "@till+deep@2.0.0", "node_modules", "@till", "deep"),
		filepath.Join(store, "till@1.0.0_react@18.0.0", "node_modules", "@till", "deep"))
	for _, name := range []string{"till", "@till/deep"} {
		if p := describe(t, w.npm(), name, "", w.project); symbols(p) != "deep" {
			t.Errorf("%s exports %s", name, symbols(p))
		}
	}
}

func TestZipFilesOfYarnAreRead(t *testing.T) {
	w := newWorld(t)
	filetest.Write(t, w.project, map[string]string{
		"package.json": `{"name":"shop","dependencies":{"@till/coins":"^1.0.0"}}`,
		"yarn.lock":    "__metadata:\n  version: 8\n\n\"@till/coins@npm:^1.0.0\":\n  version: 1.0.0\n  resolution: \"@till/coins@npm:1.0.0\"\n  checksum: 10c0/abc\n",
	})
	dir := filepath.Join(w.project, ".yarn", "cache")
	content := installedPackage("node_modules/@till/coins", "@till/coins", "1.0.0", "zipped")
	content["node_modules/"] = ""
	filetest.Write(t, dir, map[string]string{"@till-coins-npm-1.0.0-0123456789-abcdef0123.zip": string(filetest.Zip(t, "", content))})
	p := describe(t, w.npm(), "@till/coins", "", w.project)
	if symbols(p) != "zipped" || p.Provenance.Source != "yarn cache" || p.Provenance.ChosenBy != "yarn.lock of shop" {
		t.Errorf("got %s by %+v", symbols(p), p.Provenance)
	}
}

func TestDeclarationsOfAnotherPackageStandIn(t *testing.T) {
	w := newWorld(t)
	filetest.Write(t, w.project, map[string]string{
		"package.json":                    `{"name":"shop"}`,
		"node_modules/plain/package.json": `{"name":"plain","version":"3.1.0","main":"i.js"}`,
		"node_modules/plain/i.js":         "module.exports = {}",
	})
	filetest.Write(t, w.project, installedPackage("node_modules/@types/plain", "@types/plain", "3.0.1", "typed"))
	filetest.Write(t, w.project, installedPackage("node_modules/@types/a__b", "@types/a__b", "1.0.0", "scoped"))
	p := describe(t, w.npm(), "plain", "", w.project)
	if symbols(p) != "typed" || p.Version != "3.1.0" {
		t.Errorf("got %s@%s", symbols(p), p.Version)
	}
	if p := describe(t, w.npm(), "@a/b", "", w.project); symbols(p) != "scoped" || len(p.Advice) != 1 {
		t.Errorf("got %s with %q", symbols(p), p.Advice)
	}
}

func TestLinksOutOfAPackageAreNotFollowed(t *testing.T) {
	w := newWorld(t)
	filetest.Write(t, w.home, map[string]string{"secret.d.ts": "export declare const secret: 1;"})
	filetest.Write(t, w.project, map[string]string{"package.json": `{"name":"shop"}`})
	filetest.Write(t, w.project, installedPackage("node_modules/till", "till", "1.0.0", "coins"))
	file := filepath.Join(w.project, "node_modules", "till", "index.d.ts")
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	link(t, filepath.Join(w.home, "secret.d.ts"), file)
	p, err := ecosystem.Describe(t.Context(), w.npm(), ecosystem.Query{Package: "till", ProjectDir: w.project}, nil)
	if err == nil && strings.Contains(symbols(p), "secret") {
		t.Errorf("read %s", symbols(p))
	}
}

func TestInstalledStandsInForWhatTheLockFileSaysIfNothingElseIsToBeHad(t *testing.T) {
	w := newWorld(t)
	filetest.Write(t, w.project, map[string]string{
		"package.json":      `{"name":"shop","dependencies":{"till":"^1.0.0","fromgit":"github:me/fromgit"}}`,
		"package-lock.json": `{"lockfileVersion":3,"packages":{"":{},"node_modules/till":{"version":"1.5.0"},"node_modules/fromgit":{"version":"1.0.0","resolved":"git+ssh://git:s3cret@host.example/fromgit.git#abc"}}}`,
	})
	filetest.Write(t, w.project, installedPackage("node_modules/till", "till", "1.0.0", "coins"))
	p := describe(t, New(ecosystem.Options{Env: w.env, Cache: w.newCache(), Offline: true}), "till", "", w.project)
	if p.Version != "1.0.0" || len(p.Advice) != 1 || !strings.Contains(p.Advice[0], "selects 1.5.0") {
		t.Errorf("got %s with %q", p.Version, p.Advice)
	}
	e := failure(t, w.npm(), "fromgit", w.project)
	if e.Reason != ecosystem.NotFound || !strings.Contains(e.What, "git+ssh://host.example/fromgit.git#abc") || strings.Contains(e.Error(), "s3cret") {
		t.Errorf("said %v", e)
	}
}

func TestQuestionsThatCannotBeAsked(t *testing.T) {
	n := newWorld(t).npm()
	for _, name := range []string{"", "@scope", "a b", "../x", "@/x", ".hidden", "a@1@2", "till@file:x", "https://h.example/x", "x\x00y", "%2e%2e"} {
		if e := failure(t, n, name, ""); e.Reason != ecosystem.Invalid {
			t.Errorf("%q: %v", name, e)
		}
	}
	if e := failure(t, n, "node:fs", ""); !strings.Contains(e.Next, "@types/node") {
		t.Errorf("said %v", e)
	}
}

func TestNamesVersionsAndEntryPointsAreDistinguished(t *testing.T) {
	for text, want := range map[string][3]string{
		"axios": {"axios", "", "."}, "axios@1.2.3": {"axios", "1.2.3", "."}, "zod/mini": {"zod", "", "./mini"},
		"zod@4/mini": {"zod", "4", "./mini"}, "zod/mini@4": {"zod", "4", "./mini"},
		"@a/b": {"@a/b", "", "."}, "@a/b@^2": {"@a/b", "^2", "."}, "@a/b/c/d@next": {"@a/b", "next", "./c/d"}, "@a/b@2/c": {"@a/b", "2", "./c"},
	} {
		q, err := parseQuestion(ecosystem.Query{Package: text})
		if err != nil || [3]string{q.name, q.version, q.subpath} != want {
			t.Errorf("%s is %+v, %v", text, q, err)
		}
	}
}

func TestRangesMatchAsNpmMatchesThem(t *testing.T) {
	tests := []struct {
		text    string
		in, out string
	}{
		{"^1.2.3", "1.2.3 1.9.0", "1.2.2 2.0.0 1.3.0-rc.1 2.0.0-0"},
		{"^0.2.3", "0.2.9", "0.3.0"}, {"~1.2", "1.2.9", "1.3.0"}, {"1.x || >=3", "1.5.0 4.0.0", "2.0.0"},
		{"1.2 - 2.3", "1.2.0 2.3.9", "1.1.9 2.4.0 2.4.0-rc.1"}, {"3 - 3.x", "3.0.0 3.9.1", "4.0.0 2.9.9"}, {"2 - *", "2.0.0 9.0.0", "1.0.0"},
		{"1.0.0 - 2.0.0", "1.0.0 2.0.0", "2.0.1"}, {"*", "1.0.0", "1.0.0-rc.1"}, {">=1.0.0-rc.1", "1.0.0-rc.2 1.0.0", "2.0.0-rc.1"},
		{"1.2.3", "1.2.3", "1.2.4"}, {"=v1.2.3", "1.2.3", "1.2.30"}, {"* - 2", "0.1.0 2.9.0", "3.0.0"},
	}
	for _, test := range tests {
		r, ok := parseRange(test.text)
		if !ok {
			t.Errorf("%q is refused", test.text)
			continue
		}
		for v := range strings.FieldsSeq(test.in) {
			if !r.matches(v) {
				t.Errorf("%s is not in %q", v, test.text)
			}
		}
		for v := range strings.FieldsSeq(test.out) {
			if r.matches(v) {
				t.Errorf("%s is in %q", v, test.text)
			}
		}
	}
	for _, tag := range []string{"latest", "next", "beta-1", "canary"} {
		if _, ok := parseRange(tag); ok {
			t.Errorf("%q is taken for a range", tag)
		}
	}
}

func TestPickChoosesAsNpmDoes(t *testing.T) {
	p := &packument{
		Tags: map[string]string{"latest": "2.0.0", "next": "3.0.0-rc.1", "gone": "9.9.9"},
		Versions: map[string]release{
			"1.0.0": {}, "1.1.0": {}, "1.2.0": {Deprecated: "use 1.1.0"}, "2.0.0": {}, "2.1.0": {}, "3.0.0-rc.1": {}, "4.0.0": {Deprecated: "broken"},
		},
	}
	for want, version := range map[string]string{
		"latest": "2.0.0", "next": "3.0.0-rc.1", "^1": "1.1.0", "1.2.0": "1.2.0", "1.2.x": "1.2.0", ">=1": "2.0.0", "^2.0.1": "2.1.0",
		"*": "2.0.0", "4": "4.0.0", ">=3.0.0-rc.0 <4": "3.0.0-rc.1", "gone": "", "5": "", "none": "", "9.9.9": "",
	} {
		got, ok := p.pick(want)
		if ok != (version != "") || ok && got != version {
			t.Errorf("%s is %q, %v", want, got, ok)
		}
	}
}
