// Package naming finds the symbols of a package that names refer to: paths and patterns as people
// write them, and names in declarations. It suggests similar paths for those that do not exist.
package naming

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/spelling"
)

const (
	// maxNear is the maximum number of names in NoSymbolError.Near.
	maxNear = 5
	// maxPath is the maximum size, in bytes, of the part of a path that is compared with others.
	maxPath = spelling.MaxCompared
)

// NoSymbolError means that a package does not have a symbol at a path.
type NoSymbolError struct {
	Package string
	// Version is the version of the package, because another version may have the symbol. It is
	// empty if the package has no version.
	Version string
	Path    string
	// Near contains the five paths most similar to Path, best first, or all paths if the package
	// has fewer.
	Near []string
	// Case is true if Near instead contains the paths that differ from Path only in case.
	Case bool
	// Because is the reason why the package does not have any symbols, if it is known.
	Because string

	likeness float64 // how similar the first of Near is to Path, at most 1
}

// Closer reports whether the nearest path of e is more similar to the requested path than the
// nearest path of other, an error about the same path in another package.
func (e *NoSymbolError) Closer(other *NoSymbolError) bool { return e.likeness > other.likeness }

func (e *NoSymbolError) Error() string {
	within := e.Package
	if e.Version != "" {
		within += "@" + e.Version
	}
	switch {
	case e.Case:
		return "no symbol " + e.Path + " in " + within + "; did you mean " + strings.Join(e.Near, " or ") + "?"
	case len(e.Near) == 0:
		text := "no symbol " + e.Path + " in " + within + ", which exports nothing"
		if e.Because != "" {
			text += " (" + e.Because + ")"
		}
		return text
	}
	return "no symbol " + e.Path + " in " + within + "; the nearest are " + strings.Join(e.Near, ", ")
}

// Find returns the symbol at path. Path may begin with the package's name ("json.Marshal",
// "encoding/json.Marshal", "axios.get") and be written in another way of the language (see
// Style.Spellings). It may lack argument labels, or some of them ("Point.move" for
// Point.move(by:_:)). It may lead through values to members of their types ("program.option" for
// Command.option of const program: Command), begin within the default export ("get" for
// AxiosStatic.get), or be only the last name of a path if a single symbol has this name. It may
// begin with a variable that is named after its type ("client.Do"). Otherwise, Find distinguishes
// case. The error is a *NoSymbolError.
func Find(p *apidoc.Package, path string) (*apidoc.Symbol, error) {
	path = strings.TrimSpace(path)
	spellings := spellings(p, path)
	s, alike := find(p, path, spellings)
	if s != nil {
		return s, nil
	}
	missing := &NoSymbolError{Package: p.Name, Version: p.Version, Path: path}
	if len(alike) > 0 {
		missing.Near, missing.Case, missing.likeness = alike, true, 1
		return nil, missing
	}
	missing.Near, missing.likeness = near(p, spellings[len(spellings)-1])
	if why := slices.Concat(p.Warnings, p.Options); len(why) > 0 {
		missing.Because = why[0]
	}
	return nil, missing
}

// Named returns the symbol that Find returns, or nil if Find fails. In that case it is faster than
// Find, because it does not look for similar paths.
func Named(p *apidoc.Package, path string) *apidoc.Symbol {
	path = strings.TrimSpace(path)
	s, _ := find(p, path, spellings(p, path))
	return s
}

// find returns the symbol at a path. If there is none, it returns the paths that differ from it
// only in case.
func find(p *apidoc.Package, path string, spellings []string) (s *apidoc.Symbol, alike []string) {
	if s := exact(p, path, spellings); s != nil {
		return s, nil
	}
	symbols := inAnotherCase(p, spellings)
	if len(symbols) == 0 {
		return only(p, spellings[len(spellings)-1]), nil
	}
	if len(symbols) == 1 && startsWithVariable(spellings[len(spellings)-1], symbols[0]) {
		return symbols[0], nil
	}
	for _, s := range symbols {
		alike = append(alike, Called(p, s.Path))
	}
	return nil, alike
}

// InAnotherCase returns the paths that differ from a path only in case, if the package does not
// have a symbol at the path itself.
func InAnotherCase(p *apidoc.Package, path string) []string {
	path = strings.TrimSpace(path)
	_, alike := find(p, path, spellings(p, path))
	return alike
}

// inAnotherCase returns the symbols whose paths differ from one of the spellings only in case.
func inAnotherCase(p *apidoc.Package, spellings []string) (found []*apidoc.Symbol) {
	for _, spelling := range spellings {
		for s := range p.Importable {
			if strings.EqualFold(s.Path, spelling) && !slices.ContainsFunc(found, func(f *apidoc.Symbol) bool { return f.Path == s.Path }) {
				found = append(found, s)
			}
		}
		if len(found) > 0 {
			return found[:min(len(found), maxNear)]
		}
	}
	if s := labeled(p, spellings, strings.EqualFold); s != nil {
		return []*apidoc.Symbol{s}
	}
	if s := reach(p, spellings, strings.EqualFold); s != nil {
		return []*apidoc.Symbol{s}
	}
	return nil
}

