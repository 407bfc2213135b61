package lookup

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/answer"
	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/store"
)

// Description is a question about a package, or about some of its symbols.
type Description struct {
	// Package may name several packages, with commas or spaces between them.
	Package Package
	// Symbols are paths, with commas or spaces between them, and patterns; empty
	// asks for an overview.
	Symbols string
	// WithoutTypes leaves symbols that only the compiler uses out of an overview.
	// WithoutExamples leaves out all examples.
	WithoutTypes, WithoutExamples bool
	answer.Options
}

// maxPackages bounds the packages that one question may name.
const maxPackages = 20

// Packages splits a list of names of packages.
func Packages(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ';' || r == ' ' || r == '\n' || r == '\t' })
}

// Describe answers a question about packages or their symbols.
func (l *Lookup) Describe(ctx context.Context, d Description) (*answer.Answer, error) {
	ctx = store.Once(ctx)
	names := Packages(d.Package.Name)
	if len(names) > maxPackages {
		return nil, fmt.Errorf("%d packages are too many for one question: ask for %d at most", len(names), maxPackages)
	}
	if len(names) <= 1 {
		return l.describeOne(ctx, d)
	}
	return l.describeMany(ctx, d, names)
}

func (l *Lookup) describeOne(ctx context.Context, d Description) (*answer.Answer, error) {
	p, symbol, err := l.find(ctx, d.Package)
	if err != nil {
		return nil, err
	}
	if symbol != "" {
		d.Symbols = strings.TrimSpace(symbol + " " + d.Symbols)
	}
	if p.IsWhole(d.Symbols) {
		d.Symbols = ""
	}
	r := l.renderer(p, d)
	if d.Symbols == "" {
		return r.Overview(l.below(ctx, d, p), d.Options), nil
	}
	asked, problems := l.symbols(ctx, d, p, r, d.Symbols)
	if len(asked) == 0 {
		return nil, errors.Join(problems...)
	}
	return answer.Symbols(asked, texts(problems), d.Options), nil
}

// renderer returns the renderer for a package, without the parts that the
// question excludes.
func (l *Lookup) renderer(p *prepared, d Description) *answer.Renderer {
	if d.WithoutTypes && d.Symbols == "" || d.WithoutExamples {
		return answer.NewRenderer(answer.Lean(p.Package, !d.WithoutTypes || d.Symbols != "", !d.WithoutExamples))
	}
	return p.renderer()
}

const (
	// maxBelow bounds the packages below another that are read to show them with
	// it. smallSource bounds the bytes of documentation that they have.
	maxBelow    = 12
	smallSource = 20_000
)

// below reads the packages below p, if all of them may fit into one answer with
// it. It returns nil if they may not fit or cannot be read.
func (l *Lookup) below(ctx context.Context, d Description, p *prepared) []*answer.Renderer {
	var names []string
	for i := range p.Subpackages {
		name := p.Subpackages[i].Name
		beside := p.Above != "" && p.Above != p.Name && !apidoc.IsBelow(name, p.Name)
		if !p.Subpackages[i].Command && !beside {
			names = append(names, name)
		}
	}
	if len(names) == 0 || len(names) > maxBelow || size(p.Package) > smallSource {
		return nil
	}
	var all []*answer.Renderer
	total := size(p.Package)
	for _, name := range names {
		q := d.Package
		q.Name = name
		if q.Version == "" && q.Project == "" {
			q.Version = p.Version
		}
		other, err := l.read(ctx, q)
		if err != nil {
			return nil
		}
		if total += size(other.Package); total > 2*smallSource {
			return nil
		}
		all = append(all, l.renderer(other, d))
	}
	return all
}

// size returns about how many bytes a package has to show. It stops counting
// when the package is too large for one answer.
func size(p *apidoc.Package) int {
	n := len(p.Doc)
	for s := range p.All {
		if n += len(s.Signature) + len(s.Doc); n > 2*smallSource {
			break
		}
	}
	return n
}

