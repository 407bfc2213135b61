package answer

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// A map is the overview of a package that is too large to be listed. It shows the package's
// purpose, its groups of names with their sizes, and the types that are mentioned most often.

// mapText returns the map of the package.
func (r *Renderer) mapText(limit int, g Guide, names outline) string {
	var tail writer
	r.unread(&tail)
	tail.block(fmt.Sprintf("This overview lists %d names in groups, without declarations. To find what you need, %s, several searches at once; for symbols in full, %s.",
		r.pkg.Count(), g.Search, g.symbol(r.sample())))
	var w writer
	r.title(&w, g)
	w.block(r.unshownPackages(g, names))
	r.beginningOfDoc(&w, limit, 8, g)
	shown := r.usage(&w, limit/10)
	r.hubs(&w, limit/5)
	var sections writer
	r.otherSections(&sections, g, 10, shown)
	room := min(limit*3/4, limit-names.length) - w.b.Len() - tail.b.Len() - sections.b.Len() - 4
	groups := r.groups()
	// Shorten the subjects of each group until all groups fit.
	for _, maximum := range []int{1 << 30, 2000, 800, 300, 120, 0} {
		var b writer
		for _, group := range groups {
			b.block(group.text(maximum))
		}
		if b.b.Len() <= room || maximum == 0 {
			w.block(strings.TrimSuffix(cutLines(b.b.String(), max(room, 0)), "\n"))
			break
		}
	}
	if maximum := limit - w.b.Len() - tail.b.Len() - sections.b.Len() - 4; len(r.pkg.Subpackages) > 0 && maximum > 200 {
		var below writer
		r.subpackages(&below, true, names)
		w.block(strings.TrimSuffix(cutLines(below.b.String(), maximum), "\n"))
	}
	w.block(strings.TrimSuffix(sections.b.String(), "\n"))
	w.block(strings.TrimSuffix(tail.b.String(), "\n"))
	return w.within(limit)
}

// cutLines keeps the lines that fit into limit bytes and marks the omission. It returns "" if not
// even the first line fits.
func cutLines(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	end := strings.LastIndexByte(text[:max(limit-5, 0)], '\n')
	if end <= 0 {
		return ""
	}
	return text[:end] + "\n…\n"
}

// hubs writes the types that are mentioned most often, with their constructors.
func (r *Renderer) hubs(w *writer, limit int) {
	uses := map[*apidoc.Symbol]int{}
	for t, by := range r.uses() {
		uses[t] = len(by)
	}
	for i := range r.pkg.Symbols {
		if s := &r.pkg.Symbols[i]; s.IsType() {
			uses[s] += 2 * s.NumMembers()
		}
	}
	calls := 0
	for i := range r.pkg.Symbols {
		if s := &r.pkg.Symbols[i]; s.IsType() {
			calls += methodsIn(s)
		} else if s.IsCallable() {
			calls++
		}
	}
	found := slices.SortedFunc(maps.Keys(uses), func(a, b *apidoc.Symbol) int {
		return cmp.Or(cmp.Compare(uses[b], uses[a]), cmp.Compare(a.Path, b.Path))
	})
	// A type that very few calls involve is not a useful starting point. An example is a member of
	// a family of tuples among hundreds of functions.
	found = slices.DeleteFunc(found, func(t *apidoc.Symbol) bool {
		return (len(r.uses()[t])+methodsIn(t))*minHub < calls
	})
	entries := r.entryFunctions()
	var first []*apidoc.Symbol // the types that constructors take
	for _, d := range entries {
		takes, _ := r.callTypes(d.first())
		first = appendNew(first, takes...)
	}
	found = appendNew(first, found...)
	found = found[:min(len(found), maxHubs)]
	types := make([]decl, len(found))
	for i, t := range found {
		types[i] = decl{symbols: []apidoc.Symbol{r.withoutMethods(t)}}
	}
	sizes, members := map[hubSize]int{}, map[listKey]*memberLists{}
	for n := len(found); n > 0; n-- {
		decls := slices.Clone(entries)
		for i, t := range found[:n] {
			decls = append(decls, types[i])
			for _, d := range r.goesWith(t) {
				if len(decls) < maxHubs*4 && !slices.ContainsFunc(decls, func(other decl) bool { return other.first() == d.first() }) {
					decls = append(decls, d)
				}
			}
		}
		for i, d := range hubDepths {
			if r.exceeds(decls, i, limit, sizes, members) {
				continue
			}
			l := lister{r: r, limit: limit, members: members}
			if text, fits := l.list(decls, d); fits && (n <= 3 || d.comments > none) {
				w.block("Central types:")
				w.code(fence(r.pkg), text)
				return
			}
		}
	}
}

// minHub limits which types are hubs: at least one in minHub of the package's calls must
// involve the type.
const minHub = 50

