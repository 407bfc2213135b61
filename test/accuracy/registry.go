package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/cachedir"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/npm"
)

// symbolText contains the compared parts of a symbol.
type symbolText struct {
	path             string
	kind             apidoc.Kind
	signature        string
	documented, dead bool
}

// registry compares the results for packages in dir/node_modules with the results for the same
// packages from npm's configured registry. The project for the latter contains only TypeScript and
// the declarations of Node.js, which packages do not include.
func registry(out io.Writer, dir string, names []string) error {
	empty, err := os.MkdirTemp("", "accuracy")
	if err != nil {
		return err
	}
	defer os.RemoveAll(empty)
	if err := bareProject(empty, dir); err != nil {
		return err
	}
	cache := cachedir.New(filepath.Join(empty, "cache"), cachedir.Options{})
	language := npm.New(ecosystem.Options{Cache: cache})
	fmt.Fprintf(out, "%-34s %9s %9s %7s %7s\n", "through the registry", "installed", "registry", "recall", "precis.")
	var sum score
	for _, name := range names {
		installed, version, err := symbolsOf(language, name, dir)
		if err != nil {
			return err
		}
		remote, _, err := symbolsOf(language, name+"@"+version, empty)
		if err != nil {
			return err
		}
		s := score{want: len(installed), got: len(remote)}
		for text := range installed {
			if remote[text] {
				s.both++
			}
		}
		sum.add(s)
		fmt.Fprintf(out, "%-34s %9d %9d %7.2f %7.2f\n", name, s.want, s.got, s.recall(), s.precision())
	}
	fmt.Fprintf(out, "%-34s %9d %9d %7.2f %7.2f\n", fmt.Sprintf("%d packages", len(names)), sum.want, sum.got, sum.recall(), sum.precision())
	if min(sum.recall(), sum.precision()) < wantRegistry {
		return errors.New("what the registry gives is not what is installed")
	}
	return nil
}

// wantRegistry is the minimum percentage of the installed symbols that must be found through the
// registry.
const wantRegistry = 99.9

// bareProject creates a project in dir with only the libraries of TypeScript and Node.js, which are
// installed below from.
func bareProject(dir, from string) error {
	if err := os.MkdirAll(filepath.Join(dir, "node_modules", "@types"), 0o755); err != nil {
		return err
	}
	from, err := filepath.Abs(from)
	if err != nil {
		return err
	}
	for _, name := range []string{"typescript", "@types/node"} {
		folder := filepath.Join("node_modules", filepath.FromSlash(name))
		if err := os.CopyFS(filepath.Join(dir, folder), os.DirFS(filepath.Join(from, folder))); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(dir, "package.json"), []byte(`{"name":"bare","version":"1.0.0"}`), 0o644)
}

// symbolsOf reads a package in the context of a project.
func symbolsOf(language ecosystem.Language, name, project string) (symbols map[symbolText]bool, version string, err error) {
	ctx := context.Background()
	found, err := language.Find(ctx, ecosystem.Query{Package: name, ProjectDir: project})
	if err != nil {
		return nil, "", err
	}
	p, err := found.Read(ctx)
	if found.Close != nil {
		found.Close()
	}
	if err != nil {
		return nil, "", err
	}
	symbols = map[symbolText]bool{}
	for s := range p.All {
		symbols[symbolText{s.Path, s.Kind, s.Signature, s.Doc != "", s.Deprecated != ""}] = true
	}
	return symbols, p.Version, nil
}
