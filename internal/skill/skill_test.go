package skill

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"
	"testing/fstest"
)

const till = "---\nname: till\ndescription: >\n  Counts coins.\n  Use it in shops.\nmetadata:\n  version: 1\n---\n\n# Till\n\nCount twice.\n"

func TestParse(t *testing.T) {
	tests := []struct {
		name, text, want string // the skill as name|description|body; or a part of the error
		fails            bool
	}{
		{"whole", till, "till|Counts coins. Use it in shops.|# Till\n\nCount twice.", false},
		{"Windows", strings.ReplaceAll(till, "\n", "\r\n"), "till|Counts coins. Use it in shops.|# Till\n\nCount twice.", false},
		{"no body", "---\nname: a\ndescription: b\n---", "a|b|", false},
		{"hidden characters", "---\nname: a\ndescription: \"b\u202ec\"\n---\nx\u200by", "a|bc|xy", false},
		{"no front matter", "# Till\n", "front matter", true},
		{"unclosed", "---\nname: a\ndescription: b\n", "front matter", true},
		{"no YAML", "---\nname: [a\n---\n", "front matter", true},
		{"no name", "---\ndescription: b\n---\n", "no valid name", true},
		{"a name that leads elsewhere", "---\nname: ../../etc\ndescription: b\n---\n", "no valid name", true},
		{"a hidden name", "---\nname: .git\ndescription: b\n---\n", "no valid name", true},
		{"a long name", "---\nname: " + strings.Repeat("a", 65) + "\ndescription: b\n---\n", "no valid name", true},
		{"no description", "---\nname: a\n---\n", "no description", true},
	}
	for _, tt := range tests {
		s, err := Parse(t.Context(), tt.text)
		got := s.Name + "|" + s.Description + "|" + s.Body
		if err != nil {
			got = err.Error()
		}
		if (err != nil) != tt.fails || tt.fails && !strings.Contains(got, tt.want) || !tt.fails && got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
	if s, err := Parse(t.Context(), "---\nname: a\ndescription: "+strings.Repeat("é", 2000)+"\n---\n"); err != nil || len(s.Description) > maxText || !strings.HasSuffix(s.Description, "é…") {
		t.Errorf("a long description: %d bytes, %v", len(s.Description), err)
	}
}

func skillFile(name, description string) *fstest.MapFile {
	return &fstest.MapFile{Data: []byte("---\nname: " + name + "\ndescription: " + description + "\n---\nBody.\n")}
}

func TestFind(t *testing.T) {
	files := fstest.MapFS{
		"skills/b/SKILL.md":                 {Data: []byte(till)},
		"skills/b/references/more.md":       {},
		"skills/core/routing/SKILL.md":      skillFile("routing", "Routes."),
		"skills/SKILL.md":                   skillFile("top", "Not in a directory of its own."),
		"skills/x/SKILL.md":                 {Data: []byte("no skill")},
		"skills/a/b/c/d/e/SKILL.md":         skillFile("deep", "Too deep."),
		".agents/skills/till/SKILL.md":      skillFile("till", "The name is in use."),
		".agents/skills/agents/SKILL.md":    skillFile("agents", "Of the convention."),
		"pkg/.agents/skills/inner/SKILL.md": skillFile("inner", "In a package."),
		"docs/skills/d/SKILL.md":            skillFile("docs", "Elsewhere."),
	}
	names := func(skills []Skill) (all []string) {
		for _, s := range skills {
			all = append(all, s.Name+" in "+s.Dir)
		}
		return all
	}
	got := fmt.Sprint(names(Find(t.Context(), files, ".")))
	if want := "[agents in .agents/skills/agents routing in skills/core/routing till in skills/b]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := fmt.Sprint(names(Find(t.Context(), files, "pkg"))); got != "[inner in pkg/.agents/skills/inner]" {
		t.Errorf("below pkg: %s", got)
	}
	many := fstest.MapFS{}
	for i := range 3 * maxDirs {
		many[fmt.Sprintf("skills/s%d/SKILL.md", i)] = skillFile(fmt.Sprint("s", i), "d")
	}
	if n := len(Find(t.Context(), many, ".")); n != maxSkills {
		t.Errorf("%d skills of %d were read, the bound is %d", n, len(many), maxSkills)
	}
}