// symbols finds the symbols that a text names in a package. It looks for missing
// ones in the other packages of its module. problems are the errors for names
// without a symbol.
func (l *Lookup) symbols(ctx context.Context, d Description, p *prepared, r *answer.Renderer, text string) (asked []answer.Asked, problems []error) {
	here, elsewhere := l.partition(ctx, d.Package, p, text)
	found, problems := r.Package().Select(here)
	for _, s := range found {
		asked = append(asked, answer.Asked{Renderer: r, Symbol: s, Refer: l.referrer(ctx, d.Package, p)})
	}
	for i := range elsewhere {
		in := elsewhere[i].in
		asked = append(asked, answer.Asked{Renderer: l.renderer(in, d), Symbol: elsewhere[i].symbol, Refer: l.referrer(ctx, d.Package, in)})
	}
	var missing []*apidoc.NoSymbolError
	for _, err := range problems {
		if e, ok := errors.AsType[*apidoc.NoSymbolError](err); ok && !e.Several {
			missing = append(missing, e)
		}
	}
	if len(missing) == 0 {
		return asked, problems
	}
	x := l.index(ctx, d.Package, p)
	var others []*prepared
	var left []string
	if x == nil {
		others, left = l.family(ctx, d.Package, p)
	}
	var unsolved []error
	for _, err := range problems {
		e, ok := errors.AsType[*apidoc.NoSymbolError](err)
		if !ok || e.Several {
			unsolved = append(unsolved, err)
			continue
		}
		n := len(asked)
		if x != nil && len(p.Symbols) == 0 {
			e.Near = x.nearest(e.Path)
		}
		for _, other := range others {
			if s := other.Exact(e.Path); s != nil {
				asked = append(asked, answer.Asked{Renderer: l.renderer(other, d), Symbol: s, Refer: l.referrer(ctx, d.Package, other)})
			}
		}
		if s := r.Through(e.Path); s != nil && len(asked) == n {
			asked = append(asked, answer.Asked{Renderer: r, Symbol: s, Refer: l.referrer(ctx, d.Package, p)})
		}
		if len(asked) > n {
			continue
		}
		beside := func(member string) []*prepared {
			if x == nil {
				return others
			}
			return l.readAll(ctx, d.Package, x.withMember(member, p.Name))
		}
		found, note, near := l.ofVariable(ctx, d.Package, p, beside, e.Path)
		if found != nil {
			asked = append(asked, answer.Asked{Renderer: l.renderer(found.in, d), Symbol: found.symbol, Refer: l.referrer(ctx, d.Package, found.in)})
			unsolved = append(unsolved, errors.New(note))
			continue
		}
		if len(near) > 0 {
			e.Near = near
		}
		if len(left) > 0 {
			err = fmt.Errorf("%w; %d more packages of %s were not looked through", err, len(left), e.Package)
		}
		unsolved = append(unsolved, err)
	}
	return asked, unsolved
}

// placed is a symbol of another entry point.
type placed struct {
	in     *prepared
	symbol *apidoc.Symbol
}

// partition removes from a list those paths that the package itself does not
// export but that another entry point exports under that name.
func (l *Lookup) partition(ctx context.Context, q Package, p *prepared, text string) (here string, elsewhere []placed) {
	var names []string
	for _, name := range apidoc.Paths(text) {
		var others []placed
		if strings.Contains(name, "*") {
			others = l.patternElsewhere(ctx, q, p, name)
		} else if exported(p, name) == nil {
			others = l.elsewhere(ctx, q, p, name)
		}
		if len(others) == 0 {
			names = append(names, name)
		}
		elsewhere = append(elsewhere, others...)
	}
	return strings.Join(names, ","), elsewhere
}

// elsewhere finds the symbols of other entry points that a path means, written with
// or without the name of the package.
func (l *Lookup) elsewhere(ctx context.Context, q Package, p *prepared, path string) (found []placed) {
	if found = l.elsewhereAt(ctx, q, p, path); len(found) > 0 {
		return found
	}
	if plain := p.Unqualified(path); plain != path && exported(p, plain) == nil {
		return l.elsewhereAt(ctx, q, p, plain)
	}
	return nil
}

// exported returns the symbol at a path that users can import from p itself, or nil.
func exported(p *prepared, path string) *apidoc.Symbol {
	if s := p.Exact(path); s != nil && !p.IsInternal(s) {
		return s
	}
	return nil
}

// elsewhereAt finds the symbols of other entry points at a path.
func (l *Lookup) elsewhereAt(ctx context.Context, q Package, p *prepared, path string) (found []placed) {
	if in, s := l.symbolBelow(ctx, q, p, path); in != nil {
		found = append(found, placed{in, s})
	} else if x := l.index(ctx, q, p); x != nil {
		for _, other := range l.exportersOf(ctx, q, x, p, path) {
			if s, err := other.Find(path); err == nil && !other.IsInternal(s) && !slices.ContainsFunc(found, func(f placed) bool { return sameDeclaration(f.symbol, s) }) {
				found = append(found, placed{other, s})
			}
		}
	}
	return found
}

// sameDeclaration reports whether two entry points export one declaration.
func sameDeclaration(a, b *apidoc.Symbol) bool {
	return a.File != "" && a.File == b.File && a.Line == b.Line && a.Signature == b.Signature
}

