package web

import (
	"bufio"
	"context"
	"encoding/base64"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// command is the path of docent, built from the sources beside this module.
var command string

func TestMain(m *testing.M) {
	if os.Getenv("INSPECTED") != "" { // The command docent mcp ui started this program as a server.
		if err := inspected(); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	dir, err := os.MkdirTemp("", "docent-web")
	if err != nil {
		panic(err)
	}
	command = filepath.Join(dir, "docent")
	build := exec.Command("go", "build", "-o", command, "./cmd/docent")
	build.Dir = filepath.Join("..", "..")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// evil is what documentation tries in order to do more than to be read.
const evil = `<script>window.evil=1</script><img src=x onerror="window.evil=1"><a href="javascript:window.evil=1">link</a>` +
	`<svg onload="window.evil=1"><animate onbegin="window.evil=1" attributeName=x dur=1s></svg><style>main{display:none}</style>` +
	`<iframe srcdoc="<script>parent.evil=1</script>"></iframe><form id=find><input name=q id=q></form><p id=main>clobber</p><base href="https://evil.example/">` +
	`<meta http-equiv=refresh content="0;url=https://evil.example/"><img src="https://evil.example/pixel.gif" alt="pixel"><link rel=stylesheet href="https://evil.example/x.css">` +
	"\n\n[click](javascript:window.evil=1) ![pixel](https://evil.example/p.gif) a\u202eb\n\n"

// pixels is a PNG image of four pixels.
const pixels = "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR4nGP4z8AARAwQCgAf7gP9i18U1AAAAABJRU5ErkJggg=="

// image returns the bytes of pixels.
func image(t *testing.T) string {
	t.Helper()
	data, err := base64.StdEncoding.DecodeString(pixels)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

const (
	// chart is an image that only draws, and trap one that tries more.
	chart = `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="30"><style>.a{fill:green}</style><rect class="a" width="60" height="30"/></svg>`
	trap  = `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="30" onload="window.evil=1"><script>window.evil=1</script><image href="https://evil.example/x.png" width="9" height="9"/></svg>`
)

// writeFiles writes files with their contents into a directory.
func writeFiles(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, content := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// project writes a project in five languages whose packages have types, functions and prose.
func project(t *testing.T) string {
	t.Helper()
	const python = ".venv/lib/python3.12/site-packages/"
	readme := "# till\n\n![Logo](logo.png) <img src=\"./art/chart%20'1'.svg\" alt=Chart width=40> [![Trap](art/trap.svg)](https://example.com) ![Secret](../../secret.png) ![Fake](fake.png)\n\nCounts **coins**, see `Till`.\n\n" + evil + "## Use\n\n```js\nconst t = open()\n```\n\n| option | what |\n|---|---|\n| slow | counts twice |\n\n[The guide](docs/guide.md)\n\n### Details\n\n> Quoted.\n"
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{
		"go.mod":                                 "module example.com/atelier\n\ngo 1.26\n\nrequire example.com/drawer v1.2.3\n",
		"main.go":                                "package main\n\nimport \"example.com/drawer/lock\"\n\nfunc main() { lock.Open(nil) }\n",
		"vendor/modules.txt":                     "# example.com/drawer v1.2.3\n## explicit\nexample.com/drawer\nexample.com/drawer/lock\n",
		"vendor/example.com/drawer/README.md":    "# Drawer\n\nA drawer for everything that has no other place.\n\n![Open](art/open.png) ![Elsewhere](../../../secret.png)\n",
		"vendor/example.com/drawer/art/open.png": image(t),
		"vendor/example.com/drawer/drawer.go": "// Package drawer keeps things.\n//\n// # Use\n//\n// Make one with [New].\npackage drawer\n\n// A Drawer holds things.\ntype Drawer struct {\n\t// Label is written on the front.\n\tLabel string\n}\n\n" +
			"// New makes a drawer.\n//\n// Deprecated: Use Make.\nfunc New() *Drawer { return nil }\n\n// Push pushes.\nfunc (d *Drawer) Push(hard bool) error { return nil }\n\n// Limit is how much it holds.\nconst Limit = 3\n",
		"vendor/example.com/drawer/lock/lock.go": "// Package lock opens drawers.\npackage lock\n\nimport \"example.com/drawer\"\n\n// Open opens a drawer, see [drawer.Drawer.Push].\nfunc Open(d *drawer.Drawer) error { return nil }\n",
		"package.json":                           `{"name":"atelier","dependencies":{"till":"1"}}`,
		"node_modules/till/package.json":         `{"name":"till","version":"1.0.0","description":"Counts coins.","types":"i.d.ts"}`,
		"node_modules/till/i.d.ts": "export interface Options { slow?: boolean }\n/** Counts. " + strings.ReplaceAll(evil, "*/", "") + " */\nexport declare class Till { count(o: Options, twice?: boolean): number; count(all: string[]): number }\n" +
			"/** Opens `Till`.\n * @example\n * open({slow: true})\n */\nexport declare function open(o: Options, mode?: \"fast\" | \"slow\"): Till\n",
		"node_modules/till/README.md":             readme,
		"secret.png":                              image(t),
		"node_modules/till/logo.png":              image(t),
		"node_modules/till/fake.png":              evil,
		"node_modules/till/art/chart '1'.svg":     chart,
		"node_modules/till/art/trap.svg":          trap,
		"node_modules/till/docs/guide.md":         "# Guide\n\n## Use\n\nOpen it.\n",
		"pyproject.toml":                          "[project]\nname = \"atelier\"\nversion = \"1.0.0\"\ndependencies = [\"easel\"]\n",
		"requirements.txt":                        "easel==2.0.0\n",
		".venv/pyvenv.cfg":                        "home = /usr/bin\nversion = 3.12.1\n",
		python + "easel/__init__.py":              "\"\"\"Holds pictures.\n\n" + evil + "\"\"\"\nclass Frame:\n    \"\"\"A frame.\"\"\"\n    def wide(self) -> bool: ...\nclass Picture(Frame):\n    \"\"\"A picture.\"\"\"\n    def json(self) -> str:\n        \"\"\"As JSON.\"\"\"\n\ndef hang(picture: Picture, /, *, height: int = 2) -> None:\n    \"\"\"Hang a picture.\"\"\"\n",
		python + "easel-2.0.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: easel\nVersion: 2.0.0\nSummary: Holds pictures\nDescription-Content-Type: text/markdown\n\n# Easel\n\nIt stands. ![Oak](easel/oak.png) ![Elsewhere](../../../../secret.png)\n",
		python + "easel/oak.png":                  image(t),
		python + "easel-2.0.0.dist-info/RECORD":   "easel/__init__.py,,\neasel/oak.png,,\neasel-2.0.0.dist-info/METADATA,,\n",
		"Cargo.toml":                              "[package]\nname = \"atelier\"\nversion = \"1.0.0\"\nedition = \"2021\"\n\n[dependencies]\nbrush = { path = \"brush\" }\n",
		"Cargo.lock":                              "version = 4\n\n[[package]]\nname = \"atelier\"\nversion = \"1.0.0\"\ndependencies = [\"brush\"]\n\n[[package]]\nname = \"brush\"\nversion = \"1.0.0\"\n",
		"src/lib.rs":                              "//! The atelier.\n",
		"brush/Cargo.toml":                        "[package]\nname = \"brush\"\nversion = \"1.0.0\"\nedition = \"2021\"\n",
		"brush/README.md":                         "# Brush\n\nPaints walls, doors and fences.\n\n<img src=\"/hair.png\" alt=\"Hair\"> ![Elsewhere](../secret.png)\n",
		"brush/hair.png":                          image(t),
		"brush/src/lib.rs":                        "//! Brushes.\n/// A brush.\npub struct Brush<T> { pub width: T }\nimpl<T> Brush<T> {\n/// Dips it.\npub fn dip(&self, into: &Pot) -> bool { true }\n}\n/// A pot.\npub struct Pot;\n",
		"README.md":                               "# Kiln\n\nFires pots, bowls and tiles.\n\n![Glow](art/glow.svg) ![Elsewhere](../secret.png)\n",
		"art/glow.svg":                            chart,
		"Package.swift":                           "// swift-tools-version:5.9\nimport PackageDescription\nlet package = Package(name: \"Kiln\", products: [.library(name: \"Kiln\", targets: [\"Kiln\"])], targets: [.target(name: \"Kiln\")])\n",
		"Sources/Kiln/Kiln.swift":                 "/// A pot.\npublic struct Pot { public var clay: String }\n/// Fires pots.\npublic actor Kiln {\n  /// Fires pots.\n  public func fire(_ pots: [Pot], until stage: Int = 3) async throws -> Bool { true }\n}\n",
	})
	return dir
}

// pages are pages of each kind, and of each language.
var pages = []struct{ name, path string }{
	{"start", "/"},
	{"Go package", "/go/example.com/drawer@v1.2.3/"},
	{"Go type", "/go/example.com/drawer@v1.2.3/Drawer"},
	{"Go function", "/go/example.com/drawer/lock@v1.2.3/Open"},
	{"standard library", "/go/net/http@project/"},
	{"npm package", "/npm/till@1.0.0/"},
	{"npm class", "/npm/till@1.0.0/Till"},
	{"npm function", "/npm/till@1.0.0/open"},
	{"guide", "/npm/till@1.0.0/-/doc/docs/guide.md"},
	{"source", "/go/example.com/drawer@v1.2.3/-/source/drawer.go"},
	{"hostile source", "/npm/till@1.0.0/-/source/i.d.ts"},
	{"source in parts", "/go/net/http@project/-/source/net/http/server.go"},
	{"Python package", "/python/easel@2.0.0/"},
	{"Python class", "/python/easel@2.0.0/Picture"},
	{"Rust package", "/rust/brush@project/"},
	{"Rust method", "/rust/brush@project/Brush::dip"},
	{"Swift package", "/swift/Kiln@project/"},
	{"Swift type", "/swift/Kiln@project/Kiln"},
	{"search", "/-/search?q=open"},
	{"missing", "/npm/till@1.0.0/missing"},
}

// serve runs docent web for a project until the test ends, and returns its address.
func serve(t *testing.T, dir string) string {
	t.Helper()
	return start(t, " at ", "web", "--addr", "127.0.0.1:0", "--project", dir, "--offline")
}

// start runs docent until the test ends, and returns the address behind a text in the first
// line of its standard error.
func start(t *testing.T, before string, arguments ...string) string {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cmd := exec.CommandContext(ctx, command, arguments...)
	cmd.Env = append(os.Environ(), "DOCENT_CACHE="+t.TempDir())
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(stderr).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	_, address, ok := strings.Cut(strings.TrimSpace(line), before)
	if !ok {
		t.Fatalf("docent %s says %q", arguments[0], line)
	}
	return strings.TrimSuffix(address, "/")
}
