package lookup

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/quote"
)

// resolution is the result of resolving a question: packages, and the symbols that it names in
// them.
type resolution struct {
	packages []origin
	targets  []target
	// overview is true if the question does not name symbols.
	overview bool
	// problems are the errors for packages and symbols that do not exist, if the question also
	// names some that do.
	problems []error
}

// origin is a package that a question names.
type origin struct {
	*prepared
	question Package // question is the question, with the name of this package alone
}

// target is a symbol in the package that exports it.
type target struct {
	in     *prepared
	symbol *apidoc.Symbol
	origin *origin
	// notice states where the symbol is, if it is not at the path or in the package of the
	// question. Otherwise it is empty.
	notice string
}

const (
	// maxPackages is the maximum number of packages that one question may name.
	maxPackages = 20
	// maxPaths is the maximum number of symbols and patterns that one question may name.
	maxPaths = 200
	// maxTargets is the maximum number of symbols in one answer.
	maxTargets = 100
)

// Packages splits a list of package names.
func Packages(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ';' || r == ' ' || r == '\n' || r == '\t' })
}

// packageNames returns the names of the packages in a question.
func packageNames(text string) ([]string, error) {
	names := Packages(text)
	if len(names) > maxPackages {
		return nil, fmt.Errorf("%d packages are too many for one question: ask for %d at most", len(names), maxPackages)
	}
	if len(names) < 2 {
		names = []string{text}
	}
	return names, nil
}

// resolve returns the target of a question. All answers go through it, so that text, data,
// questions about several packages and tools agree. It returns an error if the question does not
// refer to anything that exists.
func (l *Lookup) resolve(ctx context.Context, q Package, symbols string) (*resolution, error) {
	names, err := packageNames(q.Name)
	if err != nil {
		return nil, err
	}
	r := &resolution{}
	var qualified []string // for each package, the symbol after its name
	for _, name := range names {
		each := q
		each.Name = name
		p, symbol, err := l.find(ctx, each)
		if err != nil {
			r.problems = append(r.problems, err)
			continue
		}
		if symbol == "" && symbols == "" {
			symbol = p.Part
		}
		r.packages, qualified = append(r.packages, origin{p, each}), append(qualified, symbol)
	}
	if len(r.packages) == 0 {
		return nil, errors.Join(r.problems...)
	}
	for i, symbol := range qualified {
		for _, path := range apidoc.Paths(symbol) {
			l.resolvePath(ctx, r, r.packages[i:i+1], path)
		}
	}
	whole := slices.DeleteFunc(slices.Clone(r.packages), func(o origin) bool { return !o.IsWhole(symbols) })
	if len(whole) > 0 && !slices.ContainsFunc(r.packages, func(o origin) bool { return exported(o.prepared, symbols) != nil }) {
		r.packages, symbols = whole, "" // "THREE" for three
	}
	paths := apidoc.Paths(symbols)
	if len(paths) > maxPaths {
		r.problems = append(r.problems, fmt.Errorf("only the first %d of %d names were looked up: ask for the others separately", maxPaths, len(paths)))
		paths = paths[:maxPaths]
	}
	for _, path := range paths {
		l.resolvePath(ctx, r, r.packages, path)
	}
	r.overview = len(paths) == 0 && !slices.ContainsFunc(qualified, func(symbol string) bool { return symbol != "" })
	if len(r.targets) == 0 && !r.overview {
		return nil, errors.Join(r.problems...)
	}
	if n := len(r.targets) - maxTargets; n > 0 {
		r.problems = append(r.problems, fmt.Errorf("more symbols match than are shown (%d more): use a narrower pattern", n))
		r.targets = r.targets[:maxTargets]
	}
	return r, nil
}

// add adds the targets that r does not contain yet.
func (r *resolution) add(targets []target) {
	for i := range targets {
		if !slices.ContainsFunc(r.targets, func(t target) bool { return t.symbol == targets[i].symbol }) {
			r.targets = append(r.targets, targets[i])
		}
	}
}

