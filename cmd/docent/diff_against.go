package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/docent-mcp/docent/internal/compare"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/git"
	"github.com/docent-mcp/docent/internal/lookup"
	"github.com/docent-mcp/docent/internal/project"
)

// compareAgainst compares the user's own package in a directory with its state in another directory
// or at a revision of the git repository that contains it. It does not run git and does not change
// the repository.
func compareAgainst(ctx context.Context, l *lookup.Lookup, language, dir, against, symbols string) (*compare.Report, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if other, err := filepath.Abs(against); err == nil && ecosystem.IsDirectory(against) {
		if !project.IsDir(other) {
			return nil, ecosystem.Fail(ecosystem.NotFound, "there is no directory %s", other)
		}
		return l.CompareOwn(ctx, language, other, dir, against, symbols)
	}
	temporary, err := os.MkdirTemp("", "docent-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(temporary)
	before, err := exportRevision(ctx, dir, against, temporary)
	if err != nil {
		return nil, err
	}
	return l.CompareOwn(ctx, language, before, dir, against, symbols)
}

// exportRevision writes a revision of the git repository that contains dir to the directory to. It
// returns the path of dir in that copy.
func exportRevision(ctx context.Context, dir, revision, to string) (string, error) {
	top, err := git.WorkTree(dir)
	if err != nil {
		return "", ecosystem.Fail(ecosystem.Invalid, "%s", err).WithNext("specify a directory with --against, such as ../before")
	}
	repository, err := git.Open(top)
	if err != nil {
		return "", fmt.Errorf("the git repository that contains %s cannot be read: %w", top, err)
	}
	defer repository.Close()
	commit, err := repository.Resolve(revision)
	if err != nil {
		return "", ecosystem.Fail(ecosystem.NotFound, "the revision %.200s cannot be found: %v", revision, err).WithErr(err).WithNext("specify a tag, a branch or a commit")
	}
	files, err := repository.Files(commit)
	if err == nil {
		err = files.Export(ctx, to)
	}
	if err != nil {
		return "", fmt.Errorf("the revision %s cannot be read: %w", revision, err)
	}
	below, err := filepath.Rel(top, dir)
	if err != nil {
		return "", err
	}
	before := filepath.Join(to, below)
	if !project.IsDir(before) {
		return "", ecosystem.Fail(ecosystem.NotFound, "the revision %.200s has no directory %s", revision, filepath.ToSlash(below))
	}
	return before, nil
}
