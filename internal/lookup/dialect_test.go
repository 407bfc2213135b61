package lookup

import (
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
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