// resolvePath adds to r the symbols that a path or pattern refers to in packages. It takes the
// symbols of the first step that finds any: symbols that the packages themselves export at exactly
// that path; symbols that their other entry points export; symbols that Package.Select finds;
// symbols in the other packages of their modules.
func (l *Lookup) resolvePath(ctx context.Context, r *resolution, packages []origin, path string) {
	steps := []func(context.Context, *origin, string) ([]target, error){l.exportedHere, l.exportedElsewhere, selected, l.inFamily}
	if apidoc.IsPattern(path) {
		steps = []func(context.Context, *origin, string) ([]target, error){selected, l.patternElsewhere}
	}
	if slices.ContainsFunc(packages, func(o origin) bool { return o.UnreadPart(path) != "" }) {
		steps = []func(context.Context, *origin, string) ([]target, error){l.exportedInPart}
	}
	var problem error
	for _, step := range steps {
		var found []target
		for i := range packages {
			targets, err := step(ctx, &packages[i], path)
			for k := range targets {
				targets[k].origin = &packages[i]
			}
			found = append(found, targets...)
			if err != nil && (problem == nil || closer(err, problem)) {
				problem = err
			}
		}
		if len(found) > 0 {
			r.add(found)
			return
		}
	}
	r.problems = append(r.problems, problem)
}

// closer reports whether err, an error about a missing path, contains more similar paths than
// other, or suggestions from more packages.
func closer(err, other error) bool {
	e, ok := errors.AsType[*apidoc.NoSymbolError](err)
	o, also := errors.AsType[*apidoc.NoSymbolError](other)
	return ok && also && (e.Closer(o) || e.Package == o.Package)
}

// exportedInPart returns the symbols at a path in the part of a package to which the path
// belongs.
func (l *Lookup) exportedInPart(ctx context.Context, o *origin, path string) ([]target, error) {
	name := o.UnreadPart(path)
	if name == "" {
		return nil, nil
	}
	q := o.question
	q.Name, q.Version = o.Name+"/"+name, versionOf(q)
	part, err := l.read(ctx, q)
	if err != nil {
		return nil, err
	}
	return selected(ctx, &origin{part, q}, path)
}

// exportedHere returns the symbols that a package itself exports at exactly that path.
func (l *Lookup) exportedHere(ctx context.Context, o *origin, path string) ([]target, error) {
	if exported(o.prepared, path) == nil {
		return nil, nil
	}
	return selected(ctx, o, path)
}

// selected returns the symbols that Package.Select finds.
func selected(_ context.Context, o *origin, path string) (found []target, err error) {
	symbols, err := o.Select(path)
	for _, s := range symbols {
		found = append(found, target{in: o.prepared, symbol: s})
	}
	if len(found) > 0 && !apidoc.IsPattern(path) && o.Exact(path) == nil {
		found[0].notice = fmt.Sprintf("%s has no symbol %s: this is %s.", o.Name, path, o.Called(found[0].symbol.Path))
	}
	return found, err
}

// exported returns the symbol at a path that users can import from p itself, or nil if there is
// none.
func exported(p *prepared, path string) *apidoc.Symbol {
	if s := p.Exact(path); s != nil && !p.IsInternal(s) {
		return s
	}
	return nil
}

// exportedElsewhere returns the symbols that other entry points of a package export.
func (l *Lookup) exportedElsewhere(ctx context.Context, o *origin, path string) ([]target, error) {
	return l.elsewhere(ctx, o.question, o.prepared, path), nil
}

// elsewhere finds the symbols of other entry points that a path refers to, with or without the name
// of the package.
func (l *Lookup) elsewhere(ctx context.Context, q Package, p *prepared, path string) (found []target) {
	if found = l.elsewhereAt(ctx, q, p, path); len(found) > 0 {
		return found
	}
	if plain := p.Unqualified(path); plain != path && exported(p, plain) == nil {
		return l.elsewhereAt(ctx, q, p, plain)
	}
	return nil
}

// elsewhereAt finds the symbols of other entry points at exactly that path.
func (l *Lookup) elsewhereAt(ctx context.Context, q Package, p *prepared, path string) (found []target) {
	if in, s := l.symbolBelow(ctx, q, p, path); in != nil {
		return []target{{in: in, symbol: s}}
	}
	x := l.index(ctx, q, p)
	if x == nil {
		return nil
	}
	named := x.containing(path, p) != ""
	for _, other := range l.exportersOf(ctx, q, x, p, path) {
		s := other.Named(path)
		if s == nil || other.IsInternal(s) || slices.ContainsFunc(found, func(t target) bool { return sameDeclaration(t.symbol, s) }) {
			continue
		}
		t := target{in: other, symbol: s}
		if !named {
			t.notice = elsewhereNotice(p, other, s)
		}
		found = append(found, t)
	}
	return found
}

