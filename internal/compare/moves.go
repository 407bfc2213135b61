package compare

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// candidates are the new symbols that may correspond to a removed symbol.
type candidates struct {
	added     map[string][]*ref   // the added symbols, by name
	anywhere  map[string][]*ref   // the symbols of whole packages, by path
	spellings map[beside][]*ref   // the added symbols, by name in lower case without underscores
	labelled  map[beside][]*ref   // the added symbols with argument labels, by name without labels
	comments  map[beside][]*ref   // the added symbols, by comment without the name
	renames   map[string][]string // the names that occur together on one line of a changelog
	taken     map[*ref]bool       // the symbols to which a removed symbol was assigned
}

// beside is a key for symbols with a common property that belong to the same owner, or are at the
// top level of the same package.
type beside struct {
	pkg, owner, property string
}

func (r *ref) beside(property string) beside {
	b := beside{pkg: r.pkg, property: property}
	if r.owner != nil {
		b.owner = r.owner.Path
	}
	return b
}

func (r *ref) spelling() string { return strings.ToLower(strings.ReplaceAll(r.Name(), "_", "")) }

// comment returns the comment on a symbol without the symbol's name, or "" if there is none.
func (r *ref) comment() string { return strings.ReplaceAll(r.Doc, r.Name(), "") }

func (c *comparison) candidates(added []Change) *candidates {
	l := &candidates{map[string][]*ref{}, map[string][]*ref{}, map[beside][]*ref{}, map[beside][]*ref{}, map[beside][]*ref{}, c.renames(), map[*ref]bool{}}
	for i := range added {
		r := added[i].new
		l.added[r.Name()] = append(l.added[r.Name()], r)
		s, d := r.beside(r.spelling()), r.beside(r.comment())
		l.spellings[s] = append(l.spellings[s], r)
		l.comments[d] = append(l.comments[d], r)
		if base, labels := apidoc.CutLabels(r.Name()); labels != "" {
			l.labelled[r.beside(base)] = append(l.labelled[r.beside(base)], r)
		}
	}
	for _, k := range c.new.order {
		if r := c.new.symbols[k][0]; r.owner == nil {
			l.anywhere[k.path] = append(l.anywhere[k.path], r)
		}
	}
	return l
}

// moves combines a removed and an added symbol into one change if there is evidence that they are
// the same.
func (c *comparison) moves(removed, added []Change) (rest, right []Change) {
	if len(removed) == 0 {
		return removed, added
	}
	l := c.candidates(added)
	for i := range removed {
		change := &removed[i]
		target, evidence := c.target(change.old, l)
		if target == nil {
			continue
		}
		l.taken[target] = true
		change.Kind, change.NewPackage, change.NewPath, change.Evidence = Moved, target.in.Name, target.Path, evidence
		change.New, change.new = target.Signature, target
		change.Details = c.symbols([]*ref{change.old}, c.new.symbols[target.key])
		if c.acceptsCalls(target, change.old) {
			change.Severity = max(apidoc.Risky, severity(change.Details)) // only function values name all labels
		}
	}
	return removed, slices.DeleteFunc(added, func(a Change) bool { return l.taken[a.new] })
}

// target returns the new symbol that corresponds to a removed one, and the evidence as the end of a
// sentence.
func (c *comparison) target(old *ref, l *candidates) (*ref, string) {
	role := old.Role()
	free := func(r *ref) bool { return !l.taken[r] && r.Role() == role }
	if old.owner == nil || old.owner.Role() == apidoc.ModuleRole {
		elsewhere := slices.DeleteFunc(slices.Clone(l.added[old.Name()]), func(r *ref) bool {
			return !free(r) || r.owner != nil && r.owner.Role() == apidoc.TypeRole || !c.similar(old, r)
		})
		if i := slices.IndexFunc(elsewhere, func(r *ref) bool { return c.sameText(old, r) }); i >= 0 {
			return elsewhere[i], "the same declaration"
		}
		if len(elsewhere) > 0 {
			return elsewhere[0], "the same name"
		}
		for _, r := range l.anywhere[old.Path] {
			if twin := c.old.symbols[r.key]; len(twin) > 0 && old.File != "" && twin[0].File == old.File && twin[0].Line == old.Line {
				return r, "the old version, which also contains it there"
			}
		}
	}
	if r := c.named(old.Deprecated, old, free); r != nil {
		return r, "the deprecation notice"
	}
	for _, r := range l.spellings[old.beside(old.spelling())] {
		if free(r) {
			return r, "the same name in a different spelling"
		}
	}
	if base, labels := apidoc.CutLabels(old.Name()); labels != "" {
		var found *ref
		for _, r := range l.labelled[old.beside(base)] {
			if free(r) && (found == nil || c.acceptsCalls(r, old) && !c.acceptsCalls(found, old)) {
				found = r
			}
		}
		if found != nil {
			return found, "the same name with other labels"
		}
	}
	if old.comment() != "" {
		same := l.comments[old.beside(old.comment())]
		if len(same) == 1 && free(same[0]) && c.sameText(old, same[0]) {
			return same[0], "the same declaration and comment"
		}
	}
	for _, name := range l.renames[old.Name()] {
		for _, r := range l.added[name] {
			if free(r) && r.beside("") == old.beside("") {
				return r, "the changelog"
			}
		}
	}
	return nil, ""
}

