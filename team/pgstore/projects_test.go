package pgstore

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
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
		dir, ok := p.Dir(owner, "shop")
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
	if _, err := s.Content("alice", "shop"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it is still there: %v", err)
	}
	if got := content(first, "alice"); got != "" {
		t.Errorf("after it was removed: %q", got)
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
