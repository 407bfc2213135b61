package npm

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/filetest"
)

// fillRegistry publishes versions of till.
func fillRegistry(t *testing.T) *stub {
	t.Helper()
	s := newStub(t)
	s.publish("till", "1.0.0", packed(t, "till", "1.0.0", "first"))
	s.publish("till", "1.5.0", packed(t, "till", "1.5.0", "second"), "latest")
	s.publish("till", "2.0.0-beta.1", packed(t, "till", "2.0.0-beta.1", "beta"), "next")
	s.publish("@coin/till", "3.0.0", packed(t, "@coin/till", "3.0.0", "fork"), "latest")
	return s
}

func TestFind_Requirement(t *testing.T) {
	s := fillRegistry(t)
	for _, tt := range []struct{ name, spec, version, by, advice string }{
		{"a caret", "^1.0.0", "1.5.0", "package.json of shop (^1.0.0)", ""},
		{"a tilde", "~1.0.0", "1.0.0", "package.json of shop (~1.0.0)", ""},
		{"an exact version", "1.0.0", "1.0.0", "package.json of shop (1.0.0)", ""},
		{"a tag", "next", "2.0.0-beta.1", "package.json of shop (next)", ""},
		{"a star", "*", "1.5.0", "package.json of shop (*)", ""},
		{"no text", "", "1.5.0", "package.json of shop ()", ""},
		{"an alternative", "0.9 || ^1.2", "1.5.0", "package.json of shop (0.9 || ^1.2)", ""},
		{"a hyphen", "1.0.0 - 1.4.0", "1.0.0", "package.json of shop (1.0.0 - 1.4.0)", ""},
		{"an upper bound", "<1.5", "1.0.0", "package.json of shop (<1.5)", ""},
		{"an alias", "npm:@coin/till@^3.0.0", "3.0.0", "package.json of shop (npm:@coin/till@^3.0.0)", "till is the project's name for @coin/till"},
		{"an alias without a range", "npm:@coin/till", "3.0.0", "package.json of shop (npm:@coin/till)", "till is the project's name for @coin/till"},
		{"a directory", "file:./lib/till", "", "package.json of shop (file:./lib/till)", ""},
		{"a link", "link:lib/till", "", "package.json of shop (link:lib/till)", ""},
		{"a workspace", "workspace:*", "", "package of the workspace", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t, "NPM_CONFIG_REGISTRY="+s.URL)
			manifest := `{"name":"shop","dependencies":{"till":"` + tt.spec + `"}}`
			if strings.HasPrefix(tt.spec, "workspace:") {
				manifest = `{"name":"shop","workspaces":["lib/*"],"dependencies":{"till":"` + tt.spec + `"}}`
			}
			filetest.Write(t, w.project, map[string]string{"package.json": manifest})
			filetest.Write(t, w.project, installedPackage("lib/till", "till", "0.1.0", "local"))
			p := describe(t, w.npm(), "till", "", w.project)
			if advice := strings.Join(p.Advice, "\n"); p.Version != tt.version || p.Provenance.ChosenBy != tt.by || advice != tt.advice {
				t.Errorf("%s is %q by %q with %q", tt.spec, p.Version, p.Provenance.ChosenBy, advice)
			}
		})
	}
}