// startsWithVariable reports whether a path differs from the path of a member only in the case of
// its first letter, because it begins with a variable that is named after its type: client.Do for
// Client.Do.
func startsWithVariable(path string, s *apidoc.Symbol) bool {
	path, _ = apidoc.CutLabels(path)
	base, _ := apidoc.CutLabels(s.Path)
	first, size := utf8.DecodeRuneInString(path)
	return s.ParentPath() != "" && unicode.IsLower(first) && string(unicode.ToUpper(first))+path[size:] == base
}

// Exact returns the symbol whose path is exactly the given one, which may begin with the package's
// name. It returns nil if there is none. It does not look for similar paths.
func Exact(p *apidoc.Package, path string) *apidoc.Symbol {
	path = strings.TrimSpace(path)
	return exact(p, path, spellings(p, path))
}

func exact(p *apidoc.Package, path string, spellings []string) *apidoc.Symbol {
	for _, spelling := range spellings {
		if s := p.At(spelling); s != nil {
			return s
		}
	}
	if s := labeled(p, spellings, same); s != nil {
		return s
	}
	if s := reach(p, spellings, same); s != nil {
		return s
	}
	return namespaced(p, path)
}

// spellings returns the paths that a user's path may represent. The unchanged path comes first. The
// path without the package's name and the language's notation comes last.
func spellings(p *apidoc.Package, path string) []string {
	all := []string{path}
	add := func(s string) {
		if s != "" && !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	add(Unqualified(p, path))
	written := []string{path}
	if p.Style.Spellings != nil {
		written = append(written, p.Style.Spellings(path)...)
	}
	for _, s := range written {
		s = strings.ReplaceAll(s, ".", p.Separator())
		add(s)
		add(Unqualified(p, s))
	}
	return all
}

// near returns the paths that are most similar to path, best first, and how similar the first of
// them is.
func near(p *apidoc.Package, path string) (paths []string, likeness float64) {
	type scored struct {
		path  string
		score float64
	}
	query := newName(path)
	seen := map[string]bool{}
	var all []scored
	var d spelling.Distance
	for s := range p.Everywhere {
		if !seen[s.Path] {
			seen[s.Path] = true
			all = append(all, scored{s.Path, query.resembles(newName(s.Path), &d)})
		}
	}
	slices.SortStableFunc(all, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(len(a.path), len(b.path)))
	})
	all = all[:min(len(all), maxNear)]
	slices.SortStableFunc(all, func(a, b scored) int { // the scores ignore case
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(d.Between(path, a.path, len(path)), d.Between(path, b.path, len(path))))
	})
	for i, s := range all {
		if i == 0 {
			likeness = s.score
		}
		paths = append(paths, Called(p, s.path))
	}
	return paths, likeness
}

// Called returns the path of a symbol as users write it. For "default.add" this is "PQueue.add" if
// the default export is declared as PQueue; if the export does not have a descriptive name, the
// path begins with the name of the package. Called does not change a path if another symbol of the
// package has the new path. Find understands the paths that Called returns.
func Called(p *apidoc.Package, path string) string {
	for _, s := range p.Defaults() {
		rest, ok := strings.CutPrefix(path, s.Path)
		if !ok || rest != "" && !strings.HasPrefix(rest, p.Separator()) {
			continue
		}
		name := p.DeclaredName(s)
		if len(name) < 2 || name[0] == '_' {
			name = p.Name[strings.LastIndexByte(p.Name, '/')+1:]
		}
		if found := Named(p, name+rest); found != nil && found.Path == path {
			return name + rest
		}
	}
	return path
}

// name is a path in lower case, together with its parts, such as "client.do", "client" and "do".
type name struct{ whole, head, tail string }

func newName(path string) name {
	path, _ = apidoc.CutLabels(path)
	n := name{whole: strings.ToLower(path)}
	n.whole = n.whole[:min(len(n.whole), maxPath)]
	n.tail = n.whole
	if i := strings.LastIndexAny(n.whole, ".:#"); i >= 0 {
		n.head, n.tail = strings.TrimRight(n.whole[:i], ".:#"), n.whole[i+1:]
	}
	return n
}

// resembles returns the similarity of two names, which is 1 if they are equal. It compares them as
// a whole, part by part, and as a member without its type.
func (n name) resembles(other name, d *spelling.Distance) float64 {
	score := d.Similarity(n.whole, other.whole)
	switch {
	case n.head != "" && other.head != "":
		score = max(score, (d.Similarity(n.head, other.head)+d.Similarity(n.tail, other.tail))/2)
	case other.head != "":
		score = max(score, 0.95*d.Similarity(n.whole, other.tail))
	}
	return score
}
