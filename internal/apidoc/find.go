package apidoc

import (
	"cmp"
	"slices"
	"strings"
)

const (
	// maxNear is how many names a NoSymbolError offers.
	maxNear = 5
	// maxPath bounds, in bytes, the part of a path that is compared when
	// resemblances are looked for.
	maxPath = 128
)

// NoSymbolError says that a package has no symbol of the path asked for.
type NoSymbolError struct {
	Package string
	Path    string
	// Near are the paths that resemble Path most, best first: five, or all if
	// the package has fewer.
	Near []string
	// Several is true if Near are not resemblances but all the paths that are
	// Path but for upper and lower case, so that none can be chosen.
	Several bool
}

func (e *NoSymbolError) Error() string {
	switch {
	case e.Several:
		return "symbol " + e.Path + " of " + e.Package + " can be any of " + strings.Join(e.Near, ", ")
	case len(e.Near) == 0:
		return "no symbol " + e.Path + " in " + e.Package + ", which exports nothing"
	}
	return "no symbol " + e.Path + " in " + e.Package + "; the nearest are " + strings.Join(e.Near, ", ")
}

// Find returns the symbol at path, which may carry the package's name in front
// ("json.Marshal", "encoding/json.Marshal") and be written as a receiver or a
// call ("(*Client).Do", "Pointer[T].Load", "Marshal()"). If no symbol is
// written exactly so, the one that differs in case alone is it. Otherwise the
// error is a *NoSymbolError: nothing is guessed.
func (p *Package) Find(path string) (*Symbol, error) {
	path = strings.TrimSpace(path)
	spellings := p.spellings(path)
	for _, spelling := range spellings {
		for s := range p.everywhere {
			if s.Path == spelling {
				return s, nil
			}
		}
	}
	var found *Symbol
	var paths []string
	for _, spelling := range spellings {
		for s := range p.everywhere {
			if strings.EqualFold(s.Path, spelling) && !slices.Contains(paths, s.Path) {
				found, paths = s, append(paths, s.Path)
			}
		}
		if len(paths) > 0 {
			break
		}
	}
	switch len(paths) {
	case 0:
		return nil, &NoSymbolError{Package: p.Name, Path: path, Near: p.near(spellings[len(spellings)-1])}
	case 1:
		return found, nil
	}
	return nil, &NoSymbolError{Package: p.Name, Path: path, Near: paths, Several: true}
}

// everywhere yields the symbols of the package, then those of other platforms.
func (p *Package) everywhere(yield func(*Symbol) bool) {
	if walk(p.Symbols, yield) {
		walk(p.Elsewhere, yield)
	}
}

// spellings are the paths that a user can have meant by path, as written
// first, reduced to a bare path last.
func (p *Package) spellings(path string) []string {
	all := []string{path}
	add := func(s string) {
		if s != "" && !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	add(p.unqualified(path))
	plain := plainPath(path)
	add(plain)
	add(p.unqualified(plain))
	return all
}

// unqualified cuts the package's name from the front of path.
func (p *Package) unqualified(path string) string {
	for _, name := range []string{p.LocalName, p.Name} {
		if rest, ok := strings.CutPrefix(path, name+"."); ok && name != "" {
			return rest
		}
	}
	return path
}

// plainPath drops parentheses, pointers and type arguments:
// "(*Pointer[T]).Load()" becomes "Pointer.Load".
func plainPath(path string) string {
	var b strings.Builder
	depth := 0
	for _, r := range path {
		switch {
		case r == '[':
			depth++
		case r == ']':
			depth = max(0, depth-1)
		case depth > 0, strings.ContainsRune("()*& \t", r):
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// near returns the paths that resemble path most, best first.
func (p *Package) near(path string) []string {
	type scored struct {
		path  string
		score float64
	}
	query := newName(path)
	seen := map[string]bool{}
	var all []scored
	for s := range p.everywhere {
		if !seen[s.Path] {
			seen[s.Path] = true
			all = append(all, scored{s.Path, query.resembles(newName(s.Path))})
		}
	}
	slices.SortStableFunc(all, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(len(a.path), len(b.path)))
	})
	var paths []string
	for _, s := range all[:min(len(all), maxNear)] {
		paths = append(paths, s.path)
	}
	return paths
}

// name is a path in lower case and its parts: "client.do", "client", "do".
type name struct{ whole, head, tail string }

func newName(path string) name {
	n := name{whole: strings.ToLower(path)}
	n.whole = n.whole[:min(len(n.whole), maxPath)]
	n.tail = n.whole
	if i := strings.LastIndexAny(n.whole, ".:#"); i >= 0 {
		n.head, n.tail = strings.TrimRight(n.whole[:i], ".:#"), n.whole[i+1:]
	}
	return n
}

// resembles says how alike two names are, 1 for equal: as a whole, part by
// part, or as a member that was asked for without its type.
func (n name) resembles(other name) float64 {
	score := alike(n.whole, other.whole)
	switch {
	case n.head != "" && other.head != "":
		score = max(score, (alike(n.head, other.head)+alike(n.tail, other.tail))/2)
	case other.head != "":
		score = max(score, 0.95*alike(n.whole, other.tail))
	}
	return score
}

// alike compares two words by the letters to change and by whether one holds
// the other.
func alike(a, b string) float64 {
	if a == b {
		return 1
	}
	if len(a) > len(b) {
		a, b = b, a
	}
	score := 0.0
	if len(a) >= 2 && strings.Contains(b, a) {
		score = 0.6 + 0.4*float64(len(a))/float64(len(b))
	}
	// The lengths alone tell how alike the words can be at best.
	if float64(len(a))/float64(len(b)) <= score {
		return score
	}
	return max(score, 1-float64(distance(a, b))/float64(len(b)))
}

// distance counts the bytes to insert, delete, replace or swap with their
// neighbour to turn a into b, neither longer than maxPath.
func distance(a, b string) int {
	var rows [3][maxPath + 1]int
	before, last, row := &rows[0], &rows[1], &rows[2]
	for j := range len(b) + 1 {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
