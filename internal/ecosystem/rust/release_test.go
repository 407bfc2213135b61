package rust

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/filetest"
)

const appManifest = "[package]\nname = \"app\"\nversion = \"0.1.0\"\n"

// TestRelease_Requirements looks for crates that a manifest requires without a lock file.
func TestRelease_Requirements(t *testing.T) {
	w := newWorld(t)
	for _, version := range []string{"0.3.1", "0.3.9", "0.4.0", "1.2.3", "1.9.0", "2.0.0", "3.0.0-beta.1"} {
		w.publish("kiln", version, "", nil)
	}
	for requirement, want := range map[string]string{
		`"1"`: "1.9.0", `"1.2"`: "1.9.0", `"~1.2"`: "1.2.3", `"=1.2.3"`: "1.2.3", `"0.3"`: "0.3.9", `"^0.3.1"`: "0.3.9", `">=1, <2"`: "1.9.0", `"*"`: "2.0.0",
		`"3.0.0-beta"`: "3.0.0-beta.1", `{ version = "0.4", optional = true }`: "0.4.0", `{ package = "kiln", version = "<1" }`: "0.4.0",
	} {
		filetest.Write(t, w.project, map[string]string{"Cargo.toml": appManifest + "[dependencies]\nkiln = " + requirement + "\n", "src/lib.rs": ""})
		p, err := ecosystem.Describe(t.Context(), w.rust(), ecosystem.Query{Package: "kiln", ProjectDir: w.project}, nil)
		if err != nil || p.Version != want || p.Provenance.ChosenBy != "newest release that Cargo.toml of app allows; there is no Cargo.lock" {
			t.Errorf("%s: got %+v, error %v; want %s", requirement, p, err, want)
		}
	}
}

// TestRelease_Errors checks the errors for versions and registries that do not exist.
func TestRelease_Errors(t *testing.T) {
	const depends = appManifest + "[dependencies]\n"
	for _, c := range []struct {
		name, manifest, config string
		query                  ecosystem.Query
		reason                 ecosystem.Reason
		want                   string // words of the error, separated by |
	}{
		{"a version that no release satisfies", "", "", ecosystem.Query{Package: "kiln", Version: "7"}, ecosystem.NotFound, "there is no version of kiln that satisfies 7|request a version"},
		{"an exact version", "", "", ecosystem.Query{Package: "kiln", Version: "1.0.9"}, ecosystem.NotFound, "there is no version of kiln that satisfies 1.0.9"},
		{"a version that is none", "", "", ecosystem.Query{Package: "kiln", Version: "one"}, ecosystem.Invalid, "one"},
		{"only yanked releases and prereleases", "", "", ecosystem.Query{Package: "gone"}, ecosystem.NotFound, "all releases of gone in|were yanked or are prereleases|specify a version"},
		{"a crate that does not exist", "", "", ecosystem.Query{Package: "oven"}, ecosystem.NotFound, "has no oven|check the name"},
		{"an unknown registry", depends + "kiln = { version = \"1\", registry = \"mine\" }\n", "", ecosystem.Query{Package: "kiln"}, ecosystem.NotFound, "the registry mine of kiln is not configured|index to cargo's config"},
		{"a git dependency", depends + "kiln = { git = \"https://git.test/kiln\" }\n", "", ecosystem.Query{Package: "kiln"}, ecosystem.NotFound, "kiln comes from a git repository, and there is no Cargo.lock that gives the commit"},
		{"a wrong requirement", depends + "kiln = \"one\"\n", "", ecosystem.Query{Package: "kiln"}, ecosystem.Invalid, "the version required of kiln is not valid|correct Cargo.toml"},
		{"a directory instead of the registry", "", "[source.crates-io]\nreplace-with = \"v\"\n[source.v]\ndirectory = \"vendored\"\n", ecosystem.Query{Package: "kiln"}, ecosystem.NotFound, "kiln is not in|which replaces the registry|run cargo vendor"},
		{"a local registry", "", "[source.crates-io]\nreplace-with = \"v\"\n[source.v]\nlocal-registry = \"local\"\n", ecosystem.Query{Package: "kiln"}, ecosystem.NotFound, "which replaces the registry"},
		{"a checksum that is none", "", "", ecosystem.Query{Package: "broken"}, ecosystem.Unreadable, "the sha256 of broken 1.0.0 that"},
		{"an index that is cut off", "", "", ecosystem.Query{Package: "cut"}, ecosystem.Unreadable, "cut"},
	} {
		w := newWorld(t)
		w.publish("kiln", "1.0.0", "", nil)
		w.publish("kiln", "2.0.0", "", nil)
		w.publish("gone", "1.0.0-rc.1", "", nil)
		w.publish("gone", "0.9.0", `, "yanked": true`, nil)
		w.index["gone"] = strings.Replace(w.index["gone"], `"yanked": false, "yanked": true`, `"yanked": true`, 1)
		w.publish("broken", "1.0.0", "", nil)
		w.index["broken"] = `{"name": "broken", "vers": "1.0.0", "deps": [], "cksum": "12xy", "features": {}, "yanked": false}` + "\n"
		w.index["cut"] = `{"name": "cut", "vers": "1.0`
		if c.config != "" {
			w.config(c.config)
		}
		if c.manifest != "" {
			filetest.Write(t, w.project, map[string]string{"Cargo.toml": c.manifest, "src/lib.rs": ""})
			c.query.ProjectDir = w.project
		}
		e := w.failure(c.query)
		text := e.Error()
		for part := range strings.SplitSeq(c.want, "|") {
			if e.Reason != c.reason || !strings.Contains(text, part) {
				t.Errorf("%s: %s: %s; want %s with %q", c.name, e.Reason, text, c.reason, part)
			}
		}
	}
}

