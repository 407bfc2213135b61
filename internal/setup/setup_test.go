package setup

import (
	"bytes"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/environ"
	"github.com/docent-mcp/docent/internal/filetest"
)

// machine returns a Linux machine with an empty home.
func machine(t *testing.T) Machine {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return Machine{"linux", environ.Env{"HOME": home}}
}

const (
	sectionStart = "<!-- docent:rule -->"
	sectionEnd   = "<!-- /docent:rule -->"
)

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o640); err != nil {
		t.Fatal(err)
	}
}

func get(t *testing.T, path string) string {
	t.Helper()
	data := filetest.Read(t, path)
	return string(data)
}

// do calls Setup or Remove, applies the plan and returns it.
func do(t *testing.T, m Machine, plan func(Machine, Options) (*Plan, error), o Options) *Plan {
	t.Helper()
	o.Command = "/opt/docent"
	p, err := plan(m, o)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Apply(m); err != nil {
		t.Fatal(err)
	}
	return p
}

// TestSetup_RemoveRestoresTheFile sets up and removes docent in files of each
// format, and compares every byte, the mode and the directories.
func TestSetup_RemoveRestoresTheFile(t *testing.T) {
	for _, tt := range []struct {
		host, path string
		files      map[string]string
	}{
		{"claude-code", ".claude.json", jsonFiles("mcpServers")},
		{"opencode", ".config/opencode/opencode.jsonc", jsonFiles("mcp")},
		{"codex", ".codex/config.toml", tomlFiles()},
		{"goose", ".config/goose/config.yaml", yamlFiles()},
		{"gemini", ".gemini/GEMINI.md", markdownFiles()},
	} {
		tested := 0
		m := machine(t)
		path := filepath.Join(m.home(), tt.path)
		for i, name := range slices.Sorted(maps.Keys(tt.files)) {
			if i%3 != 0 && tt.host != "gemini" { // Each write waits for the disk, so only a third of the cases are tested here. TestSetup_RemoveWithoutARecord edits all files.
				continue
			}
			tested++
			text := tt.files[name]
			put(t, path, text)
			o := Options{Hosts: []string{tt.host}}
			if p := do(t, m, Setup, o); p.Failed {
				t.Fatalf("%s: %s: %v\n%s", tt.host, name, p.Notes, text)
			}
			changed := get(t, path)
			if !strings.Contains(changed, "docent") || changed == text {
				t.Fatalf("%s: %s: docent is not in\n%s", tt.host, name, changed)
			}
			if p := do(t, m, Setup, o); len(p.Changes) != 0 {
				t.Fatalf("%s: %s: a second setup changes\n%s", tt.host, name, p.Changes[0].Diff())
			}
			do(t, m, Remove, o)
			if got := get(t, path); got != text {
				t.Fatalf("%s: %s:\n got %q\nwant %q\nfrom %q", tt.host, name, got, text, changed)
			}
			if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o640 {
				t.Fatalf("%s: %s: %v, %v", tt.host, name, info, err)
			}
			if p := do(t, m, Remove, o); len(p.Changes) != 0 && !strings.Contains(text, sectionStart) {
				t.Fatalf("%s: %s: a second removal changes\n%s", tt.host, name, p.Changes[0].Diff())
			}
		}
		if tested < 40 {
			t.Errorf("%s: only %d files", tt.host, tested)
		}
	}
}

