package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/docent-mcp/docent/internal/answer"
	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/lookup"
	"github.com/docent-mcp/docent/internal/progress"
	"github.com/docent-mcp/docent/internal/quote"
	"github.com/docent-mcp/docent/internal/skill"
)

// skillPlaces contains the directories of a project from which hosts read skills. These are the
// directory of the Agent Skills convention and Claude Code's directory.
var skillPlaces = []string{".agents/skills", ".claude/skills"}

func newSkills(s streams, languages languageList) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "skills",
		Short: "List and install skills for coding agents from packages",
		Long: `Some packages contain skills. These are instructions from the package's
authors for coding agents that use the package. The commands describe and search quote
skills like any other documentation. Agents follow the skills that are installed in a
project, so docent installs only the skills that you specify.`,
		Args: onlyCommands,
		RunE: func(cmd *cobra.Command, _ []string) error { return ran(cmd.Help()) },
	}
	cmd.AddCommand(newSkillsList(s, languages), newSkillsShow(languages), newSkillsInstall(languages), newSkillsRemove())
	return cmd
}

// skillsData is the JSON output for a skill in a list.
type skillsData struct {
	Language    string   `json:"language"`
	Package     string   `json:"package"`
	Version     string   `json:"version"`
	Skill       string   `json:"skill"`
	Description string   `json:"description"`
	Installed   []string `json:"installed,omitempty"` // directories that contain the skill
	// Outdated is true if the installed skill comes from a different version of the package than
	// the one that the project uses.
	Outdated bool `json:"outdated,omitempty"`
	Modified bool `json:"modified,omitempty"`
}

func newSkillsList(s streams, languages languageList) *cobra.Command {
	var project string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the skills in the project's direct dependencies",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			dir, err := projectDir(project)
			if err != nil {
				return ran(err)
			}
			_, stop := s.withProgress(cmd)
			defer stop()
			report, end := progress.Count(cmd.Context(), readingPackages)
			packages, err := lookup.New(openStore(languages, true)).Skills(cmd.Context(), dir, report)
			end()
			if err != nil {
				return ran(err)
			}
			all, err := withInstalled(dir, packages)
			if err != nil {
				return ran(err)
			}
			if asJSON {
				return ran(encode(cmd.OutOrStdout(), all))
			}
			return ran(writeSkills(cmd.OutOrStdout(), all))
		},
	}
	projectFlag(cmd, &project)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// withInstalled returns the skills of packages together with those that are installed in a project.
func withInstalled(dir string, packages []lookup.PackageSkills) ([]skillsData, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	records := map[string][]skill.Record{}
	for _, place := range skillPlaces {
		if records[place], err = skill.Installed(root, place); err != nil {
			return nil, err
		}
	}
	all := []skillsData{}
	for _, p := range packages {
		for _, s := range p.Skills {
			description, _, _ := strings.Cut(s.Body, "\n")
			d := skillsData{Language: string(p.Package.Ecosystem), Package: p.Package.Name, Version: p.Package.Version, Skill: s.Title, Description: description}
			for _, place := range skillPlaces {
				for _, r := range records[place] {
					if r.Skill == s.Title && r.Package == d.Package && r.Language == d.Language {
						d.Installed = append(d.Installed, path.Join(place, r.Skill))
						d.Outdated = d.Outdated || r.Version != d.Version
						d.Modified = d.Modified || r.Modified
					}
				}
			}
			all = append(all, d)
		}
	}
	return all, nil
}

func writeSkills(w io.Writer, all []skillsData) error {
	if len(all) == 0 {
		_, err := fmt.Fprintln(w, "No direct dependency of the project contains skills.")
		return err
	}
	for _, d := range all {
		state := ""
		if len(d.Installed) > 0 {
			state = ", installed in " + strings.Join(d.Installed, " and ")
		}
		if d.Outdated {
			state += " from another version"
		}
		if d.Modified {
			state += ", modified"
		}
		if _, err := fmt.Fprintf(w, "%s (%s %s %s)%s\n    %s\n", d.Skill, d.Language, d.Package, d.Version, state, d.Description); err != nil {
			return err
		}
	}
	return nil
}

// skillArgs contains the arguments of a command about skills of one package: [LANG] PACKAGE
// SKILL...
func skillArgs(cmd *cobra.Command, q *question, l *lookup.Lookup, args []string) (lookup.Package, []string, error) {
	args, err := q.withLanguage(cmd, l, args, true)
	if err != nil {
		return lookup.Package{}, nil, err
	}
	return q.about(cmd, l, args), args[2:], nil
}

func newSkillsShow(languages languageList) *cobra.Command {
	q := question{languages: languages}
	const usage = "docent skills show [LANG] PACKAGE [SKILL]"
	cmd := &cobra.Command{
		Use:               strings.TrimPrefix(usage, "docent skills "),
		Short:             "Show a skill from a package",
		Args:              languageAndPackage(languages(true), usage),
		ValidArgsFunction: complete(languages, false),
		RunE: func(cmd *cobra.Command, args []string) error {
			l := q.lookup()
			about, names, err := skillArgs(cmd, &q, l, args)
			if err != nil {
				return ran(err)
			}
			return ran(l.PackageSkills(cmd.Context(), about, func(p *apidoc.Package, skills []skill.Skill) error {
				chosen, err := chooseSkills(p, skills, names)
				if err != nil {
					return err
				}
				for i := range chosen {
					s := chosen[i].Section()
					if _, err := fmt.Fprintf(cmd.OutOrStdout(), "# Skill %s of %s %s\n\n> %s\n\n%s\n", chosen[i].Name, p.Name, p.Version, answer.Notice, s.Body); err != nil {
						return err
					}
				}
				return nil
			}))
		},
	}
	projectFlag(cmd, &q.project)
	offlineFlag(cmd, &q.offline)
	return cmd
}

