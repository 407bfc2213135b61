package answer

import (
	"fmt"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// symbolDetails are the levels of detail of what stands around a symbol; the
// symbol itself is told whole at all but the last.
var symbolDetails = []detail{
	{docs: whole, members: whole, comments: true, examples: true, share: 100},
	{docs: whole, members: first, comments: true, examples: true, share: 100},
	{docs: whole, members: first, comments: true, share: 100},
	{docs: whole, members: bare, comments: true, share: 90},
	{docs: whole, members: none, share: 60},
	{docs: whole, members: none, share: 30},
}

// Symbol answers a question about one symbol of p: the symbol, its members,
// and what goes with it.
func Symbol(p *apidoc.Package, s *apidoc.Symbol, o Options) *Answer {
	limit := o.limit()
	var a *Answer
	for _, d := range symbolDetails {
		if a = composeSymbol(p, s, o, d, limit); a != nil && fits(a.Markdown(), limit) {
			return a
		}
	}
	return cutSymbol(a, limit, o.Guide)
}

// cutSymbol shortens the declaration and the comment of a symbol until they
// fit.
func cutSymbol(a *Answer, limit int, g Guide) *Answer {
	own := &a.Symbols[0]
	a.Symbols = a.Symbols[:1]
	signature, doc, said := own.Signature, own.Doc, a.Omitted
	lines := strings.Count(signature, "\n") + 1
	for share := limit / 2; ; share /= 2 {
		own.Signature, own.Doc = firstLines(signature, share), beginning(doc, share/2)
		a.Omitted = said
		if shown := strings.Count(own.Signature, "\n") + 1; len(own.Signature) < len(signature) {
			a.Omitted = append(a.Omitted, fmt.Sprintf("The declaration is cut after %d of its %d lines; %s.", shown, lines, g.Larger))
		}
		if len(own.Doc) < len(doc) {
			a.Omitted = append(a.Omitted, fmt.Sprintf("The comment is cut after %d of %d bytes; %s.", len(own.Doc), len(doc), g.Larger))
		}
		if share < 64 || fits(a.Markdown(), limit) {
			return a
		}
	}
}

// firstLines returns the lines of s that fit into limit bytes.
func firstLines(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	if end := strings.LastIndexByte(s[:limit], '\n'); end > 0 {
		return s[:end]
	}
	return strings.ToValidUTF8(s[:limit], "")
}

func composeSymbol(p *apidoc.Package, s *apidoc.Symbol, o Options, d detail, limit int) *Answer {
	c := composer{detail: d, limit: limit}
	a := &Answer{Package: about(p), Notice: Notice, Symbol: oneLine(s.Path), detail: d}
	own := c.declaration(s)
	own.Doc = c.packageDoc(s.Doc)
	a.Symbols = append(a.Symbols, own)
	if s.Group > 0 && s.Group <= len(p.Groups) {
		if together := c.groupOf(p, s); together != nil {
			a.Symbols = append(a.Symbols, *together)
		}
	}
	for i := range s.Members {
		a.Symbols = c.around(a.Symbols, s, &s.Members[i])
	}
	for i := range p.Symbols {
		if p.Symbols[i].Of == s.Path && s.Path != "" {
			a.Symbols = c.around(a.Symbols, s, &p.Symbols[i])
		}
	}
	if c.over() && d.members != none {
		return nil
	}
	a.Omitted = c.omittedAround(o.Guide, s)
	return a
}

// around adds a member of a symbol or what goes with it.
func (c *composer) around(to []Declaration, s, other *apidoc.Symbol) []Declaration {
	member := other.Of == ""
	switch {
	case member && len(other.Members) == 0 && declares(s.Signature, lastName(other.Path)) && c.comments:
		// The declaration shows it, with its comment.
	case c.detail.members == none:
		c.members++
	default:
		d := c.declaration(other)
		d.Doc, d.member = c.comment(other.Doc, c.detail.members), member
		to = append(to, d)
	}
	return to
}

// groupOf is the declaration that a symbol shares with others.
func (c *composer) groupOf(p *apidoc.Package, s *apidoc.Symbol) *Declaration {
	var together []apidoc.Symbol
	for i := range p.Symbols {
		if p.Symbols[i].Group == s.Group {
			together = append(together, p.Symbols[i])
		}
	}
	if len(together) < 2 {
		return nil
	}
	inner := composer{detail: c.detail}
	inner.detail.examples = false // each symbol has its own
	d := inner.group(&p.Groups[s.Group-1], together)
	return &d
}

func (c *composer) omittedAround(g Guide, s *apidoc.Symbol) []string {
	var said []string
	if c.docCut > 0 {
		said = append(said, fmt.Sprintf("The comment is cut after %d of its %d bytes; %s.", c.docLength-c.docCut, c.docLength, g.Larger))
	}
	var what []string
	if c.shortened > 0 {
		what = append(what, "the full comments of "+plural(c.shortened, "declaration", "declarations"))
	}
	if c.commented > 0 {
		what = append(what, "the comments within "+plural(c.commented, "declaration", "declarations"))
	}
	if c.members > 0 {
		what = append(what, plural(c.members, "member or function that goes with it", "members and functions that go with it"))
	}
	if c.exampleCount > 0 {
		what = append(what, plural(c.exampleCount, "example", "examples"))
	}
	if len(what) > 0 {
		said = append(said, "Left out to fit: "+list(what)+". To see them, "+g.symbol(memberOf(s))+" or "+g.Larger+".")
	}
	return said
}

// memberOf is a member worth asking for.
func memberOf(s *apidoc.Symbol) string {
	for i := range s.Members {
		if m := &s.Members[i]; m.Kind == apidoc.Method {
			return oneLine(m.Path)
		}
	}
	if len(s.Members) > 0 {
		return oneLine(s.Members[0].Path)
	}
	return oneLine(s.Path)
}
