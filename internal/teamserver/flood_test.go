package teamserver

import (
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/docent-mcp/docent/internal/depgraph"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/languages"
	"github.com/docent-mcp/docent/internal/teamserver/pushed"
)

// TestAttack_Flood floods the server as one principal, by MCP and by the HTTP API, while another
// principal sends calls at a steady rate. No call of the second principal may fail. The test logs
// how long these calls take.
func TestAttack_Flood(t *testing.T) {
	keys, add := newKeys(t)
	mallory, alice := add("mallory", time.Hour), add("alice", time.Hour)
	r := start(t, shelf{}, Options{Keys: keys, Rate: 1000, MaxCalls: 8, Concurrent: 4})
	var flood sync.WaitGroup
	var calls atomic.Int64
	ended := make(chan struct{})
	for i := range 40 {
		flood.Go(func() {
			for {
				select {
				case <-ended:
					return
				default:
				}
				if i%2 == 0 {
					r.call(t, mallory, map[string]any{"package": "turtle", "symbol": "Pen"})
				} else {
					r.get(t, mallory, "/v1/search/tape/turtle?query=draws")
				}
				calls.Add(1)
			}
		})
	}
	var took []time.Duration
	for range 200 {
		begun := time.Now()
		status, text := r.call(t, alice, map[string]any{"package": "turtle", "symbol": "plot"})
		took = append(took, time.Since(begun))
		if status != http.StatusOK || strings.Contains(text, `"isError":true`) {
			t.Errorf("an honest call: %d %s", status, text)
		}
	}
	close(ended)
	flood.Wait()
	slices.Sort(took)
	t.Logf("%d calls of the flood; honest calls took %v (p50), %v (p99)", calls.Load(), took[len(took)/2], took[len(took)*99/100])
}

// TestAttack_PushedSettings pushes projects whose names, versions and locations attempt to insert
// settings of package managers, such as the address of a registry.
func TestAttack_PushedSettings(t *testing.T) {
	dir := t.TempDir()
	all := languages.New(ecosystem.Options{Env: []string{"HOME=" + t.TempDir()}, Offline: true})
	s, err := pushed.Open(dir, all)
	if err != nil {
		t.Fatal(err)
	}
	hostile := []string{
		".npmrc", "../.npmrc", "pip.conf", ".cargo/config.toml", "../../.cargo/config", "uv.toml", ".swiftpm/configuration/registries.json", "go.env", "go.mod", "pyproject.toml",
		"a\nregistry=http://169.254.169.254/", "a\"\n[source.crates-io]\nreplace-with = \"evil\"\n[source.evil]\nregistry = \"http://169.254.169.254/\"", "a @ http://169.254.169.254/a.whl", "--index-url=http://169.254.169.254/",
		"npm:b@http://169.254.169.254/b.tgz", "git+ssh://169.254.169.254/a", "file:/etc", "http://169.254.169.254/a",
	}
	known := []string{"go.mod", "package.json", "package-lock.json", "Cargo.toml", "Cargo.lock", "pyproject.toml", "poetry.lock", "Package.swift", "Package.resolved"}
	for _, id := range all.IDs() {
		g := &ecosystem.Graph{Packages: []ecosystem.Used{{Name: "own", Member: true}}}
		for _, text := range hostile {
			g.Packages = append(g.Packages, ecosystem.Used{Name: text, Version: "1.0.0", Location: text}, ecosystem.Used{Name: "a", Version: text}, ecosystem.Used{Name: "b", Version: "1.0.0", Aliases: []string{text}, Features: []string{text}, Location: "http://169.254.169.254/b", Revision: strings.Repeat("a", 40)})
		}
		for i := range g.Packages[1:] {
			g.Packages[0].Requires = append(g.Packages[0].Requires, i+1)
		}
		if _, err := s.Push("principal mallory", "x-"+id, []depgraph.Language{{ID: id, Graph: g}}); err != nil {
			t.Errorf("%s: %v", id, err)
		}
	}
	files := 0
	err = filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() || strings.HasSuffix(path, ".json") && strings.HasPrefix(filepath.Base(path), "x-") {
			return err
		}
		files++
		data, err := os.ReadFile(path)
		if !slices.Contains(known, filepath.Base(path)) || strings.Contains(string(data), "169.254") || strings.Contains(string(data), "replace-with") {
			t.Errorf("%s was written:\n%s", path, data)
		}
		return err
	})
	if err != nil || files < len(all) {
		t.Errorf("%d files, %v", files, err)
	}
}
