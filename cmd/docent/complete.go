package main

import (
	"context"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/golang"
	"github.com/docent-mcp/docent/internal/ecosystem/npm"
)

// complete offers languages, packages and, if wanted, the symbols of the
// package on the command line.
func complete(symbols bool) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
		const done = cobra.ShellCompDirectiveNoFileComp
		switch {
		case len(args) == 0:
			return []cobra.Completion{string(apidoc.Go), string(apidoc.NPM)}, done
		case len(args) == 1:
			return packagesOf(cmd, apidoc.Ecosystem(strings.ToLower(args[0])), begun), done
		case len(args) == 2 && symbols:
			return symbolsOf(cmd, args, begun), done
		}
		return nil, done
	}
}

// maxCompletions is how many a shell is offered; nobody reads more.
const maxCompletions = 300

// packagesOf lists packages whose name begins as the word on the command line.
func packagesOf(cmd *cobra.Command, language apidoc.Ecosystem, begun string) []cobra.Completion {
	var of interface {
		HasProject(dir string) bool
		Names(projectDir, prefix string, limit int) []string
	}
	switch language {
	case apidoc.Go:
		of = golang.New(golang.Options{Offline: true})
	case apidoc.NPM:
		of = npm.New(npm.Options{Offline: true})
	default:
		return nil
	}
	project, _ := cmd.Flags().GetString("project")
	if dir, err := os.Getwd(); project == "" && err == nil && of.HasProject(dir) {
		project = dir
	}
	return of.Names(project, begun, maxCompletions)
}

// described is the package that the arguments name, without asking a network; an
// empty one if it cannot be read that way, and soon.
func described(cmd *cobra.Command, args []string) *apidoc.Package {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	s := openStore(true)
	language := apidoc.Ecosystem(strings.ToLower(args[0]))
	project, _ := cmd.Flags().GetString("project")
	if project == "" {
		project = workingProject(s, language)
	}
	p, err := s.Describe(ctx, language, ecosystem.Query{Package: args[1], ProjectDir: project})
	if err != nil {
		return &apidoc.Package{}
	}
	return p
}

// symbolsOf lists the symbols whose path begins as the word on the command
// line, members once their type is typed.
func symbolsOf(cmd *cobra.Command, args []string, begun string) []cobra.Completion {
	var found []cobra.Completion
	for symbol := range described(cmd, args).All {
		path := symbol.Path
		if !strings.HasPrefix(path, begun) || strings.Contains(path[len(begun):], ".") {
			continue
		}
		found = append(found, cobra.CompletionWithDesc(path, string(symbol.Kind)))
	}
	return found
}

// completeSections offers the sections of the package on the command line whose
// ID begins as the word there.
func completeSections(cmd *cobra.Command, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
	const done = cobra.ShellCompDirectiveNoFileComp
	if len(args) < 2 {
		return nil, done
	}
	var found []cobra.Completion
	sections := described(cmd, args).Sections
	for i := range sections {
		if s := &sections[i]; strings.HasPrefix(s.ID, begun) && len(found) < maxCompletions {
			found = append(found, cobra.CompletionWithDesc(s.ID, strings.Join(strings.Fields(s.Title), " ")))
		}
	}
	return found, done
}
