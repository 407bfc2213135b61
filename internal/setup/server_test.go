package setup

import (
	"strings"
	"testing"
)

// TestServer_EveryHost writes a command and a remote server into the configuration of every host, and removes them.
func TestServer_EveryHost(t *testing.T) {
	command := &Server{Name: "weather", Description: "Tomorrow", Command: "npx", Args: []string{"-y", "weather@1.0.0"}, Env: map[string]string{"KEY": "a \"b\""}}
	remote := &Server{Name: "weather", Description: "Tomorrow", URL: "https://example.com/mcp", Headers: map[string]string{"X-Key": "k"}}
	want := map[string][2]string{
		"claude-code": {`"type":"stdio","command":"npx","args":["-y","weather@1.0.0"],"env":{"KEY":"a\"b\""}`, `"type":"http","url":"https://example.com/mcp","headers":{"X-Key":"k"}`},
		"vscode":      {`"servers":{"weather":{"type":"stdio","command":"npx"`, `"type":"http","url":"https://example.com/mcp"`},
		"cursor":      {`"command":"npx"`, `{"url":"https://example.com/mcp","headers":{"X-Key":"k"}}`},
		"gemini":      {`"command":"npx"`, `"httpUrl":"https://example.com/mcp"`},
		"opencode":    {`"command":["npx","-y","weather@1.0.0"],"enabled":true,"environment":{"KEY"`, `"type":"remote","url":"https://example.com/mcp"`},
		"codex":       {`env={KEY="a\"b\""}`, `args=["mcp","proxy","https://example.com/mcp","--header","X-Key:k"]`},
		"goose":       {`name:weatherdescription:Tomorrowcmd:npx`, `cmd:"/opt/docent"args:-mcp-proxy`},
	}
	for _, h := range hosts() {
		for i, server := range []*Server{command, remote} {
			t.Run(h.name+" "+server.Command, func(t *testing.T) {
				m := machine(t)
				path := m.choose(h.user, "")
				o := Options{Hosts: []string{h.name}, Server: server}
				p := do(t, m, Setup, o)
				if len(p.Changes) != 1 || p.Failed {
					t.Fatalf("changes: %+v, notes: %v", p.Changes, p.Notes)
				}
				text := get(t, path)
				squeezed := strings.Join(strings.Fields(text), "")
				if w, ok := want[h.name]; ok && !strings.Contains(strings.ReplaceAll(squeezed, "'", `"`), strings.ReplaceAll(w[i], " ", "")) {
					t.Errorf("got\n%s\nwant %s", text, w[i])
				}
				if strings.Contains(text, `"docent": {`) {
					t.Errorf("docent's own entry was written\n%s", text)
				}
				if again := do(t, m, Setup, o); len(again.Changes) != 0 {
					t.Errorf("a second time: %s", again.Changes[0].Diff())
				}
				docent := do(t, m, Setup, Options{Hosts: []string{h.name}, NoRule: true})
				if len(docent.Changes) != 1 {
					t.Errorf("docent beside it: %+v", docent)
				}
				if p := do(t, m, Remove, Options{Hosts: []string{h.name}, Server: &Server{Name: "weather"}}); p.Failed || strings.Contains(get(t, path), "weather") {
					t.Errorf("after removal: %v\n%s", p.Notes, get(t, path))
				}
				if !strings.Contains(get(t, path), "docent") {
					t.Error("the removal took docent's entry, too")
				}
			})
		}
	}
}

func TestServer_RemoveKeepsEntriesOfTheUser(t *testing.T) {
	m := machine(t)
	path := m.home() + "/.cursor/mcp.json"
	put(t, path, `{"mcpServers": {"weather": {"command": "mine"}}}`)
	if p := do(t, m, Remove, Options{Hosts: []string{"cursor"}, Server: &Server{Name: "weather"}}); len(p.Changes) != 0 {
		t.Errorf("changes: %s", p.Changes[0].Diff())
	}
	do(t, m, Setup, Options{Hosts: []string{"cursor"}, Server: &Server{Name: "weather", Command: "theirs"}})
	do(t, m, Remove, Options{Hosts: []string{"cursor"}, Server: &Server{Name: "weather"}})
	if got := get(t, path); got != `{"mcpServers": {"weather": {"command": "mine"}}}` {
		t.Errorf("the entry that was replaced is not restored: %s", got)
	}
}

func TestServer_NewValuesReplaceOldOnes(t *testing.T) {
	m := machine(t)
	for _, key := range []string{"one", "two"} {
		do(t, m, Setup, Options{Hosts: []string{"cursor"}, Server: &Server{Name: "weather", Command: "npx", Env: map[string]string{"KEY": key}}})
		if got := get(t, m.home()+"/.cursor/mcp.json"); !strings.Contains(got, key) {
			t.Errorf("got %s, want the value %s", got, key)
		}
	}
}
