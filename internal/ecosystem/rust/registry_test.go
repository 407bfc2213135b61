package rust

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/filetest"
)

func TestTheNewestReleaseOfARegistry(t *testing.T) {
	w := newWorld(t)
	w.publish("my-crate", "1.2.0", "", nil)
	w.publish("my-crate", "1.3.0", `, "rust_version": "1.99"`, nil)
	w.publish("my-crate", "1.4.0", `, "yanked": true`, nil)
	w.publish("my-crate", "2.0.0-rc.1", "", nil)
	w.publish("my-crate", "0.9.1", "", nil)
	w.index["my-crate"] = strings.ReplaceAll(w.index["my-crate"], `"yanked": false, "yanked": true`, `"yanked": true`)
	filetest.Write(t, w.project, map[string]string{"Cargo.toml": "[package]\nname = \"app\"\nversion = \"0.1.0\"\nrust-version = \"1.80\"\n", "src/lib.rs": ""})
	for _, tt := range []struct{ name, version, project, want string }{
		{"my-crate", "", "", "1.3.0"},
		{"my_crate", "", "", "1.3.0"}, // This is the name in code.
		{"my-crate", "", w.project, "1.2.0"},
		{"my-crate", "1.2", "", "1.3.0"},
		{"my-crate", "~1.2", "", "1.2.0"},
		{"my-crate", "<1", "", "0.9.1"},
		{"my-crate", "1.4.0", "", "1.4.0"}, // This version is yanked, but explicitly requested.
		{"my-crate", ">=2.0.0-rc", "", "2.0.0-rc.1"},
		{"my-crate", "latest", "", "1.3.0"},
	} {
		p, err := ecosystem.Describe(t.Context(), w.rust(), ecosystem.Query{Package: tt.name, Version: tt.version, ProjectDir: tt.project}, nil)
		if err != nil {
			t.Errorf("%s %s: %v", tt.name, tt.version, err)
			continue
		}
		if p.Version != tt.want || p.Name != "my_crate" || p.Module != "my-crate" || p.Provenance.Integrity != "sha256 of the registry's index" || len(p.Symbols) != 1 {
			t.Errorf("%s %s: got %s %s, %+v, %d symbols; want %s", tt.name, tt.version, p.Name, p.Version, p.Provenance, len(p.Symbols), tt.want)
		}
	}
}

// failure describes a crate and returns the resulting error.
func (w *world) failure(q ecosystem.Query) *ecosystem.Error {
	w.t.Helper()
	_, err := ecosystem.Describe(w.t.Context(), w.rust(), q, nil)
	failed, ok := errors.AsType[*ecosystem.Error](err)
	if !ok {
		w.t.Fatalf("got %v, want an error that says what to do", err)
	}
	return failed
}

func TestADownloadWithAnotherChecksum(t *testing.T) {
	w := newWorld(t)
	w.publish("a", "1.0.0", "", nil)
	w.crates["a/1.0.0"] = filetest.TarGz(t, "a-1.0.0/", map[string]string{"Cargo.toml": "", "src/lib.rs": "pub fn evil() {}"})
	if e := w.failure(ecosystem.Query{Package: "a"}); e.Reason != ecosystem.Unreadable || !strings.Contains(e.What, "does not match the sha256 that the registry's index gives") {
		t.Errorf("got %s: %v", e.Reason, e)
	}
}

