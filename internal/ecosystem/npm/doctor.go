package npm

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/npm/npmrc"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/project/npmlock"
	"github.com/docent-mcp/docent/internal/quote"
)

// Doctor implements ecosystem.Language. It reports registries and where they are
// configured, whether they have credentials, and tools and caches. It reads
// settings and directories. It does not start processes or use the network.
// projectDir may be empty.
func (n *NPM) Doctor(projectDir string) []ecosystem.Fact {
	var p *npmlock.Project
	var about []ecosystem.Fact
	if projectDir != "" {
		p, about = n.projectFacts(projectDir)
	}
	c := npmrc.Read(context.Background(), n.env, p)
	facts := n.registryFacts(c, p != nil)
	files := c.Files()
	if len(files) == 0 {
		files = []string{"none"}
	}
	facts = append(facts, ecosystem.Fact{Name: "npm settings", Value: strings.Join(files, ", ")})
	for _, problem := range c.Problems {
		facts = append(facts, ecosystem.Fact{Name: "npm settings", Problem: problem})
	}
	facts = append(facts, n.toolsFact())
	return append(facts, about...)
}

// registryFacts reports the default registry and the registries of scopes. If needed is true, a
// default registry that is not configured in any file is reported as a problem.
func (n *NPM) registryFacts(c *npmrc.Config, needed bool) []ecosystem.Fact {
	var facts []ecosystem.Fact
	for _, scope := range append([]string{""}, c.Scopes()...) {
		name, fact := "x", ecosystem.Fact{Name: "npm registry"}
		if scope != "" {
			name, fact.Name = scope+"/x", "registry of "+scope
		}
		r, err := c.RegistryFor(name)
		switch {
		case err != nil:
			failed, _ := errors.AsType[*ecosystem.Error](err)
			fact.Problem = failed.What + ": " + failed.Next
		case r != nil:
			fact = n.registryFact(c, r, name, fact)
		default:
			fact = n.unnamedFact(fact, needed)
		}
		facts = append(facts, fact)
	}
	return facts
}

func (n *NPM) registryFact(c *npmrc.Config, r *npmrc.Registry, name string, fact ecosystem.Fact) ecosystem.Fact {
	cred := c.CredentialFor(r, name, r.URL)
	fact.Value = r.String() + ", from " + r.Source
	switch expired, ok := cred.Expired(); {
	case cred.Missing.Any():
		fact.Problem = fmt.Sprintf("its credential, %s, depends on %s: %s", cred.Where(), cred.Missing, cred.Missing.Remedy())
	case ok:
		fact.Problem = fmt.Sprintf("its token, %s, expired on %s: %s to get a new one", cred.Where(), expired.Format("2006-01-02 15:04 UTC"), loginAt(r.URL, name))
	case cred.Present():
		fact.Value += ", with a credential (" + cred.Where() + ")"
	case cred.Withheld != "":
		fact.Value += ", without a credential (" + cred.Withheld + " does not name a host, so docent does not send it to this registry)"
	default:
		fact.Value += ", without a credential"
	}
	if _, err := c.AllowPlain(r, r.URL, cred); err != nil && fact.Problem == "" {
		failed, _ := errors.AsType[*ecosystem.Error](err)
		fact.Problem = failed.What + ": " + failed.Next
	}
	return fact
}

// unnamedFact reports which tool will be run to get a registry that is not configured in any file.
func (n *NPM) unnamedFact(fact ecosystem.Fact, needed bool) ecosystem.Fact {
	for _, t := range tools {
		tool := n.env.LookPath(t.name)
		if tool == "" {
			continue
		}
		if address := n.known(tool, t.key); address != "" {
			if r, err := npmrc.ParseRegistry(address, t.name); err == nil {
				fact.Value = r.String() + ", as " + t.name + " said"
				return fact
			}
		}
	}
	for _, t := range tools {
		if n.env.LookPath(t.name) != "" {
			fact.Value = "not configured; docent will get it from " + t.name + " when needed"
			return fact
		}
	}
	if r, err := npmrc.ParseRegistry(buildDefault, ""); err == nil {
		fact.Value = r.String() + ", from this build of docent"
		return fact
	}
	fact.Value = "not configured"
	if needed {
		fact.Problem = "docent cannot show packages that are not installed; set NPM_CONFIG_REGISTRY to the URL of your registry"
	}
	return fact
}

func (n *NPM) toolsFact() ecosystem.Fact {
	var found []string
	for _, name := range []string{"npm", "pnpm", "yarn", "bun", "node"} {
		if tool := n.env.LookPath(name); tool != "" {
			found = append(found, tool)
		}
	}
	if len(found) == 0 {
		found = []string{"none (docent does not need any)"}
	}
	return ecosystem.Fact{Name: "npm tools", Value: strings.Join(found, ", ")}
}

func (n *NPM) projectFacts(dir string) (*npmlock.Project, []ecosystem.Fact) {
	fact := ecosystem.Fact{Name: "npm project", Value: dir}
	dir, err := filepath.Abs(dir)
	if err == nil {
		var p *npmlock.Project
		if p, err = n.projects.Find(context.Background(), dir); err == nil {
			fact.Value = oneLine(p.Name()) + " in " + p.Dir
			if p.Root != p.Dir {
				fact.Value += ", in the workspace " + p.Root
			}
			fact.Problem = p.Problem
			chosen := ecosystem.Fact{Name: "its versions", Value: "from node_modules and package.json, without a lock file"}
			if p.LockFile != "" {
				chosen.Value = "by " + filepath.Base(p.LockFile)
			}
			count := len(p.Manifest.Dependencies) + len(p.Manifest.Dev) + len(p.Manifest.Optional) + len(p.Manifest.Peer)
			chosen.Value += fmt.Sprintf(", for %s; installed with %s", quote.Count(count, "dependency"), npmrc.ToolOf(p))
			return p, []ecosystem.Fact{fact, chosen}
		}
	}
	if errors.Is(err, project.ErrNone) {
		fact.Problem = "no package.json in this directory or any above it"
	} else {
		fact.Problem = quote.Error(npmrc.WithoutPath(err)).Error()
	}
	return nil, []ecosystem.Fact{fact}
}