// methodsIn returns the number of methods of a type.
func methodsIn(t *apidoc.Symbol) (n int) {
	members := t.AllMembers()
	for i := range members {
		if members[i].IsCallable() {
			n++
		}
	}
	return n
}

// hubSize identifies the listing of one declaration at one of the hubDepths.
type hubSize struct {
	first *apidoc.Symbol
	depth int
}

// exceeds reports whether declarations take more than limit bytes at one of the hubDepths. sizes
// caches the size of each declaration.
func (r *Renderer) exceeds(decls []decl, depth, limit int, sizes map[hubSize]int, members map[listKey]*memberLists) bool {
	sum := 0
	for i := range decls {
		key := hubSize{decls[i].first(), depth}
		size, ok := sizes[key]
		if !ok {
			l := lister{r: r, limit: limit, members: members}
			text, fits := l.list(decls[i:i+1], hubDepths[depth])
			if size = len(text); !fits {
				size = limit + 1
			}
			sizes[key] = size
		}
		if sum += size; sum > limit {
			return true
		}
	}
	return false
}

// hubDepths contains the depths that hubs tries, in this order. They include comments on fields,
// because the comments on options state defaults.
var hubDepths = []depth{
	{docs: brief, members: brief, comments: brief},
	{docs: sentence, members: sentence, comments: sentence},
	{docs: sentence, members: names, comments: none},
}

// entryFunctions returns the functions of the package that do not belong to a family of names, if
// there are few of them. Programs usually begin with one of them.
func (r *Renderer) entryFunctions() []decl {
	var functions []decl
	var names []string
	for _, d := range r.decls() {
		if s := d.first(); s.IsCallable() {
			functions = append(functions, d)
			names = append(names, oneLine(s.Path))
		}
	}
	_, rest := endings(names)
	if len(rest) > maxEntryFunctions {
		return nil
	}
	return slices.DeleteFunc(functions, func(d decl) bool { return !slices.Contains(rest, oneLine(d.first().Path)) })
}

// maxEntryFunctions is the maximum number of functions that entryFunctions returns.
const maxEntryFunctions = 10

// maxHubs is the maximum number of types that hubs writes.
const maxHubs = 6

// nameGroup is a set of names that an overview shows together.
type nameGroup struct {
	title string
	names []string
}

// groups returns the names of the package in groups. The groups are functions, types, and the
// methods of each type with many methods.
func (r *Renderer) groups() []nameGroup {
	var functions, types, values []string
	var methods []nameGroup
	few := nameGroup{title: "Types with methods"}
	seen := map[string]bool{} // names of functions that are already listed
	for i := range r.pkg.Symbols {
		s := &r.pkg.Symbols[i]
		path := oneLine(s.Path)
		switch {
		case s.IsType():
			types = append(types, path)
			var names []string
			listed := map[string]bool{}
			for k := range s.Members { // methods that are not inherited
				if m := &s.Members[k]; m.IsCallable() && m.From == "" {
					if name := withoutLabels(oneLine(m.Name())); !listed[name] {
						listed[name] = true
						names = append(names, name)
					}
				}
			}
			if len(names) >= manyMethods {
				methods = append(methods, nameGroup{"Methods of " + path, names})
			} else if len(names) > 1 {
				few.names = append(few.names, path)
			}
		case s.IsCallable():
			if name := withoutLabels(path); !seen[name] {
				seen[name] = true
				functions = append(functions, name)
			}
		default:
			values = append(values, path)
		}
	}
	slices.SortStableFunc(methods, func(a, b nameGroup) int { return cmp.Compare(len(b.names), len(a.names)) })
	all := sameNames(methods)
	all = append(all, nameGroup{"Functions", functions})
	withMethods := map[string]bool{}
	for _, name := range few.names {
		withMethods[name] = true
	}
	types = slices.DeleteFunc(types, func(s string) bool { return withMethods[s] })
	all = append(all, few, nameGroup{"Types", types}, nameGroup{"Constants and variables", values})
	return slices.DeleteFunc(all, func(g nameGroup) bool { return len(g.names) == 0 })
}

// withoutLabels returns a name without its argument labels. For example, it returns move for
// move(by:to:).
func withoutLabels(name string) string {
	if labels := strings.IndexByte(name, '('); labels > 0 {
		return name[:labels]
	}
	return name
}

// sameNames merges the groups of types with the same methods. For example, the services of a client
// can have the same methods.
func sameNames(methods []nameGroup) []nameGroup {
	index := map[string]int{}
	types := map[int][]string{}
	var all []nameGroup
	for _, g := range methods {
		sorted := slices.Sorted(slices.Values(g.names))
		key := strings.Join(sorted, " ")
		i, ok := index[key]
		if !ok {
			i = len(all)
			index[key] = i
			all = append(all, g)
		}
		types[i] = append(types[i], strings.TrimPrefix(g.title, "Methods of "))
	}
	for i := range all {
		if n := len(types[i]); n > 1 {
			all[i].title = "Methods of each of " + nameSome(types[i], 1500)
		}
	}
	return all
}

