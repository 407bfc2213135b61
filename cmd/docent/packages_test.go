package main

import (
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/filetest"
)

func TestPackages_WithoutALanguage(t *testing.T) {
	const python = ".venv/lib/python3.12/site-packages/"
	t.Chdir(filetest.Dir(t, map[string]string{
		"package.json":                         `{"name":"shop","dependencies":{"typescript":"5","till":"1"}}`,
		"node_modules/typescript/package.json": `{"name":"typescript","version":"5.0.0","types":"i.d.ts"}`,
		"node_modules/typescript/i.d.ts":       "/** Compiles. */\nexport declare function compile(): void\n",
		"node_modules/till/package.json":       `{"name":"till","version":"1.0.0","types":"i.d.ts"}`,
		"node_modules/till/i.d.ts":             "/** Counts. */\nexport declare function count(): void\n",

		"pyproject.toml":                           "[project]\nname = \"shop\"\nversion = \"1\"\ndependencies = [\"easel\"]\n",
		".venv/pyvenv.cfg":                         "home = /usr/bin\nversion = 3.12.1\n",
		python + "easel/__init__.py":               "def hang():\n    \"\"\"Hangs.\"\"\"\n",
		python + "easel-2.0.0.dist-info/METADATA":  "Metadata-Version: 2.1\nName: easel\nVersion: 2.0.0\n",
		python + "easel-2.0.0.dist-info/RECORD":    "easel/__init__.py,,\n",
		python + "easel-2.0.0.dist-info/INSTALLER": "pip\n",
	}))
	for _, tt := range []struct {
		args string
		code int
		want string // part of the expected output
	}{
		{"describe easel", exitOK, "# easel@2.0.0"},
		{"describe typescript", exitOK, "# typescript@5.0.0"},
		{"describe typescript compile", exitOK, "# compile (function) in typescript@5.0.0"},
		{"describe typescript till", exitOK, "# till@1.0.0"}, // the language and one of its packages
		{"source typescript compile", exitOK, "# typescript@5.0.0: compile"},
		{"search typescript compile", exitOK, "compile"},
		{"search typescript till count", exitOK, "count(): void"},
		{"describe npm typescript compile", exitOK, "# compile (function) in typescript@5.0.0"},
		{"describe javascript", exitUsage, "specify a package after javascript"}, // the project has no such package
		{"describe npm", exitUsage, "specify a package after npm"},
		{"describe nothing --offline", exitUnreachable, ""},
	} {
		got := docent(strings.Fields(tt.args)...)
		if got.code != tt.code || !strings.Contains(got.out+got.err, tt.want) {
			t.Errorf("docent %s: %+v, want the exit code %d and %q", tt.args, got, tt.code, tt.want)
		}
	}
	for _, tt := range []struct{ args, want string }{
		{"typescript", "npm"}, {"typescript compile", "npm"}, {"typescript till", ""}, {"javascript", ""}, {"npm", ""}, {"easel", ""},
	} {
		if got := packageNamedAsLanguage(languages(true), ".", strings.Fields(tt.args)); got != tt.want {
			t.Errorf("docent browse %s is about a package of %q, want %q", tt.args, got, tt.want)
		}
	}
}

func TestSearch_AllLanguages(t *testing.T) {
	richTerminal(t)
	t.Setenv("DOCENT_CACHE", t.TempDir()) // the cache contains the results
	t.Chdir(atelier(t))
	got := onTerminal("search", "--all", "open")
	for _, want := range []string{"in example.com/drawer", "in till", "Go: Searched", "npm: Searched"} {
		if !strings.Contains(got.out, want) {
			t.Errorf("the results of all languages lack %q:\n%s%s", want, got.out, got.err)
		}
	}
	if one := onTerminal("search", "npm", "--all", "open"); strings.Contains(one.out, "drawer") || !strings.Contains(one.out, "in till") {
		t.Errorf("the results of one language are\n%s%s", one.out, one.err)
	}
}
