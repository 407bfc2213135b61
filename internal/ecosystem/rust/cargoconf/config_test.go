package cargoconf

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/docent-mcp/docent/internal/environ"
	"github.com/docent-mcp/docent/internal/filetest"
)

func TestConfigurationOfEveryLevel(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	filetest.Write(t, home, map[string]string{
		"config.toml": "[net]\noffline = true\n[build]\ntarget = \"a\"\n[registries.one]\nindex = \"sparse+https://one.example/\"\n[http]\nproxy = \"user\"\n",
	})
	filetest.Write(t, dir, map[string]string{
		".cargo/config.toml":     "[build]\ntarget = \"b\"\n[http]\ncainfo = \"certs/ca.pem\"\n",
		"sub/.cargo/config":      "[build]\ntarget = [\"c\", \"d\"]\n",
		"sub/.cargo/config.toml": "= broken",
	})
	c := Read(environ.Parse([]string{"CARGO_HOME=" + home, "CARGO_HTTP_PROXY=from-a-variable"}), filepath.Join(dir, "sub"))
	if c.BuildTarget() != "c" || !c.Offline() || c.Proxy() != "from-a-variable" || c.Certificates() != filepath.Join(dir, "certs", "ca.pem") || len(c.Problems) > 0 {
		t.Errorf("target %s, offline %v, proxy %s, certificates %s, problems %q", c.BuildTarget(), c.Offline(), c.Proxy(), c.Certificates(), c.Problems)
	}
	if s, ok := c.Named("one"); !ok || s.Index != "https://one.example/" || !s.Sparse || !s.User {
		t.Errorf("registry %+v", s)
	}
	if c := Read(environ.Parse([]string{"CARGO_HOME=" + home}), dir); c.BuildTarget() != "b" {
		t.Errorf("target %s above", c.BuildTarget())
	}
	if err := os.Remove(filepath.Join(dir, "sub", ".cargo", "config")); err != nil {
		t.Fatal(err)
	}
	if c := Read(environ.Parse([]string{"CARGO_HOME=" + home}), filepath.Join(dir, "sub")); len(c.Problems) != 1 {
		t.Errorf("a broken file: problems %q", c.Problems)
	}
}

func TestSourceReplacement(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	filetest.Write(t, home, map[string]string{"config.toml": `[source.crates-io]
replace-with = "mirror"
[source.mirror]
registry = "sparse+https://mirror.example/index/"
[source."git+https://git.example/x"]
git = "https://git.example/x"
replace-with = "vendored"
[source.vendored]
directory = "vendor"
[source.loop-a]
registry = "https://loop.example"
replace-with = "loop-b"
[source.loop-b]
registry = "https://loop-b.example"
replace-with = "loop-a"
`})
	c := Read(environ.Parse([]string{"CARGO_HOME=" + home}), dir)
	if s, ok := c.SourceOf("registry+https://github.com/rust-lang/an-index"); !ok || s.Index != "https://mirror.example/index/" || !s.Replaced {
		t.Errorf("the default registry: %+v", s)
	}
	if s, ok := c.SourceOf("git+https://git.example/x?branch=main#0123"); !ok || s.Directory != filepath.Join(filepath.Dir(home), "vendor") {
		t.Errorf("a vendored git repository: %+v", s)
	}
	if _, ok := c.SourceOf("git+https://git.example/y#0123"); ok {
		t.Error("a git repository is replaced by nothing")
	}
	if s, ok := c.SourceOf("sparse+https://other.example/"); !ok || s.Index != "https://other.example/" || !s.Sparse || s.User {
		t.Errorf("another registry: %+v", s)
	}
	c.SourceOf("registry+https://loop.example") // This checks that the lookup of a loop ends.
}

func FuzzConfig(f *testing.F) {
	f.Add([]byte("[source.crates-io]\nreplace-with = \"a\"\n[source.a]\ndirectory = \"vendor\"\n[registries.m]\nindex = \"sparse+https://m.example/\"\ntoken = 1\n"))
	f.Fuzz(func(_ *testing.T, data []byte) {
		t, err := Parse(data)
		if err != nil {
			return
		}
		c := &Config{files: []file{{path: "config.toml", base: "/", table: t}}, credentials: file{table: t}}
		for _, name := range append(c.Registries(), "crates-io", "a") {
			s, _ := c.Named(name)
			c.CredentialFor(s)
			c.Providers(s)
			c.SourceOf("registry+" + s.Index)
		}
		c.Offline()
		c.BuildTarget()
		c.Paths()
	})
}
