//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/docent-mcp/docent/internal/cachedir"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/golang"
	"github.com/docent-mcp/docent/internal/ecosystem/npm"
	"github.com/docent-mcp/docent/internal/ecosystem/python"
	"github.com/docent-mcp/docent/internal/ecosystem/rust"
	"github.com/docent-mcp/docent/internal/ecosystem/swift"
	"github.com/docent-mcp/docent/internal/filetest"
)

// hostileProject is a project in a language whose author replaces files by links. All strings that
// answers show contain the word visible.
type hostileProject struct {
	language string
	files    map[string]string
	packages []string // packages to request
	readme   string   // README of one of the packages
	// roots contains directories that may be links to other directories, as with pnpm, npm link, or
	// environments that several projects share.
	roots []string
}

const sitePackages = "env/.venv/lib/python3.12/site-packages/"

var hostileProjects = []hostileProject{
	{
		language: "go", packages: []string{"corp.example/app", "corp.example/app/sub", "example.com/lib", "./sub"}, readme: "README.md",
		files: map[string]string{
			"go.mod":    "module corp.example/app\n\ngo 1.26\n\nrequire example.com/lib v1.0.0 // visible\n",
			"go.sum":    "example.com/lib v1.0.0 h1:visible\n",
			"go.work":   "go 1.26\n\nuse . // visible\n",
			"README.md": "# App\n\nThe visible readme.\n\n## More visible\n\nText, visible.\n",
			"app.go":    "// Package app is visible.\npackage app\n\n// Visible is visible.\nfunc Visible() {}\n", "sub/sub.go": "// Package sub is visible.\npackage sub\n",
			"app_test.go":                     "package app\n\nfunc ExampleVisible() {\n\t// visible\n\tVisible()\n}\n",
			"vendor/modules.txt":              "# example.com/lib v1.0.0\n## explicit; go 1.26\nexample.com/lib\n",
			"vendor/example.com/lib/lib.go":   "// Package lib is visible.\npackage lib\n\n// Visible is visible.\ntype Visible struct{}\n",
			"vendor/example.com/lib/README":   "visible",
			"vendor/example.com/lib/CHANGES":  "visible",
			"vendor/example.com/lib/index.md": "# visible\n\nvisible",
		},
	},
	{
		language: "npm", packages: []string{"app", "lib", "./"}, readme: "node_modules/lib/README.md", roots: []string{"node_modules", "node_modules/lib"},
		files: map[string]string{
			"package.json":                     `{"name":"app","version":"1.0.0","types":"index.d.ts","description":"visible","dependencies":{"lib":"1.0.0"}}`,
			"package-lock.json":                `{"lockfileVersion":3,"packages":{"":{"name":"app","dependencies":{"lib":"1.0.0"}},"node_modules/lib":{"version":"1.0.0","resolved":"visible"}}}`,
			".npmrc":                           "registry=https://visible.example/\n//visible.example/:_authToken=visible\n",
			"pnpm-workspace.yaml":              "packages:\n  - visible\n",
			"index.d.ts":                       "/** It is visible. */\nexport declare const visible: 'visible';\n",
			"node_modules/lib/package.json":    `{"name":"lib","version":"1.0.0","types":"dist/index.d.ts","description":"visible"}`,
			"node_modules/lib/dist/index.d.ts": "/** It is visible. */\nexport declare function visible(): 'visible';\nexport * from './more';\n",
			"node_modules/lib/dist/more.d.ts":  "/** More visible. */\nexport declare const more: 'visible';\n",
			"node_modules/lib/README.md":       "# Lib\n\nThe visible readme.\n\n## More visible\n\nText, visible.\n",
			"node_modules/lib/CHANGELOG.md":    "# visible\n\n## 1.0.0\n\nvisible\n",
		},
	},
	{
		language: "python", packages: []string{"lib", "app"}, readme: sitePackages + "lib-1.0.0.dist-info/METADATA",
		roots: []string{"env", "env/.venv", "env/.venv/lib", "env/.venv/lib/python3.12", "env/.venv/lib/python3.12/site-packages"},
		files: map[string]string{
			"env/pyproject.toml":                          "[project]\nname = \"app\"\nversion = \"1.0.0\"\ndescription = \"visible\"\ndependencies = [\"lib\"]\n",
			"env/uv.lock":                                 "version = 1\n\n[[package]]\nname = \"lib\"\nversion = \"1.0.0\"\nsource = { registry = \"https://visible.example/simple\" }\n",
			"env/requirements.txt":                        "lib==1.0.0 # visible\n",
			"env/app/__init__.py":                         "\"\"\"It is visible.\"\"\"\n",
			"env/README.md":                               "# App\n\nThe visible readme.\n",
			"env/.python-version":                         "3.12\n",
			"env/.venv/pyvenv.cfg":                        "home = /usr/bin\nversion = 3.12.1\n",
			"env/.venv/pip.conf":                          "[global]\nindex-url = https://visible.example/simple\n",
			sitePackages + "other.pth":                    "visible\n",
			sitePackages + "lib/__init__.py":              "\"\"\"It is visible.\"\"\"\nfrom .more import *\ndef visible():\n    \"\"\"It is visible.\"\"\"\n",
			sitePackages + "lib/more.py":                  "\"\"\"More visible.\"\"\"\n__all__ = ['more']\ndef more():\n    \"\"\"It is visible.\"\"\"\n",
			sitePackages + "lib-1.0.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: lib\nVersion: 1.0.0\nSummary: About visible\n\n# Lib\n\nThe visible readme.\n",
			sitePackages + "lib-1.0.0.dist-info/RECORD":   "lib/__init__.py,,\nlib/more.py,,\nlib-1.0.0.dist-info/METADATA,,\n",
		},
	},
	{
		language: "rust", packages: []string{"app", "lib"}, readme: "README.md", roots: []string{"lib"},
		files: map[string]string{
			"Cargo.toml":         "[package]\nname = \"app\"\nversion = \"1.0.0\"\nedition = \"2021\"\nreadme = \"README.md\"\ndescription = \"visible\"\n\n[dependencies]\nlib = { path = \"lib\" }\n",
			"Cargo.lock":         "version = 4\n\n[[package]]\nname = \"app\"\nversion = \"1.0.0\"\ndependencies = [\"lib\"]\n\n[[package]]\nname = \"lib\"\nversion = \"1.0.0\"\n",
			".cargo/config.toml": "[registries.visible]\nindex = \"sparse+https://visible.example/\"\n",
			"README.md":          "# App\n\nThe visible readme.\n\n## More visible\n\nText, visible.\n",
			"src/lib.rs":         "//! It is visible.\n#![doc = include_str!(\"../README.md\")]\n/// It is visible.\npub fn visible() {}\npub mod more;\n", "src/more.rs": "//! More visible.\n",
			"lib/Cargo.toml": "[package]\nname = \"lib\"\nversion = \"1.0.0\"\nedition = \"2021\"\ndescription = \"visible\"\n",
			"lib/src/lib.rs": "//! It is visible.\n/// It is visible.\npub fn visible() {}\n", "lib/CHANGELOG.md": "# visible\n\n## 1.0.0\n\nvisible\n",
		},
	},
	{
		language: "swift", packages: []string{"App", "app"}, readme: "README.md",
		files: map[string]string{
			"Package.swift":                          "// swift-tools-version:5.9\nimport PackageDescription\nlet package = Package(name: \"App\", products: [.library(name: \"App\", targets: [\"App\"])], targets: [.target(name: \"App\")])\n// visible\n",
			"Package.resolved":                       `{"pins":[{"identity":"visible","kind":"remoteSourceControl","location":"https://visible.example/x","state":{"revision":"visible","version":"1.0.0"}}],"version":2}`,
			"README.md":                              "# App\n\nThe visible readme.\n\n## More visible\n\nText, visible.\n",
			"Sources/App/App.swift":                  "/// It is visible.\npublic func visible() {}\n",
			"Sources/App/Docs.docc/A.md":             "# Visible\n\nIt is visible.\n",
			".swiftpm/configuration/registries.json": `{"registries":{"[default]":{"url":"https://visible.example"}},"version":1}`,
		},
	},
}