func TestFind_Errors(t *testing.T) {
	s := fillRegistry(t)
	const app = `{"name":"shop","dependencies":{"till":"SPEC"}}`
	lock := func(entry string) string {
		return `{"lockfileVersion":3,"packages":{"":{},"node_modules/till":` + entry + `}}`
	}
	for _, tt := range []struct {
		name, ask, spec, lock string
		reason                ecosystem.Reason
		says                  []string
	}{
		{"a version that does not exist", "till@9.9.9", "*", "", ecosystem.NotFound, []string{"no version 9.9.9 of till"}},
		{"a range without a version", "till@^7", "*", "", ecosystem.NotFound, []string{"no version ^7 of till"}},
		{"a tag that does not exist", "till@canary", "*", "", ecosystem.NotFound, []string{"no version canary of till"}},
		{"a requirement without a version", "till", "^9.0.0", "", ecosystem.NotFound, []string{"no version ^9.0.0 of till"}},
		{"a package that does not exist", "tilde", "*", "", ecosystem.NotFound, []string{"tilde"}},
		{"a name that is not valid", "ti ll", "*", "", ecosystem.Invalid, nil},
		{"a name that begins with a dot", ".till", "*", "", ecosystem.Invalid, nil},
		{"a directory that is missing", "till", "file:../gone", "", ecosystem.NotFound, []string{"file:../gone", "install the project's dependencies"}},
		{"a repository", "till", "github:coin/till", "", ecosystem.NotFound, []string{"comes from github:coin/till"}},
		{"a repository with a password", "till", "git+https://me:s3cret@host.example/till.git", "", ecosystem.NotFound, []string{"host.example/till.git"}},
		{"an archive at a URL", "till", "https://host.example/till.tgz", "", ecosystem.NotFound, []string{"not from a registry"}},
		{"a workspace that is missing", "till", "workspace:^", "", ecosystem.NotFound, []string{"workspace:^"}},
		{"a requested directory without package.json", "./none", "*", "", ecosystem.NotFound, nil},
		{"a locked link to nothing", "till", "*", lock(`{"resolved":"lib/gone","link":true}`), ecosystem.NotFound, []string{"does not contain a package", "check the link"}},
		{"a locked repository", "till", "*", lock(`{"version":"1.0.0","resolved":"git+ssh://git@host.example/till.git#abc"}`), ecosystem.NotFound, []string{"not from a registry"}},
		{"a locked hash that cannot be read", "till", "*", lock(`{"version":"1.0.0","integrity":"md5-x"}`), ecosystem.Unreadable, []string{"integrity of till@1.0.0 in package-lock.json", "reinstall"}},
		{"a locked hash of something else", "till", "*", lock(`{"version":"1.0.0","integrity":"` + integrityOf([]byte("other")) + `"}`), ecosystem.Unreadable, []string{"does not have the sha512 hash given by package-lock.json"}},
		{"a locked version that is gone", "till", "*", lock(`{"version":"1.0.1"}`), ecosystem.NotFound, []string{"no version 1.0.1 of till"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t, "NPM_CONFIG_REGISTRY="+s.URL)
			files := map[string]string{"package.json": strings.Replace(app, "SPEC", tt.spec, 1)}
			if tt.lock != "" {
				files["package-lock.json"] = tt.lock
			}
			filetest.Write(t, w.project, files)
			e := failure(t, w.npm(), tt.ask, w.project)
			if e.Reason != tt.reason || strings.Contains(e.Error(), "s3cret") {
				t.Errorf("%s: %v", e.Reason, e)
			}
			for _, want := range tt.says {
				if !strings.Contains(e.Error(), want) {
					t.Errorf("%q is not in %q", want, e)
				}
			}
		})
	}
}

func TestFind_Advice(t *testing.T) {
	s := fillRegistry(t)
	locked := `{"lockfileVersion":3,"packages":{"":{},"node_modules/till":{"version":"1.0.0"}}}`
	for _, tt := range []struct{ name, ask, manifest, lock, by, advice string }{
		{"another major version than the lock file's", "till@2.0.0-beta.1", `{"name":"shop","dependencies":{"till":"^1"}}`, locked, "requested", "shop uses till 1.0.0; this is 2.0.0-beta.1, as requested"},
		{"another minor version than the lock file's", "till@1.5.0", `{"name":"shop","dependencies":{"till":"^1"}}`, locked, "requested", ""},
		{"a range that the lock file fits", "till@^1", `{"name":"shop","dependencies":{"till":"^1"}}`, locked, "requested as ^1; selected by package-lock.json", ""},
		{"a range that the lock file does not fit", "till@~1.5", `{"name":"shop","dependencies":{"till":"^1"}}`, locked, "requested as ~1.5", ""},
		{"a version of the lock file", "till", `{"name":"shop","dependencies":{"till":"^1"}}`, locked, "package-lock.json of shop", ""},
		{"a fork", "till", `{"name":"shop","dependencies":{"@coin/till":"^3"}}`, "", "newest release; shop does not use it", "shop does not use till; it uses @coin/till: check the name before you install it"},
		{"the published name of an alias", "@coin/till", `{"name":"shop","dependencies":{"money":"npm:@coin/till@^3"}}`, "", "package.json of shop (npm:@coin/till@^3)", "money is the project's name for @coin/till"},
		{"a package that is not used", "till", `{"name":"shop"}`, "", "newest release; shop does not use it", ""},
		{"a dependency for development", "till", `{"name":"shop","devDependencies":{"till":"~1.0"}}`, "", "package.json of shop (~1.0)", ""},
		{"a peer dependency", "till", `{"name":"shop","peerDependencies":{"till":"~1.0"}}`, "", "package.json of shop (~1.0)", ""},
		{"an optional dependency", "till", `{"name":"shop","optionalDependencies":{"till":"~1.0"}}`, "", "package.json of shop (~1.0)", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t, "NPM_CONFIG_REGISTRY="+s.URL)
			files := map[string]string{"package.json": tt.manifest}
			if tt.lock != "" {
				files["package-lock.json"] = tt.lock
			}
			filetest.Write(t, w.project, files)
			p := describe(t, w.npm(), tt.ask, "", w.project)
			if advice := strings.Join(p.Advice, "\n"); p.Provenance.ChosenBy != tt.by || advice != tt.advice {
				t.Errorf("%s by %q with %q", p.Version, p.Provenance.ChosenBy, advice)
			}
		})
	}
}