func TestTheTokenOfARegistry(t *testing.T) {
	w := newWorld(t)
	w.token = "secret-token"
	w.config("[registries.mine]\nindex = \"sparse+" + w.server.URL + "/\"\n")
	w.publish("private", "1.0.0", "", nil)
	filetest.Write(t, w.project, map[string]string{"Cargo.toml": "[package]\nname = \"app\"\nversion = \"0.1.0\"\n[dependencies]\nprivate = { version = \"1\", registry = \"mine\" }\n", "src/lib.rs": ""})
	ask := ecosystem.Query{Package: "private", ProjectDir: w.project}
	if e := w.failure(ask); e.Reason != ecosystem.Refused || !strings.Contains(e.Error(), "CARGO_REGISTRIES_MINE_TOKEN") {
		t.Errorf("without a token: %s: %v", e.Reason, e)
	}
	filetest.Write(t, w.home, map[string]string{"credentials.toml": "[registries.mine]\ntoken = \"wrong-token\"\n"})
	if e := w.failure(ask); e.Reason != ecosystem.Refused || !strings.Contains(e.Error(), "credentials.toml") || strings.Contains(e.Error(), "wrong-token") {
		t.Errorf("with a wrong token: %s: %v", e.Reason, e)
	}
	filetest.Write(t, w.home, map[string]string{"credentials.toml": "[registries.mine]\ntoken = \"secret-token\"\n"})
	p, err := ecosystem.Describe(t.Context(), w.rust(), ask, nil)
	if err != nil || p.Version != "1.0.0" {
		t.Fatalf("with the token: %v, %v", p, err)
	}
	if !slices.Contains(w.requests, "/dl/private/1.0.0/download with a token") {
		t.Errorf("the download had no token: %q", w.requests)
	}
}

func TestATokenIsKeptFromARegistryThatOnlyTheProjectNames(t *testing.T) {
	w := newWorld(t)
	w.token = "secret-token"
	w.publish("private", "1.0.0", "", nil)
	filetest.Write(t, w.home, map[string]string{"credentials.toml": "[registries.mine]\ntoken = \"secret-token\"\n"})
	filetest.Write(t, w.project, map[string]string{
		".cargo/config.toml": "[registries.mine]\nindex = \"sparse+" + w.server.URL + "/\"\n",
		"Cargo.toml":         "[package]\nname = \"app\"\nversion = \"0.1.0\"\n[dependencies]\nprivate = { version = \"1\", registry = \"mine\" }\n", "src/lib.rs": "",
	})
	if e := w.failure(ecosystem.Query{Package: "private", ProjectDir: w.project}); e.Reason != ecosystem.Refused || !strings.Contains(e.Next, "is not sent") {
		t.Errorf("got %s: %v", e.Reason, e)
	}
	for _, a := range w.requests {
		if strings.Contains(a, "token") {
			t.Errorf("the token was sent: %s", a)
		}
	}
}

func TestATokenIsNotSentWhereARegistryRedirects(t *testing.T) {
	w := newWorld(t)
	var leaked []string
	other := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "" {
			leaked = append(leaked, r.URL.Path)
		}
		_, _ = out.Write(w.crates["private/1.0.0"])
	}))
	t.Cleanup(other.Close)
	w.token, w.moved = "secret-token", other.URL
	w.config("[registries.mine]\nindex = \"sparse+" + w.server.URL + "/\"\n")
	w.env = append(w.env, "CARGO_REGISTRIES_MINE_TOKEN=secret-token")
	w.publish("private", "1.0.0", "", nil)
	filetest.Write(t, w.project, map[string]string{"Cargo.toml": "[package]\nname = \"app\"\nversion = \"0.1.0\"\n[dependencies]\nprivate = { version = \"1\", registry = \"mine\" }\n", "src/lib.rs": ""})
	if p, err := ecosystem.Describe(t.Context(), w.rust(), ecosystem.Query{Package: "private", ProjectDir: w.project}, nil); err != nil || p.Version != "1.0.0" {
		t.Errorf("got %v, %v", p, err)
	}
	if len(leaked) > 0 {
		t.Errorf("another host got the token: %q", leaked)
	}
}