// TestRelease_Near checks that an error lists the newest releases first, and no yanked ones.
func TestRelease_Near(t *testing.T) {
	w := newWorld(t)
	for _, version := range []string{"1.0.0", "1.10.0", "1.9.0", "0.1.0", "0.2.0", "0.3.0", "2.0.0-rc.1"} {
		w.publish("kiln", version, "", nil)
	}
	w.publish("kiln", "8.0.0", `, "yanked": true`, nil)
	w.index["kiln"] = strings.Replace(w.index["kiln"], `"yanked": false, "yanked": true`, `"yanked": true`, 1)
	if e := w.failure(ecosystem.Query{Package: "kiln", Version: "9"}); fmt.Sprint(e.Near) != "[2.0.0-rc.1 1.10.0 1.9.0 1.0.0 0.3.0]" {
		t.Errorf("near %q", e.Near)
	}
}

// TestRelease_Offline chooses among the crates on this machine if the registry cannot be reached.
func TestRelease_Offline(t *testing.T) {
	w := newWorld(t)
	w.config("") // the default registry, which has no address here
	for _, version := range []string{"1.2.0", "1.10.0", "2.0.0-rc.1", "0.9.0"} {
		w.unpacked("kiln-x", version)
	}
	filetest.Write(t, filepath.Join(w.home, "registry", "index", "index.test-1949cf8c6b5b557f"), map[string]string{"config.json": `{"dl": "https://index.test/dl"}`})
	filetest.Write(t, w.project, map[string]string{"Cargo.toml": appManifest, "src/lib.rs": ""})
	for _, c := range []struct{ version, project, want string }{
		{"", "", "1.10.0 newest on this machine"}, {"1.2.0", "", "1.2.0"}, {"<1", "", "0.9.0"}, {"", w.project, "1.10.0 newest on this machine; the registry could not be reached; app does not use it"},
	} {
		rs := New(ecosystem.Options{Env: w.env, Offline: true})
		p, err := ecosystem.Describe(t.Context(), rs, ecosystem.Query{Package: "kiln_x", Version: c.version, ProjectDir: c.project}, nil)
		if err != nil || !strings.HasPrefix(p.Version+" "+p.Provenance.ChosenBy, c.want) {
			t.Errorf("%q: got %+v, error %v; want %s", c.version, p, err, c.want)
		}
	}
}