// TestSetup_RemoveWithoutARecord removes docent from files on the basis of their structure.
func TestSetup_RemoveWithoutARecord(t *testing.T) {
	for f, files := range map[format]map[string]string{jsonFormat: jsonFiles("mcpServers"), tomlFormat: tomlFiles(), yamlFormat: yamlFiles()} {
		key := map[format][]string{jsonFormat: {"mcpServers"}, tomlFormat: {"mcp_servers"}, yamlFormat: {"extensions"}}[f]
		fields := []field{{"command", "docent"}, {"args", []string{"serve"}}}
		for name, text := range files {
			changed, err := setEntry(f, []byte(text), append(slices.Clone(key), serverName), fields)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if f == tomlFormat && strings.HasPrefix(name, "inline") {
				if _, err := removeEntry(f, changed, append(slices.Clone(key), serverName), false); err == nil {
					t.Errorf("%s: an inline table is changed", name) // The change is left to the user.
				}
				continue
			}
			if _, err := removeEntry(f, changed, append(slices.Clone(key), serverName), false); err != nil {
				t.Fatalf("%s: %v\n%s", name, err, changed)
			}
			if strings.Contains(name, "docent") {
				continue // comments of the entry that was replaced are gone with it
			}
			for _, word := range []string{"// files", "// the web", "// nothing else", "none yet", "# last", "# first", "# none", "# yes", "# the end"} {
				if strings.Contains(text, word) && !bytes.Contains(changed, []byte(word)) {
					t.Errorf("%s: %q is lost in\n%s", name, word, changed)
				}
			}
		}
	}
}

func TestSetup_FilesThatDidNotExistAreDeleted(t *testing.T) {
	m := machine(t)
	for _, name := range Names() {
		do(t, m, Setup, Options{Hosts: []string{name}})
		if err := os.MkdirAll(filepath.Join(m.home(), "project"), 0o755); err != nil {
			t.Fatal(err)
		}
		do(t, m, Setup, Options{Hosts: []string{name}, Project: filepath.Join(m.home(), "project")})
	}
	do(t, m, Remove, Options{Hosts: Names()})
	do(t, m, Remove, Options{Hosts: Names(), Project: filepath.Join(m.home(), "project")})
	var rest []string
	err := filepath.WalkDir(m.home(), func(path string, d fs.DirEntry, err error) error {
		if d.Name() == "docent" {
			return fs.SkipDir
		}
		if !d.IsDir() {
			rest = append(rest, path)
		}
		return err
	})
	if err != nil || len(rest) > 0 {
		t.Errorf("%v remain, %v", rest, err)
	}
}

func TestSetup_EditsOfTheUserStay(t *testing.T) {
	m := machine(t)
	path := filepath.Join(m.home(), ".cursor/mcp.json")
	put(t, path, "{\n  \"mcpServers\": {}\n}\n")
	o := Options{Hosts: []string{"cursor"}}
	do(t, m, Setup, o)
	text := strings.Replace(get(t, path), "\n  }\n}", ",\n    \"web\": {\"url\": \"https://example.com\"} // mine\n  }\n}", 1)
	put(t, path, text)
	do(t, m, Remove, o)
	if got := get(t, path); strings.Contains(got, "docent") || !strings.Contains(got, `"web": {"url": "https://example.com"} // mine`) {
		t.Errorf("got\n%s", got)
	}
}

func TestSetup_UnreadableFilesAreLeftAlone(t *testing.T) {
	for _, tt := range []struct{ host, path, text, byHand string }{
		{"cursor", ".cursor/mcp.json", "{\"mcpServers\": {", `"mcpServers": {`},
		{"cursor", ".cursor/mcp.json", "{\"mcpServers\": []}", `"command": "/opt/docent"`},
		{"codex", ".codex/config.toml", "[mcp_servers\n", "[mcp_servers.docent]"},
		{"goose", ".config/goose/config.yaml", "a: [\n", "extensions:"},
		{"goose", ".config/goose/config.yaml", "a: 1\n---\nb: 1\n", "cmd: "},
		{"gemini", ".gemini/GEMINI.md", sectionStart + "\n", ""},
	} {
		m := machine(t)
		path := filepath.Join(m.home(), tt.path)
		put(t, path, tt.text)
		p := do(t, m, Setup, Options{Hosts: []string{tt.host}})
		if got := get(t, path); got != tt.text || !p.Failed || !strings.Contains(strings.Join(p.Notes, "\n"), tt.byHand) {
			t.Errorf("%s %q: %q, %q", tt.host, tt.text, got, p.Notes)
		}
		if strings.Contains(strings.Join(p.Notes, "\n"), "hujson") {
			t.Errorf("%s %q: the notes contain the name of a library: %q", tt.host, tt.text, p.Notes)
		}
	}
}

