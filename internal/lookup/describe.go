package lookup

import (
	"context"
	"slices"

	"github.com/docent-mcp/docent/internal/answer"
	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/catalog"
	"github.com/docent-mcp/docent/internal/resolve"
	"github.com/docent-mcp/docent/internal/store"
)

// Description is a question about a package or some of its symbols.
type Description struct {
	// Package may contain several names, separated by commas or spaces.
	Package Package
	// Symbols contains paths, separated by commas or spaces, and patterns. If it is empty, an
	// overview is requested.
	Symbols string
	// WithoutTypes omits symbols that only the compiler uses from an overview. WithoutExamples
	// omits all examples.
	WithoutTypes, WithoutExamples bool
	answer.Options
}

// Describe answers a question about packages or their symbols.
func (l *Lookup) Describe(ctx context.Context, d Description) (*answer.Answer, error) {
	ctx = store.Once(ctx)
	r, err := l.resolver.Resolve(ctx, d.Package, d.Symbols)
	if err != nil {
		return nil, err
	}
	var a *answer.Answer
	if r.IsOverview {
		d.Symbols = ""
		a = l.overview(ctx, d, r)
	} else {
		a = answer.Symbols(l.subjects(ctx, d, r.Targets), texts(r.Problems), d.Options)
	}
	return l.withExporters(ctx, a, r.Targets, d.Options), nil
}

// overview answers a question without symbols.
func (l *Lookup) overview(ctx context.Context, d Description, r *resolve.Resolution) *answer.Answer {
	if len(r.Packages) == 1 && len(r.Problems) == 0 {
		p := r.Packages[0]
		d.Package = p.Question
		d.Standing = l.release(ctx, d.Package, p.Package)
		return l.renderer(p.Item, d).Overview(l.below(ctx, d, p.Item), d.Options)
	}
	var all []answer.WithBelow
	for _, p := range r.Packages {
		each := answer.WithBelow{Renderer: l.renderer(p.Item, d)}
		if !slices.ContainsFunc(r.Packages, func(other resolve.Package) bool { return apidoc.IsBelow(other.Name, p.Name) && other.Name != p.Name }) {
			d.Package = p.Question
			each.Below = l.below(ctx, d, p.Item)
		}
		all = append(all, each)
	}
	return answer.Overviews(all, texts(r.Problems), d.Options)
}

// subjects converts targets to the form that package answer expects.
func (l *Lookup) subjects(ctx context.Context, d Description, targets []resolve.Target) []answer.Subject {
	renderers := map[*catalog.Item]*answer.Renderer{}
	var all []answer.Subject
	for _, t := range targets {
		r := renderers[t.Item]
		if r == nil {
			r = l.renderer(t.Item, d)
			renderers[t.Item] = r
		}
		all = append(all, answer.Subject{
			Renderer: r, Symbol: symbolIn(r.Package(), t.Symbol), Notice: t.Notice, NotIn: t.NotIn, Import: t.Import, Refer: l.referrer(ctx, t.Origin.Question, t.Item),
		})
	}
	return all
}

// symbolIn returns the symbol of p that is a copy of s, where p is a package or its copy without
// examples.
func symbolIn(p *apidoc.Package, s *apidoc.Symbol) *apidoc.Symbol {
	for other := range p.All {
		if other.Path == s.Path && other.Signature == s.Signature && other.File == s.File && other.Line == s.Line {
			return other
		}
	}
	return s
}

// renderer returns the renderer for a package without the parts that the question excludes.
func (l *Lookup) renderer(p *catalog.Item, d Description) *answer.Renderer {
	if d.WithoutTypes && d.Symbols == "" || d.WithoutExamples {
		return answer.NewRenderer(answer.Lean(p.Package, !d.WithoutTypes || d.Symbols != "", !d.WithoutExamples))
	}
	return p.Renderer()
}

const (
	// maxBelow is the maximum number of packages below another package that are read and shown with
	// it. smallSource is the maximum size in bytes of the first package's documentation, and
	// familySource is the maximum size for all packages.
	maxBelow     = 20
	smallSource  = 200_000
	familySource = 1_000_000
)

// below reads the subpackages of p if their declarations may fit into an answer about p. It omits
// packages that cannot be read. It returns nil if the declarations do not fit.
func (l *Lookup) below(ctx context.Context, d Description, p *catalog.Item) []*answer.Renderer {
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
		other, err := l.catalog.Read(ctx, q)
		if err != nil {
			continue
		}
		if total += size(other.Package); total > familySource {
			return nil
		}
		all = append(all, l.renderer(other, d))
	}
	return all
}

// size returns the approximate size in bytes of what a package can show. It stops counting when the
// package is too large for one answer.
func size(p *apidoc.Package) int {
	n := len(p.Doc)
	for s := range p.All {
		if n += len(s.Signature) + len(s.Doc); n > familySource {
			break
		}
	}
	return n
}

func texts(errs []error) []string {
	var all []string
	for _, err := range errs {
		all = append(all, err.Error())
	}
	return all
}

// Target is a package in a question, or a symbol in it.
type Target = resolve.Target

// Select returns the packages or the symbols in a question with all their data. problems contains
// the errors for packages and symbols that do not exist.
func (l *Lookup) Select(ctx context.Context, d Description) (targets []Target, problems []error, err error) {
	r, err := l.resolver.Resolve(store.Once(ctx), d.Package, d.Symbols)
	if err != nil {
		return nil, nil, err
	}
	return r.Targets, r.Problems, nil
}
