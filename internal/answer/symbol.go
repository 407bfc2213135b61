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
		if a = composeSymbol(p, s, o, d, limit); a.fits(limit) {
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
		if share < 64 || a.fits(limit) {
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
	a := &Answer{Package: about(p), Notice: Notice, Symbol: oneLine(p.Called(s.Path)), detail: d}
	own := wholePage(s, &p.Style)
	doc := c.packageDoc(own.doc)
	own.doc = "" // it is counted already
	a.Symbols = append(a.Symbols, c.declaration(&own, whole))
	a.Symbols[0].Doc = doc
	if a.Symbol != a.Symbols[0].Path {
		a.Symbols[0].through = through(a.Symbol, s)
	}
	if d.members != none {
		a.Symbols[0].Inherited = own.inherited
	}
	for _, other := range p.Namesakes(s) {
		of := newPage(other, &p.Style)
		a.Symbols = append(a.Symbols, c.declaration(&of, whole))
	}
	if s.Group > 0 && s.Group <= len(p.Groups) {
		a.Symbols = append(a.Symbols, c.together(p, s)...)
	}
	for i := range own.members {
		if m := &own.members[i]; !c.comments || !m.inside {
			a.Symbols = c.around(a.Symbols, m)
		}
	}
	for i := range p.Symbols {
		if p.Symbols[i].Of == s.Path && s.Path != "" {
			with := newPage(&p.Symbols[i], &p.Style)
			a.Symbols = c.around(a.Symbols, &with)
		}
	}
	left := 0
	for i := range a.Symbols {
		if limit > 0 {
			short, n := fewer(a.Symbols[i].Signature, limit/overloadShare)
			a.Symbols[i].Signature = short
			left += n
		}
	}
	if left > 0 {
		a.Omitted = append(a.Omitted, plural(left, "overload is", "overloads are")+" left out; "+o.Guide.Larger+".")
	}
	if hint := typeHint(p, s, o.Guide); hint != "" {
		a.Omitted = append(a.Omitted, hint)
	}
	if d.members != none && len(own.inherited) > 0 {
		i := own.inherited[0]
		a.Omitted = append(a.Omitted, "Of inherited members only the names are shown; for one of them, "+o.Guide.symbol(oneLine(s.Path)+a.Package.style.Separator+i.Members[0])+".")
	}
	if c.docCut > 0 {
		a.Omitted = append(a.Omitted, fmt.Sprintf("The comment is cut after %d of its %d bytes; %s.", c.docLength-c.docCut, c.docLength, o.Guide.Larger))
	}
	if what := c.leftOut(plural(c.members, "member or function that goes with it", "members and functions that go with it")); what != "" {
		a.Omitted = append(a.Omitted, "Left out to fit: "+what+". To see them, "+o.Guide.symbol(memberOf(s))+" or "+o.Guide.Larger+".")
	}
	return a
}

// through says what the name is by which a default export, or a member of it,
// is called.
func through(called string, s *apidoc.Symbol) string {
	path := oneLine(s.Path)
	export, rest, member := strings.Cut(path, ".")
	if member {
		called = strings.TrimSuffix(called, "."+rest)
	}
	if export == "default" {
		return called + " is the default export"
	}
	return called + " is what require and import give"
}

// typeHint tells where the members are of what a value that has none of its own
// leads to.
func typeHint(p *apidoc.Package, s *apidoc.Symbol, g Guide) string {
	if !p.Style.FollowTypes || len(s.Members) > 0 || s.Kind == apidoc.Interface || s.Kind == apidoc.Type {
		return ""
	}
	var types []string
	for _, t := range p.TypesOf(s) {
		if len(t.Members) > 0 && len(types) < 3 && !strings.HasPrefix(s.Path, t.Path+styleOf(p).Separator) {
			types = append(types, oneLine(t.Path))
		}
	}
	if len(types) == 0 {
		return ""
	}
	return "For the members of " + list(types) + ", " + g.symbol(types[0]) + "."
}

// around adds a member of a symbol or what goes with it.
func (c *composer) around(to []Declaration, p *page) []Declaration {
	if c.detail.members == none {
		c.members++
		return to
	}
	return append(to, c.declaration(p, c.detail.members))
}

// together is the declaration that a symbol shares with others.
func (c *composer) together(p *apidoc.Package, s *apidoc.Symbol) []Declaration {
	var symbols []apidoc.Symbol
	for i := range p.Symbols {
		if p.Symbols[i].Group == s.Group {
			symbols = append(symbols, p.Symbols[i])
		}
	}
	if len(symbols) < 2 {
		return nil
	}
	shared := groupPage(&p.Groups[s.Group-1], symbols)
	shared.examples = nil // each symbol has its own
	return []Declaration{c.declaration(&shared, whole)}
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
