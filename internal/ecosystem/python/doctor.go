package python

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/python/pipconf"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/quote"
)

// Doctor implements ecosystem.Language. It reports the environment, the indexes and their
// configuration, whether there are credentials for them, and the project. It does not run programs
// or use the network.
func (py *Python) Doctor(projectDir string) []ecosystem.Fact {
	f := py.local(projectDir)
	if f == nil {
		return []ecosystem.Fact{{Name: "Python project", Value: projectDir, Problem: "it cannot be read"}}
	}
	defer f.close()
	facts := append(f.environmentFacts(), f.indexFacts()...)
	files := f.settings().config.Files()
	if len(files) == 0 {
		files = []string{"none"}
	}
	facts = append(facts, ecosystem.Fact{Name: "its settings", Value: strings.Join(files, ", ")})
	for _, problem := range f.settings().config.Problems {
		facts = append(facts, ecosystem.Fact{Name: "its settings", Problem: problem})
	}
	if projectDir != "" {
		facts = append(facts, f.projectFacts(projectDir)...)
	}
	return facts
}

func (f *finder) indexFacts() []ecosystem.Fact {
	fact := ecosystem.Fact{Name: "Python index"}
	c := f.settings().config
	all, err := c.Indexes("", nil)
	if err != nil {
		fact.Problem = problemOf(err)
		return []ecosystem.Fact{fact}
	}
	var facts []ecosystem.Fact
	for _, i := range all {
		if i == nil {
			if i, err = f.standardIndex(); err != nil {
				facts = append(facts, ecosystem.Fact{Name: "Python index", Value: "not configured", Problem: "docent cannot show packages that are not installed; set PIP_INDEX_URL to the URL of your index"})
				continue
			}
		}
		facts = append(facts, f.indexFact(c, i))
	}
	for _, i := range c.Links() {
		facts = append(facts, ecosystem.Fact{Name: "Python files", Value: i.String() + ", from " + i.Source})
	}
	if len(facts) == 0 {
		facts = append(facts, ecosystem.Fact{Name: "Python index", Value: "none (disabled by no-index in the settings)"})
	}
	return facts
}

func (f *finder) indexFact(c *pipconf.Config, i *pipconf.Index) ecosystem.Fact {
	fact := ecosystem.Fact{Name: "Python index", Value: i.String() + ", from " + i.Source}
	if i.URL == nil {
		return fact
	}
	cred := c.CredentialFor(i, i.URL)
	switch expired, ok := cred.Expired(); {
	case ok:
		fact.Problem = fmt.Sprintf("its token, %s, expired on %s", cred.Where(), expired.Format("2006-01-02 15:04 UTC"))
	case cred.Present():
		fact.Value += ", with a credential (" + cred.Where() + ")"
	default:
		fact.Value += ", without a credential"
	}
	if _, err := c.AllowPlain(i.URL, cred); err != nil && fact.Problem == "" {
		fact.Problem = problemOf(err)
	}
	return fact
}

func problemOf(err error) string {
	if failed, ok := errors.AsType[*ecosystem.Error](err); ok {
		return failed.What + ": " + failed.Next
	}
	return err.Error()
}

func (f *finder) environmentFacts() []ecosystem.Fact {
	if f.env == nil {
		return []ecosystem.Fact{{Name: "Python", Value: "no environment or interpreter found; docent works without one, but cannot show installed packages or the standard library"}}
	}
	count := 0
	for _, dir := range f.env.site {
		count += len(f.py.site(dir).ordered)
	}
	facts := []ecosystem.Fact{{Name: "Python", Value: fmt.Sprintf("%s in %s (from %s), with %s", f.env.version, f.env.prefix, f.env.by, quote.Count(count, "distribution"))}}
	if f.env.stdlib == "" {
		facts = append(facts, ecosystem.Fact{Name: "its library", Value: "not found", Problem: "the interpreter of the environment no longer exists: " + f.env.base})
	} else {
		facts = append(facts, ecosystem.DirectoryFact("its library", f.env.stdlib, ""))
	}
	return facts
}

func (f *finder) projectFacts(dir string) []ecosystem.Fact {
	fact := ecosystem.Fact{Name: "Python project", Value: dir}
	if f.project == nil {
		absolute, err := filepath.Abs(dir)
		if err == nil {
			_, err = f.py.projects.Find(context.Background(), absolute, f.py.env)
		}
		fact.Problem = "no pyproject.toml, requirements.txt or other manifest in this directory or any above it"
		if err != nil && !errors.Is(err, project.ErrNone) {
			fact.Problem = quote.Error(err).Error()
		}
		return []ecosystem.Fact{fact}
	}
	p := f.project
	fact.Value = oneLine(p.Name()) + " in " + p.Dir
	if p.Root != p.Dir {
		fact.Value += ", of the workspace in " + p.Root
	}
	fact.Problem = p.Problem
	from, without := p.LockName(), ""
	if p.LockFile == "" {
		from, without = "installed packages and the manifest", "no lock file; "
	}
	value := fmt.Sprintf("from %s, for %s; %smanaged with %s", from, quote.Count(len(p.Manifest.Names()), "dependency"), without, pipconf.ToolOf(p))
	return []ecosystem.Fact{fact, {Name: "its versions", Value: value}}
}
