// Package resolve finds the packages and symbols that a question is about. A question may contain a
// part of a package's name, or a symbol that is in another package of the same module or in another
// entry point. A notice then describes what was found instead.
package resolve

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/catalog"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/naming"
	"github.com/docent-mcp/docent/internal/quote"
)

// Resolver finds the subjects of questions in the packages of a catalog.
type Resolver struct{ catalog *catalog.Catalog }

// New returns a Resolver for the packages of a catalog.
func New(c *catalog.Catalog) *Resolver { return &Resolver{c} }

// Resolution is the result of resolving a question. It contains packages and the requested symbols
// in them.
type Resolution struct {
	Packages []Package
	Targets  []Target
	// IsOverview is true if the question contains no symbols. Each package is then a target.
	IsOverview bool
	// Problems contains the errors for packages and symbols that do not exist, if the question also
	// contains some that do.
	Problems []error
}

// Package is a package in a question.
type Package struct {
	*catalog.Item
	Question catalog.Question // the question, with only the name of this package
}

// Target is a package or one of its symbols.
type Target struct {
	*catalog.Item
	// Symbol is nil if the question is about the whole package.
	Symbol *apidoc.Symbol
	// Origin is the package in which the question expects the symbol.
	Origin *Package
	// Notice describes where the symbol is, if it is not at the path or in the package in the
	// question. Otherwise, it is empty.
	Notice string
	// NotIn is the name of the package that does not export the symbol, if Notice says that another
	// package does. Import is then the statement that imports it, if there is one.
	NotIn, Import string
}

const (
	// maxPackages is the maximum number of packages in a question.
	maxPackages = 20
	// maxPaths is the maximum number of symbols and patterns in a question.
	maxPaths = 200
	// maxInAnotherCase is the maximum number of suggested names that differ only in case.
	maxInAnotherCase = 3
	// maxTargets is the maximum number of symbols in one answer.
	maxTargets = 100
)

// SplitNames splits a list of package names.
func SplitNames(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ';' || r == ' ' || r == '\n' || r == '\t' })
}

// PackageNames returns the names of the packages in a question.
func PackageNames(text string) ([]string, error) {
	names := SplitNames(text)
	if len(names) > maxPackages {
		return nil, fmt.Errorf("%d packages are too many for one question; request at most %d", len(names), maxPackages)
	}
	if len(names) < 2 {
		names = []string{text}
	}
	return names, nil
}

// Resolve returns the targets of a question. All answers use it, so that text, data, questions
// about several packages and tools are consistent. It returns an error if the question does not
// refer to anything that exists.
func (r *Resolver) Resolve(ctx context.Context, q catalog.Question, symbols string) (*Resolution, error) {
	names, err := PackageNames(q.Name)
	if err != nil {
		return nil, err
	}
	found := &Resolution{}
	var qualified []string // the symbol after the name of each package
	for _, name := range names {
		each := q
		each.Name = name
		if len(names) == 1 {
			if below, module, rest := r.moduleOf(ctx, each, symbols); below != nil {
				found.Packages, qualified, symbols = append(found.Packages, Package{below, module}), append(qualified, ""), rest
				continue
			}
		}
		p, symbol, err := r.Find(ctx, each)
		if err != nil {
			found.Problems = append(found.Problems, err)
			continue
		}
		if below, rest := r.packageBelow(ctx, each, p, symbols); below != nil && len(names) == 1 {
			p, symbols = below, rest
		}
		if symbol == "" && symbols == "" {
			symbol = p.Part
		}
		found.Packages, qualified = append(found.Packages, Package{p, each}), append(qualified, symbol)
	}
	if len(found.Packages) == 0 {
		return nil, errors.Join(found.Problems...)
	}
	for i, symbol := range qualified {
		for _, path := range naming.Paths(symbol) {
			r.resolvePath(ctx, found, found.Packages[i:i+1], path)
		}
	}
	if !slices.ContainsFunc(found.Packages, func(o Package) bool { return o.Exported(symbols) != nil }) {
		if whole := slices.DeleteFunc(slices.Clone(found.Packages), func(o Package) bool { return !naming.IsWhole(o.Package, symbols) }); len(whole) > 0 {
			found.Packages, symbols = whole, "" // for example, "THREE" for the package three
		}
	}
	paths := naming.Paths(symbols)
	if len(paths) > maxPaths {
		found.Problems = append(found.Problems, fmt.Errorf("docent looked up only the first %d of %d names: request the others separately", maxPaths, len(paths)))
		paths = paths[:maxPaths]
	}
	for _, path := range paths {
		r.resolvePath(ctx, found, found.Packages, path)
	}
	found.IsOverview = len(paths) == 0 && !slices.ContainsFunc(qualified, func(symbol string) bool { return symbol != "" })
	if found.IsOverview {
		for i := range found.Packages {
			found.Targets = append(found.Targets, Target{Item: found.Packages[i].Item, Origin: &found.Packages[i]})
		}
	}
	if len(found.Targets) == 0 {
		return nil, errors.Join(found.Problems...)
	}
	if n := len(found.Targets) - maxTargets; n > 0 {
		found.Problems = append(found.Problems, fmt.Errorf("%d more symbols match than are shown; use a narrower pattern", n))
		found.Targets = found.Targets[:maxTargets]
	}
	return found, nil
}

