package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/depgraph"
	"github.com/docent-mcp/docent/internal/filetest"
)

func TestDeps_OfSeveralLanguages(t *testing.T) {
	dir := shop(t)
	t.Chdir(dir)
	for _, test := range []struct {
		arguments string
		code      int
		words     []string
		absent    string
	}{
		{"deps", exitOK, []string{"Go: 1 package in ", "  example.com/drawer  v1.2.3  go.mod\n", "npm: 2 packages in ", "  absent         package.json  not installed\n", "  till    1.0.0  package.json\n"}, ""},
		{"deps javascript", exitOK, []string{"npm: 2 packages"}, "Go"},
		{"deps go --tree", exitOK, []string{"example.com/shop\n└── example.com/drawer v1.2.3\n"}, "npm"},
		{"deps --why till", exitOK, []string{"npm: till 1.0.0 (package.json)\n  shop > till 1.0.0\n"}, "Go"},
		{"deps --why unknown", exitNotFound, nil, "till"},
		{"deps cobol", exitUsage, nil, "npm"},
		{"deps rust", exitUsage, nil, "npm"},
		{"deps --tree --json", exitUsage, nil, "npm"},
	} {
		got := docent(strings.Fields(test.arguments)...)
		if got.code != test.code || (got.err == "") != (test.code == exitOK) || test.absent != "" && strings.Contains(got.out, test.absent) {
			t.Errorf("docent %s: code %d\n%s%s", test.arguments, got.code, got.out, got.err)
		}
		for _, want := range test.words {
			if !strings.Contains(got.out, want) {
				t.Errorf("docent %s lacks %q:\n%s", test.arguments, want, got.out)
			}
		}
	}
	var data depgraph.Data
	got := docent("deps", "--json")
	if err := json.Unmarshal([]byte(got.out), &data); err != nil || data.SchemaVersion != 1 || len(data.Languages) != 2 || data.Languages[1].Packages[2].ID != "till@1.0.0" {
		t.Errorf("%v:\n%s", err, got.out)
	}
	if got := docent("deps", "--project", t.TempDir()); got.code != exitUsage || !strings.Contains(got.err, "there is no project in") {
		t.Errorf("without a project: code %d, %s", got.code, got.err)
	}
}

func TestDeps_OfAProjectThatCannotBeRead(t *testing.T) {
	dir := filetest.Dir(t, map[string]string{"go.mod": "module example.com/app\n\ngo 1.26\n", "Cargo.toml": "[package\n"})
	got := docent("deps", "--project", dir)
	if got.code != exitOK || !strings.Contains(got.out, "Go: 0 packages") || !strings.Contains(got.out, "note: The project cannot be read: ") {
		t.Errorf("code %d\n%s%s", got.code, got.out, got.err)
	}
	if got := docent("deps", "rust", "--project", dir); got.code != exitFailure || got.out != "" || !strings.Contains(got.err, "Cargo.toml") {
		t.Errorf("code %d\n%s%s", got.code, got.out, got.err)
	}
}
