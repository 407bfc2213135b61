package answer

import (
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
	var w writer
	r.title(&w, g)
	w.block(r.extent(below, complete, first, others, g))
	r.beginningOfDoc(&w, limit, 10, g)
	sections := r.usage(&w, limit/10)
	before := []*Renderer{r}
	list := func(member *Renderer, d depth, skip map[*apidoc.Symbol]bool) bool {
		room := limit - w.b.Len()
		if room <= 0 {
			return false
		}
		text, _, fits := member.listing(member.decls(), d, room, skip)
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
		r.subpackages(&w, true)
	}
	r.notes(&w)
	w.block(elsewhere(r.pkg))
	r.otherSections(&w, g, 25, sections)
	return w.b.String(), w.b.Len() <= limit
}

// extent returns sentences about how much of a family is shown and how to get the rest.
func (r *Renderer) extent(below []*Renderer, complete bool, first, others depth, g Guide) string {
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
	if others.docs > none {
		text += "; comments" + where + " are shortened or omitted"
	} else {
		text += "; comments" + where + " are left out"
	}
	return text + ". To see symbols in full, " + g.symbol(r.sample()) + ", or several at once; you can name several packages, separated by commas."
}