func TestInstall(t *testing.T) {
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	const place = ".agents/skills"
	files := fstest.MapFS{
		"skills/till/SKILL.md":       {Data: []byte(till)},
		"skills/till/scripts/run.sh": {Data: []byte("#!/bin/sh\n"), Mode: 0o755},
	}
	s := &Find(t.Context(), files, ".")[0]
	r := Record{Language: "npm", Package: "till", Version: "1.0.0"}
	if changed, err := Install(root, place, s, r, false); !changed || err != nil {
		t.Fatal(changed, err)
	}
	data, err := root.ReadFile(place + "/till/SKILL.md")
	info, errStat := root.Stat(place + "/till/scripts/run.sh")
	if string(data) != till || err != nil || errStat != nil || info.Mode()&0o111 == 0 {
		t.Errorf("installed %q, %v, %v, %v", data, err, info, errStat)
	}
	if changed, err := Install(root, place, s, r, false); changed || err != nil {
		t.Errorf("a second time: %v, %v", changed, err)
	}
	all, err := Installed(root, place)
	if err != nil || len(all) != 1 || all[0].Package != "till" || all[0].Skill != "till" || all[0].Version != "1.0.0" || all[0].Modified {
		t.Errorf("installed: %+v, %v", all, err)
	}

	// A new version replaces the old one, files that it no longer has included.
	delete(files, "skills/till/scripts/run.sh")
	r.Version = "2.0.0"
	if changed, err := Install(root, place, s, r, false); !changed || err != nil {
		t.Errorf("a new version: %v, %v", changed, err)
	}
	if _, err := root.Stat(place + "/till/scripts/run.sh"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file of the old version: %v", err)
	}

	other := r
	other.Package = "other"
	if _, err := Install(root, place, s, other, true); err == nil || !strings.Contains(err.Error(), "another package") {
		t.Errorf("the skill of another package: %v", err)
	}

	if err := root.WriteFile(place+"/till/SKILL.md", []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Install(root, place, s, r, false); !errors.Is(err, ErrModified) {
		t.Errorf("replaced a changed file: %v", err)
	}
	if err := Remove(root, place, "till", false); !errors.Is(err, ErrModified) {
		t.Errorf("removed a changed file: %v", err)
	}
	if changed, err := Install(root, place, s, r, true); !changed || err != nil {
		t.Errorf("by force: %v, %v", changed, err)
	}
	if err := Remove(root, place, "till", false); err != nil {
		t.Error(err)
	}
	if entries, err := os.ReadDir(path.Join(dir, place)); len(entries) > 0 || err != nil {
		t.Errorf("left: %v, %v", entries, err)
	}
}

func TestInstall_StaysInTheProject(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	if err := os.WriteFile(path.Join(outside, "file"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, path.Join(dir, "link")); err != nil {
		t.Skip("this system does not let the user make symbolic links, which this test follows (on Windows, turn on developer mode):", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	s := &Find(t.Context(), fstest.MapFS{"skills/till/SKILL.md": {Data: []byte(till)}}, ".")[0]
	for _, place := range []string{"link", "../" + path.Base(outside), "link/below"} {
		if changed, err := Install(root, place, s, Record{Package: "till"}, true); err == nil {
			t.Errorf("installed into %s: %v", place, changed)
		}
	}
	if err := os.Mkdir(path.Join(dir, "till"), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := Install(root, ".", s, Record{Package: "till"}, true); err == nil || !strings.Contains(err.Error(), "not installed by docent") {
		t.Errorf("replaced a directory of the user: %v", err)
	}
	if err := Remove(root, ".", "till", true); err == nil {
		t.Error("removed a directory of the user")
	}
	if err := Remove(root, ".", "../"+path.Base(outside), true); err == nil {
		t.Error("removed a directory outside")
	}
	if entries, err := os.ReadDir(outside); err != nil || len(entries) != 1 {
		t.Errorf("outside: %v, %v", entries, err)
	}
}

func TestInstall_IsBounded(t *testing.T) {
	root, err := os.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	files := fstest.MapFS{"skills/till/SKILL.md": {Data: []byte(till)}}
	for i := range maxFiles {
		files[fmt.Sprintf("skills/till/%d", i)] = &fstest.MapFile{}
	}
	s := &Find(t.Context(), files, ".")[0]
	if _, err := Install(root, "skills", s, Record{}, false); err == nil || !strings.Contains(err.Error(), "more than") {
		t.Errorf("err = %v", err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(till)
	f.Add("---\nname: &a [*a]\n---")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Parse(t.Context(), text)
		if err == nil && (!validName(s.Name) || s.Description == "" || len(s.Description) > maxText || strings.Contains(s.Description, "\n")) {
			t.Errorf("%+v", s)
		}
	})
}
