package source

import (
	"slices"
	"strings"
)

// Implementations in the bodies of functions and in the values of constants apply to the types of the whole program. Bodies
// without implementations are not read.

// readLocal reads the items in a body that may contain implementations, and adds a block with them to p.local. The body belongs to
// a function, a constant or an implementation, or, if it is nil, to a statement. It reports whether there is such a block.
func (p *parser) readLocal(body Span, it *Item, depth int) bool {
	if depth >= maxDepth || !implements(body.Text(p.Text)) {
		return false
	}
	q := parser{Scanner: Scanner{Text: p.Text[:body.End], Pos: int(body.Start)}, file: &File{Text: p.Text}, meter: p.meter, outline: p.outline, count: p.count, members: 1}
	q.next()
	statements := it == nil || it.Kind != Impl
	if statements {
		q.members = 0
	}
	items := q.items(depth+1, statements)
	p.count = q.count
	found := len(q.local) > 0
	p.local = append(p.local, q.local...)
	if !statements || !slices.ContainsFunc(items, func(it *Item) bool { return it.Kind == Impl || it.Kind == ConstBlock || it.Kind == Module }) {
		return found
	}
	block := NewItem(ConstBlock, "", nil)
	block.Start, block.End = body.Start, body.End
	if it != nil {
		block.Start, block.Attrs = it.Start, it.Attrs
	}
	block.Items = slices.DeleteFunc(items, func(it *Item) bool { return it.Kind == MacroCall }) // most are statements
	p.local = append(p.local, block)
	return true
}

// implements reports whether a body may contain implementations: lines that begin with impl, or impl after a brace or a semicolon.
func implements(body string) bool {
	for i := 0; ; i++ {
		n := strings.Index(body[i:], "impl")
		if n < 0 {
			return false
		}
		i += n
		before := strings.TrimSuffix(strings.TrimRight(body[:i], " \t"), "unsafe")
		before = strings.TrimRight(before, " \t")
		if rest := body[i+len("impl"):]; rest != "" && strings.IndexByte(" \t\r\n<", rest[0]) >= 0 && (before == "" || strings.IndexByte("{};]\n/", before[len(before)-1]) >= 0) {
			return true
		}
	}
}
