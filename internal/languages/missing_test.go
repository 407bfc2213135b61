package languages

import (
	"context"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/fetch"
	"github.com/docent-mcp/docent/internal/filetest"
)

// TestMissing_ProjectRelease looks for packages that a project uses and that are not on this machine.
func TestMissing_ProjectRelease(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	filetest.Write(t, dir, map[string]string{
		"go/go.mod":             "module example.com/app\n\ngo 1.26\n\nrequire example.com/lib v1.2.3\n\nreplace example.com/old v1.0.0 => example.com/fork v1.0.1\n\nrequire example.com/old v1.0.0\n",
		"go/main.go":            "package main\n",
		"npm/package.json":      `{"name":"app","version":"1.0.0","dependencies":{"axios":"^1.0.0","other":"npm:real@~2.1","loose":"^3.0.0"}}`,
		"npm/package-lock.json": `{"name":"app","lockfileVersion":3,"packages":{"":{"name":"app","dependencies":{"axios":"^1.0.0","other":"npm:real@~2.1"}},"node_modules/axios":{"version":"1.7.2","integrity":"sha512-` + strings.Repeat("A", 86) + `=="},"node_modules/other":{"name":"real","version":"2.1.5"}}}`,
		"python/pyproject.toml": "[project]\nname = \"app\"\nversion = \"1\"\ndependencies = [\"PyYAML\", \"opencv-python-headless\", \"ranged>=2,<3\"]\n",
		"python/uv.lock":        "version = 1\nrequires-python = \">=3.10\"\n[[package]]\nname = \"app\"\nversion = \"1\"\nsource = { virtual = \".\" }\ndependencies = [{ name = \"pyyaml\" }, { name = \"opencv-python-headless\" }]\n[[package]]\nname = \"pyyaml\"\nversion = \"6.0.1\"\nsource = { registry = \"https://index.example.com/simple\" }\n[[package]]\nname = \"opencv-python-headless\"\nversion = \"4.9.0\"\nsource = { registry = \"https://index.example.com/simple\" }\n",
		"rust/Cargo.toml":       "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[dependencies]\ntokio = \"1\"\n",
		"rust/src/lib.rs":       "",
		"rust/Cargo.lock":       "version = 4\n[[package]]\nname = \"app\"\nversion = \"0.1.0\"\ndependencies = [\"tokio\"]\n[[package]]\nname = \"tokio\"\nversion = \"1.38.0\"\nsource = \"sparse+https://index.example.com/\"\nchecksum = \"" + strings.Repeat("ab", 32) + "\"\n",
		"swift/Package.swift":   "// swift-tools-version:5.9\nimport PackageDescription\nlet package = Package(name: \"app\", dependencies: [.package(url: \"https://git.example.com/acme/parts.git\", from: \"1.0.0\"), .package(url: \"https://git.example.com/acme/loose\", from: \"2.0.0\")])\n",
		"swift/Package.resolved": `{"version":2,"pins":[{"identity":"parts","kind":"remoteSourceControl","location":"https://git.example.com/acme/parts.git","state":{"revision":"` +
			strings.Repeat("0a", 20) + `","version":"1.4.0"}}]}`,
	})
	all := New(ecosystem.Options{Offline: true, Env: []string{"HOME=" + home, "PATH=" + home, "DOCENT_CACHE=" + home, "GOFLAGS=-mod=mod", "GOPATH=" + home, "GOPROXY=https://proxy.example.com", "NPM_CONFIG_REGISTRY=https://npm.example.com", "PIP_INDEX_URL=https://index.example.com/simple"}})
	for _, tt := range []struct {
		language, pkg, version string
		want                   string // package, version and what chose it; empty if nothing is missing
	}{
		{"go", "example.com/lib/sub", "", "example.com/lib/sub v1.2.3 go.mod of example.com/app"},
		{"go", "example.com/old/sub", "", "example.com/fork/sub v1.0.1 "},
		{"go", "example.com/unused", "", "example.com/unused  "},
		{"go", "example.com/lib", "v1.3.0", "example.com/lib v1.3.0 "},
		{"go", "example.com/app/internal/secret", "", ""},
		{"npm", "axios", "", "axios 1.7.2 package-lock.json of app"},
		{"npm", "axios/sub", "", "axios/sub 1.7.2 package-lock.json of app"},
		{"npm", "other", "", "real 2.1.5 package-lock.json of app"},
		{"npm", "loose", "", "loose ^3.0.0 package.json"},
		{"npm", "axios", "^2", "axios ^2 "},
		{"npm", "./src", "", ""},
		{"python", "yaml", "", "yaml ==6.0.1 uv.lock of app"},
		{"python", "cv2", "", "opencv-python-headless ==4.9.0 uv.lock of app"},
		{"python", "ranged", "", "ranged >=2,<3 newest release that app allows"},
		{"rust", "tokio::sync", "", "tokio::sync =1.38.0 Cargo.lock of app"},
		{"swift", "parts", "", "git.example.com/acme/parts 1.4.0 Package.resolved of swift"},
		{"swift", "loose", "", "git.example.com/acme/loose 2.0.0..<3.0.0 newest release that Package.swift of"},
	} {
		q := ecosystem.Query{Package: tt.pkg, Version: tt.version, ProjectDir: dir + "/" + tt.language}
		_, err := ecosystem.Describe(fetch.WithUpstream(context.Background()), all.Find(tt.language), q, nil)
		w, missing := ecosystem.Missing(&q, err)
		got := w.Package + " " + w.Version + " " + w.ChosenBy
		if missing != (tt.want != "") || missing && !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s %s@%s: got %q, want %q (%v)", tt.language, tt.pkg, tt.version, got, tt.want, err)
		}
	}
}
