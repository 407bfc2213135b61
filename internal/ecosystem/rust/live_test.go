package rust

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/filetest"
	"github.com/docent-mcp/docent/internal/project/cargo"
)

// publishedPrograms are programs in the registry whose packages contain a Cargo.lock.
var publishedPrograms = []string{"ripgrep", "bat", "fd-find", "hyperfine", "tokei", "just", "zoxide", "eza", "du-dust", "mdbook"}

// TestCargoAgreesOnVersionsAndFeatures compares docent's results with those of cargo
// tree and cargo metadata: the features of every package, and the version and the
// directory of every dependency of every member.
func TestCargoAgreesOnVersionsAndFeatures(t *testing.T) {
	if os.Getenv("DOCENT_LIVE") == "" {
		t.Skip("DOCENT_LIVE is not set, and this test downloads crates; to run it, set DOCENT_LIVE=1")
	}
	program, err := exec.LookPath("cargo")
	if err != nil {
		t.Skip("cargo is not installed, which judges the results of this test; to run it, install Rust")
	}
	for name, files := range liveProjects {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			filetest.Write(t, dir, files)
			project := filepath.Join(dir, "project")
			cargoAgrees(t, program, project)
		})
	}
	for _, name := range publishedPrograms {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), name)
			if err := os.CopyFS(dir, os.DirFS(published(t, program, name))); err != nil {
				t.Fatal(err)
			}
			cargoAgrees(t, program, dir)
		})
	}
	t.Run("vendored sources", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "project")
		filetest.Write(t, dir, map[string]string{
			"Cargo.toml": "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[dependencies]\nsemver = { version = \"1\", default-features = false }\nmd-5 = \"0.10\"\n",
			"src/lib.rs": "",
		})
		filetest.Write(t, dir, map[string]string{".cargo/config.toml": string(runCargo(t, program, dir, "vendor"))})
		cargoAgrees(t, program, dir)
	})
	t.Run("a git repository", func(t *testing.T) {
		if _, err := exec.LookPath("git"); err != nil {
			t.Skip("git is not installed, which makes the repository of this test; to run it, install git")
		}
		parent := t.TempDir()
		repository := filepath.Join(parent, "repository")
		filetest.Write(t, repository, map[string]string{
			"Cargo.toml":     "[workspace]\nmembers = [\"a\", \"b\"]\n[workspace.package]\nversion = \"2.0.0\"\n",
			"a/Cargo.toml":   "[package]\nname = \"git-a\"\nversion.workspace = true\nedition = \"2021\"\n[features]\ndefault = [\"std\"]\nstd = [\"git-b/std\"]\n[dependencies]\ngit-b = { path = \"../b\", default-features = false }\n",
			"a/src/lib.rs":   "",
			"b/Cargo.toml":   "[package]\nname = \"git-b\"\nversion = \"0.2.0\"\nedition = \"2021\"\n[features]\nstd = []\nmore = []\n",
			"b/src/lib.rs":   "",
			"README.md":      "Two packages.\n",
			".gitattributes": "* -text\n",
		})
		for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=a", "-c", "user.email=a@b.example", "commit", "-q", "-m", "All"}} {
			git := exec.CommandContext(t.Context(), "git", args...)
			git.Dir = repository
			if out, err := git.CombinedOutput(); err != nil {
				t.Fatalf("git %v: %v\n%s", args, err, out)
			}
		}
		dir := filepath.Join(parent, "project")
		filetest.Write(t, dir, map[string]string{
			"Cargo.toml": "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[dependencies]\ngit-a = { git = \"file://" + filepath.ToSlash(repository) + "\" }\nother = { package = \"git-b\", git = \"file://" + filepath.ToSlash(repository) + "\", features = [\"more\"] }\n",
			"src/lib.rs": "",
		})
		cargoAgrees(t, program, dir)
	})
}

