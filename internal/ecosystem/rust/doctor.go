package rust

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/cargoconf"
	"github.com/docent-mcp/docent/internal/fetch"
	"github.com/docent-mcp/docent/internal/quote"
)

// Doctor implements ecosystem.Language. It reports the toolchain, cargo's directories, the
// registries and whether there are tokens for them, and the project. It does not run programs or
// use the network.
func (rs *Rust) Doctor(projectDir string) []ecosystem.Fact {
	f := rs.local(projectDir)
	var facts []ecosystem.Fact
	if f == nil {
		_, err := rs.project(projectDir)
		facts = append(facts, ecosystem.Fact{Name: "Rust project", Value: projectDir, Problem: "it cannot be read: " + quote.Line(fmt.Sprint(err), quote.Max)})
		if f = rs.local(""); f == nil {
			return facts
		}
	}
	defer f.close()
	facts = append(facts, f.registryFacts()...)
	facts = append(facts, f.toolchainFacts()...)
	home := ""
	if f.config.Home != "" {
		home = filepath.Join(f.config.Home, "registry")
	}
	facts = append(facts, ecosystem.DirectoryFact("crates of cargo", home, "set HOME or CARGO_HOME"))
	files := f.config.Files()
	if len(files) == 0 {
		files = []string{"none"}
	}
	facts = append(facts, ecosystem.Fact{Name: "cargo configuration", Value: strings.Join(files, ", "), Problem: strings.Join(f.config.Problems, " ")})
	return append(facts, f.projectFacts(projectDir)...)
}

// registryFacts describes the default registry and the configured registries.
func (f *finder) registryFacts() []ecosystem.Fact {
	var facts []ecosystem.Fact
	for _, name := range append([]string{""}, f.config.Registries()...) {
		s, ok := f.config.Named(name)
		if !ok {
			continue
		}
		fact := ecosystem.Fact{Name: strings.TrimSpace("crates registry " + name)}
		switch {
		case s.Directory != "":
			fact.Value = "replaced by the directory " + s.Directory + ", as configured in " + s.From
		case s.Local != "":
			fact.Value = "replaced by the local registry " + s.Local + ", as configured in " + s.From
		default:
			fact = f.indexFact(fact, s)
		}
		facts = append(facts, fact)
	}
	return facts
}

func (f *finder) indexFact(fact ecosystem.Fact, s cargoconf.Source) ecosystem.Fact {
	found, err := f.addressed(s)
	if err != nil {
		fact.Value, fact.Problem = cmp.Or(fetch.Redact(s.Index), "not configured"), err.Error()
		return fact
	}
	fact.Value = fetch.Redact(found.Index) + ", from " + found.From
	switch credential := f.config.CredentialFor(s); {
	case credential.Present():
		fact.Value += ", with a token (" + credential.From + ")"
	case len(f.config.Providers(s)) > 0:
		fact.Value += ", without a token; docent does not run credential providers (" + quote.List(f.config.Providers(s), maxNamed) + ")"
	default:
		fact.Value += ", without a token"
	}
	return fact
}

func (f *finder) toolchainFacts() []ecosystem.Fact {
	s := f.rs.sysrootFor(f.ask.project)
	fact := ecosystem.Fact{Name: "Rust toolchain", Value: cmp.Or(s.name, s.dir, "none; docent does not need one")}
	if s.dir != "" && s.by != "" {
		fact.Value += ", chosen by " + s.by
	}
	if s.dir == "" && s.name != "" {
		fact.Value += " (not installed), chosen by " + s.by
	}
	std := ecosystem.Fact{Name: "standard library", Value: f.rs.library(s)}
	if std.Value == "" {
		std.Value = "its sources are not installed; docent needs them to read std, core and alloc; run rustup component add rust-src"
	}
	return []ecosystem.Fact{fact, std}
}

func (f *finder) projectFacts(dir string) []ecosystem.Fact {
	if dir == "" {
		return nil
	}
	fact := ecosystem.Fact{Name: "Rust project", Value: dir}
	if f.project == nil {
		fact.Problem = "no Cargo.toml in this directory or any above it"
		return []ecosystem.Fact{fact}
	}
	p := f.project
	fact.Value = p.Name() + " in " + p.Root
	if len(p.Members) > 1 {
		fact.Value += fmt.Sprintf(", a workspace of %d packages", len(p.Members))
	}
	fact.Problem = strings.Join(p.Problems, " ")
	chosen := ecosystem.Fact{Name: "its versions", Value: "from Cargo.toml; there is no Cargo.lock"}
	if p.Lock != nil {
		chosen.Value = fmt.Sprintf("from Cargo.lock, for %s; features from resolver %d, for %s", quote.Count(len(p.Lock.Packages), "package"), p.Resolver(), f.target.Triple)
	}
	return []ecosystem.Fact{fact, chosen}
}