// password occurs only in files outside of the project.
const password = "sesame-4711"

// seen returns everything that a language reports about a project: documentation, errors,
// dependencies, names and the facts of the doctor.
func (p *hostileProject) seen(t *testing.T, dir string) string {
	t.Helper()
	home := t.TempDir()
	o := ecosystem.Options{
		Offline: true, Cache: cachedir.New(filepath.Join(home, "docent"), cachedir.Options{}),
		Env: []string{"HOME=" + home, "PATH=" + home, "GOFLAGS=-mod=vendor", "GOSUMDB=off"},
	}
	l := map[string]func(ecosystem.Options) ecosystem.Language{
		"go":     func(o ecosystem.Options) ecosystem.Language { return golang.New(o) },
		"npm":    func(o ecosystem.Options) ecosystem.Language { return npm.New(o) },
		"python": func(o ecosystem.Options) ecosystem.Language { return python.New(o) },
		"rust":   func(o ecosystem.Options) ecosystem.Language { return rust.New(o) },
		"swift":  func(o ecosystem.Options) ecosystem.Language { return swift.New(o) },
	}[p.language](o)
	for _, below := range []string{"env"} { // the project of an environment is in a directory that can be a link
		if info, err := os.Stat(filepath.Join(dir, below)); err == nil && info.IsDir() {
			dir = filepath.Join(dir, below)
		}
	}
	var b strings.Builder
	add := func(v any, err error) {
		text, failed := json.Marshal(v)
		if failed != nil {
			t.Fatal(failed)
		}
		fmt.Fprintf(&b, "%s\n%v\n", text, err)
	}
	for _, name := range p.packages {
		for _, module := range []string{name, filepath.Join(dir, "sub")} {
			add(ecosystem.Describe(t.Context(), l, ecosystem.Query{Package: module, ProjectDir: dir}, nil))
		}
	}
	if lister, ok := l.(ecosystem.Lister); ok {
		add(lister.Dependencies(dir))
	}
	add(l.Names(dir, "", 100), nil)
	add(l.Doctor(dir), nil)
	return strings.ReplaceAll(b.String(), dir, "")
}

