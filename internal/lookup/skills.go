package lookup

import (
	"context"
	"runtime"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/parallel"
	"github.com/docent-mcp/docent/internal/skill"
)

// PackageSkills is a package together with its skills for coding agents, as sections of its
// documentation.
type PackageSkills struct {
	Language ecosystem.Info
	Package  *apidoc.Package
	Skills   []apidoc.Section
}

// Skills returns the skills of the installed direct dependencies of the project in a
// directory, by package. progress may be nil.
func (l *Lookup) Skills(ctx context.Context, dir string, progress func(done, all int)) ([]PackageSkills, error) {
	var all []PackageSkills
	err := l.eachProject(dir, func(language ecosystem.Language, dependencies []ecosystem.Dependency) error {
		info := language.Info()
		found := make([]PackageSkills, len(dependencies))
		err := parallel.Limit(ctx, len(dependencies), min(runtime.GOMAXPROCS(0), 4), progress, func(i int) {
			if d := dependencies[i]; d.Installed {
				p, err := l.store.Describe(ctx, string(info.ID), ecosystem.Query{Package: d.Package, ProjectDir: dir})
				if err == nil {
					found[i] = PackageSkills{Language: *info, Package: p, Skills: skillsOf(p)}
				}
			}
		})
		for _, p := range found {
			sameModule := func(other PackageSkills) bool {
				return other.Package.Ecosystem == p.Package.Ecosystem && other.Package.Module == p.Package.Module
			}
			if len(p.Skills) > 0 && !slices.ContainsFunc(all, sameModule) { // the packages of a module have the same skills
				all = append(all, p)
			}
		}
		return err
	})
	return all, err
}

// PackageSkills finds a package and calls use with its documentation and its skills. The files of
// the skills can be read until use returns.
func (l *Lookup) PackageSkills(ctx context.Context, q Package, use func(*apidoc.Package, []skill.Skill) error) error {
	p, err := l.store.Describe(ctx, q.Language, q.Query())
	if err != nil {
		return err
	}
	return ecosystem.Skills(ctx, l.Languages().Find(q.Language), q.Query(), func(skills []skill.Skill) error { return use(p, skills) })
}

func skillsOf(p *apidoc.Package) []apidoc.Section {
	return slices.DeleteFunc(slices.Clone(p.Sections), func(s apidoc.Section) bool { return !strings.HasPrefix(s.ID, apidoc.SkillPrefix) })
}

// eachProject calls visit with the direct dependencies of the project in a directory, for each
// language that has a project there and can list its dependencies.
func (l *Lookup) eachProject(dir string, visit func(ecosystem.Language, []ecosystem.Dependency) error) error {
	found := false
	for _, language := range l.Languages() {
		lister, ok := language.(ecosystem.Lister)
		if !ok || !language.HasProject(dir) {
			continue
		}
		all, err := lister.Dependencies(dir)
		if err != nil {
			return err
		}
		found = true
		direct := slices.DeleteFunc(slices.Clone(all), func(d ecosystem.Dependency) bool { return !d.Direct || d.Standard })
		if err := visit(language, direct); err != nil {
			return err
		}
	}
	if !found {
		return noProjectIn(dir, l.Languages())
	}
	return nil
}