func TestSetup_OneNoteForAllHostsThatLackAFile(t *testing.T) {
	p := do(t, machine(t), Setup, Options{Hosts: []string{"claude-desktop", "cursor", "zed"}, Hooks: true})
	want := []string{"Hosts without a file for user rules: Claude Desktop, Cursor, Zed.", "Hosts without a hook: Claude Desktop, Zed."}
	if !slices.Equal(p.Notes, want) {
		t.Errorf("the notes are %q, expected %q", p.Notes, want)
	}
}

func TestSetup_SymbolicLinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows lets only privileged users make the symbolic link of this test; to run it, use another system")
	}
	m := machine(t)
	outside := filepath.Join(t.TempDir(), "outside.json")
	put(t, outside, "{}\n")
	link := filepath.Join(m.home(), ".cursor/mcp.json")
	inside := filepath.Join(m.home(), "dotfiles/mcp.json")
	put(t, inside, "{}\n")
	if err := os.MkdirAll(filepath.Dir(link), 0o755); err != nil {
		t.Fatal(err)
	}
	o := Options{Hosts: []string{"cursor"}}
	for target, want := range map[string]bool{outside: false, inside: true, filepath.Join(m.home(), "nowhere"): false} {
		os.Remove(link)
		if err := os.Symlink(target, link); err != nil {
			t.Fatal(err)
		}
		p := do(t, m, Setup, o)
		data, _ := os.ReadFile(target)
		if got := strings.Contains(string(data), "docent"); got != want || p.Failed == want {
			t.Errorf("%s: %v, %v", target, got, p.Notes)
		}
		if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
			t.Errorf("%s is no link any more", link)
		}
	}
}

func TestSetup_APlanForAFileThatHasChangedFails(t *testing.T) {
	m := machine(t)
	path := filepath.Join(m.home(), ".cursor/mcp.json")
	put(t, path, "{}\n")
	p, err := Setup(m, Options{Hosts: []string{"cursor"}, Command: "docent"})
	if err != nil {
		t.Fatal(err)
	}
	put(t, path, "{\"a\": 1}\n")
	if _, err := p.Apply(m); err == nil || get(t, path) != "{\"a\": 1}\n" {
		t.Errorf("%v: %s", err, get(t, path))
	}
}

func TestSetup_RuleOfSeveralHosts(t *testing.T) {
	m := machine(t)
	project := filepath.Join(m.home(), "app")
	put(t, filepath.Join(project, "AGENTS.md"), "# Ours\n")
	do(t, m, Setup, Options{Hosts: []string{"codex", "opencode"}, Project: project})
	rules := filepath.Join(project, "AGENTS.md")
	if got := get(t, rules); strings.Count(got, sectionStart) != 1 {
		t.Errorf("got\n%s", got)
	}
	do(t, m, Remove, Options{Hosts: []string{"codex"}, Project: project})
	if got := get(t, rules); !strings.Contains(got, sectionStart) {
		t.Errorf("the rule of OpenCode is gone:\n%s", got)
	}
	do(t, m, Remove, Options{Hosts: []string{"opencode"}, Project: project})
	if got := get(t, rules); got != "# Ours\n" {
		t.Errorf("got\n%s", got)
	}
}