// acceptsCalls reports whether calls of a function can have the same arguments, with the same labels,
// as calls of an old function with the same name: additional parameters are optional.
func (c *comparison) acceptsCalls(new, old *ref) bool {
	a, _ := apidoc.CutLabels(old.Name())
	b, labels := apidoc.CutLabels(new.Name())
	before, after := c.old.declarations(old, c.rules), c.new.declarations(new, c.rules)
	if a != b || labels == "" || len(before) != 1 || len(after) != 1 {
		return false
	}
	was, _ := before[0].list()
	is, _ := after[0].list()
	for _, p := range is {
		switch {
		case len(was) > 0 && p.name == was[0].name:
			was = was[1:]
		case !p.optional():
			return false
		}
	}
	return len(was) == 0
}

// sameText reports whether the declarations of two symbols are equal except for the symbols' names.
func (c *comparison) sameText(old, new *ref) bool {
	a, b := c.old.declarations(old, c.rules), c.new.declarations(new, c.rules)
	if len(a) == 0 || len(b) == 0 {
		return false
	}
	if old.Role() == apidoc.TypeRole &&
		((old.NumMembers() == 0) != (new.NumMembers() == 0) || len(c.bases(a, b, []*ref{old}, []*ref{new})) > 0) {
		return false
	}
	return slices.EqualFunc(a, b, func(x, y *declaration) bool { return len(c.declaration(x, y)) == 0 })
}

// similar reports whether two symbols with the same name in different places can be the same: types
// have half of their members in common, and functions differ only slightly.
func (c *comparison) similar(old, new *ref) bool {
	switch role := old.Role(); {
	case role == apidoc.TypeRole:
		members := map[string]bool{}
		for _, m := range new.AllMembers() {
			members[m.Name()] = true
		}
		common := 0
		for _, m := range old.AllMembers() {
			if members[m.Name()] {
				common++
			}
		}
		return 2*common >= old.NumMembers()
	case role.IsCall():
		return len(c.symbols([]*ref{old}, []*ref{new})) <= maxDifferences
	}
	return true
}

// maxDifferences is the maximum number of differences between an old and a new
// declaration for them to count as one function that was moved.
const maxDifferences = 2

// named returns the new symbol that a deprecation notice mentions.
func (c *comparison) named(notice string, old *ref, free func(*ref) bool) *ref {
	if notice == "" {
		return nil
	}
	sep := old.in.Separator()
	for _, word := range identifiers(notice, sep) {
		if word == old.Name() || word == old.Path {
			continue
		}
		paths := []string{word, lastName(word, sep)}
		if old.owner != nil {
			paths = []string{old.owner.Path + sep + lastName(word, sep), word}
		}
		for _, path := range paths {
			for _, r := range c.new.symbols[key{old.pkg, path}] {
				if free(r) && (r.owner == nil) == (old.owner == nil) {
					return r
				}
			}
		}
	}
	return nil
}

// identifiers returns the words of prose that can be paths of symbols.
func identifiers(prose, sep string) (all []string) {
	start := -1
	add := func(end int) {
		if start >= 0 {
			if word := strings.Trim(prose[start:end], sep); word != "" {
				all = append(all, word)
			}
		}
		start = -1
	}
	for i, r := range prose {
		switch {
		case !isWord(r) && !strings.ContainsRune(sep, r):
			add(i)
		case start < 0:
			start = i
		}
	}
	add(len(prose))
	return all
}

// maxSpans is the maximum number of names in a line of a changelog that describes a single
// renaming.
const maxSpans = 4

// renames returns, for each name in a code span, the names in other code spans of the same line of
// a changelog or guide.
func (c *comparison) renames() map[string][]string {
	all := map[string][]string{}
	for _, s := range c.passages() {
		for line := range strings.Lines(s.body) {
			spans := codeSpans(line)
			if len(spans) < 2 || len(spans) > maxSpans {
				continue
			}
			for _, a := range spans {
				for _, b := range spans {
					if a != b && !slices.Contains(all[a], b) {
						all[a] = append(all[a], b)
					}
				}
			}
		}
	}
	return all
}

// codeSpans returns the names in code spans of a line of Markdown: the last name of each
// path, without arguments.
func codeSpans(line string) (names []string) {
	if !strings.Contains(line, "`") {
		return nil
	}
	for i, span := range strings.Split(line, "`") {
		if i%2 == 0 {
			continue
		}
		span, _, _ = strings.Cut(strings.TrimLeft(span, "."), "(")
		if words := identifiers(span, ""); len(words) > 0 {
			names = append(names, words[len(words)-1])
		}
	}
	return names
}