// resolvePath adds to a resolution the symbols in packages to which a path or pattern refers. It
// searches in several steps, and uses the symbols of the first step that finds any. The steps are
// symbols that the packages themselves export at exactly that path, symbols that they re-export
// although their documentation omits the re-exports, symbols that their other entry
// points export, symbols that naming.Select finds, and symbols in the other packages of their
// modules.
func (r *Resolver) resolvePath(ctx context.Context, found *Resolution, packages []Package, path string) {
	steps := []func(context.Context, *Package, string) ([]Target, error){exportedHere, r.reexported, r.elsewhere, r.exportedByModule, selected, r.inFamily}
	if naming.IsPattern(path) {
		steps = []func(context.Context, *Package, string) ([]Target, error){selected, r.patternElsewhere}
	}
	if slices.ContainsFunc(packages, func(o Package) bool { return naming.UnreadPart(o.Package, path) != "" }) {
		steps = []func(context.Context, *Package, string) ([]Target, error){r.exportedInPart}
	}
	var problem error
	for _, step := range steps {
		var all []Target
		for i := range packages {
			targets, err := step(ctx, &packages[i], path)
			for k := range targets {
				targets[k].Origin = &packages[i]
			}
			all = append(all, targets...)
			if err != nil && (problem == nil || closer(err, problem)) {
				problem = err
			}
		}
		for _, one := range all {
			if !slices.ContainsFunc(found.Targets, func(t Target) bool { return t.Symbol == one.Symbol }) {
				found.Targets = append(found.Targets, one)
			}
		}
		if len(all) > 0 {
			return
		}
	}
	found.Problems = append(found.Problems, problem)
}

// closer reports whether err contains more similar paths than other, or suggestions from more
// packages. Both are errors about a path that does not exist.
func closer(err, other error) bool {
	e, ok := errors.AsType[*naming.NoSymbolError](err)
	o, also := errors.AsType[*naming.NoSymbolError](other)
	return ok && also && (e.Closer(o) || e.Package == o.Package)
}

// exportedInPart returns the symbols at a path in the part of a package to which the path belongs.
func (r *Resolver) exportedInPart(ctx context.Context, o *Package, path string) ([]Target, error) {
	name := naming.UnreadPart(o.Package, path)
	if name == "" {
		return nil, nil
	}
	q := o.Question
	q.Name, q.Version = o.Name+"/"+name, q.RequestedVersion()
	part, err := r.catalog.Read(ctx, q)
	if err != nil {
		return nil, err
	}
	return selected(ctx, &Package{part, q}, path)
}

// exportedHere returns the symbols that a package itself exports at exactly the given path.
func exportedHere(ctx context.Context, o *Package, path string) ([]Target, error) {
	if o.Exported(path) == nil {
		return nil, nil
	}
	return selected(ctx, o, path)
}