// TestDefault_Index finds the address of the default registry.
func TestDefault_Index(t *testing.T) {
	const index = "registry/index/index.test-1949cf8c6b5b557f/config.json"
	program := "\x7fELF" + strings.Repeat("\x00", 3<<20) + "sparse+https://a.example/ sparse+https://index.test/ " + strings.Repeat("x", 2<<20)
	for _, c := range []struct {
		name        string
		files, path map[string]string
		want, from  string
	}{
		{"the directory of the index", map[string]string{index: "{}"}, nil, "https://index.test/", "registry/index/index.test-1949cf8c6b5b557f"},
		{"a directory of another registry", map[string]string{"registry/index/other.test-0000000000000000/config.json": "{}"}, nil, "", ""},
		{"a directory without settings", map[string]string{"registry/index/index.test-1949cf8c6b5b557f/x": ""}, nil, "", ""},
		{"a name that is no host", map[string]string{"registry/index/index-1949cf8c6b5b557f/config.json": "{}"}, nil, "", ""},
		{"the program in PATH", nil, map[string]string{"cargo": program}, "https://index.test/", "cargo"},
		{"the program in cargo's home", map[string]string{"bin/cargo": program}, nil, "https://index.test/", "bin/cargo"},
		{"a program without an address", nil, map[string]string{"cargo": "sparse+http://index.test/ sparse+https://example.test/"}, "", ""},
	} {
		home, path := filetest.Dir(t, c.files), filetest.Dir(t, c.path)
		makeExecutable(t, filepath.Join(path, "cargo"))
		rs := New(ecosystem.Options{Env: []string{"CARGO_HOME=" + home, "HOME=" + t.TempDir(), "PATH=" + path}})
		got := rs.findDefault(home)
		if c.want == "" {
			if got.index != buildDefault {
				t.Errorf("%s: %+v", c.name, got)
			}
			continue
		}
		if got.index != c.want || !strings.HasSuffix(filepath.ToSlash(got.from), c.from) {
			t.Errorf("%s: %+v, want %s from %s", c.name, got, c.want, c.from)
		}
		if again := rs.findDefault(home); again != got {
			t.Errorf("%s: %+v after %+v", c.name, again, got)
		}
	}
}

// TestNames_Completion completes names from a project or, without one, from the crates that cargo has unpacked.
func TestNames_Completion(t *testing.T) {
	w := newWorld(t)
	w.config("")
	w.unpacked("kiln", "1.0.0")
	w.unpacked("kiln-door", "2.0.0-rc.1")
	w.unpacked("kiln-2", "0.1.0")
	filetest.Write(t, w.home, map[string]string{"registry/src/index.test-1949cf8c6b5b557f/readme": "", "registry/src/index.test-1949cf8c6b5b557f/no-version/x": ""})
	filetest.Write(t, w.project, map[string]string{"Cargo.toml": appManifest + "[dependencies]\nkettle = \"1\"\n[dev-dependencies]\nkite = \"1\"\n", "src/lib.rs": "", "Cargo.lock": "version = 4\n[[package]]\nname = \"app\"\nversion = \"0.1.0\"\n[[package]]\nname = \"kelp\"\nversion = \"1.0.0\"\n"})
	rs := w.rust()
	for _, c := range []struct {
		project, prefix string
		limit           int
		want            string
	}{
		{"", "ki", 9, "[kiln kiln-2 kiln-door]"}, {"", "kiln", 2, "[kiln kiln-2]"}, {"", "st", 9, "[std]"}, {"", "zz", 9, "[]"}, {"", "al", 9, "[alloc]"},
		{w.project, "k", 9, "[kelp kettle kite]"}, {w.project, "", 99, "[alloc app core kelp kettle kite proc_macro std test]"}, {w.project, "ap", 9, "[app]"},
	} {
		if got := fmt.Sprint(rs.Names(c.project, c.prefix, c.limit)); got != c.want {
			t.Errorf("%q in %q: %s, want %s", c.prefix, c.project, got, c.want)
		}
	}
}
