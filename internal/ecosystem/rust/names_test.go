package rust

import (
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/filetest"
)

// TestDependencies_Sizes checks that the estimated size of a package includes those of its dependencies,
// which may form a cycle.
func TestDependencies_Sizes(t *testing.T) {
	w := newWorld(t)
	host := strings.TrimPrefix(w.server.URL, "http://")
	host = host[:strings.LastIndexByte(host, ':')]
	files := map[string]string{}
	for name, size := range map[string]int{"facade": 10, "large": 1000, "leaf": 100} {
		files["registry/cache/"+host+"-0123/"+name+"-1.0.0.crate"] = strings.Repeat("x", size)
	}
	filetest.Write(t, w.home, files)
	filetest.Write(t, w.project, map[string]string{
		"Cargo.toml": "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[dependencies]\nfacade = \"1\"\n",
		"Cargo.lock": "version = 4\n[[package]]\nname = \"app\"\nversion = \"0.1.0\"\ndependencies = [\"facade\"]\n" +
			lockedPackage("facade", "large", "leaf") + lockedPackage("large", "leaf") + lockedPackage("leaf", "facade") + lockedPackage("absent", "leaf"),
		"src/lib.rs": "",
	})
	all, err := w.rust().Dependencies(w.project)
	if err != nil {
		t.Fatal(err)
	}
	sizes := map[string]int64{}
	for _, d := range all {
		sizes[d.Package] = d.Size
	}
	if len(sizes) != 4 || sizes["facade"] <= sizes["large"] || sizes["large"] != 1100 || sizes["leaf"] != 100 || sizes["absent"] != 100 {
		t.Errorf("sizes %v", sizes)
	}
}

// lockedPackage returns the entry of a package in a lock file.
func lockedPackage(name string, dependencies ...string) string {
	return "[[package]]\nname = \"" + name + "\"\nversion = \"1.0.0\"\nsource = \"" + lockedSource + "\"\ndependencies = [\"" + strings.Join(dependencies, "\", \"") + "\"]\n"
}
