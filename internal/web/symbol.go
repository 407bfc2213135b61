package web

import (
	"html/template"
	"net/http"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// symbolPage is the body of the page of a symbol.
type symbolPage struct {
	Name, Kind, Language string
	Package              link
	// Import is the statement that imports the symbol.
	Import template.HTML
	// Symbols holds the symbol itself and the other symbols with the same path.
	Symbols        []symbolView
	Siblings       []row
	Markdown, JSON string
	// Notice states that programs cannot import the symbol, or that the page is incomplete.
	Notice string
}

// symbolView is one symbol as its page shows it.
type symbolView struct {
	Kind        string
	ID          string
	Declaration template.HTML
	Calls       []call
	// Group is the declaration of the group that contains the symbol, and GroupDoc its
	// documentation.
	Group, GroupDoc template.HTML
	// Deprecated is the deprecation notice, if Doc does not contain it.
	IsDeprecated bool
	Deprecated   template.HTML
	Doc          template.HTML
	From         link
	Constraint   string
	Place        link
	Examples     []example
	Members      []group
	// Made lists the functions that return the type, and its constants.
	Made []row
}

// maxLinkedRows is the maximum number of members whose types are links in a list.
const maxLinkedRows = 200

// maxSiblings is the maximum number of symbols that are listed beside another symbol.
const maxSiblings = 200

// serveSymbol serves the page of a symbol. A page that would be too large shows fewer members and
// less of the text.
func (s *Site) serveSymbol(w http.ResponseWriter, _ *http.Request, v *packageView, symbol *apidoc.Symbol) {
	s.renderWithin(w, "symbol.html", func(divisor int) *page { return s.symbolPage(v, symbol, divisor) })
}

// symbolPage returns the page of a symbol. The limits on its lists and text are divided by divisor.
func (s *Site) symbolPage(v *packageView, symbol *apidoc.Symbol, divisor int) *page {
	address := v.address.at(symbol.Path).String()
	body := symbolPage{
		Name: clean(symbol.Path), Kind: string(symbol.Kind), Language: v.Style.Name, Package: link{clean(v.Name), v.address.String()},
		Import: code(strings.Trim(v.ImportOf(symbol.Path), "`"), &v.language.Lexis), Markdown: address + "?format=md", JSON: address + "?format=json",
	}
	if v.IsInternal(symbol) {
		body.Notice = "Programs cannot import this type by name; it is listed because declarations refer to it."
	}
	if len(symbol.Doc) > maxProse/divisor {
		body.Notice = strings.TrimSpace(body.Notice + " " + tooLong)
	}
	body.Symbols = append(body.Symbols, v.symbol(symbol, "", divisor))
	for i, other := range v.Namesakes(symbol) {
		body.Symbols = append(body.Symbols, v.symbol(other, "other-"+formatInt(i+1)+"-", divisor))
	}
	siblings := v.Symbols
	if parent := v.At(symbol.ParentPath()); parent != nil && symbol.ParentPath() != "" {
		siblings = slices.DeleteFunc(slices.Clone(parent.AllMembers()), func(m apidoc.Symbol) bool { return m.From != "" })
	}
	for i := range siblings {
		if sib := &siblings[i]; len(siblings) <= maxSiblings {
			body.Siblings = append(body.Siblings, row{Name: clean(sib.Name()), Href: v.address.at(sib.Path).String(), Deprecated: sib.Deprecated != "", Below: sib.Path == symbol.Path})
		}
	}
	p := s.pageOf(v, symbol)
	p.Body = &body
	for i := range body.Symbols {
		view := &body.Symbols[i]
		if len(view.Examples) > 0 {
			p.Contents = append(p.Contents, heading{"Examples", view.ID + "examples", len(view.Examples)})
		}
		for _, g := range view.Members {
			p.Contents = append(p.Contents, heading{g.Title, g.ID, len(g.Rows) + g.Left})
		}
	}
	return p
}

// symbol returns the view of a symbol. The IDs in it begin with prefix. The limits of its lists and
// texts are divided by divisor.
func (v *packageView) symbol(sym *apidoc.Symbol, prefix string, divisor int) symbolView {
	d := newDeclaration(v.resolver.Decl(sym), &v.language.Lexis, v.href)
	text := v.prose(sym, 2)
	view := symbolView{
		Kind: string(sym.Kind), ID: prefix, Declaration: d.whole(), Calls: d.calls(), Doc: text.render(cutProse(sym.Doc, maxProse/divisor)), Constraint: clean(sym.Constraint),
		Examples: v.examples(sym, sym.Examples), IsDeprecated: sym.Deprecated != "",
	}
	if sym.Deprecated != "" && !strings.Contains(sym.Doc, sym.Deprecated) {
		view.Deprecated = text.inline(sym.Deprecated)
	}
	if sym.From != "" {
		view.From.Text = clean(sym.From)
		if ref, ok := v.resolver.Refer(sym, sym.From); ok {
			view.From.Href = v.href(ref)
		}
	}
	view.Place = v.sourceOf(sym)
	if g := sym.Group; g > 0 && g <= len(v.Groups) {
		view.Group = code(v.Groups[g-1].Signature, &v.language.Lexis)
		view.GroupDoc = text.render(v.Groups[g-1].Doc)
	}
	var declared, inherited []apidoc.Symbol
	for _, m := range sym.AllMembers() {
		if m.From != "" && m.From != sym.From {
			inherited = append(inherited, m)
		} else {
			declared = append(declared, m)
		}
	}
	view.Members = v.memberGroups(declared, prefix, divisor)
	if len(inherited) > 0 {
		g := group{Title: "Inherited", ID: prefix + "inherited", Folded: true}
		for i := range inherited {
			if i == maxRows/divisor {
				g.Left = len(inherited) - i
				break
			}
			m := &inherited[i]
			r := v.row(m, false, len(inherited) <= maxSynopses/divisor)
			r.Name, r.Kind = clean(m.Name()), clean(m.From)
			g.Rows = append(g.Rows, r)
		}
		view.Members = append(view.Members, g)
	}
	for i := range v.Symbols {
		if other := &v.Symbols[i]; other.Of == sym.Path && len(view.Made) < maxRows/divisor {
			view.Made = append(view.Made, v.row(other, true, true))
		}
	}
	return view
}

// memberGroups returns the members of a type grouped by kind. The rows show the name of a member
// without the type. In their declarations, types are links, unless there are many rows.
func (v *packageView) memberGroups(members []apidoc.Symbol, prefix string, divisor int) []group {
	all := v.groups(members, divisor)
	byPath := map[string][]*apidoc.Symbol{} // there can be several with one path
	for i := range members {
		path := clean(members[i].Path)
		byPath[path] = append(byPath[path], &members[i])
	}
	for i := range all {
		all[i].ID = prefix + all[i].ID
		for k := range all[i].Rows {
			r := &all[i].Rows[k]
			same := byPath[r.Name]
			if len(same) == 0 {
				continue
			}
			m := same[0]
			r.Name = clean(m.Name())
			if len(same) == 1 && r.Signature != "" && len(members) <= maxLinkedRows/divisor && len(m.Signature) <= maxSignature && !strings.Contains(m.Signature, "\n") {
				r.Signature = newDeclaration(v.resolver.Decl(m), &v.language.Lexis, v.href).whole()
			}
		}
	}
	return all
}
