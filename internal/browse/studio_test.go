package browse

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/console"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/golang/godoc"
	"github.com/docent-mcp/docent/internal/highlight"
	"github.com/docent-mcp/docent/internal/lookup"
	"github.com/docent-mcp/docent/internal/markup"
	"github.com/docent-mcp/docent/internal/store"
	"github.com/docent-mcp/docent/internal/terminal"
)

// studio is a language with a few packages, and a project that uses some of them.
type studio struct {
	dir      string
	packages map[string]*apidoc.Package
	files    map[string]string
	used     []ecosystem.Used
}

func (s *studio) Info() *ecosystem.Info {
	return &ecosystem.Info{
		ID: "paint", Manifests: []string{"studio.lst"}, Style: apidoc.Style{Name: "Paint", Fence: "paint", Syntax: godoc.Syntax{}},
		Lexis: highlight.Lexis{Keywords: highlight.Words("func type"), LineComment: "//"},
	}
}

func (s *studio) HasProject(dir string) bool { return dir == s.dir }

func (s *studio) Names(_, prefix string, _ int) (names []string) {
	for name := range s.packages {
		if strings.HasPrefix(name, prefix) && !strings.Contains(name, "@") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func (s *studio) Find(_ context.Context, q ecosystem.Query) (*ecosystem.Found, error) {
	name, version, _ := strings.Cut(q.Package, "@")
	q.Version = cmp.Or(q.Version, version)
	p := s.packages[name+"@"+q.Version]
	if p == nil {
		p = s.packages[name]
	}
	if p == nil || q.Version != "" && q.Version != p.Version {
		return nil, &ecosystem.Error{Reason: ecosystem.NotFound, What: "no package " + q.Package, Next: "name another"}
	}
	return &ecosystem.Found{
		Read: func(context.Context) (*apidoc.Package, error) { copied := *p; return &copied, nil },
		File: func(_ context.Context, name string) ([]byte, error) {
			if text, ok := s.files[name]; ok {
				return []byte(text), nil
			}
			return nil, fs.ErrNotExist
		},
	}, nil
}

func (s *studio) Doctor(string) []ecosystem.Fact { return nil }

func (s *studio) Graph(context.Context, string) (*ecosystem.Graph, error) {
	g := &ecosystem.Graph{Root: s.dir, Packages: slices.Clone(s.used)}
	g.Sort()
	return g, nil
}

func (s *studio) Dependencies(string) (all []ecosystem.Dependency, err error) {
	for i := range s.used {
		if u := &s.used[i]; !u.Member {
			all = append(all, ecosystem.Dependency{Package: u.Name, Version: u.Version, Direct: true, Installed: u.Installed})
		}
	}
	return all, nil
}

// newStudio returns a language with a project.
func newStudio(t *testing.T) *studio {
	t.Helper()
	const provenance = "studio.lst"
	easel := &apidoc.Package{
		Name: "easel", Version: "v1.2.0", LocalName: "easel", Synopsis: "Package easel holds pictures.",
		Doc:        "Package easel holds pictures.\n\nAn [Easel] stands on *three* legs.",
		Provenance: apidoc.Provenance{Source: "shelf", ChosenBy: provenance},
		Imports:    []apidoc.Ref{{Name: "brush", Package: "brush"}},
		Sections:   []apidoc.Section{{ID: "readme/setup", Title: "Set up", Level: 2, Body: "Unfold the legs. Use `easel.Open`.", File: "README.md"}},
		Subpackages: []apidoc.Subpackage{
			{Name: "easel/wood", Synopsis: "Package wood has kinds of wood."},
		},
		Symbols: []apidoc.Symbol{
			{Path: "Easel", Kind: "type", Signature: "type Easel", Doc: "Easel holds a picture.\n\n- It stands.\n- It folds.", File: "easel.p", Line: 4, Members: []apidoc.Symbol{
				{Path: "Easel.Hang", Kind: "method", Signature: "func Hang(p Picture)", Doc: "Hang hangs a picture on the easel.", File: "easel.p", Line: 7},
				{Path: "Easel.Fold", Kind: "method", Signature: "func Fold()", Doc: "Fold folds the easel."},
			}},
			{Path: "Picture", Kind: "type", Signature: "type Picture", Doc: "Picture is a picture."},
			{Path: "Open", Kind: "func", Signature: "func Open(legs int) Easel", Doc: "Open opens an easel for a brush.Brush.", File: "easel.p", Line: 10},
			{Path: "OpenOld", Kind: "func", Signature: "func OpenOld()", Doc: "OpenOld is like Open.", Deprecated: "Use Open."},
		},
	}
	brush := &apidoc.Package{
		Name: "brush", Version: "v0.3.1", LocalName: "brush", Synopsis: "Package brush paints.", Doc: "Package brush paints.",
		Provenance: apidoc.Provenance{Source: "shelf", ChosenBy: provenance},
		Symbols: []apidoc.Symbol{
			{Path: "Brush", Kind: "type", Signature: "type Brush", Doc: "Brush paints.\n\n" + numbered(60)},
		},
	}
	older := *easel
	older.Version = "v1.0.0"
	older.Symbols = []apidoc.Symbol{{Path: "Easel", Kind: "type", Signature: "type Easel", Doc: "Easel is an old easel."}}
	wood := &apidoc.Package{Name: "easel/wood", Version: "v1.2.0", Synopsis: "Package wood has kinds of wood.", Doc: "Package wood has kinds of wood.", Provenance: easel.Provenance}
	frame := &apidoc.Package{Name: "std/frame", Version: "v9", Synopsis: "Package frame frames.", Doc: "Package frame frames.", Provenance: easel.Provenance}
	dir := filepath.Join(t.TempDir(), "studio")
	return &studio{
		dir:      dir,
		packages: map[string]*apidoc.Package{"easel": easel, "brush": brush, "easel/wood": wood, "std/frame": frame, "easel@v1.0.0": &older},
		files: map[string]string{
			"easel.p": "// Package easel holds pictures.\n\n// Easel holds a picture.\ntype Easel {\n\tlegs int\n\n\tfunc Hang(p Picture) {}\n}\n\nfunc Open(legs int) Easel {\n\treturn Easel{legs}\n}\n",
		},
		used: []ecosystem.Used{
			{Name: "studio", Member: true, Dir: dir, Requires: []int{1, 2}},
			{Name: "easel", Version: "v1.2.0", Installed: true},
			{Name: "brush", Version: "v0.3.1", Installed: true},
			{Name: "varnish", Version: "v2.0.0", Inactive: true},
		},
	}
}

// numbered returns a list of sentences.
func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "- It has %d hairs.\n", i+1)
	}
	return b.String()
}