// A type with at least manyMethods methods forms its own group.
const manyMethods = 12

// text returns a group with its title and at most maximum bytes of names.
func (g nameGroup) text(maximum int) string {
	return fmt.Sprintf("%s (%d): %s", g.title, len(g.names), g.summary(maximum))
}

// summary lists names in at most maximum bytes. It lists families of names with the same ending
// ("…Input") first, and then the others by subject.
func (g nameGroup) summary(maximum int) string {
	families, rest := endings(g.names)
	var parts []string
	for _, f := range families {
		parts = append(parts, fmt.Sprintf("*%s (%d, such as %s)", f.ending, len(f.names), f.names[0]))
	}
	text := strings.Join(append(parts, subjects(rest)...), "; ")
	if len(text) > maximum {
		end := max(strings.LastIndex(text[:maximum], ", "), strings.LastIndex(text[:maximum], "; "), 0)
		text = strings.TrimSpace(text[:end] + " …")
	}
	return text
}

// family is a set of names that end with the same words.
type family struct {
	ending string
	names  []string
}

// endings finds the endings that many names share, most frequent first, and returns the remaining
// names.
func endings(all []string) (families []family, rest []string) {
	const minimum = 12
	by := map[string][]string{}
	for _, name := range all {
		if words := camelWords(name); len(words) > 1 {
			last := words[len(words)-1]
			by[last] = append(by[last], name)
		}
	}
	for ending, found := range by {
		if len(found) >= minimum {
			families = append(families, family{ending, found})
		}
	}
	slices.SortFunc(families, func(a, b family) int {
		return cmp.Or(cmp.Compare(len(b.names), len(a.names)), strings.Compare(a.ending, b.ending))
	})
	seen := map[string]bool{}
	for _, f := range families {
		for _, name := range f.names {
			seen[name] = true
		}
	}
	for _, name := range all {
		if !seen[name] {
			rest = append(rest, name)
		}
	}
	return families, rest
}

// subjects groups names by the words after their verb, and joins subjects that have the same verbs,
// such as "Create|Delete|Get of each of Bucket, Object" for CreateBucket, DeleteObject and so on.
func subjects(all []string) []string {
	verbsOf, namesOf := map[string][]string{}, map[string][]string{}
	var order []string
	for _, name := range all {
		words := camelWords(name)
		verb, subject := "", name
		if len(words) > 1 {
			verb, subject = words[0], singular(strings.Join(words[1:], ""))
		}
		if verbsOf[subject] == nil {
			order = append(order, subject)
		}
		verbsOf[subject] = append(verbsOf[subject], verb)
		namesOf[subject] = append(namesOf[subject], name)
	}
	bySet := map[string][]string{} // subjects of each set of verbs
	var sets, single []string
	for _, subject := range order {
		verbs := verbsOf[subject]
		if len(verbs) < 3 {
			single = append(single, namesOf[subject]...)
			continue
		}
		set := strings.Join(verbs, "|")
		if bySet[set] == nil {
			sets = append(sets, set)
		}
		bySet[set] = append(bySet[set], subject)
	}
	var grouped []string
	for _, set := range sets {
		found := bySet[set]
		if len(found) == 1 {
			grouped = append(grouped, set+"+"+found[0])
			continue
		}
		grouped = append(grouped, set+" of each of "+strings.Join(found, ", "))
	}
	if len(single) > 0 {
		grouped = append(grouped, strings.Join(single, ", "))
	}
	return grouped
}

func singular(word string) string {
	switch {
	case strings.HasSuffix(word, "ies") && len(word) > 4:
		return word[:len(word)-3] + "y"
	case strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") && !strings.HasSuffix(word, "us") && len(word) > 3:
		return word[:len(word)-1]
	}
	return word
}

// camelWords splits a name into its words, such as CreateBucket into Create and Bucket.
func camelWords(name string) []string {
	words := make([]string, 0, 8)
	start := 0
	before, size := utf8.DecodeRuneInString(name)
	for i := size; i < len(name); i += size {
		var c rune
		c, size = utf8.DecodeRuneInString(name[i:])
		upper := unicode.IsUpper(c)
		switch {
		case c == '_':
			words = append(words, name[start:i])
			start = i + 1
		case upper && (!unicode.IsUpper(before) || beginsLower(name[i+size:])):
			if i > start {
				words = append(words, name[start:i])
			}
			start = i
		}
		before = c
	}
	return append(words, name[start:])
}

func beginsLower(s string) bool {
	c, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLower(c)
}
