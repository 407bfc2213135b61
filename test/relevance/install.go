package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/golang"
	"github.com/docent-mcp/docent/internal/ecosystem/npm"
	"github.com/docent-mcp/docent/internal/search"
)

// language is how the packages of one language are installed and read.
type language struct {
	// install is the client's command. It runs in a copy of the language's
	// folder of manifests.
	install []string
	reader  func() ecosystem.Language
}

// languages are those that docent reads. A language that joins is one line
// here, its manifest in testdata and its questions in testdata/questions.
var languages = map[string]language{
	"go": {
		install: []string{"go", "mod", "download"},
		reader:  func() ecosystem.Language { return golang.New(golang.Options{Offline: true}) },
	},
	"npm": {
		install: []string{"npm", "install", "--loglevel=error"},
		reader:  func() ecosystem.Language { return npm.New(npm.Options{Offline: true}) },
	},
}

// skipError says why the questions of a language are not asked.
type skipError struct{ why string }

func (e *skipError) Error() string { return e.why }

// index is one package that questions are about, ready to be searched.
type index struct {
	language, name string
	*search.Index
}

// readPackages installs the packages that the manifests in from name in dir and
// reads those that the questions are about.
func readPackages(ctx context.Context, name, from, dir string, questions []Question) ([]index, error) {
	l, ok := languages[name]
	if !ok {
		return nil, &skipError{"docent does not read this language yet"}
	}
	if err := l.installed(ctx, from, dir); err != nil {
		return nil, err
	}
	reader := l.reader()
	var indexes []index
	done := map[string]bool{}
	for _, q := range questions {
		if done[q.Package] {
			continue
		}
		done[q.Package] = true
		p, err := ecosystem.Describe(ctx, reader, ecosystem.Query{Package: q.Package, ProjectDir: dir})
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", q.Package, err)
		}
		for i := range questions {
			if q := &questions[i]; q.Package == p.Name && !q.hasAnswerIn(p) {
				return nil, fmt.Errorf("nothing in %s answers %q", p.Name, q.Sentence)
			}
		}
		indexes = append(indexes, index{name, q.Package, search.New(p)})
	}
	return indexes, nil
}

// installed copies the manifests from one folder to another and runs the client
// there, unless it has run there with the same manifests.
func (l language) installed(ctx context.Context, from, dir string) error {
	if _, err := exec.LookPath(l.install[0]); err != nil {
		return &skipError{l.install[0] + " is not installed"}
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
	cmd := exec.CommandContext(ctx, l.install[0], l.install[1:]...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return &skipError{fmt.Sprintf("%s failed: %.300s", strings.Join(l.install, " "), strings.Join(strings.Fields(string(out)), " "))}
	}
	return os.WriteFile(stamp, []byte(manifests.String()), 0o644)
}