// session drives a model.
type session struct {
	t *testing.T
	*Model
}

// open starts a model on a screen.
func open(t *testing.T, s *studio, size console.Size, o Options) *session {
	t.Helper()
	languages := ecosystem.Languages{s}
	o.Lookup, o.Project = lookup.New(store.New(languages, store.Options{})), cmp.Or(o.Project, s.dir)
	out := &session{t, New(o)}
	out.send(size)
	return out
}

// send sends events, and runs the commands that they lead to until there are none.
func (s *session) send(events ...any) *session {
	s.t.Helper()
	for _, event := range events {
		commands := s.Update(event)
		for len(commands) > 0 {
			next := commands[0]
			commands = append(commands[1:], s.Update(next(s.t.Context()))...)
		}
		s.screen() // The program also renders the screen after each event.
	}
	return s
}

// write presses the keys of a text.
func (s *session) write(text string) *session {
	s.t.Helper()
	for _, r := range text {
		s.send(console.Key(string(r)))
	}
	return s
}

// screen returns what is to be seen, without styles, and the place of the cursor. It fails if
// something is on it that no terminal should get.
func (s *session) screen() string {
	s.t.Helper()
	f := s.View()
	if len(f.Lines) != s.size.Lines {
		s.t.Fatalf("the frame has %d lines, the screen %d", len(f.Lines), s.size.Lines)
	}
	var b strings.Builder
	for i, line := range f.Lines {
		bare := terminal.Bare(line)
		if strings.ContainsFunc(bare, func(r rune) bool { return unicode.IsControl(r) || markup.Hidden(r) }) {
			s.t.Fatalf("line %d has control characters: %q", i, line)
		}
		if n := terminal.Columns(bare); n > s.size.Columns {
			s.t.Fatalf("line %d has %d columns, the screen %d: %q", i, n, s.size.Columns, bare)
		}
		b.WriteString(strings.TrimRight(bare, " ") + "\n")
	}
	if f.Line >= 0 {
		fmt.Fprintf(&b, "(cursor at column %d of line %d)\n", f.Column+1, f.Line+1)
	}
	return b.String()
}

// shows fails unless the screen has all the strings.
func (s *session) shows(texts ...string) *session {
	s.t.Helper()
	screen := s.screen()
	for _, text := range texts {
		if !strings.Contains(screen, text) {
			s.t.Fatalf("the screen lacks %q:\n%s", text, screen)
		}
	}
	return s
}

// lacks fails if the screen has one of the strings.
func (s *session) lacks(texts ...string) {
	s.t.Helper()
	screen := s.screen()
	for _, text := range texts {
		if strings.Contains(screen, text) {
			s.t.Fatalf("the screen has %q:\n%s", text, screen)
		}
	}
}

// click presses the left button on the first place that has a text.
func (s *session) click(text string) *session {
	s.t.Helper()
	for i, line := range s.View().Lines {
		if before, _, ok := strings.Cut(terminal.Bare(line), text); ok {
			return s.send(console.Mouse{Button: console.LeftButton, Column: terminal.Columns(before), Line: i})
		}
	}
	s.t.Fatalf("the screen lacks %q:\n%s", text, s.screen())
	return s
}
