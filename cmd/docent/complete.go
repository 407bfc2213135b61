package main

import (
	"context"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/resolve"
)

// complete returns a function that completes languages, packages and, if symbols is true, symbols
// of the package on the command line. In a project, the language may be omitted.
func complete(languages languageList, symbols bool) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
		const done = cobra.ShellCompDirectiveNoFileComp
		known := languages(true)
		switch {
		case len(args) == 0:
			found := slices.DeleteFunc(known.IDs(), func(id string) bool { return !strings.HasPrefix(id, begun) })
			for _, l := range inProject(cmd, known) {
				found = append(found, packagesOf(cmd, l, begun)...)
			}
			return found[:min(len(found), maxCompletions)], done
		case len(args) == 1 && known.Find(args[0]) != nil:
			return packagesOf(cmd, known.Find(args[0]), begun), done
		case symbols:
			return symbolsOf(cmd, known, args, begun), done
		}
		return nil, done
	}
}

// inProject returns the languages of the project on the command line.
func inProject(cmd *cobra.Command, known ecosystem.Languages) (found ecosystem.Languages) {
	dir, _ := cmd.Flags().GetString("project")
	if dir == "" {
		dir, _ = os.Getwd()
	}
	for _, l := range known {
		if dir != "" && l.HasProject(dir) {
			found = append(found, l)
		}
	}
	return found
}

// maxCompletions is the maximum number of completions offered to a shell.
const maxCompletions = 300

// maxShortNames is the maximum number of packages whose last parts are compared with a word.
const maxShortNames = 10_000

// packagesOf returns the packages whose name begins with begun, the word to be completed.
func packagesOf(cmd *cobra.Command, l ecosystem.Language, begun string) []cobra.Completion {
	if l == nil {
		return nil
	}
	project, _ := cmd.Flags().GetString("project")
	if dir, err := os.Getwd(); project == "" && err == nil && l.HasProject(dir) {
		project = dir
	}
	found := l.Names(project, begun, maxCompletions)
	if begun == "" {
		return found
	}
	for _, name := range resolve.ShortNames(l.Names(project, "", maxShortNames), begun) {
		found = append(found, cobra.CompletionWithDesc(name[0], name[1]))
	}
	return found[:min(len(found), maxCompletions)]
}

// described returns the package in the arguments, without using the network, or an empty package.
func described(cmd *cobra.Command, known ecosystem.Languages, args []string) *apidoc.Package {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	s := openStore(func(bool) ecosystem.Languages { return known }, true)
	project, _ := cmd.Flags().GetString("project")
	candidates, name := ecosystem.Languages{known.Find(args[0])}, args[min(1, len(args)-1)]
	if candidates[0] == nil {
		candidates, name = inProject(cmd, known), args[0]
	}
	for _, l := range candidates {
		id := string(l.Info().ID)
		dir := project
		if dir == "" {
			dir = workingProject(known, id)
		}
		if p, err := s.Describe(ctx, id, ecosystem.Query{Package: name, ProjectDir: dir}); err == nil {
			return p
		}
	}
	return &apidoc.Package{}
}

// symbolsOf returns the symbols whose path begins with begun, the word to be completed. It includes
// members only if the word contains their type.
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
		if len(args) == 0 || len(args) == 1 && languages(true).Find(args[0]) != nil {
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

// completeLanguage returns a function that completes a language as the first argument.
func completeLanguage(languages languageList) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		ids := slices.DeleteFunc(languages(true).IDs(), func(id string) bool { return !strings.HasPrefix(id, begun) })
		return ids, cobra.ShellCompDirectiveNoFileComp
	}
}