// reexported returns the symbols of another package that a package re-exports under a name that its
// documentation omits.
func (r *Resolver) reexported(ctx context.Context, o *Package, path string) ([]Target, error) {
	name, _, _ := strings.Cut(path, o.Separator())
	i := slices.IndexFunc(o.Imports, func(ref apidoc.Ref) bool { return ref.Name == name && ref.Package != "" && ref.Path != "" })
	if i < 0 || !slices.Contains(o.Hidden, name) {
		return nil, nil
	}
	ref := o.Imports[i]
	q := o.Question
	q.Name = ref.Package
	other, err := r.catalog.Read(ctx, q)
	if err != nil {
		return nil, nil //nolint:nilerr // the next steps may find the name, and otherwise the error names the package of the question
	}
	found, _ := exportedHere(ctx, &Package{other, q}, ref.Path+path[len(name):])
	for k := range found {
		found[k].Notice = fmt.Sprintf("%s re-exports %s of %s; its documentation does not list the name.", o.Name, ref.Path, ref.Package)
	}
	return found, nil
}

// selected returns the symbols that naming.Select finds.
func selected(_ context.Context, o *Package, path string) (found []Target, err error) {
	symbols, err := naming.Select(o.Package, path)
	for _, s := range symbols {
		found = append(found, Target{Item: o.Item, Symbol: s})
	}
	if len(found) > 0 && !naming.IsPattern(path) && naming.Exact(o.Package, path) == nil {
		found[0].Notice = fmt.Sprintf("%s has no symbol %s: this is %s.", o.Name, path, naming.Called(o.Package, found[0].Symbol.Path))
	}
	return found, err
}

// elsewhere returns the symbols of other entry points to which a path refers, with or without the
// name of the package.
func (r *Resolver) elsewhere(ctx context.Context, o *Package, path string) ([]Target, error) {
	found := r.elsewhereAt(ctx, o, path)
	if plain := naming.Unqualified(o.Package, path); len(found) == 0 && plain != path && o.Exported(plain) == nil {
		found = r.elsewhereAt(ctx, o, plain)
	}
	return found, nil
}

// elsewhereAt finds the symbols of other entry points at exactly that path.
func (r *Resolver) elsewhereAt(ctx context.Context, o *Package, path string) (found []Target) {
	if in, s := r.symbolBelow(ctx, o, path); in != nil {
		return []Target{{Item: in, Symbol: s}}
	}
	x := r.catalog.Names(ctx, o.Question, o.Item)
	if x == nil {
		return nil
	}
	named := x.Containing(path, o.Item) != ""
	for _, other := range r.catalog.ExportersOf(ctx, o.Question, x, o.Item, path) {
		s := naming.Named(other.Package, path)
		if s == nil || other.IsInternal(s) || slices.ContainsFunc(found, func(t Target) bool { return SameDeclaration(t.Symbol, s) }) {
			continue
		}
		t := Target{Item: other, Symbol: s}
		if !named {
			t.setElsewhere(o.Item)
		}
		found = append(found, t)
	}
	return found
}

// setElsewhere sets the notice that the package of t exports its symbol instead of p.
func (t *Target) setElsewhere(p *catalog.Item) {
	path, statement := naming.Called(t.Package, t.Symbol.Path), ""
	t.NotIn, t.Import = p.Name, t.ImportOf(t.Symbol.Path)
	if t.Import != "" {
		statement = ": " + t.Import
	}
	t.Notice = fmt.Sprintf("%s does not export %s. %s does%s.", p.Name, path, t.Name, statement)
	if p.Dynamic != "" {
		t.NotIn = ""
		t.Notice = fmt.Sprintf("%s has %s%s. Docent cannot determine whether you can also import it from %s: %s.", t.Name, path, statement, p.Name, p.Dynamic)
	}
}

// SameDeclaration reports whether two entry points export the same declaration.
func SameDeclaration(a, b *apidoc.Symbol) bool {
	return a.File != "" && a.File == b.File && a.Line == b.Line && a.Signature == b.Signature
}