func TestSetup_PathsOfAllSystems(t *testing.T) {
	env := map[string]environ.Env{
		"linux":   {"HOME": "/home/a"},
		"darwin":  {"HOME": "/Users/a"},
		"windows": {"USERPROFILE": `C:\Users\a`, "APPDATA": `C:\Users\a\AppData\Roaming`},
	}
	want := map[string][3]string{
		"claude-code":    {"/home/a/.claude.json", "/Users/a/.claude.json", "C:/Users/a/.claude.json"},
		"claude-desktop": {"/home/a/.config/Claude/claude_desktop_config.json", "/Users/a/Library/Application Support/Claude/claude_desktop_config.json", "C:/Users/a/AppData/Roaming/Claude/claude_desktop_config.json"},
		"vscode":         {"/home/a/.config/Code/User/mcp.json", "/Users/a/Library/Application Support/Code/User/mcp.json", "C:/Users/a/AppData/Roaming/Code/User/mcp.json"},
		"zed":            {"/home/a/.config/zed/settings.json", "/Users/a/.config/zed/settings.json", "C:/Users/a/AppData/Roaming/Zed/settings.json"},
		"goose":          {"/home/a/.config/goose/config.yaml", "/Users/a/.config/goose/config.yaml", "C:/Users/a/AppData/Roaming/Block/goose/config/config.yaml"},
		"opencode":       {"/home/a/.config/opencode/opencode.jsonc", "/Users/a/.config/opencode/opencode.jsonc", "C:/Users/a/.config/opencode/opencode.jsonc"},
		"codex":          {"/home/a/.codex/config.toml", "/Users/a/.codex/config.toml", "C:/Users/a/.codex/config.toml"},
	}
	for i, system := range []string{"linux", "darwin", "windows"} {
		for _, h := range hosts() {
			path := slashes(Machine{system, env[system]}.choose(h.user, ""))
			if paths, ok := want[h.name]; ok && path != paths[i] {
				t.Errorf("%s on %s: %s", h.name, system, path)
			}
			if !strings.HasPrefix(path, slashes(Machine{system, env[system]}.home())+"/") {
				t.Errorf("%s on %s: %s is not in the user's home", h.name, system, path)
			}
		}
	}
	m := Machine{"linux", environ.Env{"HOME": "/home/a", "CLAUDE_CONFIG_DIR": "/c", "XDG_CONFIG_HOME": "/x", "CODEX_HOME": "relative"}}
	for i, want := range map[int]string{0: "/c/.claude.json", slices.Index(Names(), "vscode"): "/x/Code/User/mcp.json", slices.Index(Names(), "codex"): "/home/a/.codex/config.toml"} {
		if got := slashes(m.choose(hosts()[i].user, "")); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestSetup_HostsOnThisMachine(t *testing.T) {
	m := machine(t)
	if _, err := Setup(m, Options{Command: "docent"}); err == nil || !strings.Contains(err.Error(), "cursor") {
		t.Errorf("without hosts: %v", err)
	}
	put(t, filepath.Join(m.home(), ".cursor/x"), "")
	p, err := Setup(m, Options{Command: "docent"})
	if err != nil || len(p.Changes) != 1 || p.Changes[0].Hosts[0] != "Cursor" {
		t.Errorf("%v, %v", p, err)
	}
	if _, err := Setup(m, Options{Hosts: []string{"emacs"}}); err == nil {
		t.Error("an unknown host is accepted")
	}
}

func TestInspect(t *testing.T) {
	m := machine(t)
	put(t, filepath.Join(m.home(), ".codex/config.toml"), "")
	if s := Inspect(m, ""); len(s) != 1 || s[0].Command != nil || s[0].RuleState != "missing" {
		t.Errorf("got %+v", s)
	}
	do(t, m, Setup, Options{})
	if s := Inspect(m, ""); !slices.Equal(s[0].Command, []string{"/opt/docent", "serve"}) || s[0].RuleState != "current" {
		t.Errorf("got %+v", s)
	}
	rules := filepath.Join(m.home(), ".codex/AGENTS.md")
	put(t, rules, strings.Replace(get(t, rules), sectionEnd, "more\n"+sectionEnd, 1))
	if s := Inspect(m, ""); s[0].RuleState != "out of date" {
		t.Errorf("got %+v", s)
	}
}

func TestInspect_Project(t *testing.T) {
	m := machine(t)
	project := t.TempDir()
	put(t, filepath.Join(project, "AGENTS.md"), "Be kind.\n")
	if s := Inspect(m, project); len(s) != 0 {
		t.Errorf("before setup: %+v", s)
	}
	do(t, m, Setup, Options{Hosts: []string{"claude-code", "zed"}, Project: project, Hooks: true})
	s := Inspect(m, project)
	if len(s) != 2 || s[0].Host != "claude-code" || s[1].Host != "zed" {
		t.Fatalf("got %+v", s)
	}
	if s[0].RuleState != "current" || s[0].HookCommand != "/opt/docent check --hook claude" || s[0].Hook != filepath.Join(project, ".claude", "settings.json") {
		t.Errorf("got %+v", s[0])
	}
	if !slices.Equal(s[1].Command, []string{"/opt/docent", "serve"}) || s[1].RuleState != "current" || s[1].Rule != filepath.Join(project, "AGENTS.md") || s[1].Hook != "" {
		t.Errorf("got %+v", s[1])
	}
	if s := Inspect(m, ""); len(s) != 0 {
		t.Errorf("the user's hosts: %+v", s)
	}
	outside := filepath.Join(t.TempDir(), "settings.json")
	put(t, outside, get(t, s[0].Hook))
	if os.Remove(s[0].Hook) != nil || os.Symlink(outside, s[0].Hook) != nil {
		t.Skip("this test checks files behind symbolic links, which this system does not let the user make")
	}
	if s := Inspect(m, project); s[0].Hook != "" {
		t.Errorf("a link leads out of the project: %+v", s[0])
	}
}

func fuzzEditor(f *testing.F, kind format, key []string, files map[string]string) {
	for _, name := range slices.Sorted(func(yield func(string) bool) {
		for name := range files {
			if !strings.HasSuffix(name, "more") && len(files[name]) < 200 && !yield(name) {
				return
			}
		}
	}) {
		f.Add([]byte(files[name]))
	}
	fields := []field{{"command", "/opt/a b/docent"}, {"args", []string{"serve"}}}
	f.Fuzz(func(t *testing.T, data []byte) {
		changed, err := setEntry(kind, data, append(slices.Clone(key), serverName), fields)
		if err != nil {
			return
		}
		// setEntry has compared all other settings. What was not in an entry for
		// docent before must be there byte for byte.
		w := changeOf(data, changed)
		if original, ok := w.undo(changed); !ok || !bytes.Equal(original, data) {
			t.Fatalf("%q became %q", data, changed)
		}
		if again, err := setEntry(kind, changed, append(slices.Clone(key), serverName), fields); err == nil && !bytes.Equal(again, changed) {
			t.Fatalf("%q became %q, then %q, %v", data, changed, again, err)
		}
	})
}

func FuzzSetJSON(f *testing.F) {
	fuzzEditor(f, jsonFormat, []string{"mcpServers"}, jsonFiles("mcpServers"))
}
func FuzzSetTOML(f *testing.F) { fuzzEditor(f, tomlFormat, []string{"mcp_servers"}, tomlFiles()) }
func FuzzSetYAML(f *testing.F) { fuzzEditor(f, yamlFormat, []string{"extensions"}, yamlFiles()) }

func FuzzSection(f *testing.F) {
	for _, text := range markdownFiles() {
		f.Add([]byte(text))
	}
	place := sharedFile("AGENTS.md")
	f.Fuzz(func(t *testing.T, data []byte) {
		changed, err := place.set(data, nil, "")
		if err != nil {
			return
		}
		if again, err := place.set(changed, nil, ""); err != nil || !bytes.Equal(again, changed) {
			t.Fatalf("%q changes again, %v", changed, err)
		}
		if !bytes.Contains(data, []byte(sectionStart)) {
			if rest, err := place.remove(changed, nil, ""); err != nil || !bytes.Equal(rest, data) {
				t.Fatalf("%q became %q, then %q, %v", data, changed, rest, err)
			}
		}
	})
}
