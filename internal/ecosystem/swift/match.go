package swift

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/manifest"
	"github.com/docent-mcp/docent/internal/project/swiftpm"
)

// match is a candidate that a name may refer to, with the requested module.
type match struct {
	*candidate
	module string
}

// inProject finds the package of the project that a name refers to. It returns
// nil if the project does not use the package, or uses another version than the
// requested one.
func (f *finder) inProject(ctx context.Context) (*located, error) {
	found := f.matches()
	if len(found) == 0 && f.ask.url != "" {
		found = f.registered(ctx)
	}
	if len(found) == 0 {
		if f.ask.name == "" || !isStandard(f.ask.name) {
			f.warnings = append(f.warnings, fmt.Sprintf("The project %s does not use %s.", f.project.Name(), f.ask.text))
		}
		return nil, nil
	}
	if len(found) > 1 {
		return nil, f.several(found)
	}
	m := found[0]
	f.ask.module = m.module
	if f.ask.version != "" && !(m.pinned && f.ask.accepts(&m.Pin)) {
		if m.pinned && !m.inProject {
			f.warnings = append(f.warnings, fmt.Sprintf("The project uses %s %s.", m.Identity, m.Chosen()))
		}
		f.ask.url, f.ask.name = cmp.Or(m.location, f.ask.url), cmp.Or(m.Identity, f.ask.name)
		if m.Kind == swiftpm.Registry {
			f.ask.url = ""
		}
		if m.location != "" || m.Kind == swiftpm.Registry {
			return f.release(ctx, m.candidate)
		}
		return nil, nil
	}
	f.want(&m)
	l, err := f.locate(ctx, m.candidate)
	if err != nil {
		return nil, err
	}
	l.module = m.module
	if !m.direct && f.manifest != nil && !l.inProject {
		f.warnings = append(f.warnings, fmt.Sprintf("%s depends on %s only through other packages. Add it to Package.swift before using it.", f.project.Name(), m.Identity))
	}
	return l, nil
}

// want records the release that the project chose. It records none for a module of a package whose
// URL cannot be followed by the name of a module.
func (f *finder) want(m *match) {
	name := m.Identity
	if m.Kind != swiftpm.Registry {
		name = strings.TrimPrefix(webLocation(m.location), "https://")
	}
	if m.module != "" {
		if host, _, _ := strings.Cut(name, "/"); m.Kind == swiftpm.Registry || !hostOf(host).twoElements {
			return
		}
		name += "/" + m.module
	}
	version, by := cmp.Or(m.Version, m.Revision, m.Branch), m.by
	if !m.pinned {
		version, by = queryVersion(&m.requirement), "newest release that "+m.by+" allows"
	}
	f.choice = &ecosystem.MissingRelease{Package: name, Version: version, ChosenBy: by}
}

// queryVersion returns a requirement in the form of a version in a query.
func queryVersion(r *swiftpm.Requirement) string {
	switch {
	case r.Branch+r.Revision != "":
		return r.Branch + r.Revision
	case r.Lower == nil:
		return ""
	case r.Exact:
		return r.Lower.String()
	case r.Upper == nil:
		return ">=" + r.Lower.String()
	}
	return r.Lower.String() + "..<" + r.Upper.String()
}

// projectRelease implements ecosystem.Steps.Missing.
func (f *finder) projectRelease() *ecosystem.MissingRelease { return f.choice }

// matches returns the candidates that the query may refer to: by location or
// identity, or else by the package's name, or else by a product or module.
func (f *finder) matches() []match {
	if f.ask.url == "" && f.ask.below == "" {
		if found := pick(f.identified(), func(c *candidate) (string, bool) {
			return "", strings.EqualFold(c.Identity, f.ask.name) && c.pod == nil
		}); len(found) > 0 {
			return found
		}
	}
	all := f.list()
	if f.ask.url != "" {
		return pick(all, func(c *candidate) (string, bool) {
			checkedOut := c.unpinned != "" && c.Location == "" && c.Identity == swiftpm.Identity(f.ask.url)
			return f.ask.module, checkedOut || sameLocation(c.Location, f.ask.url) || sameLocation(c.location, f.ask.url)
		})
	}
	name, below := f.ask.name, f.ask.below
	if below != "" {
		// "apple/swift-nio", or "swift-nio/NIOCore".
		owned := "/" + strings.ToLower(name+"/"+below)
		if found := pick(all, func(c *candidate) (string, bool) {
			checkedOut := c.unpinned != "" && c.Location == "" && strings.EqualFold(c.Identity, below)
			return f.ask.module, checkedOut || strings.HasSuffix("/"+swiftpm.Canonical(c.Location), owned) || strings.HasSuffix("/"+swiftpm.Canonical(c.location), owned)
		}); len(found) > 0 || f.ask.module != "" {
			return found
		}
		return pick(all, func(c *candidate) (string, bool) {
			return below, strings.EqualFold(c.Identity, name) || c.Name == name
		})
	}
	for _, fits := range []func(c *candidate) (string, bool){
		func(c *candidate) (string, bool) { return "", c.Name != "" && c.Name == name },
		func(c *candidate) (string, bool) {
			return name, f.productOf(name) != "" && sameIdentity(c, f.productOf(name))
		},
		func(c *candidate) (string, bool) { return name, offers(f.manifestOf(c), name, true) },
		func(c *candidate) (string, bool) { return name, offers(f.manifestOf(c), name, false) },
		func(c *candidate) (string, bool) {
			return "", strings.EqualFold(c.Name, name) || strings.EqualFold(c.Identity, name)
		},
	} {
		if found := pick(all, fits); len(found) > 0 {
			return found
		}
	}
	return nil
}

