package depgraph

import (
	"encoding/json"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
)

func TestParse_ReadsWhatJSONWrites(t *testing.T) {
	all := []Language{{ID: "a", Graph: &ecosystem.Graph{Root: "/src", Packages: []ecosystem.Used{
		{Name: "own", Dir: "/src", Member: true, Installed: true, Requires: []int{1, 2}},
		{Name: "b", Version: "1", Wants: []string{"^1"}, Features: []string{}, Requires: []int{2}, Installed: true},
		{Name: "b", Version: "2", Aliases: []string{"c"}, Inactive: true, File: "lock"},
	}}}}
	data, err := json.Marshal(JSON(all))
	if err != nil {
		t.Fatal(err)
	}
	got, err := Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	const want = "!own () > b b\n!b 1 () > b wanted as ^1\n~!b 2 ()\n"
	if text := got[0].Graph.String(); text != want {
		t.Errorf("got\n%swant\n%s", text, want)
	}
	if p := got[0].Graph.Packages[1]; p.Features == nil || got[0].Graph.Packages[2].Features != nil || got[0].Graph.Packages[2].Aliases[0] != "c" {
		t.Errorf("features or aliases are lost: %+v", got[0].Graph.Packages)
	}
}

// FuzzParse feeds Parse what clients may send.
func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"schemaVersion":1,"languages":[{"language":"go","packages":[{"id":"a@1","name":"a","version":"1","requires":["a@1"]}]}]}`))
	f.Add([]byte(`{"schemaVersion":1,"languages":[{"packages":[{"id":"","requires":[""]},{"id":""}]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		all, err := Parse(data)
		if err != nil {
			return
		}
		for i := range all {
			for n := range all[i].Graph.Packages {
				p := &all[i].Graph.Packages[n]
				if p.Dir != "" || p.File != "" {
					t.Fatalf("a package has a file: %+v", p)
				}
				for _, to := range p.Requires {
					_ = all[i].Graph.Packages[to]
				}
			}
		}
	})
}
