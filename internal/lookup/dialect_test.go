package lookup

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/store"
)

func TestDialect_Factors(t *testing.T) {
	postgres := dialectsIn("psycopg2-binary")
	if postgres == 0 || postgres != dialectsIn("kiln.dialects.postgresql.base") || postgres&dialectsIn("@kiln/sqlite-proxy") != 0 {
		t.Fatal("the driver and the package for PostgreSQL have different dialects")
	}
	for _, test := range []struct {
		name, request, other string
		used                 uint64
		query                string
		want                 float64
	}{
		{"the dialect that the project uses", "kiln", "kiln/pg-core", postgres, "insert", 1 / otherDialect},
		{"another dialect", "kiln", "kiln/mysql-core", postgres, "insert", otherDialect},
		{"another dialect that the query names", "kiln", "kiln/mysql-core", postgres, "insert MySQL", 1},
		{"another dialect that was asked for", "kiln/mysql-core", "kiln/mysql-core/columns", postgres, "insert", 1},
		{"no dialect", "kiln", "kiln/core", postgres, "insert", 1},
		{"a project without a driver", "kiln", "kiln/mysql-core", 0, "insert", 1},
		{"a word that contains a name", "kiln", "kiln/pgpass", postgres, "insert", 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := dialectFactor(test.request, test.other, test.used, test.query); got != test.want {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

// TestDialect_OfTheProjectComesFirst searches a package whose dialects declare the same function.
func TestDialect_OfTheProjectComesFirst(t *testing.T) {
	for driver, first := range map[string]string{"example.com/pgx": "example.com/kiln/postgresql", "example.com/go-mysql2": "example.com/kiln/mysql"} {
		l, m := withDependencies(0)
		for _, p := range []*apidoc.Package{
			pkg("example.com/kiln", "example.com/kiln", []string{"example.com/kiln/mysql", "example.com/kiln/postgresql"}, "Fire"),
			pkg("example.com/kiln/mysql", "example.com/kiln", nil, "Insert"),
			pkg("example.com/kiln/postgresql", "example.com/kiln", nil, "Insert"),
		} {
			m.packages[p.Name] = p
		}
		m.depends = []ecosystem.Dependency{{Package: driver, Direct: true}}
		a, found, err := l.Search(t.Context(), Search{Package: Package{Language: "go", Name: "example.com/kiln", Project: t.TempDir()}, Query: "insert"})
		if err != nil || !found {
			t.Fatal(found, err)
		}
		if want := "**Insert** in " + first; !strings.Contains(a.Text, want) {
			t.Errorf("with %s: %q is not in\n%s", driver, want, a.Text)
		}
	}
}

// programs is a language whose source files import a package in each line.
type programs struct{ *manifest }

func (programs) IsSource(name string) bool { return strings.HasSuffix(name, ".src") }
func (programs) SnippetName() string       { return "snippet.src" }
func (programs) Uses(f *ecosystem.SourceFile) (uses []ecosystem.Use, _ []ecosystem.SyntaxError) {
	for line := range strings.Lines(string(f.Text)) {
		uses = append(uses, ecosystem.Use{Package: "example.com/kiln", Path: "x", Module: strings.TrimSpace(line), Import: true})
	}
	return uses, nil
}

// TestDialect_ImportedByTheProjectComesFirst searches a package for a project that has drivers for
// two dialects and imports one of them.
func TestDialect_ImportedByTheProjectComesFirst(t *testing.T) {
	for imported, first := range map[string]string{
		"example.com/kiln/postgresql/array": "example.com/kiln/postgresql", "example.com/kiln/mysql": "example.com/kiln/mysql",
	} {
		_, m := withDependencies(0)
		for _, p := range []*apidoc.Package{
			pkg("example.com/kiln", "example.com/kiln", []string{"example.com/kiln/mysql", "example.com/kiln/postgresql"}, "Fire"),
			pkg("example.com/kiln/mysql", "example.com/kiln", nil, "Insert"),
			pkg("example.com/kiln/postgresql", "example.com/kiln", nil, "Insert"),
		} {
			m.packages[p.Name] = p
		}
		m.depends = []ecosystem.Dependency{{Package: "example.com/pgx", Direct: true}, {Package: "example.com/mysql2", Direct: true}}
		l := New(store.New(ecosystem.Languages{programs{m}}, store.Options{}))
		dir := t.TempDir()
		files := map[string]string{"app.src": "example.com/other\n", "db/store.src": imported + "\n", "notes.txt": "example.com/kiln/mysql\nexample.com/kiln/postgresql\n"}
		if err := os.Mkdir(filepath.Join(dir, "db"), 0o700); err != nil {
			t.Fatal(err)
		}
		for name, text := range files {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		a, found, err := l.Search(t.Context(), Search{Package: Package{Language: "go", Name: "example.com/kiln", Project: dir}, Query: "insert"})
		if err != nil || !found {
			t.Fatal(found, err)
		}
		if want := "**Insert** in " + first; !strings.Contains(a.Text, want) {
			t.Errorf("with %s: %q is not in\n%s", imported, want, a.Text)
		}
	}
}
