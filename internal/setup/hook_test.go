package setup

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// hookFiles returns files in which event may have hooks.
func hookFiles(event string) map[string]string {
	files := jsonFiles("hooks") // "docent" in them is a name like any other
	lists := map[string]string{
		"empty":          `[]`,
		"empty, lines":   "[\n    ]",
		"compact":        `[{"matcher": "Bash", "hooks": [{"type": "command", "command": "lint"}]}]`,
		"one":            "[\n      {\n        \"matcher\": \"Bash\",\n        \"hooks\": [{ \"type\": \"command\", \"command\": \"lint\" }]\n      }\n    ]",
		"comment behind": "[\n      {\"command\": \"lint\"} // lint\n      // nothing else\n    ]",
		"trailing comma": "[\n      {\"command\": \"a\"},\n      {\"command\": \"b\"}, // last\n    ]",
		"comment only":   "[ /* none yet */ ]",
	}
	for name, list := range lists {
		for habit, form := range habits("{\n  \"hooks\": {\n    \"Stop\": [],\n    \"" + event + "\": " + list + "\n  },\n  \"version\": 1\n}\n") {
			files["event "+name+habit] = form
		}
		for habit, form := range habits("{\n\t\"version\": 1,\n\t\"hooks\": {\"" + event + "\": " + list + ", \"Stop\": []}\n}\n") {
			files["event first "+name+habit] = form
		}
	}
	return files
}

// TestHook_RemoveRestoresTheFile sets up and removes entry, rule and hook. Gemini
// CLI keeps entry and hook in one file.
func TestHook_RemoveRestoresTheFile(t *testing.T) {
	for _, tt := range []struct{ host, path, event string }{
		{"claude-code", ".claude/settings.json", "PostToolUse"},
		{"codex", ".codex/hooks.json", "PostToolUse"},
		{"cursor", ".cursor/hooks.json", "postToolUse"},
		{"gemini", ".gemini/settings.json", "AfterTool"},
	} {
		m := machine(t)
		path := filepath.Join(m.home(), tt.path)
		files := hookFiles(tt.event)
		tested := 0
		for i, name := range slices.Sorted(maps.Keys(files)) {
			if i%20 != 0 && !strings.HasPrefix(name, "event") || strings.HasPrefix(name, "event") && i%3 != 0 {
				continue // each write waits for the disk; FuzzHook edits all of them
			}
			text := files[name]
			put(t, path, text)
			o := Options{Hosts: []string{tt.host}, Hooks: true}
			if p := do(t, m, Setup, o); p.Failed {
				t.Fatalf("%s: %s: %v\n%s", tt.host, name, p.Notes, text)
			}
			changed := get(t, path)
			if strings.Count(changed, "/opt/docent check --hook ") != 1 {
				t.Fatalf("%s: %s: the hook is not in\n%s", tt.host, name, changed)
			}
			if p := do(t, m, Setup, o); len(p.Changes) != 0 {
				t.Fatalf("%s: %s: a second setup changes\n%s", tt.host, name, p.Changes[0].Diff())
			}
			do(t, m, Remove, o)
			if got := get(t, path); got != text {
				t.Fatalf("%s: %s:\n got %q\nwant %q\nfrom %q", tt.host, name, got, text, changed)
			}
			tested++
		}
		if tested < 40 {
			t.Errorf("%s: only %d files", tt.host, tested)
		}
	}
}

func TestHook_Forms(t *testing.T) {
	nested := func(event, matcher, name string) string {
		return `{"hooks": {"` + event + `": [{"matcher": "` + matcher + `", "hooks": [{"type": "command", "command": "/opt/docent check --hook ` + name + `"}]}]}}`
	}
	for _, tt := range []struct{ host, path, want string }{
		{"claude-code", ".claude/settings.json", nested("PostToolUse", "Edit|Write|NotebookEdit", "claude")},
		{"codex", ".codex/hooks.json", nested("PostToolUse", "apply_patch|Edit|Write", "codex")},
		{"cursor", ".cursor/hooks.json", `{"version": 1, "hooks": {"postToolUse": [{"command": "/opt/docent check --hook cursor", "matcher": "Write"}]}}`},
		{"gemini", ".gemini/settings.json", nested("AfterTool", "write_file|replace", "gemini")},
	} {
		for _, project := range []bool{false, true} {
			m := machine(t)
			o := Options{Hosts: []string{tt.host}, Hooks: true}
			if project {
				o.Project = m.home()
			}
			p := do(t, m, Setup, o)
			var got, want map[string]any
			if err := json.Unmarshal([]byte(get(t, filepath.Join(m.home(), tt.path))), &got); err != nil {
				t.Fatal(err)
			}
			_ = json.Unmarshal([]byte(tt.want), &want)
			delete(got, "mcpServers")
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s: got %v, want %v", tt.host, got, want)
			}
			if trust := strings.Contains(strings.Join(p.Notes, "\n"), "/hooks"); trust != (tt.host == "codex") {
				t.Errorf("%s: notes %q", tt.host, p.Notes)
			}
		}
	}
}

