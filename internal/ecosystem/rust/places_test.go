package rust

import (
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/filetest"
)

func TestWhereCargoKeepsSources(t *testing.T) {
	w := newWorld(t)
	w.config("")
	manifest := func(name, version string) string {
		return "[package]\nname = \"" + name + "\"\nversion = \"" + version + "\"\nedition = \"2021\"\n"
	}
	filetest.Write(t, w.home, map[string]string{
		"registry/src/index.example-1949cf8c6b5b557f/kept-1.0.0/Cargo.toml":       manifest("kept", "1.0.0"),
		"registry/src/index.example-1949cf8c6b5b557f/kept-1.0.0/.cargo-ok":        "{}",
		"registry/src/index.example-1949cf8c6b5b557f/kept-1.0.0/src/lib.rs":       "",
		"registry/cache/index.example-1949cf8c6b5b557f/packed-1.0.0.crate":        string(filetest.TarGz(t, "packed-1.0.0/", map[string]string{"Cargo.toml": manifest("packed", "1.0.0"), "src/lib.rs": ""})),
		"git/checkouts/tools-0011223344556677/0123456/Cargo.toml":                 "[workspace]\nmembers = [\"crates/*\"]\n[workspace.package]\nversion = \"0.5.0\"\n",
		"git/checkouts/tools-0011223344556677/0123456/crates/inner/Cargo.toml":    "[package]\nname = \"inner\"\nversion.workspace = true\n",
		"git/checkouts/tools-0011223344556677/0123456/crates/inner/src/lib.rs":    "",
		"registry/src/other.example-0011223344556677/elsewhere-1.0.0/Cargo.toml":  manifest("elsewhere", "1.0.0"),
		"registry/src/other.example-0011223344556677/elsewhere-1.0.0/.cargo-ok":   "{}",
		"registry/src/other.example-0011223344556677/elsewhere-1.0.0/src/lib.rs":  "",
		"registry/src/index.example-1949cf8c6b5b557f/unpacking-1.0.0/Cargo.toml":  manifest("unpacking", "1.0.0"),
		"registry/cache/index.example-1949cf8c6b5b557f/unpacking-1.0.0.crate":     string(filetest.TarGz(t, "unpacking-1.0.0/", map[string]string{"Cargo.toml": manifest("unpacking", "1.0.0"), "src/lib.rs": ""})),
		"registry/cache/index.example-1949cf8c6b5b557f/unrelated-file-1.0.0.part": "",
	})
	outside := t.TempDir()
	filetest.Write(t, outside, map[string]string{"Cargo.toml": manifest("beside", "0.2.0"), "src/lib.rs": ""})
	filetest.Write(t, w.project, map[string]string{
		"Cargo.toml": manifest("app", "0.1.0") + "[dependencies]\nbeside = { path = '" + outside + "' }\n",
		"src/lib.rs": "",
		"Cargo.lock": lockOf("kept 1.0.0", "packed 1.0.0", "unpacking 1.0.0") +
			"[[package]]\nname = \"inner\"\nversion = \"0.5.0\"\nsource = \"git+https://git.example/team/tools.git?branch=main#0123456789abcdef\"\n" +
			"[[package]]\nname = \"beside\"\nversion = \"0.2.0\"\n" +
			"[[package]]\nname = \"elsewhere\"\nversion = \"1.0.0\"\nsource = \"sparse+https://other.example/index/\"\n",
	})
	rs := w.rust()
	for name, source := range map[string]string{
		"kept": "cargo registry", "packed": "cargo registry", "unpacking": "cargo registry", "elsewhere": "cargo registry",
		"inner": "git checkout", "beside": "path dependency", "app": "workspace",
	} {
		p, err := ecosystem.Describe(t.Context(), rs, ecosystem.Query{Package: name, ProjectDir: w.project}, nil)
		if err != nil || p.Provenance.Source != source || p.Name != name {
			t.Errorf("%s: %+v, %v; want it of the %s", name, p, err, source)
		}
	}
}