// packageBelow returns the package below p with whose name a path begins, such as firebase/app for
// app.getApp, and the rest of the path. It returns nil if there is none, or if p exports the name.
func (r *Resolver) packageBelow(ctx context.Context, q catalog.Question, p *catalog.Item, path string) (below *catalog.Item, rest string) {
	head, rest, _ := strings.Cut(path, p.Separator())
	i := slices.IndexFunc(p.Subpackages, func(s apidoc.Subpackage) bool {
		name, ok := strings.CutPrefix(s.Name, p.Name)
		return ok && (name == "/"+head || name == "."+head)
	})
	if i < 0 || p.At(head) != nil {
		return nil, ""
	}
	for _, below := range r.catalog.ReadAll(ctx, q, []string{p.Subpackages[i].Name}) {
		if rest != "" || below.At(head) == nil { // Otherwise the question is about the symbol.
			return below, rest
		}
	}
	return nil, ""
}

// moduleOf reads the module to which a path such as sync::mpsc::Sender belongs, without the root of the
// package, whose documentation may be large and is not needed. It also returns the question for the
// module and the rest of the path. It returns nil unless the path begins with names in lower case and
// the module has a symbol at the rest. A dot does not separate only modules from symbols, but also values
// from members, so moduleOf does not consider such paths.
func (r *Resolver) moduleOf(ctx context.Context, q catalog.Question, symbols string) (p *catalog.Item, module catalog.Question, rest string) {
	separator := r.separator(q.Language)
	paths := naming.Paths(symbols)
	if separator == "" || separator == "." || len(paths) != 1 || naming.IsPattern(symbols) || ecosystem.IsDirectory(q.Name) {
		return nil, module, ""
	}
	names := strings.Split(paths[0], separator)
	n := slices.IndexFunc(names[:len(names)-1], func(name string) bool { return !startsLower(name) })
	if n < 0 {
		n = len(names) - 1
	}
	if n == 0 {
		return nil, module, ""
	}
	module = q
	name, version, versioned := strings.Cut(q.Name, "@")
	module.Name = strings.Join(append([]string{name}, names[:n]...), separator)
	if versioned {
		module.Name += "@" + version
	}
	rest = strings.Join(names[n:], separator)
	if p, err := r.catalog.Read(ctx, module); err == nil && naming.Exact(p.Package, rest) != nil {
		return p, module, rest
	}
	return nil, module, ""
}

// startsLower reports whether a name begins with a lower-case letter, as the names of modules do.
func startsLower(name string) bool { return name != "" && name[0] >= 'a' && name[0] <= 'z' }

// exportedByModule returns the symbols at a path that begins with the name of a module that a
// package exports and that is elsewhere, such as nn.relu for tensorflow._api.v2.nn.
func (r *Resolver) exportedByModule(ctx context.Context, o *Package, path string) ([]Target, error) {
	separator := o.Separator()
	for i := strings.LastIndex(path, separator); i > 0; i = strings.LastIndex(path[:i], separator) {
		s := o.At(path[:i])
		if s == nil || len(s.Refs) != 1 || s.Refs[0].Path != "" || !s.IsNamespace() {
			continue
		}
		for _, module := range r.catalog.ReadAll(ctx, o.Question, []string{s.Refs[0].Package}) {
			rest := path[i+len(separator):]
			if below, name := r.packageBelow(ctx, o.Question, module, rest); below != nil {
				module, rest = below, name
			}
			if naming.Exact(module.Package, rest) != nil {
				return selected(ctx, &Package{module, o.Question}, rest)
			}
			return r.exportedByModule(ctx, &Package{module, o.Question}, rest)
		}
	}
	return nil, nil
}