func TestHook_EditsOfTheUserStay(t *testing.T) {
	m := machine(t)
	path := filepath.Join(m.home(), ".claude/settings.json")
	put(t, path, "{\n  \"hooks\": {\n    \"PostToolUse\": [\n      {\"matcher\": \"Bash\", \"hooks\": []}\n    ]\n  }\n}\n")
	o := Options{Hosts: []string{"claude-code"}, Hooks: true}
	do(t, m, Setup, o)
	put(t, path, strings.Replace(get(t, path), "Edit|Write|NotebookEdit", "Write", 1))
	do(t, m, Remove, o)
	if got := get(t, path); strings.Contains(got, "docent") || !strings.Contains(got, `{"matcher": "Bash", "hooks": []}`) {
		t.Errorf("got\n%s", got)
	}
	for _, text := range []string{
		`{"hooks": {"PostToolUse": [{"hooks": [{"type": "command", "command": "docent check --hook claude"}, {"type": "command", "command": "mine"}]}]}}`,
		`{"hooks": {"PostToolUse": [{"matcher": "Write", "hooks": [{"type": "command", "command": "docent check --hook claude"}]}]}}`,
	} {
		put(t, path, text)
		do(t, m, Remove, o)
		if got := get(t, path); got != text {
			t.Errorf("a hook of the user has become %s", got)
		}
	}
	for _, text := range []string{`{"hooks": []}`, `{"hooks": {"PostToolUse": {}}}`, `{"hooks": {`, `[]`} {
		put(t, path, text)
		if p := do(t, m, Setup, o); !p.Failed || get(t, path) != text || !strings.Contains(strings.Join(p.Notes, "\n"), "Add this yourself:\n\n{\n  \"hooks\": {") {
			t.Errorf("%s: %q, %s", text, p.Notes, get(t, path))
		}
	}
}

func TestHook_AnotherCommandIsReplaced(t *testing.T) {
	m := machine(t)
	path := filepath.Join(m.home(), ".cursor/hooks.json")
	text := "{\n  \"version\": 1,\n  \"hooks\": {\"postToolUse\": [{\"command\": \"old/docent check --hook cursor\", \"matcher\": \"Write\"}]}\n}\n"
	put(t, path, text)
	o := Options{Hosts: []string{"cursor"}, Hooks: true}
	do(t, m, Setup, o)
	if got := get(t, path); strings.Contains(got, "old/docent") || strings.Count(got, "--hook cursor") != 1 {
		t.Errorf("got\n%s", got)
	}
	do(t, m, Remove, o)
	if got := get(t, path); got != text {
		t.Errorf("got\n%s", got)
	}
}

func TestHook_CommandIsQuoted(t *testing.T) {
	h := &hook{name: "claude"}
	for program, want := range map[string]string{
		"docent":                       "docent check --hook claude",
		"/opt/a b/docent":              "'/opt/a b/docent' check --hook claude",
		"/opt/it's $HOME/docent":       `'/opt/it'\''s $HOME/docent' check --hook claude`,
		`C:\Program Files\docent.exe`:  `"C:\Program Files\docent.exe" check --hook claude`,
		"/usr/local/bin/docent-1.2_rc": "/usr/local/bin/docent-1.2_rc check --hook claude",
	} {
		if got := h.command(program); got != want {
			t.Errorf("%s: got %s, want %s", program, got, want)
		}
	}
}

func FuzzHook(f *testing.F) {
	for _, text := range hookFiles("postToolUse") {
		if len(text) < 200 {
			f.Add([]byte(text), true)
		}
	}
	for _, text := range hookFiles("PostToolUse") {
		f.Add([]byte(text), false)
	}
	var flat, nested *hook
	for _, h := range hosts() {
		switch h.name {
		case "cursor":
			flat = h.hook
		case "claude-code":
			nested = h.hook
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, isFlat bool) {
		h := nested
		if isFlat {
			h = flat
		}
		changed, err := h.set(data, nil, "/opt/docent")
		if err != nil {
			return
		}
		if again, err := h.set(changed, nil, "/opt/docent"); err != nil || string(again) != string(changed) {
			t.Fatalf("%q became %q, then %q, %v", data, changed, again, err)
		}
		w := changeOf(data, changed)
		if rest, err := h.undo(changed, w); string(changed) != string(data) && (err != nil || string(rest) != string(data)) {
			t.Fatalf("%q became %q, then %q, %v", data, changed, rest, err)
		}
		if rest, err := h.remove(changed, nil, "/opt/docent"); err != nil {
			t.Fatalf("%q became %q: without a record: %q, %v", data, changed, rest, err)
		}
	})
}
