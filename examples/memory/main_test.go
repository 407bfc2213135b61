package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/mcptest"
)

func TestMemory(t *testing.T) {
	file := filepath.Join(t.TempDir(), "memory.json")
	g, err := open(file)
	if err != nil {
		t.Fatal(err)
	}
	c := mcptest.Connect(t, newServer(g), nil)
	do := func(tool, args, want string) {
		t.Helper()
		if got, err := mcp.CallTool[string](t.Context(), c, tool, json.RawMessage(args), nil); err != nil || got != want {
			t.Errorf("%s: %s, %v; want %s", tool, got, err, want)
		}
	}
	do("create_entities", `{"entities":[{"name":"Ada","entityType":"person","observations":["likes engines"]},{"name":"Engine","entityType":"machine","observations":[]},{"name":"Ada","entityType":"other","observations":[]}]}`, "2 changed")
	do("create_relations", `{"relations":[{"from":"Ada","to":"Engine","relationType":"programs"},{"from":"Ada","to":"Nobody","relationType":"knows"}]}`, "1 changed")
	do("add_observations", `{"observations":[{"entityName":"Engine","contents":["made of brass","made of brass"]},{"entityName":"Nobody","contents":["x"]}]}`, "1 changed")

	// Another server reads what the first one has written.
	if g, err = open(file); err != nil {
		t.Fatal(err)
	}
	c = mcptest.Connect(t, newServer(g), nil)
	const all = `{"entities":[{"name":"Ada","entityType":"person","observations":["likes engines"]},{"name":"Engine","entityType":"machine","observations":["made of brass"]}],"relations":[{"from":"Ada","to":"Engine","relationType":"programs"}]}`
	do("read_graph", `{}`, all)
	do("search_nodes", `{"query":"ENGINE"}`, all)
	do("search_nodes", `{"query":"brass"}`, `{"entities":[{"name":"Engine","entityType":"machine","observations":["made of brass"]}],"relations":[]}`)
	do("open_nodes", `{"names":["Ada","Nobody"]}`, `{"entities":[{"name":"Ada","entityType":"person","observations":["likes engines"]}],"relations":[]}`)
	do("delete_observations", `{"observations":[{"entityName":"Ada","contents":["likes engines"]}]}`, "1 changed")
	do("delete_relations", `{"relations":[{"from":"Ada","to":"Engine","relationType":"programs"}]}`, "1 changed")
	do("delete_entities", `{"names":["Engine"]}`, "1 changed")
	do("read_graph", `{}`, `{"entities":[{"name":"Ada","entityType":"person","observations":[]}],"relations":[]}`)

	if info, err := os.Stat(file); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("others may read the file: %v, %v", info.Mode(), err)
	}
	large, err := json.Marshal(map[string]any{"observations": []any{map[string]any{"entityName": "Ada", "contents": []string{strings.Repeat("x", 3<<20)}}}})
	if err != nil {
		t.Fatal(err)
	}
	g.now.Entities[0].Observations = []string{strings.Repeat("y", 6<<20)}
	if _, err := mcp.CallTool[string](t.Context(), c, "add_observations", json.RawMessage(large), nil); err == nil || !strings.Contains(err.Error(), "full") {
		t.Errorf("the memory is not bounded: %v", err)
	}
}

func TestOpen_RefusesOtherFiles(t *testing.T) {
	file := filepath.Join(t.TempDir(), "memory.json")
	if err := os.WriteFile(file, []byte("notes of mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := open(file); err == nil {
		t.Error("a file that holds no graph is opened")
	}
	if err := run(t.Context(), nil); err == nil {
		t.Error("it runs without a file")
	}
}