// pick returns the candidates that fit. If there are several, it prefers the
// user's own packages, and then packages that the project itself requires.
func pick(all []*candidate, fits func(*candidate) (string, bool)) []match {
	var found []match
	for _, c := range all {
		if module, ok := fits(c); ok {
			found = append(found, match{c, module})
		}
	}
	for _, prefer := range []func(m match) bool{func(m match) bool { return m.inProject }, func(m match) bool { return m.direct }} {
		var preferred []match
		for _, m := range found {
			if prefer(m) {
				preferred = append(preferred, m)
			}
		}
		if len(preferred) > 0 && len(found) > 1 {
			found = preferred
		}
	}
	return found
}

func sameLocation(a, b string) bool {
	return a != "" && swiftpm.Canonical(a) == swiftpm.Canonical(b)
}

// sameIdentity reports whether the name of a package in a manifest refers to a
// candidate.
func sameIdentity(c *candidate, name string) bool {
	return strings.EqualFold(c.Identity, name) || strings.EqualFold(c.Name, name)
}

// productOf returns the package that provides a product according to the project's manifest, or ""
// if the manifest does not specify one.
func (f *finder) productOf(name string) string {
	if f.manifest == nil {
		return ""
	}
	for i := range f.manifest.Targets {
		for _, d := range f.manifest.Targets[i].Dependencies {
			if d.Name == name && d.Package != "" {
				return d.Package
			}
		}
	}
	return ""
}

// offers reports whether a package has a library product with the given name, or a module with that
// name in a library product. If products is false, it may also have any other module with that
// name.
func offers(m *manifest.Manifest, name string, products bool) bool {
	if m == nil {
		return false
	}
	for _, p := range m.Products {
		if p.Kind != "library" {
			continue
		}
		if p.Name == name || slices.ContainsFunc(p.Targets, func(t string) bool { return t == name || c99(t) == name }) {
			return true
		}
	}
	if products {
		return false
	}
	return slices.ContainsFunc(m.Targets, func(t manifest.Target) bool {
		return (t.Name == name || c99(t.Name) == name) && (t.Kind == "target" || t.Kind == "macro" || t.Kind == "executableTarget")
	})
}

// manifestOf returns the manifest of a candidate that is in a directory on this
// machine.
func (f *finder) manifestOf(c *candidate) *manifest.Manifest {
	if c.dir != "" {
		return f.manifestAt(c.dir)
	}
	if c.unpinned != "" {
		return f.manifestAt(c.unpinned)
	}
	if dir, _ := f.checkout(c); dir != "" {
		return f.manifestAt(dir)
	}
	return nil
}

// several returns the error for a name that refers to several packages.
func (f *finder) several(found []match) error {
	var names []string
	for _, m := range found[:min(len(found), maxNamed)] {
		name := m.Identity
		if m.module != "" {
			name += "/" + m.module
		}
		names = append(names, cmp.Or(m.location, m.dir, name))
	}
	return ecosystem.Fail(ecosystem.Invalid, "%s refers to several packages of the project %s", f.ask.text, f.project.Name()).WithNear(names...).
		WithNext("specify one of them by its URL, or as package/Module")
}

// locate finds the files of a candidate.
func (f *finder) locate(ctx context.Context, c *candidate) (*located, error) {
	if c.pod != nil {
		return f.locatePod(ctx, c)
	}
	l := &located{identity: c.Identity, version: versionOf(&c.Pin), location: webLocation(c.location), traits: c.traits}
	l.provenance.ChosenBy = c.by
	if c.dir != "" {
		l.dir, l.inProject, l.byPath, l.version = c.dir, true, c.dir != f.project.Root, ""
		l.provenance = apidoc.Provenance{Source: "workspace", Location: c.dir, ChosenBy: c.by, Integrity: "not verified: the files are your own"}
		return l, nil
	}
	switch {
	case c.unpinned != "":
		l.dir, l.version = c.unpinned, f.tagOf(c.unpinned)
		l.provenance = apidoc.Provenance{Source: "checkout", Location: c.unpinned, ChosenBy: "the checkout, because it is not pinned", Integrity: "not verified: docent used the files on this machine"}
		f.warnings = append(f.warnings, fmt.Sprintf("%s is not pinned, because no Package.resolved contains it. This is the version checked out in %s.", c.Identity, f.relative(c.unpinned)))
		return l, nil
	case !c.pinned:
		return f.release(ctx, c)
	}
	if dir, source := f.checkout(c); dir != "" {
		l.dir = dir
		l.provenance.Source, l.provenance.Location, l.provenance.Integrity = source, dir, "not verified: docent used the files on this machine"
		if isCopied(dir) && source == "checkout" {
			l.provenance.Integrity = "not verified: the commit of the checkout is unknown"
		}
		return l, nil
	}
	if c.Kind == swiftpm.Registry {
		return l, f.fromRegistry(ctx, l, c)
	}
	if f.fromRepositories(l, c) {
		return l, nil
	}
	return l, f.fromHost(l, c.location, c.Revision, true)
}

// versionOf returns the version of a pin, or the name of its branch or commit.
func versionOf(p *swiftpm.Pin) string {
	if p.Version != "" {
		return p.Version
	}
	short := p.Revision[:min(len(p.Revision), 7)]
	if p.Branch != "" {
		return strings.ReplaceAll(p.Branch, "/", "-") + "-" + short
	}
	return short
}
