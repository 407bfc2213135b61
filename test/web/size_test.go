package web

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
)

// maxHTML is the maximum size of the HTML of a page, compressed, in bytes.
const maxHTML = 100_000

// words returns words that do not compress well.
func words(random *rand.Rand, n int) string {
	const letters = "abcdefghijklmnopqrstuvwxyz"
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(' ')
		}
		for range 3 + random.IntN(8) {
			b.WriteByte(letters[random.IntN(len(letters))])
		}
	}
	return b.String()
}

// largeProject writes a project whose dependencies in five languages have thousands of functions and
// types, each with its own name, parameters and documentation, and long READMEs.
func largeProject(t *testing.T) string {
	t.Helper()
	const (
		python  = ".venv/lib/python3.12/site-packages/"
		symbols = 3000 // of each kind
	)
	random := rand.New(rand.NewPCG(1, 2))
	var golang, npm, py, rust, swift strings.Builder
	golang.WriteString("// Package large has much.\npackage large\n\n")
	py.WriteString("\"\"\"Has much.\"\"\"\n")
	rust.WriteString("//! Has much.\n")
	for range symbols {
		name := strings.ReplaceAll(words(random, 2), " ", "_")
		upper := strings.ToUpper(name[:1]) + name[1:]
		says, parameters := words(random, 12), strings.Fields(words(random, 3))
		fmt.Fprintf(&golang, "// %[1]s %[2]s.\nfunc %[1]s(%[3]s string, %[4]s int) error { return nil }\n\n// T%[1]s %[2]s.\ntype T%[1]s struct{ %[5]s int }\n\n", upper, says, "a"+parameters[0], "b"+parameters[1], strings.ToUpper(parameters[2]))
		fmt.Fprintf(&npm, "/** %[2]s. */\nexport declare function %[1]s(%[3]s: string, %[4]s: number): void;\n/** %[2]s. */\nexport interface T%[1]s { %[5]s: number }\n", upper, says, "a"+parameters[0], "b"+parameters[1], "c"+parameters[2])
		fmt.Fprintf(&py, "def f%[1]s(a%[3]s: str, b%[4]s: int = 3) -> None:\n    \"\"\"%[2]s.\"\"\"\nclass T%[1]s:\n    \"\"\"%[2]s.\"\"\"\n    c%[5]s: int = 3\n", name, says, parameters[0], parameters[1], parameters[2])
		fmt.Fprintf(&rust, "/// %[2]s.\npub fn f%[1]s(a%[3]s: &str, b%[4]s: u32) {}\n/// %[2]s.\npub struct T%[1]s { pub c%[5]s: u32 }\n", name, says, parameters[0], parameters[1], parameters[2])
		fmt.Fprintf(&swift, "/// %[2]s.\npublic func f%[1]s(a%[3]s: String, b%[4]s: Int = 3) {}\n/// %[2]s.\npublic struct T%[1]s { public var c%[5]s: Int }\n", name, says, parameters[0], parameters[1], parameters[2])
	}
	// One type has very many members.
	fmt.Fprint(&npm, "/** Has many members. */\nexport interface Wide {\n")
	for range symbols {
		fmt.Fprintf(&npm, "  /** %s. */\n  %s(%s: string): void;\n", words(random, 12), strings.ReplaceAll(words(random, 3), " ", "_"), words(random, 1))
	}
	npm.WriteString("}\n/** ")
	for range 500 { // the longest comment of all
		npm.WriteString(words(random, 60) + "\n\n")
	}
	npm.WriteString("*/\nexport declare function talk(): void;\n")
	var readme strings.Builder
	readme.WriteString("# Large\n\n")
	for range 4000 {
		fmt.Fprintf(&readme, "## %s\n\n%s **%s** `%s`.\n\n", words(random, 3), words(random, 30), words(random, 2), words(random, 1))
	}
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{
		"go.mod":                                  "module example.com/size\n\ngo 1.26\n\nrequire example.com/large v1.0.0\n",
		"main.go":                                 "package main\n\nimport _ \"example.com/large\"\n\nfunc main() {}\n",
		"vendor/modules.txt":                      "# example.com/large v1.0.0\n## explicit\nexample.com/large\n",
		"vendor/example.com/large/large.go":       golang.String(),
		"package.json":                            `{"name":"size","dependencies":{"large":"1"}}`,
		"node_modules/large/package.json":         `{"name":"large","version":"1.0.0","types":"i.d.ts"}`,
		"node_modules/large/i.d.ts":               npm.String(),
		"node_modules/large/README.md":            readme.String(),
		"pyproject.toml":                          "[project]\nname = \"size\"\nversion = \"1.0.0\"\ndependencies = [\"large\"]\n",
		"requirements.txt":                        "large==1.0.0\n",
		".venv/pyvenv.cfg":                        "home = /usr/bin\nversion = 3.12.1\n",
		python + "large/__init__.py":              py.String(),
		python + "large-1.0.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: large\nVersion: 1.0.0\n\n" + readme.String(),
		python + "large-1.0.0.dist-info/RECORD":   "large/__init__.py,,\nlarge-1.0.0.dist-info/METADATA,,\n",
		"Cargo.toml":                              "[package]\nname = \"size\"\nversion = \"1.0.0\"\nedition = \"2021\"\n\n[dependencies]\nlarge = { path = \"large\" }\n",
		"Cargo.lock":                              "version = 4\n\n[[package]]\nname = \"size\"\nversion = \"1.0.0\"\ndependencies = [\"large\"]\n\n[[package]]\nname = \"large\"\nversion = \"1.0.0\"\n",
		"src/lib.rs":                              "",
		"large/Cargo.toml":                        "[package]\nname = \"large\"\nversion = \"1.0.0\"\nedition = \"2021\"\n",
		"large/README.md":                         readme.String(),
		"large/src/lib.rs":                        rust.String(),
		"Package.swift":                           "// swift-tools-version:5.9\nimport PackageDescription\nlet package = Package(name: \"Large\", products: [.library(name: \"Large\", targets: [\"Large\"])], targets: [.target(name: \"Large\")])\n",
		"README.md":                               readme.String(),
		"Sources/Large/Large.swift":               swift.String(),
	})
	return dir
}

func TestSize_OfLargePackages(t *testing.T) {
	own := serve(t, largeProject(t))
	for _, path := range []string{
		"/", "/-/search?q=large", "/go/example.com/large@v1.0.0/", "/npm/large@1.0.0/", "/npm/large@1.0.0/Wide", "/npm/large@1.0.0/talk", "/npm/large@1.0.0/-/doc/README.md", "/python/large@1.0.0/", "/rust/large@project/", "/swift/Large@project/",
		"/go/example.com/large@v1.0.0/-/source/large.go", "/npm/large@1.0.0/-/source/i.d.ts", "/python/large@1.0.0/-/source/large/__init__.py", "/rust/large@project/-/source/src/lib.rs", "/swift/Large@project/-/source/Sources/Large/Large.swift",
	} {
		response, err := http.Get(own + path)
		if err != nil {
			t.Fatal(err)
		}
		page, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil || response.StatusCode != http.StatusOK {
			t.Errorf("%s: %s, %v", path, response.Status, err)
			continue
		}
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		_, _ = w.Write(page)
		_ = w.Close()
		t.Logf("%s: %d bytes, %d when compressed", path, len(page), packed.Len())
		if packed.Len() > maxHTML {
			t.Errorf("%s: %d bytes when compressed", path, packed.Len())
		}
	}
}
