package resolve

import (
	"context"
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/catalog"
	"github.com/docent-mcp/docent/internal/naming"
)

// A path may begin with a variable of a program. An example is server.listen if the package's
// README contains const server = setupServer(). No symbol has that path, but the value that
// setupServer returns has a member named listen.

const (
	// maxMakers is the maximum number of functions and classes that makers returns for a variable.
	maxMakers = 4
	// maxSearchedText is the maximum size in bytes of the documentation that makers searches.
	maxSearchedText = 1 << 20
	// maxAlike is the maximum number of members that are suggested if several members have the
	// name.
	maxAlike = 8
)

// variable is a path that begins with a variable.
type variable struct{ name, member string }

// variableIn splits a path of two names if the first one can be a variable. For other paths, ok is
// false.
func variableIn(p *catalog.Item, path string) (v variable, ok bool) {
	path, _, _ = strings.Cut(path, "(")
	name, member, ok := strings.Cut(path, ".")
	if !ok || !isIdentifier(name) || !isIdentifier(member) || unicode.IsUpper([]rune(name)[0]) {
		return v, false
	}
	return variable{name, member}, naming.Named(p.Package, name) == nil && naming.Unqualified(p.Package, path) == path
}

func isIdentifier(s string) bool {
	return s != "" && len(s) <= 100 && strings.IndexFunc(s, func(r rune) bool {
		return r != '_' && r != '$' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) < 0
}

// ofVariable finds the member to which a path refers if the path begins with a variable. It
// searches the members of the values that the documentation assigns to a variable with that name.
// If there are none, it searches for a unique member with that name in p and in the packages that
// beside returns. If several types have such a member, near contains their paths.
func (r *Resolver) ofVariable(ctx context.Context, o *Package, beside func(member string) []*catalog.Item, path string) (found *Target, near []string) {
	v, ok := variableIn(o.Item, path)
	if !ok {
		return nil, nil
	}
	others := beside(v.member)
	missing := o.Name + " has no symbol " + v.name
	for _, maker := range makers(r.documentation(ctx, o), v.name) {
		if found := r.madeBy(ctx, o, others, maker, v.member); found != nil {
			found.Notice = fmt.Sprintf("%s. In the documentation, the variable %s contains the result of %s: this is its %s.", missing, v.name, maker, v.member)
			return found, nil
		}
	}
	all := membersCalled(append([]*catalog.Item{o.Item}, others...), v.member)
	if len(all) == 1 {
		all[0].Notice = fmt.Sprintf("%s; %s is a member of %s.", missing, v.member, all[0].Symbol.ParentPath())
		return &all[0], nil
	}
	for _, m := range all[:min(len(all), maxAlike)] {
		name := naming.Called(m.Package, m.Symbol.Path)
		if m.Name != o.Name {
			name += " of " + m.Name
		}
		near = append(near, name)
	}
	return nil, near
}

// documentation returns an iterator over the prose and the examples of a package. If p is an entry
// point or a module, the README is that of the package.
func (r *Resolver) documentation(ctx context.Context, o *Package) iter.Seq[string] {
	p, q := o.Item, o.Question
	sections := p.Sections
	if len(sections) == 0 && p.Module != "" && p.Module != p.Name {
		if q.Version = q.RequestedVersion(); q.Version == "" && q.Project == "" {
			q.Version = p.Version
		}
		q.Name = p.Module
		if root, err := r.catalog.Read(ctx, q); err == nil {
			sections = root.Sections
		}
	}
	return func(yield func(string) bool) {
		for i := range sections {
			if !yield(sections[i].Body) {
				return
			}
		}
		if !yield(p.Doc) {
			return
		}
		for i := range p.Examples {
			if !yield(p.Examples[i].Code) {
				return
			}
		}
		for s := range p.All {
			if !yield(s.Doc) {
				return
			}
			for i := range s.Examples {
				if !yield(s.Examples[i].Code) {
					return
				}
			}
		}
	}
}

// makers returns the functions and classes whose calls the strings assign to a variable, most
// frequent first. For example, it returns setupServer for const server = setupServer(), and
// httpx.Client for with httpx.Client() as client.
func makers(texts iter.Seq[string], name string) []string {
	const (
		typed = `(?:\s*:\s*[\w$.:<>\[\]& ]{1,80}?)?` // matches the type in "let client: Client"
		also  = `(?:\s*,\s*\w+)?`                    // matches a second variable, as in "client, err"
		call  = `(?:&?\s*(?:await|new|try[?!]?)\s+)*&?([A-Za-z_$][\w$.:]*)(?:<[^>\n]{0,200}>)?!?\s*[({]`
	)
	quoted := regexp.QuoteMeta(name)
	assigned := regexp.MustCompile(`(?:^|[^\w$.])` + quoted + also + typed + `\s*:?=\s*` + call + `|\b(?:with|using)\s+` + call + `[^\n]*\bas\s+` + quoted + `\b`)
	times := map[string]int{}
	var all []string
	remaining := maxSearchedText
	for text := range texts {
		if len(text) > remaining {
			break
		}
		remaining -= len(text)
		if !strings.Contains(text, name) {
			continue
		}
		for _, m := range assigned.FindAllStringSubmatch(text, -1) {
			maker := m[1] + m[2]
			if times[maker]++; times[maker] == 1 {
				all = append(all, maker)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b string) int { return times[b] - times[a] })
	return all[:min(len(all), maxMakers)]
}

// madeBy returns a member of the type that maker creates. maker is a function or class that p,
// another entry point of the package, or a package in others exports. madeBy returns nil if there
// is no such member.
func (r *Resolver) madeBy(ctx context.Context, o *Package, others []*catalog.Item, maker, member string) *Target {
	var all []Target
	if s := o.Exported(maker); s != nil {
		all = append(all, Target{Item: o.Item, Symbol: s})
	} else if all, _ = r.elsewhere(ctx, o, maker); len(all) == 0 {
		for _, other := range others {
			if s := other.Exported(maker); s != nil {
				all = append(all, Target{Item: other, Symbol: s})
			}
		}
	}
	for _, target := range all {
		if m := target.Renderer().MemberMade(target.Symbol, member); m != nil {
			return &Target{Item: target.Item, Symbol: m}
		}
	}
	return nil
}

// membersCalled returns the members with a given name. A member that several types inherit is
// returned once, for the type that declares it.
func membersCalled(packages []*catalog.Item, name string) (all []Target) {
	for _, p := range packages {
		for s := range p.All {
			if last, _ := apidoc.CutLabels(s.Name()); last != name || s.ParentPath() == "" {
				continue
			}
			i := slices.IndexFunc(all, func(t Target) bool { return SameDeclaration(t.Symbol, s) })
			switch {
			case i < 0:
				all = append(all, Target{Item: p, Symbol: s})
			case s.From == "" && all[i].Symbol.From != "":
				all[i] = Target{Item: p, Symbol: s}
			}
		}
	}
	return all
}