// chooseSkills returns the skills with the given names, or all skills if there are no names.
func chooseSkills(p *apidoc.Package, skills []skill.Skill, names []string) ([]skill.Skill, error) {
	if len(skills) == 0 {
		return nil, ecosystem.Fail(ecosystem.NotFound, "%s %s contains no skills", p.Name, p.Version).WithNext("docent skills list shows the skills in the project's dependencies")
	}
	if len(names) == 0 {
		return skills, nil
	}
	var chosen []skill.Skill
	for _, name := range names {
		i := slices.IndexFunc(skills, func(s skill.Skill) bool { return s.Name == name })
		if i < 0 {
			var known []string
			for _, s := range skills {
				known = append(known, s.Name)
			}
			return nil, ecosystem.Fail(ecosystem.NotFound, "%s %s contains no skill %.100q", p.Name, p.Version, name).WithNext("it contains: %s", quote.List(known, 20))
		}
		chosen = append(chosen, skills[i])
	}
	return chosen, nil
}

func newSkillsInstall(languages languageList) *cobra.Command {
	q := question{languages: languages}
	var places []string
	var force bool
	const usage = "docent skills install [LANG] PACKAGE [SKILL...]"
	cmd := &cobra.Command{
		Use:   strings.TrimPrefix(usage, "docent skills "),
		Short: "Copy a package's skills into the project, where agents follow them",
		Long: `Install copies skills from a package into the project. Agents follow
these skills as instructions, so read them first with docent skills show. Run install
again after upgrading the package. Each copy contains the name and version of its
package.`,
		Example: `  docent skills install fastapi
  docent skills install fastapi --to .claude/skills`,
		Args:              languageAndPackage(languages(true), usage),
		ValidArgsFunction: complete(languages, false),
		RunE: func(cmd *cobra.Command, args []string) error {
			l := q.lookup()
			about, names, err := skillArgs(cmd, &q, l, args)
			if err != nil {
				return ran(err)
			}
			root, err := openProject(q.project)
			if err != nil {
				return ran(err)
			}
			defer root.Close()
			return ran(l.PackageSkills(cmd.Context(), about, func(p *apidoc.Package, skills []skill.Skill) error {
				chosen, err := chooseSkills(p, skills, names)
				if err != nil {
					return err
				}
				for i := range chosen {
					for _, place := range places {
						r := skill.Record{Language: string(p.Ecosystem), Package: p.Name, Version: p.Version}
						changed, err := skill.Install(root, path.Clean(place), &chosen[i], r, force)
						if err != nil {
							return withForce(err)
						}
						state := "installed from"
						if !changed {
							state = "up to date with"
						}
						fmt.Fprintf(cmd.OutOrStdout(), "%s: %s %s %s\n", path.Join(place, chosen[i].Name), state, p.Name, p.Version)
					}
				}
				return nil
			}))
		},
	}
	projectFlag(cmd, &q.project)
	offlineFlag(cmd, &q.offline)
	placesFlag(cmd, &places)
	cmd.Flags().BoolVar(&force, "force", false, "replace skills even if they were changed after installation")
	return cmd
}

// openProject opens the directory of a project, or the working directory if dir is empty.
func openProject(dir string) (*os.Root, error) {
	dir, err := projectDir(dir)
	if err != nil {
		return nil, err
	}
	return os.OpenRoot(dir)
}

func placesFlag(cmd *cobra.Command, places *[]string) {
	cmd.Flags().StringSliceVar(places, "to", skillPlaces[:1], "directories in the project for skills; Claude Code reads "+skillPlaces[1])
}

// withForce adds advice to an error about a modified skill.
func withForce(err error) error {
	if errors.Is(err, skill.ErrModified) {
		return fmt.Errorf("%w; --force discards the changes", err)
	}
	return err
}

func newSkillsRemove() *cobra.Command {
	var project string
	var places []string
	var force bool
	cmd := &cobra.Command{
		Use:   "remove SKILL...",
		Short: "Remove skills that docent installed from the project",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			root, err := openProject(project)
			if err != nil {
				return ran(err)
			}
			defer root.Close()
			for _, name := range args {
				for _, place := range places {
					err := skill.Remove(root, path.Clean(place), name, force)
					if errors.Is(err, fs.ErrNotExist) {
						err = fmt.Errorf("the project has no skill %s in %s; docent skills list shows the skills", name, path.Clean(place))
					}
					if err != nil {
						return ran(withForce(err))
					}
					fmt.Fprintf(cmd.OutOrStdout(), "%s: removed\n", path.Join(place, name))
				}
			}
			return nil
		},
	}
	projectFlag(cmd, &project)
	placesFlag(cmd, &places)
	cmd.Flags().Lookup("to").Usage = "directories in the project to remove skills from"
	cmd.Flags().BoolVar(&force, "force", false, "remove skills even if they were changed after installation")
	return cmd
}