func runCargo(t *testing.T, program, dir string, args ...string) []byte {
	t.Helper()
	command := exec.CommandContext(t.Context(), program, args...)
	command.Dir = dir
	out, err := command.Output()
	if err != nil {
		t.Fatalf("cargo %v: %v\n%s", args, err, stderrOf(err))
	}
	return out
}

func stderrOf(err error) string {
	if failed, ok := err.(*exec.ExitError); ok { //nolint:errorlint // as exec returns it
		return string(failed.Stderr)
	}
	return ""
}

// published has cargo download the newest release of a package and returns the
// directory of its sources.
func published(t *testing.T, program, name string) string {
	t.Helper()
	out := string(runCargo(t, program, t.TempDir(), "info", "--quiet", name))
	_, version, _ := strings.Cut(out, "version: ")
	version = strings.Fields(version)[0]
	home := os.Getenv("CARGO_HOME")
	if home == "" {
		user, err := os.UserHomeDir()
		if err != nil {
			t.Fatal(err)
		}
		home = filepath.Join(user, ".cargo")
	}
	dirs, err := filepath.Glob(filepath.Join(home, "registry", "src", "*", name+"-"+version))
	if err != nil || len(dirs) == 0 {
		t.Fatalf("cargo has no sources of %s %s in %s", name, version, home)
	}
	return dirs[0]
}

// cargoMetadata is the output of cargo metadata.
type cargoMetadata struct {
	Packages []struct {
		ID, Name, Version string
		ManifestPath      string `json:"manifest_path"`
	}
	Members []string `json:"workspace_members"`
	Resolve struct {
		Nodes []struct {
			ID   string
			Deps []struct {
				Name     string
				Pkg      string
				DepKinds []struct{ Kind, Target *string } `json:"dep_kinds"`
			}
		}
	}
}

// featuresInTree returns the sets of features that cargo tree shows for every package,
// by name and version.
func featuresInTree(t *testing.T, program, dir string) map[string]map[string]bool {
	t.Helper()
	out := runCargo(t, program, dir, "tree", "--workspace", "-e", "normal,build,dev", "--prefix", "none", "--no-dedupe", "-f", "{p}|{f}")
	all := map[string]map[string]bool{}
	for line := range strings.Lines(string(out)) {
		rest, features, ok := strings.Cut(strings.TrimSuffix(strings.TrimSpace(line), " (*)"), "|")
		if !ok {
			continue
		}
		words := strings.Fields(rest)
		addFeatures(all, words[0]+" "+strings.TrimPrefix(words[1], "v"), strings.FieldsFunc(features, func(r rune) bool { return r == ',' }))
	}
	return all
}

func addFeatures(all map[string]map[string]bool, key string, features []string) {
	if all[key] == nil {
		all[key] = map[string]bool{}
	}
	all[key][strings.Join(slices.Sorted(slices.Values(features)), ",")] = true
}

// addUnits adds the features with which cargo would compile packages. cargo tree shows
// only one of two compilations of a package whose own features are equal, and only what
// that one depends on.
func addUnits(t *testing.T, program, dir string, m *cargoMetadata, all map[string]map[string]bool) {
	t.Helper()
	command := exec.CommandContext(t.Context(), program, "test", "--workspace", "--all-targets", "--unit-graph", "-Z", "unstable-options")
	command.Dir, command.Env = dir, append(os.Environ(), "RUSTC_BOOTSTRAP=1")
	out, err := command.Output()
	if err != nil {
		t.Fatalf("cargo test --unit-graph: %v\n%s", err, stderrOf(err))
	}
	var graph struct {
		Units []struct {
			PkgID    string `json:"pkg_id"`
			Features []string
		}
	}
	if err := json.Unmarshal(out, &graph); err != nil {
		t.Fatal(err)
	}
	_, keys := m.index()
	for _, u := range graph.Units {
		if keys[u.PkgID] == "" {
			t.Fatalf("cargo metadata does not have %s", u.PkgID)
		}
		addFeatures(all, keys[u.PkgID], u.Features)
	}
}

