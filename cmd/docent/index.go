package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/docent-mcp/docent/internal/depindex"
	"github.com/docent-mcp/docent/internal/lookup"
	"github.com/docent-mcp/docent/internal/progress"
	"github.com/docent-mcp/docent/internal/section"
)

// indexSection is the name of the marked section that contains the index.
const indexSection = "index"

func newIndex(s streams, languages languageList) *cobra.Command {
	var project, file string
	var stdout, check, remove bool
	var maxBytes int
	cmd := &cobra.Command{
		Use:   "index",
		Short: "Write an index of the project's dependencies to AGENTS.md",
		Long: `Index writes the direct dependencies of a project into a marked section
of AGENTS.md: name, version, purpose and entry points of each. Coding agents read this
file in every session, so they see which packages and versions the project uses, and
that docent can show their documentation. Index does not change the rest of the file.
If the project has many dependencies, the index contains less detail about each of
them.`,
		Example: `  docent index
  docent index --stdout
  docent index --check`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			dir, err := projectDir(project)
			if err != nil {
				return ran(err)
			}
			name := filepath.Join(dir, file)
			if remove {
				return ran(updateFile(name, func(old []byte) ([]byte, error) {
					rest, _, err := section.Remove(old, indexSection)
					return rest, err
				}))
			}
			_, stop := s.withProgress(cmd)
			defer stop()
			report, end := progress.Count(cmd.Context(), readingPackages)
			all, err := lookup.New(openStore(languages, true)).DependencyIndex(cmd.Context(), dir, report)
			end()
			if err != nil {
				return ran(err)
			}
			text := depindex.Text(all, maxBytes)
			switch {
			case stdout:
				_, err = io.WriteString(cmd.OutOrStdout(), text)
			case check:
				err = checkIndex(cmd, name, text)
			default:
				err = updateFile(name, func(old []byte) ([]byte, error) { return section.Set(old, indexSection, text) })
			}
			return ran(err)
		},
	}
	f := cmd.Flags()
	projectFlag(cmd, &project)
	f.StringVar(&file, "file", "AGENTS.md", "the Markdown file to change, relative to the project")
	f.BoolVar(&stdout, "stdout", false, "print the index instead")
	f.BoolVar(&check, "check", false, "change nothing; exit with 1 if the index is missing or out of date")
	f.BoolVar(&remove, "remove", false, "remove the index from the file")
	f.IntVar(&maxBytes, "max-bytes", depindex.MaxBytes, "size limit of the index in bytes")
	cmd.MarkFlagsMutuallyExclusive("stdout", "check", "remove")
	_ = cmd.MarkFlagFilename("file", "md")
	return cmd
}

// projectDir returns the absolute path of a directory. The default is the working directory.
func projectDir(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return "", fmt.Errorf("%s is not a directory", dir)
	}
	return dir, nil
}

// checkIndex returns a silentError if the section of a file is not up to date.
func checkIndex(cmd *cobra.Command, name, text string) error {
	data, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	body, ok, err := section.Get(data, indexSection)
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", name, err)
	case !ok:
		fmt.Fprintf(cmd.OutOrStdout(), "%s has no index. Run docent index.\n", name)
		return &silentError{exitFailure}
	case body != text:
		fmt.Fprintf(cmd.OutOrStdout(), "The index in %s is out of date. Run docent index.\n", name)
		return &silentError{exitFailure}
	}
	return nil
}

// maxMarkdown is the maximum size in bytes of a file that updateFile changes.
const maxMarkdown = 4 << 20

// updateFile changes a file, which does not have to exist. It replaces the file atomically, but
// only if the content changes. It removes a file that becomes empty. If the file is a symbolic
// link, it changes the link's target.
func updateFile(name string, change func([]byte) ([]byte, error)) error {
	mode := fs.FileMode(0o644)
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target
	}
	var old []byte
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case !info.Mode().IsRegular() || info.Size() > maxMarkdown:
		return fmt.Errorf("%s is not a regular file of at most %d bytes", name, maxMarkdown)
	default:
		mode = info.Mode().Perm()
		if old, err = os.ReadFile(name); err != nil {
			return err
		}
	}
	changed, err := change(old)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	switch {
	case bytes.Equal(old, changed):
		return nil
	case len(changed) == 0:
		return os.Remove(name)
	}
	temporary, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(temporary.Name()) // fails after the file has been renamed
	_, err = temporary.Write(changed)
	err = errors.Join(err, temporary.Chmod(mode), temporary.Close())
	if err != nil {
		return err
	}
	return os.Rename(temporary.Name(), name)
}
