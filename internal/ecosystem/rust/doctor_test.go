package rust

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/filetest"
)

func makeExecutable(t *testing.T, file string) {
	t.Helper()
	if err := os.Chmod(file, 0o755); err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
}

// TestDoctor checks the facts about registries, tokens, toolchains and projects. Tokens are never shown.
func TestDoctor(t *testing.T) {
	w := newWorld(t)
	rustup := t.TempDir()
	w.env = append(w.env, "RUSTUP_HOME="+rustup, "CARGO_REGISTRIES_VARIABLE_TOKEN=s3cret")
	filetest.Write(t, rustup, map[string]string{"toolchains/1.90.0-" + hostTriple() + "/lib/rustlib/src/rust/library/std/Cargo.toml": "", "toolchains/1.90.0-" + hostTriple() + "/lib/rustlib/src/rust/library/std/src/lib.rs": ""})
	config := `[source.crates-io]
replace-with = "mirror"
[source.mirror]
registry = "sparse+https://mirror.test/index/"
[registries.tokened]
index = "sparse+https://me:s3cret@tokened.test/"
[registries.variable]
index = "sparse+https://variable.test/"
[registries.provided]
index = "sparse+https://provided.test/"
credential-provider = ["cargo:token-from-stdout", "cat"]
[registries.plain]
index = "sparse+https://plain.test/"
`
	w.config(config)
	filetest.Write(t, w.home, map[string]string{"credentials.toml": "[registries.tokened]\ntoken = \"s3cret\"\n"})
	filetest.Write(t, w.project, map[string]string{
		"Cargo.toml": "[workspace]\nmembers = [\"a\", \"b\"]\nresolver = \"2\"\n", "a/Cargo.toml": strings.Replace(appManifest, "app", "a", 1), "b/Cargo.toml": strings.Replace(appManifest, "app", "b", 1), "a/src/lib.rs": "", "b/src/lib.rs": "",
		"Cargo.lock": "version = 4\n[[package]]\nname = \"a\"\nversion = \"0.1.0\"\n[[package]]\nname = \"b\"\nversion = \"0.1.0\"\n", "rust-toolchain.toml": "[toolchain]\nchannel = \"1.90.0\"\n",
	})
	facts := func(project string) string {
		var b strings.Builder
		for _, f := range w.rust().Doctor(project) {
			fmt.Fprintf(&b, "%s: %s ! %s\n", f.Name, f.Value, f.Problem)
		}
		if strings.Contains(b.String(), "s3cret") {
			t.Errorf("a token is shown:\n%s", b.String())
		}
		return b.String()
	}
	check := func(name, got string, want ...string) {
		t.Helper()
		for _, line := range want {
			if !strings.Contains(got, line) {
				t.Errorf("%s: no %q in\n%s", name, line, got)
			}
		}
	}
	settings := filepath.Join(w.home, "config.toml")
	check("a workspace", facts(w.project),
		"crates registry: https://mirror.test/index/, from "+settings+", without a token ! \n",
		"crates registry plain: https://plain.test/, from "+settings+", without a token ! \n",
		"crates registry tokened: ", ", with a token ("+filepath.Join(w.home, "credentials.toml"),
		"crates registry variable: https://variable.test/, from "+settings+", with a token (", "CARGO_REGISTRIES_VARIABLE_TOKEN",
		"crates registry provided: https://provided.test/, from "+settings+", without a token; docent does not run credential providers (",
		"Rust toolchain: 1.90.0", ", chosen by ", "rust-toolchain.toml", "standard library: "+filepath.Join(rustup, "toolchains"),
		"crates of cargo: "+filepath.Join(w.home, "registry")+" (does not exist yet) ! \n", "cargo configuration: "+settings,
		"a workspace of 2 packages ! \n", "its versions: from Cargo.lock, for 2 packages; features from resolver 2, for "+hostTriple())
	filetest.Write(t, w.project, map[string]string{"rust-toolchain.toml": "[toolchain]\nchannel = \"1.2.3\"\n"})
	check("a toolchain that is missing", facts(w.project), "1.2.3", " (not installed), chosen by ", "its sources are not installed; docent needs them to read std, core and alloc; run rustup component add rust-src")
	check("no project", facts(t.TempDir()), "Rust project: ", "no Cargo.toml in this directory or any above it")
	if got := facts(""); strings.Contains(got, "Rust project") {
		t.Errorf("without a directory, a project is shown:\n%s", got)
	}
	check("no lock file", facts(filetest.Dir(t, map[string]string{"Cargo.toml": appManifest, "src/lib.rs": ""})), "Rust project: app in ", "its versions: from Cargo.toml; there is no Cargo.lock")
	check("a manifest that is cut off", facts(filetest.Dir(t, map[string]string{"Cargo.toml": "[package\nname"})), "Rust project: ", "it cannot be read: ", "crates registry: https://mirror.test/index/")
	w.config("[source.crates-io]\nreplace-with = \"v\"\n[source.v]\ndirectory = \"/vendored\"\n")
	check("a directory", facts(""), "crates registry: replaced by the directory /vendored, as configured in "+settings)
	w.config("[source.crates-io]\nreplace-with = \"v\"\n[source.v]\nlocal-registry = \"/local\"\n")
	check("a local registry", facts(""), "crates registry: replaced by the local registry /local, as configured in "+settings)
	w.config("[source.crates-io\n")
	check("settings that are cut off", facts(""), "cargo configuration: ", settings+" is ignored: it is not valid TOML")
}