// lay writes the project and returns its directory. The directory above it contains files of the
// user.
func (p *hostileProject) lay(t *testing.T) (outside, dir string) {
	t.Helper()
	outside = t.TempDir()
	dir = filepath.Join(outside, "clone")
	filetest.Write(t, dir, p.files)
	filetest.Write(t, dir, map[string]string{".git/HEAD": "ref: refs/heads/main\n"})
	return outside, dir
}

// TestLinks_OutOfAProject replaces each file and directory of a project by a link to one of the
// user's files or directories.
func TestLinks_OutOfAProject(t *testing.T) {
	for _, p := range hostileProjects {
		t.Run(p.language, func(t *testing.T) {
			_, dir := p.lay(t)
			if text := p.seen(t, dir); strings.Count(text, "visible") < 4 || !strings.Contains(text, "visible readme") {
				t.Fatalf("an answer without links shows too little for this test:\n%s", text)
			}
			directories := map[string]bool{}
			for _, name := range slices.Sorted(maps.Keys(p.files)) {
				t.Run(name, func(t *testing.T) { p.linkFile(t, name) })
				for above := filepath.Dir(name); above != "."; above = filepath.Dir(above) {
					directories[above] = true
				}
			}
			for _, name := range slices.Sorted(maps.Keys(directories)) {
				if !slices.Contains(p.roots, name) {
					t.Run(name, func(t *testing.T) { p.linkDirectory(t, name) })
				}
			}
		})
	}
}

func (p *hostileProject) linkFile(t *testing.T, name string) {
	text := strings.ReplaceAll(p.files[name], "visible", password)
	if text == p.files[name] {
		text += "\n" + password + "\n"
	}
	for _, content := range []string{password + "\n" + password + " = " + password + "\n", text} {
		for _, absolute := range []bool{false, true} {
			outside, dir := p.lay(t)
			filetest.Write(t, outside, map[string]string{"private": content})
			target, err := filepath.Rel(filepath.Dir(filepath.Join(dir, name)), filepath.Join(outside, "private"))
			if err != nil {
				t.Fatal(err)
			}
			if absolute {
				target = filepath.Join(outside, "private")
			}
			p.replace(t, dir, name, func(path string) error { return os.Symlink(target, path) })
			if output := p.seen(t, dir); strings.Contains(output, password) {
				t.Errorf("the text of a file outside is shown:\n%s", around(output, password))
			}
		}
	}
	for _, special := range []func(path string) error{
		func(path string) error { return os.Symlink("/dev/zero", path) },
		func(path string) error { return os.Symlink(filepath.Base(path), path) },
		func(path string) error { return syscall.Mkfifo(path, 0o600) },
	} {
		_, dir := p.lay(t)
		p.replace(t, dir, name, special)
		p.seen(t, dir) // this call would block
	}
}

func (p *hostileProject) linkDirectory(t *testing.T, name string) {
	outside, dir := p.lay(t)
	for file, text := range p.files {
		if below, ok := strings.CutPrefix(file, name+"/"); ok {
			filetest.Write(t, filepath.Join(outside, "private"), map[string]string{below: strings.ReplaceAll(text, "visible", password)})
		}
	}
	if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(outside, "private"), filepath.Join(dir, name)); err != nil {
		t.Fatal(err)
	}
	if output := p.seen(t, dir); strings.Contains(output, password) {
		t.Errorf("the text of a directory outside is shown:\n%s", around(output, password))
	}
}

func (p *hostileProject) replace(t *testing.T, dir, name string, with func(path string) error) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := with(path); err != nil {
		t.Fatal(err)
	}
}

// around returns the part of a text that contains a word.
func around(text, word string) string {
	i := strings.Index(text, word)
	return text[max(0, i-200):min(len(text), i+200)]
}

// TestLinks_WithinAProject uses links to files in the same package, which are followed.
func TestLinks_WithinAProject(t *testing.T) {
	for _, p := range hostileProjects {
		t.Run(p.language, func(t *testing.T) {
			_, dir := p.lay(t)
			readme := filepath.Join(dir, p.readme)
			if err := os.Rename(readme, readme+".real"); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(filepath.Base(readme)+".real", readme); err != nil {
				t.Fatal(err)
			}
			if text := p.seen(t, dir); !strings.Contains(text, "visible readme") {
				t.Errorf("the link was not followed:\n%s", text)
			}
		})
	}
}
