package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/catalog"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/golang"
	"github.com/docent-mcp/docent/internal/ecosystem/npm"
	"github.com/docent-mcp/docent/internal/ecosystem/python"
	"github.com/docent-mcp/docent/internal/ecosystem/rust"
	"github.com/docent-mcp/docent/internal/ecosystem/swift"
	"github.com/docent-mcp/docent/internal/store"
)

// language describes how the packages of one language are installed and read.
type language struct {
	// install are the client's commands. They run in a copy of the language's
	// folder of manifests.
	install [][]string
	reader  func() ecosystem.Language
}

// languages are the languages that docent reads. A new language needs an entry here, a manifest in
// testdata and questions in testdata/questions.
var languages = map[string]language{
	"go": {
		install: [][]string{{"go", "mod", "download"}},
		reader:  func() ecosystem.Language { return golang.New(ecosystem.Options{Offline: true}) },
	},
	"npm": {
		install: [][]string{{"npm", "install", "--loglevel=error"}},
		reader:  func() ecosystem.Language { return npm.New(ecosystem.Options{Offline: true}) },
	},
	"python": {
		install: [][]string{{"python3", "-m", "venv", ".venv"}, {".venv/bin/pip", "install", "--quiet", "-r", "requirements.txt"}},
		reader:  func() ecosystem.Language { return python.New(ecosystem.Options{Offline: true}) },
	},
	"rust": {
		install: [][]string{{"cargo", "fetch"}},
		reader:  func() ecosystem.Language { return rust.New(ecosystem.Options{Offline: true}) },
	},
	"swift": {
		install: [][]string{{"git", "version"}, {"sh", "checkouts.sh"}},
		reader:  func() ecosystem.Language { return swift.New(ecosystem.Options{Offline: true}) },
	},
}

// skipError explains why the questions of a language are not asked.
type skipError struct{ why string }

func (e *skipError) Error() string { return e.why }

// readable installs the packages that the manifests in from name in dir, and
// checks that each question has an answer in its package or a subpackage.
func readable(ctx context.Context, packages *store.Store, name, from, dir string, questions []Question) error {
	l, ok := languages[name]
	if !ok {
		return &skipError{"docent does not read this language yet"}
	}
	if err := l.installed(ctx, from, dir); err != nil {
		return err
	}
	c := catalog.New(packages, &catalog.Settings{FamilyTime: wholeFamily})
	for i := range questions {
		q := &questions[i]
		name := catalog.Question{Language: q.Language, Name: q.Package, Project: dir}
		p, err := c.Read(ctx, name)
		if err != nil {
			return fmt.Errorf("read %s: %w", q.Package, err)
		}
		if q.hasAnswerIn(p.Package) {
			continue
		}
		below, _ := c.Family(ctx, name, p)
		if x := c.Index(ctx, name, p); x != nil {
			for i := range x.Symbols {
				below = append(below, c.ReadAll(ctx, name, []string{x.Symbols[i].Path})...)
			}
		}
		if !slices.ContainsFunc(below, func(p *catalog.Item) bool { return q.hasAnswerIn(p.Package) }) {
			return fmt.Errorf("nothing in %s answers %q", p.Name, q.Sentence)
		}
	}
	return nil
}

// installed copies the manifests from one folder to another and runs the client
// there, unless it has run there with the same manifests.
func (l language) installed(ctx context.Context, from, dir string) error {
	if _, err := exec.LookPath(l.install[0][0]); err != nil {
		return &skipError{l.install[0][0] + " is not installed"}
	}
	files, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	var manifests strings.Builder
	for _, f := range files {
		data, err := os.ReadFile(filepath.Join(from, f.Name()))
		if err != nil {
			return err
		}
		manifests.Write(data)
		if err := os.WriteFile(filepath.Join(dir, f.Name()), data, 0o644); err != nil {
			return err
		}
	}
	stamp := filepath.Join(dir, ".installed")
	if before, err := os.ReadFile(stamp); err == nil && string(before) == manifests.String() {
		return nil
	}
	for _, command := range l.install {
		cmd := exec.CommandContext(ctx, command[0], command[1:]...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			return &skipError{fmt.Sprintf("%s failed: %.300s", strings.Join(command, " "), strings.Join(strings.Fields(string(out)), " "))}
		}
	}
	return os.WriteFile(stamp, []byte(manifests.String()), 0o644)
}