// index returns the directory of each package and its name and version, by ID.
func (m *cargoMetadata) index() (dirs, keys map[string]string) {
	dirs, keys = map[string]string{}, map[string]string{}
	for _, p := range m.Packages {
		dirs[p.ID], keys[p.ID] = filepath.Dir(p.ManifestPath), p.Name+" "+p.Version
	}
	return dirs, keys
}

// cargoAgrees compares docent's results for a project with cargo's.
func cargoAgrees(t *testing.T, program, dir string) {
	t.Helper()
	want := featuresInTree(t, program, dir)
	var m cargoMetadata
	if err := json.Unmarshal(runCargo(t, program, dir, "metadata", "--format-version", "1", "--filter-platform", hostTriple()), &m); err != nil {
		t.Fatal(err)
	}
	addUnits(t, program, dir, &m, want)
	f, err := New(ecosystem.Options{}).newFinder(question{project: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer f.close()
	features := f.resolve()
	got := map[string]map[string]bool{}
	for i, p := range f.project.Lock.Packages {
		for _, host := range []bool{false, true} {
			if m := f.manifestOf(i); m != nil && m.Lib.ProcMacro && !host && f.project.Resolver() > 1 {
				continue // compiled only for the host
			}
			if on, ok := features.Enabled(cargo.Unit{Package: i, Host: host}); ok {
				addFeatures(got, p.Name+" "+p.Version, on)
			}
		}
	}
	for key := range want {
		if !maps.Equal(got[key], want[key]) {
			t.Errorf("%s: features %q, cargo says %q", key, slices.Sorted(maps.Keys(got[key])), slices.Sorted(maps.Keys(want[key])))
		}
	}
	for key := range got {
		// With resolver 1, cargo also enables features for dependencies that only other
		// targets use, but does not show those dependencies.
		if want[key] == nil && f.project.Resolver() > 1 {
			t.Errorf("%s is used, cargo says that it is not", key)
		}
	}
	if len(features.Unknown) > 0 {
		t.Errorf("the manifests of %d packages are unknown", len(features.Unknown))
	}
	t.Logf("the features of %d packages and the versions of %d dependencies", len(want), cargoChooses(t, &m, want))
}

// cargoChooses compares the packages that docent chooses for the dependencies of every
// member with cargo metadata, and returns the number of dependencies. want contains the
// features of the packages.
func cargoChooses(t *testing.T, m *cargoMetadata, want map[string]map[string]bool) (count int) {
	t.Helper()
	dirs, keys := m.index()
	for _, n := range m.Resolve.Nodes {
		if !slices.Contains(m.Members, n.ID) {
			continue
		}
		seen := map[string]string{}
		for _, d := range n.Deps {
			normal := slices.ContainsFunc(d.DepKinds, func(k struct{ Kind, Target *string }) bool { return k.Kind == nil })
			if normal || seen[d.Name] == "" {
				seen[d.Name] = d.Pkg
			}
		}
		for name, id := range seen {
			count++
			f, err := New(ecosystem.Options{}).newFinder(question{project: dirs[n.ID], crate: name})
			if err != nil {
				t.Fatal(err)
			}
			l, err := f.find(t.Context())
			switch {
			case err != nil:
				t.Errorf("%s of %s: %v", name, keys[n.ID], err)
			case l.name+" "+l.version != keys[id]:
				t.Errorf("%s of %s is %s %s, cargo says %s", name, keys[n.ID], l.name, l.version, keys[id])
			case l.dir != dirs[id]:
				t.Errorf("%s of %s is in %s, cargo says %s", name, keys[n.ID], l.dir, dirs[id])
			case !want[keys[id]][strings.Join(l.features, ",")]:
				t.Errorf("%s of %s has features %q, cargo says %q", name, keys[n.ID], l.features, slices.Sorted(maps.Keys(want[keys[id]])))
			}
			f.close()
		}
	}
	return count
}