// elsewhereNotice returns a notice that other, rather than p, exports a symbol.
func elsewhereNotice(p, other *prepared, s *apidoc.Symbol) string {
	path := other.Called(s.Path)
	statement := ""
	if s := other.ImportOf(s.Path); s != "" {
		statement = ": " + s
	}
	if p.Dynamic != "" {
		return fmt.Sprintf("%s has %s%s. It is unknown whether it can also be imported from %s: %s.", other.Name, path, statement, p.Name, p.Dynamic)
	}
	return fmt.Sprintf("%s does not export %s. %s does%s.", p.Name, path, other.Name, statement)
}

// sameDeclaration reports whether two entry points export the same declaration.
func sameDeclaration(a, b *apidoc.Symbol) bool {
	return a.File != "" && a.File == b.File && a.Line == b.Line && a.Signature == b.Signature
}

// patternElsewhere finds the members that a pattern such as "Type.*" matches in a type that another
// entry point exports.
func (l *Lookup) patternElsewhere(ctx context.Context, o *origin, pattern string) (found []target, err error) {
	separator := o.Separator()
	path := strings.ReplaceAll(pattern, ".", separator)
	i := strings.LastIndex(path, separator)
	if i < 0 || strings.Contains(path[:i], "*") {
		return nil, nil
	}
	for _, t := range l.elsewhere(ctx, o.question, o.prepared, path[:i]) {
		members, _ := t.in.Select(t.symbol.Path + path[i:])
		for _, m := range members {
			found = append(found, target{in: t.in, symbol: m, notice: t.notice})
		}
	}
	return found, nil
}

// symbolBelow finds a symbol whose path begins with the names of packages below p, as in
// sync::mpsc::Sender, in languages that have such paths. It returns nil if there is none.
func (l *Lookup) symbolBelow(ctx context.Context, q Package, p *prepared, path string) (*prepared, *apidoc.Symbol) {
	separator := p.Style.Separator
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
		if s := exported(p, path); s != nil {
			return p, s // the path begins with the name of p itself
		}
		return nil, nil
	}
	for _, other := range l.readAll(ctx, q, []string{best}) {
		if s := other.Named(strings.TrimPrefix(path, strings.TrimPrefix(best, p.Name+separator)+separator)); s != nil {
			return other, s
		}
	}
	return nil, nil
}

// inFamily finds a path in the other packages of a module or the other entry points of a package.
// It also finds paths that lead through values or begin with a variable. The error suggests names
// from all of them.
func (l *Lookup) inFamily(ctx context.Context, o *origin, path string) (found []target, err error) {
	p, q := o.prepared, o.question
	x := l.index(ctx, q, p)
	var others []*prepared
	var unread []string
	if x == nil {
		others, unread = l.family(ctx, q, p)
	}
	for _, other := range others {
		if s := other.Exact(path); s != nil {
			found = append(found, target{in: other, symbol: s, notice: elsewhereNotice(p, other, s)})
		}
	}
	if s := p.renderer().Through(path); s != nil && len(found) == 0 {
		found = []target{{in: p, symbol: s}}
	}
	if len(found) > 0 {
		return found, nil
	}
	_, err = p.Find(path)
	missing, ok := errors.AsType[*apidoc.NoSymbolError](err)
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
	member, near := l.ofVariable(ctx, q, p, func(member string) []*prepared {
		if x == nil {
			return others
		}
		return l.readAll(ctx, q, x.withMember(member, p.Name))
	}, path)
	switch {
	case member != nil:
		return []target{*member}, nil
	case len(near) > 0:
		missing.Near = near
	case x != nil && len(p.Symbols) == 0:
		missing.Near = x.nearest(path)
	}
	if len(unread) > 0 {
		return nil, fmt.Errorf("%w; not searched: %s of %s", missing, quote.Count(len(unread), "more package"), missing.Package)
	}
	return nil, missing
}

// inAnotherCase returns the paths in the other entry points of p, or in the other packages of its
// module, that differ from a path only in case, each with its package.
func inAnotherCase(path string, x *index, p *prepared, others []*prepared) (alike []string) {
	if x != nil {
		for _, name := range x.InAnotherCase(path) {
			for _, entry := range x.exporting(name, p.Name) {
				alike = append(alike, name+" of "+entry)
			}
		}
	}
	for _, other := range others {
		for _, name := range other.InAnotherCase(path) {
			alike = append(alike, name+" of "+other.Name)
		}
	}
	return alike[:min(len(alike), maxSame)]
}
