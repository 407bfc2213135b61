package rust

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/docent-mcp/docent/internal/filetest"
)

func TestGraph(t *testing.T) {
	const registry = "\nsource = \"registry+https://github.com/rust-lang/index\"\n"
	w := newWorld(t)
	w.config("")
	filetest.Write(t, w.project, map[string]string{
		"Cargo.toml":      "[workspace]\nmembers = [\"shop\", \"till\"]\nresolver = \"2\"\n",
		"shop/Cargo.toml": "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[features]\nfast = [\"dep:speed\"]\n[dependencies]\ntill = { path = \"../till\" }\nserde = \"1\"\nspeed = { version = \"2\", optional = true }\n[target.'cfg(target_os = \"plan9\")'.dependencies]\nplan9 = \"0.1\"\n",
		"till/Cargo.toml": "[package]\nname = \"till\"\nversion = \"0.2.0\"\nedition = \"2021\"\n[dev-dependencies]\nserde = { package = \"serde\", version = \"1.0.5\" }\n",
		"Cargo.lock": "version = 4\n[[package]]\nname = \"plan9\"\nversion = \"0.1.0\"" + registry + "[[package]]\nname = \"serde\"\nversion = \"1.0.9\"" + registry + "dependencies = [\"serde_derive\"]\n" +
			"[[package]]\nname = \"serde_derive\"\nversion = \"1.0.9\"" + registry + "[[package]]\nname = \"shop\"\nversion = \"0.1.0\"\ndependencies = [\"plan9\", \"serde\", \"speed\", \"till\"]\n" +
			"[[package]]\nname = \"speed\"\nversion = \"2.0.0\"" + registry + "[[package]]\nname = \"till\"\nversion = \"0.2.0\"\ndependencies = [\"serde\"]\n",
	})
	graph := func() string {
		g, err := w.rust().Graph(context.Background(), filepath.Join(w.project, "shop"))
		if err != nil {
			t.Fatal(err)
		}
		return g.String()
	}
	// Without the manifests of all packages, what they need is not known.
	const unknown = `shop shop (shop/Cargo.toml) > till plan9 serde speed
till till (till/Cargo.toml) > serde
!plan9 0.1.0 (Cargo.lock) wanted as 0.1
!serde 1.0.9 (Cargo.lock) > serde_derive wanted as 1, 1.0.5
!serde_derive 1.0.9 (Cargo.lock)
!speed 2.0.0 (Cargo.lock) wanted as 2
`
	if got := graph(); got != unknown {
		t.Errorf("without sources: got\n%swant\n%s", got, unknown)
	}
	for name, version := range map[string]string{"plan9": "0.1.0", "serde": "1.0.9", "serde_derive": "1.0.9", "speed": "2.0.0"} {
		w.unpacked(name, version)
	}
	filetest.Write(t, filepath.Join(w.home, "registry", "src", "index.test-1949cf8c6b5b557f", "serde-1.0.9"), map[string]string{
		"Cargo.toml": "[package]\nname = \"serde\"\nversion = \"1.0.9\"\n[dependencies]\nserde_derive = { version = \"1\", optional = true }\n",
	})
	const known = `shop shop (shop/Cargo.toml) > till serde
till till (till/Cargo.toml) > serde
~plan9 0.1.0 (Cargo.lock) wanted as 0.1
serde 1.0.9 (Cargo.lock) wanted as 1, 1.0.5
~serde_derive 1.0.9 (Cargo.lock)
~speed 2.0.0 (Cargo.lock) wanted as 2
`
	if got := graph(); got != known {
		t.Errorf("with sources: got\n%swant\n%s", got, known)
	}
	if err := os.Remove(filepath.Join(w.project, "Cargo.lock")); err != nil {
		t.Fatal(err)
	}
	const unlocked = `shop shop (shop/Cargo.toml) > till plan9 serde speed
till till (till/Cargo.toml) > serde
~!plan9 (shop/Cargo.toml) wanted as 0.1
!serde (shop/Cargo.toml) wanted as 1, 1.0.5
!speed (shop/Cargo.toml) wanted as 2
`
	if got := graph(); got != unlocked {
		t.Errorf("without a lock file: got\n%swant\n%s", got, unlocked)
	}
}
