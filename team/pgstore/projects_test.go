package pgstore

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/depgraph"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/teamserver/pushed"
	"github.com/docent-mcp/docent/team/internal/pgtest"
)

// crane is a language whose lock files list packages.
type crane struct{ quarry }

func (crane) Manifests(g *ecosystem.Graph) (files map[string][]byte, skipped []string, err error) {
	var text strings.Builder
	for i := range g.Packages {
		fmt.Fprintf(&text, "%s %s\n", g.Packages[i].Name, g.Packages[i].Version)
	}
	return map[string][]byte{"crane.lock": []byte(text.String())}, nil, nil
}

func project(versions ...string) []depgraph.Language {
	g := &ecosystem.Graph{}
	for _, v := range versions {
		g.Packages = append(g.Packages, ecosystem.Used{Name: "kiln", Version: v})
	}
	return []depgraph.Language{{ID: "go", Graph: g}}
}

// replicaProjects opens the projects of a replica in its own directory.
func replicaProjects(t *testing.T, s *Store) *pushed.Store {
	t.Helper()
	p, err := pushed.Open(t.TempDir(), ecosystem.Languages{&crane{}})
	if err != nil {
		t.Fatal(err)
	}
	p.Shared = s
	return p
}

func TestProjects_ReachAllReplicas(t *testing.T) {
	own := pgtest.Start(t)
	url := own.Database(t)
	s := opened(t, Options{URL: url, Logger: slog.New(slog.DiscardHandler)})
	first, second := replicaProjects(t, s), replicaProjects(t, opened(t, Options{URL: url}))
	content := func(p *pushed.Store, owner string) string {
		t.Helper()
		dir, ok := p.Dir([]string{owner}, "shop")
		if !ok {
			return ""
		}
		text, err := os.ReadFile(filepath.Join(dir, "crane.lock"))
		if err != nil {
			t.Error(err)
		}
		return string(text)
	}
	push := func(versions ...string) {
		t.Helper()
		if _, err := first.Push("alice", "shop", project(versions...)); err != nil {
			t.Fatal(err)
		}
	}
	if got := content(second, "alice"); got != "" {
		t.Errorf("before it is pushed: %q", got)
	}
	for _, version := range []string{"v1.0.0", "v1.1.0"} {
		push(version)
		if got := content(second, "alice"); got != "kiln "+version+"\n" {
			t.Errorf("another replica has %q", got)
		}
	}
	if got := content(second, "bob"); got != "" {
		t.Errorf("another owner has %q", got)
	}
	if list := second.List("alice"); len(list) != 1 || list[0].Name != "shop" || list[0].Packages != 1 {
		t.Errorf("%+v", list)
	}
	// Invalid data in the table must be refused.
	for _, data := range []string{"", "{}", `{"project":{"name":"shop","content":"x"},"files":{"../evil":"eA=="}}`} {
		if _, err := s.pool.Exec(t.Context(), `UPDATE docent_projects SET content = 'x', data = $1`, []byte(data)); err != nil {
			t.Fatal(err)
		}
		if got := content(second, "alice"); got != "kiln v1.1.0\n" {
			t.Errorf("after %s: %q", data, got)
		}
	}
	push("v1.2.0")
	if err := own.Stop(); err != nil {
		t.Fatal(err)
	}
	if got := content(first, "alice"); got != "kiln v1.2.0\n" {
		t.Errorf("without the database: %q", got)
	}
	if _, err := first.Push("alice", "shop", project("v1.3.0")); err == nil || !strings.Contains(err.Error(), "push it again later") {
		t.Errorf("a project that other replicas do not get: %v", err)
	}
	if err := own.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.health.wait(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	if removed, err := first.Remove("alice", "shop"); err != nil || !removed {
		t.Errorf("%v, %v", removed, err)
	}
	if contents, err := s.Contents([]string{"alice"}, "shop"); err != nil || len(contents) != 0 {
		t.Errorf("it is still there: %v, %v", contents, err)
	}
	if got := content(first, "alice"); got != "" {
		t.Errorf("after it was removed: %q", got)
	}
}

// TestProjects_OfManyOwnersTakeOneQuery looks for a project of 101 owners, as for a principal in 100
// groups.
func TestProjects_OfManyOwnersTakeOneQuery(t *testing.T) {
	s := opened(t, Options{URL: database(t)})
	first, second := replicaProjects(t, s), replicaProjects(t, s)
	var owners []string
	for i := range 101 {
		owners = append(owners, fmt.Sprint("group ", i))
	}
	for _, p := range []struct{ owner, name, version string }{
		{owners[90], "shop", "v1.0.0"}, {owners[40], "shop", "v2.0.0"}, {owners[90], "books", "v1.0.0"}, {"another", "secret", "v1.0.0"},
	} {
		if _, err := first.Push(p.owner, p.name, project(p.version)); err != nil {
			t.Fatal(err)
		}
	}
	queries := func(f func()) int64 {
		before := s.pool.Stat().AcquireCount()
		f()
		return s.pool.Stat().AcquireCount() - before
	}
	for i, want := range []int64{2, 1} { // the data of the project is read once
		if n := queries(func() {
			dir, ok := second.Dir(owners, "shop")
			if got, err := os.ReadFile(filepath.Join(dir, "crane.lock")); !ok || err != nil || string(got) != "kiln v2.0.0\n" {
				t.Errorf("the project of the first owner is %q, %v", got, err)
			}
		}); n != want {
			t.Errorf("lookup %d took %d queries, want %d", i, n, want)
		}
	}
	if n := queries(func() {
		if _, ok := second.Dir(owners, "secret"); ok {
			t.Error("a project of another owner is found")
		}
		if got := second.Names(owners); !slices.Equal(got, []string{"shop", "books"}) {
			t.Errorf("the names are %q", got)
		}
	}); n != 2 {
		t.Errorf("a name that does not exist took %d queries, want 2", n)
	}
}

func TestProjects_AreBounded(t *testing.T) {
	s := opened(t, Options{URL: database(t)})
	for i := range pushed.MaxProjects {
		if err := s.PutProject("alice", fmt.Sprint("p", i), "x", []byte{}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.PutProject("alice", "more", "x", []byte{}); !errors.Is(err, pushed.ErrFull) {
		t.Errorf("%v", err)
	}
	if err := s.PutProject("alice", "p0", "y", []byte{}); err != nil {
		t.Errorf("one that is pushed again: %v", err)
	}
}
