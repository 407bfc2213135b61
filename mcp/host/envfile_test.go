package host

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/mcp"
)

func TestParseEnvFile(t *testing.T) {
	for text, want := range map[string]map[string]string{
		"":                               {},
		"# nothing\n\n":                  {},
		"A=1\r\nexport B = two words ":   {"A": "1", "B": "two words"},
		"\uFEFFA=x # comment\nB=x#y\nC=": {"A": "x", "B": "x#y", "C": ""},
		`A="a # \"b\" \$c\n\x\\" # d`:    {"A": "a # \"b\" $c\n\\x\\"},
		`A='a \n "b"'`:                   {"A": `a \n "b"`},
		"A=1\nA=2":                       {"A": "2"},
		"URL=https://h/?a=b":             {"URL": "https://h/?a=b"},
	} {
		if got, err := parseEnvFile(text); err != nil || !maps.Equal(got, want) {
			t.Errorf("%q is read as %q, %v", text, got, err)
		}
	}
	for _, text := range []string{"A", "=secret", "A B=secret", `A="secret`, `A='secret' more`, "A=secret\x00"} {
		if got, err := parseEnvFile("X=1\n" + text); err == nil || !strings.Contains(err.Error(), "line 2") || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q is read as %q, error %v", text, got, err)
		}
	}
}

func TestEnvFile(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, ".env"), []byte("A=file\nB=file\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	servers, err := ParseConfig([]byte(`{"servers":{"s":{"command":"x","cwd":"${ROOT}","envFile":"${FILE}","env":{"B":"config"}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{".env", filepath.Join(dir, ".env")} {
		values := map[string]string{"ROOT": dir, "FILE": file}
		c, err := servers[0].Expand(func(name string) (string, bool) { v, ok := values[name]; return v, ok })
		if err != nil {
			t.Fatal(err)
		}
		transport, err := c.Transport()
		if err != nil {
			t.Fatal(err)
		}
		if got := transport.(*mcp.CommandTransport).Env; !slices.Equal(got, []string{"A=file", "B=config"}) {
			t.Errorf("%s: the environment is %q", file, got)
		}
	}
	large := filepath.Join(dir, "large")
	if err := os.WriteFile(large, make([]byte, maxEnvFileBytes+1), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"missing", ".", large} {
		if _, err := (ServerConfig{Name: "s", Command: "x", Dir: dir, EnvFile: file}).Transport(); err == nil || !strings.Contains(err.Error(), `envFile of server "s"`) {
			t.Errorf("%s: error %v", file, err)
		}
	}
}

// FuzzParseEnvFile checks that parsed variables form a valid environment.
func FuzzParseEnvFile(f *testing.F) {
	f.Add("A=1\nexport B=\"two\\n\" # x\nC='three'")
	f.Fuzz(func(t *testing.T, text string) {
		variables, err := parseEnvFile(text)
		if err != nil {
			return
		}
		for name, value := range variables {
			if name == "" || strings.ContainsAny(name, "=\x00") || strings.ContainsRune(value, 0) {
				t.Errorf("%q=%q", name, value)
			}
		}
	})
}