func TestCredentialProvidersAreNotRun(t *testing.T) {
	w := newWorld(t)
	w.token = "secret-token"
	w.config("[registries.mine]\nindex = \"sparse+" + w.server.URL + "/\"\ncredential-provider = [\"cargo-credential-vault\", \"--flag\"]\n")
	filetest.Write(t, w.project, map[string]string{"Cargo.toml": "[package]\nname = \"app\"\nversion = \"0.1.0\"\n[dependencies]\nprivate = { version = \"1\", registry = \"mine\" }\n", "src/lib.rs": ""})
	if e := w.failure(ecosystem.Query{Package: "private", ProjectDir: w.project}); !strings.Contains(e.Next, "docent does not run credential providers (cargo-credential-vault") {
		t.Errorf("got %v", e)
	}
}

func TestWhatCargoKeepsIsWholeAndVerified(t *testing.T) {
	w := newWorld(t)
	w.publish("a", "1.0.0", "", nil)
	w.index["a"] += strings.Replace(strings.ReplaceAll(w.index["a"], "1.0.0", "1.9.0"), "}\n", ", \"v\": 9}\n", 1) // This line has a newer format.
	filetest.Write(t, w.project, map[string]string{
		"Cargo.toml": "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[dependencies]\na = \"1\"\n", "src/lib.rs": "",
	})
	ask := ecosystem.Query{Package: "a", ProjectDir: w.project}
	if p, err := ecosystem.Describe(t.Context(), w.rust(), ask, nil); err != nil || p.Version != "1.0.0" {
		t.Errorf("a release in a newer format: %v, %v", p, err)
	}
	filetest.Write(t, w.project, map[string]string{
		"Cargo.lock": strings.Replace(lockOf("a 1.0.0"), "an-index\"\n", "an-index\"\nchecksum = \""+strings.Repeat("0", 64)+"\"\n", 1),
	})
	filetest.Write(t, w.home, map[string]string{
		"registry/cache/127.0.0.1-0123/a-1.0.0.crate":    string(w.crates["a/1.0.0"]),
		"registry/src/127.0.0.1-0123/a-1.0.0/Cargo.toml": "[package]\nname = \"a\"\nversion = \"1.0.0\"\n",
		"registry/src/127.0.0.1-0123/a-1.0.0/src/lib.rs": "pub fn half_unpacked() {}\n",
	})
	if e := w.failure(ask); e.Reason != ecosystem.Unreadable || !strings.Contains(e.What, "does not match the sha256 that Cargo.lock gives") {
		t.Errorf("a .crate with another checksum, sources without .cargo-ok: %v", e)
	}
	filetest.Write(t, w.home, map[string]string{"registry/src/127.0.0.1-0123/a-1.0.0/.cargo-ok": ""})
	if p, err := ecosystem.Describe(t.Context(), w.rust(), ask, nil); err != nil || len(p.Symbols) != 1 || p.Symbols[0].Path != "half_unpacked" {
		t.Errorf("unpacked sources: %+v, %v", p, err)
	}
}

func TestHostileCrates(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"a name that leads out":     {"../../evil": "x"},
		"another package's name":    {"Cargo.toml": "[package]\nname = \"other\"\nversion = \"1.0.0\"\n"},
		"a manifest that is a link": {"Cargo.toml": "-> ../../../etc/passwd"},
	} {
		w := newWorld(t)
		w.publish("a", "1.0.0", "", files)
		if e := w.failure(ecosystem.Query{Package: "a"}); e.Reason != ecosystem.Unreadable || strings.Contains(e.Error(), "root:") {
			t.Errorf("%s: got %s: %v", name, e.Reason, e)
		}
	}
}

func TestACrateThatIsNotThere(t *testing.T) {
	w := newWorld(t)
	if e := w.failure(ecosystem.Query{Package: "nothing"}); e.Reason != ecosystem.NotFound {
		t.Errorf("got %s: %v", e.Reason, e)
	}
	for _, name := range []string{"", "a b", "../x", "tokio::", "1x::y", "a::b-c"} {
		if _, err := ecosystem.Describe(t.Context(), w.rust(), ecosystem.Query{Package: name}, nil); err == nil {
			t.Errorf("%q is a crate", name)
		}
	}
}
