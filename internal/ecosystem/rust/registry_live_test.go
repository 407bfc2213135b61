package rust

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/filetest"
)

// TestCargoAndDocentInAPrivateRegistry uses a registry on loopback first with cargo, to
// verify the registry itself, and then with docent. The cases include a token, a yanked
// release, a redirect to another host and a wrong checksum.
func TestCargoAndDocentInAPrivateRegistry(t *testing.T) {
	w, fetch := liveWorld(t)
	w.token = "secret-token"
	w.config("[registry]\nglobal-credential-providers = [\"cargo:token\"]\n[registries.mine]\nindex = \"sparse+" + w.server.URL + "/\"\n")
	w.publish("private", "1.0.0", "", nil)
	w.publish("private", "1.1.0", "", nil)
	w.index["private"] = yank(w.index["private"], "1.1.0")
	filetest.Write(t, w.project, map[string]string{"Cargo.toml": "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[dependencies]\nprivate = { version = \"1\", registry = \"mine\" }\n", "src/lib.rs": ""})
	ask := ecosystem.Query{Package: "private", ProjectDir: w.project}
	if err := fetch(); err == nil {
		t.Fatal("cargo fetches without a token")
	}
	if e := w.failure(ask); e.Reason != ecosystem.Refused {
		t.Errorf("without a token: %s: %v", e.Reason, e)
	}
	filetest.Write(t, w.home, map[string]string{"credentials.toml": "[registries.mine]\ntoken = \"secret-token\"\n"})
	if p, err := ecosystem.Describe(t.Context(), w.rust(), ask, nil); err != nil || p.Version != "1.0.0" {
		t.Errorf("before there is a Cargo.lock: %v, %v", p, err)
	}
	if err := fetch(); err != nil {
		t.Fatal(err)
	}
	describe := func(what, source string) {
		t.Helper()
		p, err := ecosystem.Describe(t.Context(), w.rust(), ask, nil)
		if err != nil || p.Version != "1.0.0" || p.Provenance.Source != source || p.Provenance.ChosenBy != "Cargo.lock of app" {
			t.Errorf("%s: %+v, %v", what, p, err)
		}
	}
	describe("what cargo has fetched", "cargo registry")
	forget := func() {
		t.Helper()
		if err := os.RemoveAll(filepath.Join(w.home, "registry")); err != nil {
			t.Fatal(err)
		}
	}
	forget()
	describe("what docent downloads", "registry")
	other := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "" {
			t.Errorf("another host got the token of %s", r.UserAgent())
		}
		_, _ = out.Write(w.crates["private/1.0.0"])
	}))
	t.Cleanup(other.Close)
	w.moved = other.URL
	describe("a redirect to another host", "registry")
	w.crates["private/1.0.0"] = filetest.TarGz(t, "private-1.0.0/", map[string]string{"Cargo.toml": "", "src/lib.rs": "pub fn evil() {}"})
	if err := fetch(); err == nil || !strings.Contains(err.Error(), "checksum") {
		t.Errorf("cargo says of another checksum: %v", err)
	}
	forget()
	if e := w.failure(ask); !strings.Contains(e.What, "sha256 that Cargo.lock says") {
		t.Errorf("another checksum: %v", e)
	}
}

// TestAGitIndexIsReadOfWhatCargoKeeps checks that docent reads what cargo has stored
// from a registry whose index is a git repository. Docent cannot use such an index
// itself.
func TestAGitIndexIsReadOfWhatCargoKeeps(t *testing.T) {
	w, fetch := liveWorld(t)
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed, which makes the index of this test; to run it, install git")
	}
	w.publish("indexed", "1.0.0", "", nil)
	index := filepath.Join(t.TempDir(), "index")
	filetest.Write(t, index, map[string]string{"config.json": `{"dl": "` + w.server.URL + `/dl"}`, "in/de/indexed": w.index["indexed"]})
	for _, args := range [][]string{{"init", "-q", "-b", "master"}, {"add", "."}, {"-c", "user.name=a", "-c", "user.email=a@b.example", "commit", "-q", "-m", "All"}} {
		git := exec.CommandContext(t.Context(), "git", args...)
		git.Dir = index
		if out, err := git.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	w.config("[registries.mine]\nindex = \"file://" + filepath.ToSlash(index) + "\"\n")
	filetest.Write(t, w.project, map[string]string{"Cargo.toml": "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[dependencies]\nindexed = { version = \"1\", registry = \"mine\" }\n", "src/lib.rs": ""})
	ask := ecosystem.Query{Package: "indexed", ProjectDir: w.project}
	if e := w.failure(ask); !strings.Contains(e.Error(), "is a git repository, which docent does not support") || !strings.Contains(e.Next, "cargo fetch") {
		t.Errorf("before cargo has it: %v", e)
	}
	if err := fetch(); err != nil {
		t.Fatal(err)
	}
	if p, err := ecosystem.Describe(t.Context(), w.rust(), ask, nil); err != nil || p.Version != "1.0.0" || p.Provenance.Source != "cargo registry" {
		t.Errorf("what cargo has fetched: %+v, %v", p, err)
	}
}

// liveWorld returns a registry and a function that has cargo fetch what the project
// depends on.
func liveWorld(t *testing.T) (w *world, fetch func() error) {
	t.Helper()
	if os.Getenv("DOCENT_LIVE") == "" {
		t.Skip("DOCENT_LIVE is not set, and this test downloads crates with the settings of cargo; to run it, set DOCENT_LIVE=1")
	}
	program, err := exec.LookPath("cargo")
	if err != nil {
		t.Skip("cargo is not installed, which judges the results of this test; to run it, install Rust")
	}
	w = newWorld(t)
	return w, func() error {
		command := exec.CommandContext(t.Context(), program, "fetch")
		command.Dir, command.Env = w.project, append(os.Environ(), "CARGO_HOME="+w.home, "CARGO_HTTP_PROXY=", "CARGO_NET_RETRY=0", "http_proxy=", "HTTP_PROXY=", "no_proxy=127.0.0.1")
		_, err := command.Output()
		if err != nil {
			return fmt.Errorf("cargo fetch: %w: %s", err, stderrOf(err))
		}
		return nil
	}
}

// yank marks a release in the text of an index file as yanked.
func yank(index, version string) string {
	var b strings.Builder
	for line := range strings.Lines(index) {
		if strings.Contains(line, `"vers": "`+version+`"`) {
			line = strings.Replace(line, `"yanked": false`, `"yanked": true`, 1)
		}
		b.WriteString(line)
	}
	return b.String()
}
