package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestConfig_Check(t *testing.T) {
	dir := t.TempDir()
	keys, file := filepath.Join(dir, "keys.json"), filepath.Join(dir, "docent.toml")
	if code, _, stderr := runDocent("token", "create", "alice", "--keys", keys); code != exitOK {
		t.Fatal(stderr)
	}
	check := func(text string) (int, string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		code, out, stderr := runDocent("config", "check", file)
		return code, out + stderr
	}
	good := "http = \"0.0.0.0:8443\"\nkeys = '" + keys + "'\nrate = 5\nallowed_host = [\"docs.example.com\"]\nstateless = true\n[groups.payments]\nprojects = ['" + dir + "']\n"
	if code, out := check(good); code != exitOK || !strings.Contains(out, "5 settings, 1 group") {
		t.Errorf("%d %s", code, out)
	}
	if code, out := check("postgres = 'postgres://db/docent'\n" + good); code != exitOK {
		t.Errorf("a setting of docent-team: %d %s", code, out)
	}
	if code, _, stderr := runDocent("serve", "--config", file); code == exitOK || !strings.Contains(stderr, "postgres is a setting of docent-team") {
		t.Errorf("%d %s", code, stderr)
	}
	for text, want := range map[string]string{
		"http = \"0.0.0.0:8443\"":        "needs authentication",
		"htp = \"x\"":                    `no setting "htp"`,
		"config = \"x\"":                 `no setting "config"`,
		"stateless = \"perhaps\"":        "stateless",
		"rate = [\"1\", \"2\"]":          "one value",
		"trusted_proxy = [\"proxy\"]":    "--trusted-proxy",
		"keys = \"" + file + ".none\"":   "cannot be read",
		"memory = \"little\"":            "not a size",
		"[groups.a]\nprojects=[\"src\"]": "absolute",
	} {
		if code, out := check(text); code == exitOK || !strings.Contains(out, want) {
			t.Errorf("%s: %d %s, want %q", text, code, out, want)
		}
	}
	t.Setenv("DOCENT_SERVE_KEYS", keys) // variables take precedence over the file
	if code, out := check("http = \"0.0.0.0:8443\"\nkeys = \"/none\""); code != exitOK {
		t.Errorf("%d %s", code, out)
	}
	t.Setenv("DOCENT_SERVE_STATELESS", "perhaps")
	if code, out := check(good); code == exitOK || !strings.Contains(out, "DOCENT_SERVE_STATELESS") {
		t.Errorf("%d %s", code, out)
	}
}
