package swift

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/environ"
	"github.com/docent-mcp/docent/internal/fetch"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/quote"
)

// Doctor implements ecosystem.Language. It reports toolchains and SDKs,
// SwiftPM's caches, registries and whether there are logins for them, and the
// project. It does not run programs or use the network.
func (sw *Swift) Doctor(projectDir string) []ecosystem.Fact {
	var facts []ecosystem.Fact
	f := sw.local(projectDir)
	if f == nil {
		_, err := sw.project(context.Background(), projectDir)
		facts = append(facts, ecosystem.Fact{Name: "Swift project", Value: projectDir, Problem: "it cannot be read: " + quote.Line(fmt.Sprint(err), quote.Max)})
		if f = sw.local(""); f == nil {
			return facts
		}
	}
	defer f.close()
	facts = append(facts, f.toolchainFact())
	for _, dir := range sw.caches() {
		if dir = filepath.Join(dir, "repositories"); project.IsDir(dir) {
			facts = append(facts, ecosystem.DirectoryFact("SwiftPM repositories", dir, "set HOME"))
		}
	}
	facts = append(facts, f.registryFacts()...)
	netrc := ecosystem.Fact{Name: "netrc", Value: "none"}
	if file := environ.Below(sw.env.Home(), ".netrc"); file != "" && project.IsFile(file) {
		netrc.Value = file
	}
	facts = append(facts, netrc)
	if projectDir != "" {
		facts = append(facts, f.projectFacts(projectDir)...)
	}
	return facts
}

func (f *finder) toolchainFact() ecosystem.Fact {
	fact := ecosystem.Fact{Name: "Swift standard library", Value: "no interface was found on this machine; docent needs one only for modules such as Swift and Foundation"}
	modules, _ := f.sw.sdks(f.ask.platform)
	for _, dir := range modules {
		if file := f.interfaceIn(filepath.Join(dir, "Swift.swiftmodule")); file != "" {
			fact.Value = filepath.Join(dir, "Swift.swiftmodule", file)
			break
		}
	}
	return fact
}

func (f *finder) registryFacts() []ecosystem.Fact {
	settings := f.registrySettings()
	var facts []ecosystem.Fact
	for _, scope := range slices.Sorted(maps.Keys(settings.Registries)) {
		r := f.withLogin(settings, registry{url: settings.Registries[scope].URL, from: settings.from[scope]})
		fact := ecosystem.Fact{Name: "Swift registry " + scope, Value: fetch.Redact(settings.Registries[scope].URL) + ", from " + r.from}
		switch {
		case r.url == "":
			fact.Problem = "its URL is not an http or https URL"
		case r.authorization != "":
			fact.Value += ", with a login (netrc)"
		case r.login != "":
			fact.Problem = "it requires a login (" + r.login + "), but ~/.netrc does not contain one for its host; docent does not read the keychain"
		default:
			fact.Value += ", without a login"
		}
		facts = append(facts, fact)
	}
	return facts
}

func (f *finder) projectFacts(dir string) []ecosystem.Fact {
	fact := ecosystem.Fact{Name: "Swift project", Value: dir}
	if f.project == nil {
		fact.Problem = "no Package.swift, Xcode project or Podfile in this directory or any above it"
		return []ecosystem.Fact{fact}
	}
	p := f.project
	fact.Value, fact.Problem = p.Root, strings.Join(f.warnings, " ")
	chosen := ecosystem.Fact{Name: "its versions", Value: "from Package.swift; there is no Package.resolved"}
	var by []string
	for _, r := range p.Resolved {
		by = append(by, fmt.Sprintf("%s (%s)", f.relative(r.File), quote.Count(len(r.Pins), "package")))
	}
	if len(p.Pods) > 0 {
		by = append(by, fmt.Sprintf("Podfile.lock (%s)", quote.Count(len(p.Pods), "pod")))
	}
	if len(by) > 0 {
		chosen.Value = "by " + strings.Join(by, ", then ")
	}
	facts := []ecosystem.Fact{fact, chosen}
	if p.MirrorsFile != "" {
		facts = append(facts, ecosystem.Fact{Name: "its mirrors", Value: fmt.Sprintf("%s, for %s", p.MirrorsFile, quote.Count(len(p.Mirrors), "location"))})
	}
	for _, b := range p.Builds {
		facts = append(facts, ecosystem.Fact{Name: "its checkouts", Value: fmt.Sprintf("%s, %s", b.Dir, quote.Count(len(b.Packages), "package"))})
	}
	return facts
}