func TestFind_Workspaces(t *testing.T) {
	for _, tt := range []struct{ name, manifest, extra, from, symbols string }{
		{"a pattern", `{"name":"shop","workspaces":["lib/*"]}`, "", ".", "local"},
		{"a directory", `{"name":"shop","workspaces":["lib/till"]}`, "", ".", "local"},
		{"an object", `{"name":"shop","workspaces":{"packages":["lib/*"],"nohoist":[]}}`, "", ".", "local"},
		{"several levels", `{"name":"shop","workspaces":["**"]}`, "", ".", "local"},
		{"a pattern with ./", `{"name":"shop","workspaces":["./lib/*"]}`, "", ".", "local"},
		{"a member asks for another", `{"name":"shop","workspaces":["lib/*"]}`, "", "lib/other", "local"},
		{"pnpm", `{"name":"shop"}`, "packages:\n  - 'lib/*'\n", ".", "local"},
		{"pnpm from a member", `{"name":"shop"}`, "packages:\n  - lib/*\n", "lib/other", "local"},
		{"a pattern that excludes", `{"name":"shop","workspaces":["lib/*","!lib/till"]}`, "", ".", "first"},
		{"another directory", `{"name":"shop","workspaces":["packages/*"]}`, "", ".", "first"},
		{"a directory outside of the project", `{"name":"shop","workspaces":["../*"]}`, "", ".", "first"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			files := map[string]string{"package.json": tt.manifest, "lib/other/package.json": `{"name":"other"}`}
			if tt.extra != "" {
				files["pnpm-workspace.yaml"] = tt.extra
			}
			filetest.Write(t, w.project, files)
			filetest.Write(t, w.project, installedPackage("lib/till", "till", "0.1.0", "local"))
			filetest.Write(t, w.project, installedPackage("node_modules/till", "till", "1.0.0", "first"))
			if p := describe(t, w.npm(), "till", "", filepath.Join(w.project, tt.from)); symbols(p) != tt.symbols {
				t.Errorf("read %s by %s", symbols(p), p.Provenance.ChosenBy)
			}
		})
	}
}

// TestFind_KeysInWorkspaces checks which members of a workspace share the cached documentation of an installed package.
func TestFind_KeysInWorkspaces(t *testing.T) {
	w := newWorld(t)
	files := map[string]string{"package.json": `{"name":"shop","workspaces":["lib/*"]}`}
	for _, name := range []string{"a", "b", "typed"} {
		files["lib/"+name+"/package.json"] = `{"name":"` + name + `"}`
	}
	filetest.Write(t, w.project, files)
	filetest.Write(t, w.project, installedPackage("node_modules/till", "till", "1.0.0", "first"))
	filetest.Write(t, w.project, installedPackage("lib/typed/node_modules/@types/coins", "@types/coins", "1.0.0", "coins"))
	key := func(dir string) string {
		found, err := w.npm().Find(t.Context(), ecosystem.Query{Package: "till", ProjectDir: filepath.Join(w.project, dir)})
		if err != nil {
			t.Fatal(err)
		}
		defer found.Close()
		return found.Key
	}
	if key("lib/a") != key(".") || key("lib/a") != key("lib/b") {
		t.Error("members without packages of their own do not share the documentation")
	}
	if key("lib/a") == key("lib/typed") {
		t.Error("a member shares the documentation although it has installed types")
	}
}