// patternElsewhere finds the members that a pattern matches, "Type.*", of a type
// that another entry point exports; it finds none if the package itself has
// matches.
func (l *Lookup) patternElsewhere(ctx context.Context, q Package, p *prepared, pattern string) (found []placed) {
	if here, _ := p.Select(pattern); len(here) > 0 {
		return nil
	}
	separator := p.Separator()
	path := strings.ReplaceAll(pattern, ".", separator)
	i := strings.LastIndex(path, separator)
	if i < 0 || strings.Contains(path[:i], "*") {
		return nil
	}
	for _, t := range l.elsewhere(ctx, q, p, path[:i]) {
		members, _ := t.in.Select(t.symbol.Path + path[i:])
		for _, m := range members {
			found = append(found, placed{t.in, m})
		}
	}
	return found
}

// symbolBelow finds a symbol whose path begins with the names of packages below
// p, as in sync::mpsc::Sender, in languages with such paths. It returns nil if
// there is none.
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
		if s, err := other.Find(strings.TrimPrefix(path, strings.TrimPrefix(best, p.Name+separator)+separator)); err == nil {
			return other, s
		}
	}
	return nil, nil
}

func texts(errs []error) []string {
	var all []string
	for _, err := range errs {
		all = append(all, err.Error())
	}
	return all
}

// describeMany answers about several packages: overviews that share the budget,
// or the symbols that each of them has.
func (l *Lookup) describeMany(ctx context.Context, d Description, names []string) (*answer.Answer, error) {
	var packages []*prepared
	var problems []error
	var asked []answer.Asked
	for _, name := range names {
		q := d.Package
		q.Name = name
		p, symbol, err := l.find(ctx, q)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		packages = append(packages, p)
		if symbol != "" {
			found, missing := l.symbols(ctx, Description{Package: q, WithoutExamples: d.WithoutExamples, Symbols: symbol}, p, l.renderer(p, d), symbol)
			asked, problems = append(asked, found...), append(problems, missing...)
		}
	}
	if len(packages) == 0 {
		return nil, errors.Join(problems...)
	}
	if d.Symbols == "" && len(asked) == 0 {
		var all []answer.WithBelow
		for _, p := range packages {
			q := d
			q.Package.Name = p.Name
			each := answer.WithBelow{Renderer: l.renderer(p, d)}
			if !slices.ContainsFunc(packages, func(other *prepared) bool { return apidoc.IsBelow(other.Name, p.Name) && other.Name != p.Name }) {
				each.Below = l.below(ctx, q, p)
			}
			all = append(all, each)
		}
		return answer.Overviews(all, texts(problems), d.Options), nil
	}
	for _, path := range apidoc.Paths(d.Symbols) {
		n := len(asked)
		var closest []error
		having := packages // slog.New of errors and log/slog is not errors.New
		if exact := withExact(packages, path); len(exact) > 0 {
			having = exact
		}
		for _, p := range having {
			r := l.renderer(p, d)
			found, missing := r.Package().Select(path)
			for _, s := range found {
				asked = append(asked, answer.Asked{Renderer: r, Symbol: s, Refer: l.referrer(ctx, d.Package, p)})
			}
			if closest == nil || closer(missing, closest) {
				closest = missing
			}
		}
		if len(asked) == n {
			problems = append(problems, closest...)
		}
	}
	if len(asked) == 0 {
		return nil, errors.Join(problems...)
	}
	return answer.Symbols(asked, texts(problems), d.Options), nil
}

// withExact returns the packages that have a symbol at exactly that path.
func withExact(packages []*prepared, path string) (having []*prepared) {
	for _, p := range packages {
		if p.Exact(path) != nil {
			having = append(having, p)
		}
	}
	return having
}

// closer reports whether errs and others each say that one path is missing, and
// errs names more similar paths.
func closer(errs, others []error) bool {
	if len(errs) != 1 || len(others) != 1 {
		return false
	}
	e, ok := errors.AsType[*apidoc.NoSymbolError](errs[0])
	other, also := errors.AsType[*apidoc.NoSymbolError](others[0])
	return ok && also && e.Closer(other)
}

// Select returns the package of a question and the symbols that it names,
// without shortening them.
func (l *Lookup) Select(ctx context.Context, d Description) (*apidoc.Package, []*apidoc.Symbol, error) {
	p, symbol, err := l.find(ctx, d.Package)
	if err != nil {
		return nil, nil, err
	}
	asked := strings.TrimSpace(symbol + " " + d.Symbols)
	if asked == "" {
		return p.Package, nil, nil
	}
	here, elsewhere := l.partition(ctx, d.Package, p, asked)
	if here == "" && len(elsewhere) > 0 {
		p = elsewhere[0].in
		var found []*apidoc.Symbol
		for _, e := range elsewhere {
			if e.in == p {
				found = append(found, e.symbol)
			}
		}
		return p.Package, found, nil
	}
	found, problems := p.Select(asked)
	return p.Package, found, errors.Join(problems...)
}