// symbolBelow returns a symbol whose path begins with the names of packages below p, such as
// sync::mpsc::Sender, in languages with such paths. It returns nil if there is no such symbol.
func (r *Resolver) symbolBelow(ctx context.Context, o *Package, path string) (*catalog.Item, *apidoc.Symbol) {
	p, separator := o.Item, o.Style.Separator
	if separator == "" {
		return nil, nil
	}
	path = strings.TrimPrefix(strings.ReplaceAll(path, ".", separator), p.LocalName+separator)
	best := ""
	for i := range p.Subpackages {
		name := p.Subpackages[i].Name
		if below, ok := strings.CutPrefix(name, p.Name+separator); ok && strings.HasPrefix(path, below+separator) && len(name) > len(best) {
			best = name
		}
	}
	if best == "" {
		if s := p.Exported(path); s != nil {
			return p, s // the path begins with the name of p
		}
		if best = reexported(p, path); best == "" {
			return nil, nil
		}
	}
	rest := strings.TrimPrefix(path, strings.TrimPrefix(best, p.Name+separator)+separator)
	for _, other := range r.catalog.ReadAll(ctx, o.Question, []string{best}) {
		if s := naming.Named(other.Package, rest); s != nil {
			return other, s
		}
		if len(rest) < len(path) {
			return r.symbolBelow(ctx, &Package{other, o.Question}, rest)
		}
	}
	return nil, nil
}

// reexported returns the name under which p exports a module of another package with which a path
// begins, such as icu::datetime. It returns "" if there is none.
func reexported(p *catalog.Item, path string) string {
	separator := p.Style.Separator
	for i := strings.LastIndex(path, separator); i > 0; i = strings.LastIndex(path[:i], separator) {
		if s := p.At(path[:i]); s != nil && s.IsNamespace() {
			return p.Name + separator + path[:i]
		}
	}
	return ""
}

// inFamily searches for a path in the other packages of a module or the other entry points of a
// package. It also finds paths that contain values or begin with a variable. The error suggests
// names from all these packages.
func (r *Resolver) inFamily(ctx context.Context, o *Package, path string) (found []Target, err error) {
	p, q := o.Item, o.Question
	x := r.catalog.Index(ctx, q, p)
	var others []*catalog.Item
	var unread []string
	if x == nil {
		others, unread = r.catalog.Family(ctx, q, p)
	}
	for _, other := range others {
		if s := naming.Exact(other.Package, path); s != nil {
			t := Target{Item: other, Symbol: s}
			t.setElsewhere(p)
			found = append(found, t)
		}
	}
	if s := p.Renderer().Through(path); s != nil && len(found) == 0 {
		found = []Target{{Item: p, Symbol: s}}
	}
	if len(found) > 0 {
		return found, nil
	}
	_, err = naming.Find(p.Package, path)
	missing, ok := errors.AsType[*naming.NoSymbolError](err)
	if !ok {
		return nil, err
	}
	if missing.Case {
		return nil, missing
	}
	if alike := inAnotherCase(path, x, p, others); len(alike) > 0 {
		missing.Near, missing.Case = alike, true
		return nil, missing
	}
	member, near := r.ofVariable(ctx, o, func(member string) []*catalog.Item {
		if x == nil {
			return others
		}
		return r.catalog.ReadAll(ctx, q, x.WithMember(member, p.Name))
	}, path)
	switch {
	case member != nil:
		return []Target{*member}, nil
	case len(near) > 0:
		missing.Near = near
	case x != nil && len(p.Symbols) == 0:
		missing.Near = x.Nearest(path)
	}
	if len(unread) > 0 {
		return nil, fmt.Errorf("%w; not searched: %s of %s", missing, quote.Count(len(unread), "more package"), missing.Package)
	}
	return nil, missing
}

// inAnotherCase returns the paths in the other entry points of p, or in the other packages of its
// module, that differ from a path only in case, each with its package.
func inAnotherCase(path string, x *catalog.Index, p *catalog.Item, others []*catalog.Item) (alike []string) {
	if x != nil {
		for _, name := range naming.InAnotherCase(x.Package, path) {
			for _, entry := range x.Exporting(name, p.Name) {
				alike = append(alike, name+" of "+entry)
			}
		}
	}
	for _, other := range others {
		for _, name := range naming.InAnotherCase(other.Package, path) {
			alike = append(alike, name+" of "+other.Name)
		}
	}
	return alike[:min(len(alike), maxInAnotherCase)]
}
