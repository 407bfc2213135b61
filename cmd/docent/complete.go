package main

import (
	"context"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
)

// complete returns a function that completes languages, packages and, if
// symbols is true, symbols of the package on the command line.
func complete(languages languageList, symbols bool) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
		const done = cobra.ShellCompDirectiveNoFileComp
		switch {
		case len(args) == 0:
			return languages(true).IDs(), done
		case len(args) == 1:
			return packagesOf(cmd, languages(true).Find(args[0]), begun), done
		case symbols:
			return symbolsOf(cmd, languages(true), args, begun), done
		}
		return nil, done
	}
}

// maxCompletions is the maximum number of completions offered to a shell.
const maxCompletions = 300

// packagesOf returns the packages whose name begins with begun, the word being
// completed.
func packagesOf(cmd *cobra.Command, l ecosystem.Language, begun string) []cobra.Completion {
	if l == nil {
		return nil
	}
	project, _ := cmd.Flags().GetString("project")
	if dir, err := os.Getwd(); project == "" && err == nil && l.HasProject(dir) {
		project = dir
	}
	return l.Names(project, begun, maxCompletions)
}

// described returns the package that the arguments name, without using the
// network, or an empty package.
func described(cmd *cobra.Command, known ecosystem.Languages, args []string) *apidoc.Package {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	s := openStore(known)
	project, _ := cmd.Flags().GetString("project")
	if project == "" {
		project = workingProject(known, args[0])
	}
	p, err := s.Describe(ctx, args[0], ecosystem.Query{Package: args[1], ProjectDir: project})
	if err != nil {
		return &apidoc.Package{}
	}
	return p
}

// symbolsOf returns the symbols whose path begins with begun, the word being
// completed. Members are among them only once the word contains their type.
func symbolsOf(cmd *cobra.Command, known ecosystem.Languages, args []string, begun string) []cobra.Completion {
	var found []cobra.Completion
	p := described(cmd, known, args)
	for symbol := range p.All {
		path := symbol.Path
		if !strings.HasPrefix(path, begun) || strings.Contains(path[len(begun):], p.Separator()) {
			continue
		}
		found = append(found, cobra.CompletionWithDesc(path, string(symbol.Kind)))
	}
	return found
}

// completeSections returns a function that completes section IDs of the package
// on the command line.
func completeSections(languages languageList) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
		const done = cobra.ShellCompDirectiveNoFileComp
		if len(args) < 2 {
			return nil, done
		}
		var found []cobra.Completion
		sections := described(cmd, languages(true), args).Sections
		for i := range sections {
			if s := &sections[i]; strings.HasPrefix(s.ID, begun) && len(found) < maxCompletions {
				found = append(found, cobra.CompletionWithDesc(s.ID, strings.Join(strings.Fields(s.Title), " ")))
			}
		}
		return found, done
	}
}
