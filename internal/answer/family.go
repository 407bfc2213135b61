package answer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/markup"
)

// familyDepths contains the depths at which a package and the packages below it are shown together
// if they do not all fit completely.
var familyDepths = []depth{
	{docs: sentence, members: sentence, comments: sentence},
	{docs: sentence, members: bare, comments: none},
	{docs: clause, members: bare, comments: none},
	{docs: none, members: bare, comments: none},
	{docs: none, members: names, comments: none},
	{docs: none, members: none, comments: none},
}

// family shows the declarations of a package and of all packages below it, so that readers do not
// assume that the first package is everything. It returns false if the declarations do not fit.
// complete is true if below contains all packages below it.
func (r *Renderer) family(below []*Renderer, complete bool, limit int, g Guide) (string, bool) {
	if len(below) == 0 || limit == 0 {
		return "", false
	}
	// The first package was requested, so it is shown completely if that leaves room for the
	// others.
	first := wholeDepths[1]
	if _, _, fits := r.listing(r.decls(), first, limit/5, nil); !fits {
		first = depth{}
	}
	for _, d := range familyDepths {
		f := first
		if f.docs == none {
			f = d
		}
		if text, ok := r.familyText(below, complete, f, d, limit*5/7, g); ok {
			return text, true
		}
	}
	return "", false
}

// familyText shows the first package of a family at one depth and the others at another depth. It
// fails if that takes more than limit bytes.
func (r *Renderer) familyText(below []*Renderer, complete bool, first, others depth, limit int, g Guide) (string, bool) {
	var w, head writer
	r.title(&head, g)
	limit -= head.b.Len() + maxExtent
	abbreviated := false // whether fields of a type were left out
	r.beginningOfDoc(&w, limit, 10, g)
	sections := r.usage(&w, limit/10)
	before := []*Renderer{r}
	list := func(member *Renderer, d depth, skip map[*apidoc.Symbol]bool) bool {
		room := limit - w.b.Len()
		if room <= 0 {
			return false
		}
		text, _, fits := member.listing(member.decls(), d, room, skip)
		abbreviated = abbreviated || strings.Contains(text, moreLines)
		w.code(fence(member.pkg), text)
		return fits
	}
	if !list(r, first, nil) {
		return "", false
	}
	for _, b := range below {
		w.block("## " + oneLine(b.pkg.Name))
		w.block(oneLine(markup.Synopsis(markup.Clean(b.pkg.Doc))))
		if c := oneLine(b.condition()); c != "" {
			w.block("All declarations: " + condition(c) + ".")
		}
		b.notes(&w)
		skip := b.exportedAgain(&w, before)
		before = append(before, b)
		if !list(b, others, skip) {
			return "", false
		}
	}
	if !complete {
		r.subpackages(&w, true, outline{})
	}
	r.notes(&w)
	w.block(elsewhere(r.pkg))
	r.otherSections(&w, g, 25, sections)
	head.block(r.extent(below, complete, abbreviated, first, others, g))
	head.block(strings.TrimSuffix(w.b.String(), "\n"))
	return head.b.String(), w.b.Len() <= limit
}

// maxExtent is the room in bytes for the sentences about how much of a family is shown.
const maxExtent = 500

// extent returns sentences about how much of a family is shown and how to get the rest.
// abbreviated is true if fields of long types were left out.
func (r *Renderer) extent(below []*Renderer, complete, abbreviated bool, first, others depth, g Guide) string {
	text := "All declarations of "
	if others.members < bare {
		text = "All outermost declarations of "
	}
	text += oneLine(r.pkg.Name) + " and " + plural(len(below), "package", "packages") + " " + r.whereOthers() + " it"
	if n := len(r.libraries()) - len(below); !complete && n > 0 {
		text += ", without " + plural(n, "more, which is listed at the end", "more, which are listed at the end")
	}
	where := ""
	if first.docs == whole {
		where = " of what is " + r.whereOthers() + " it"
	}
	switch {
	case others.docs > none:
		text += "; comments" + where + " are shortened or omitted"
	case others.members == none:
		text += "; members and comments" + where + " are left out"
	case abbreviated:
		text += "; comments" + where + " and some fields (…) are left out"
	default:
		text += "; comments" + where + " are left out"
	}
	text += ". To see symbols in full, " + g.symbol(r.sample()) + ", or several at once; you can name several packages, separated by commas"
	if g.Larger != "" {
		text += "; to see everything in one call, " + g.Larger
	}
	return text + "."
}

// outline contains the names of the outermost declarations in packages that are not shown otherwise.
type outline struct {
	texts  map[string]string // lines by name of the package
	length int               // length of all texts in bytes
}

// outlineShare is the part of an answer, as a divisor, that an outline takes at most.
const outlineShare = 5

// newOutline returns the outline of packages for an answer with at most limit bytes. Packages with
// few names leave room for the others.
func newOutline(packages []*Renderer, limit int) outline {
	names := outline{texts: map[string]string{}}
	if limit == 0 {
		return names
	}
	lengths := map[*Renderer]int{}
	for _, r := range packages {
		lengths[r] = len(r.outermostNames(1 << 20))
	}
	order := slices.Clone(packages)
	slices.SortStableFunc(order, func(a, b *Renderer) int { return lengths[a] - lengths[b] })
	for i, r := range order {
		text := r.outermostNames(min(lengths[r], (limit/outlineShare-names.length)/(len(order)-i)))
		names.texts[r.pkg.Name] = text
		names.length += len(text)
	}
	return names
}

// outermostNames returns indented lines with the names of the outermost declarations of a package, in about
// limit bytes.
func (r *Renderer) outermostNames(limit int) string {
	groups := []nameGroup{{title: "Types"}, {title: "Functions"}, {title: "Values"}}
	all := 0
	for i := range r.pkg.Symbols {
		s := &r.pkg.Symbols[i]
		group := &groups[2]
		switch {
		case s.IsType():
			group = &groups[0]
		case s.IsCallable():
			group = &groups[1]
		}
		name := withoutLabels(oneLine(s.Path))
		if !slices.Contains(group.names[max(len(group.names)-1, 0):], name) { // overloads
			group.names = append(group.names, name)
		}
	}
	for _, group := range groups {
		if len(group.names) > 0 {
			limit -= len(group.line(strings.Join(group.names, ", "))) - group.length()
			all += group.length()
		}
	}
	var b strings.Builder
	for _, group := range groups {
		if len(group.names) > 0 {
			b.WriteString(group.line(nameSome(group.names, max(limit, 0)*group.length()/max(all, 1)))) // in proportion to the names
		}
	}
	return b.String()
}

// length returns the length of all names of a group with commas between them.
func (g nameGroup) length() int { return len(strings.Join(g.names, ", ")) }

// line returns an indented line with names of a group.
func (g nameGroup) line(names string) string {
	return fmt.Sprintf("  %s (%d): %s\n", g.title, len(g.names), names)
}
