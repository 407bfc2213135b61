package answer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/markup"
)

// Asked is one symbol of a package that an answer is about.
type Asked struct {
	*Renderer
	Symbol *apidoc.Symbol
}

// Symbols answers for symbols of one or several packages: each with its
// documentation, its members and what a call of it needs. They share the budget;
// what one does not use, others may. Problems, such as a name that was not found,
// stand at the end.
func Symbols(asked []Asked, problems []string, o Options) *Answer {
	limit := o.limit()
	a := &Answer{}
	var w writer
	single := len(asked) == 1
	for _, r := range renderers(asked) {
		a.Packages = append(a.Packages, about(r.pkg))
		title := a.Packages[len(a.Packages)-1].at()
		if single {
			title = symbolTitle(&asked[0]) + " in " + title
		}
		w.block("# " + title)
		w.block(r.head())
		if single {
			break
		}
	}
	room := 0
	if limit > 0 {
		room = limit - w.b.Len()
		if most := max(room/leastShare, 1); len(asked) > most {
			var rest []string
			for i := range asked[most:] {
				rest = append(rest, oneLine(asked[most+i].Symbol.Path))
			}
			problems = append(problems, "There is no room for "+nameSome(rest, room/4)+": ask for fewer at a time.")
			asked = asked[:most]
		}
	}
	var tail writer
	for _, p := range problems {
		tail.block(oneLine(p))
	}
	end := tail.b.String()
	if limit > 0 {
		end = cutLines(end, room/3)
		room -= len(end) + 2
	}
	for _, text := range shareRoom(asked, room, o.Guide) {
		w.block(strings.TrimSuffix(text, "\n"))
	}
	w.block(strings.TrimSuffix(end, "\n"))
	a.Text = w.b.String()
	return a
}

// leastShare is how many bytes a symbol has at least in an answer about several.
const leastShare = 300

// renderers are those of the packages asked about, each once.
func renderers(asked []Asked) []*Renderer {
	var all []*Renderer
	for i := range asked {
		if !slices.Contains(all, asked[i].Renderer) {
			all = append(all, asked[i].Renderer)
		}
	}
	return all
}

func symbolTitle(a *Asked) string {
	kind := oneLine(string(a.Symbol.Kind))
	if a.pkg.IsInternal(a.Symbol) {
		kind += ", not exported"
	}
	return oneLine(a.pkg.Called(a.Symbol.Path)) + " (" + kind + ")"
}

// shareRoom writes each symbol. Those that take less than their share leave the
// rest to the others.
func shareRoom(asked []Asked, room int, g Guide) []string {
	texts := make([]string, len(asked))
	shares := make([]int, len(asked))
	several := len(asked) > 1
	write := func(limits []int) (total int) {
		shown := map[*apidoc.Symbol]bool{}
		for i := range asked {
			shown[asked[i].Symbol] = true
		}
		for i := range asked {
			texts[i] = asked[i].symbol(asked[i].Symbol, limits[i], several, shown, g)
			total += len(texts[i]) + 1
		}
		return total
	}
	for i := range shares {
		shares[i] = room
	}
	if total := write(shares); room == 0 || total <= room {
		return texts
	}
	// Grant the short ones what they need, and the others equal parts.
	lengths := make([]int, len(asked))
	for i := range texts {
		lengths[i] = len(texts[i]) + 1
	}
	order := make([]int, len(asked))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return lengths[a] - lengths[b] })
	left := room
	for n, i := range order {
		share := left / (len(order) - n)
		shares[i] = min(share, lengths[i])
		left -= shares[i]
	}
	for i := range shares {
		shares[i]-- // the line between
	}
	write(shares)
	return texts
}

// symbol writes one symbol in at most limit bytes (0 for no bound): its
// declaration and documentation, its members, what a call needs, what it
// returns, and examples, as far as there is room in this order.
func (r *Renderer) symbol(s *apidoc.Symbol, limit int, heading bool, shown map[*apidoc.Symbol]bool, g Guide) string {
	var w writer
	if heading {
		w.block("## " + symbolTitle(&Asked{r, s}))
	}
	room := func() int {
		if limit <= 0 {
			return 1 << 30
		}
		return limit - w.b.Len() - leftRoom
	}
	var left []string // what was left out
	r.declaration(&w, s, max(room(), 100), &left)
	refer := r.referredDoc(s)
	if refer != "" && len(refer) < room() {
		w.prose(refer, 3)
	}
	members, with := r.around(s)
	needRoom := room() * 3 / 10
	r.members(&w, members, with, room()-needRoom, shown)
	params, results, missing := r.needs(s, min(max(room()-20, 0), maxNeeded*2), shown)
	w.titledCode("Types it takes:", fence(r.pkg), params)
	w.titledCode("What it returns:", fence(r.pkg), results)
	left = append(left, missing...)
	if isType(s) && !heading {
		r.writeUsers(&w, s, room())
	}
	for i := range s.Examples {
		var one writer
		r.example(&one, &s.Examples[i])
		if one.b.Len() > room() {
			left = append(left, plural(len(s.Examples)-i, "example", "examples"))
			break
		}
		w.block(strings.TrimSuffix(one.b.String(), "\n"))
	}
	if len(left) > 0 {
		text := "Left out: " + list(left[:min(len(left), 8)])
		if n := len(left) - 8; n > 0 {
			text += " and " + plural(n, "more", "more")
		}
		if g.Larger != "" {
			text += "; " + g.Larger
		}
		text += "."
		if limit <= 0 || w.b.Len()+len(text)+2 <= limit {
			w.block(text)
		}
	}
	return w.b.String()
}

// leftRoom is kept for the line that names what was left out.
const leftRoom = 160

// titledCode writes a line and a block of code below it, nothing without code.
func (w *writer) titledCode(title, language, code string) {
	if code == "" {
		return
	}
	w.block(title)
	w.code(language, code)
}

// declaration writes the declaration of a symbol, those of the same path, and
// their documentation; cut if they take more than room bytes.
func (r *Renderer) declaration(w *writer, s *apidoc.Symbol, room int, left *[]string) {
	for i, each := range append([]*apidoc.Symbol{s}, r.pkg.Namesakes(s)...) {
		if i > 0 && w.b.Len() > room {
			*left = append(*left, "another declaration of the same name")
			return
		}
		signature := markup.Clean(each.Signature)
		if len(signature) > room/2 {
			signature, _ = briefComments(signature, 0)
		}
		if len(signature) > room*3/4 {
			signature = withoutComments(signature)
		}
		if short, n := fewer(signature, max(room/overloadShare, 200)); n > 0 && room < 1<<29 {
			signature = short
			*left = append(*left, plural(n, "overload", "overloads"))
		}
		if len(signature) > room*3/4 {
			signature = firstLines(signature, room*3/4) + "\n" + comment(r.pkg) + "…"
			*left = append(*left, "the rest of the declaration")
		}
		w.code(fence(r.pkg), signature)
		d := decl{symbols: []apidoc.Symbol{*each}}
		var notes []string
		if called := oneLine(r.pkg.Called(s.Path)); i == 0 && called != oneLine(s.Path) {
			notes = append(notes, "("+defaultExport(called, s)+")")
		} else if remark := remarks(&d); remark != "" {
			notes = append(notes, remark)
		}
		if deprecated := oneLine(each.Deprecated); deprecated != "" && !strings.Contains(each.Doc, "Deprecated:") {
			notes = append(notes, "**Deprecated:** "+deprecated)
		}
		w.block(strings.Join(notes, " "))
		doc := once(markup.Clean(each.Doc))
		if most := max(room-w.b.Len()-100, 60); len(doc) > most {
			doc = excerpt(doc, most)
			*left = append(*left, fmt.Sprintf("the rest of the comment (%d bytes)", len(each.Doc)-len(doc)))
		}
		w.prose(doc, 3)
		if each.File != "" {
			w.block(fmt.Sprintf("Declared in %s:%d.", oneLine(each.File), each.Line))
		}
	}
}

// defaultExport says what the name is by which a default export, or a member of
// it, is called.
func defaultExport(called string, s *apidoc.Symbol) string {
	export, rest, member := strings.Cut(oneLine(s.Path), ".")
	if member {
		called = strings.TrimSuffix(called, "."+rest)
	}
	if export == "default" {
		return called + " is the default export"
	}
	return called + " is what require and import give"
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

// around are the members of a symbol that its declaration does not show, and
// the declarations that go with it, one that it shares with others among them.
func (r *Renderer) around(s *apidoc.Symbol) (members, with []decl) {
	shown := map[string]bool{}
	for _, name := range declared(s.Signature) {
		shown[name] = true
	}
	for i := range s.Members {
		if m := &s.Members[i]; len(m.Members) > 0 || !shown[m.Name()] {
			members = append(members, decl{symbols: s.Members[i : i+1]})
		}
	}
	if g := r.groupOf(s); g != nil && len(g.symbols) > 1 {
		with = append(with, *g)
	}
	return members, append(with, r.goesWith(s)...)
}

// memberDepths are those of the members of a symbol that was asked for.
var memberDepths = []depth{
	{docs: whole, members: whole, comments: whole},
	{docs: brief, members: bare, comments: brief},
	{docs: sentence, members: bare, comments: sentence},
	{docs: none, members: none, comments: none},
}

// members writes the members of a symbol and what goes with it, own members
// before inherited ones, at the richest depth that fits.
func (r *Renderer) members(w *writer, members, with []decl, room int, shown map[*apidoc.Symbol]bool) {
	var own, inherited []decl
	for _, m := range members {
		if m.first().From != "" {
			inherited = append(inherited, m)
		} else {
			own = append(own, m)
		}
	}
	if len(own) == 0 {
		own, inherited = inherited, nil
	}
	for _, group := range []struct {
		title  string
		decls  []decl
		depths []depth
	}{{"Goes with it:", with, memberDepths}, {"Members:", own, memberDepths}, {"Inherited members:", inherited, memberDepths[1:]}} {
		if len(group.decls) == 0 {
			continue
		}
		written := false
		for _, d := range group.depths {
			text, _, fits := r.listing(group.decls, d, max(room, 1), nil)
			if fits {
				w.titledCode(group.title, fence(r.pkg), text)
				room -= len(text) + len(group.title)
				written = true
				break
			}
		}
		for i := range group.decls {
			for k := range group.decls[i].symbols {
				shown[&group.decls[i].symbols[k]] = shown[&group.decls[i].symbols[k]] || written
			}
		}
		if written {
			continue
		}
		var paths []string
		for _, d := range group.decls {
			paths = append(paths, oneLine(d.first().Name()))
		}
		text := group.title + " " + nameGroup{names: paths}.summary(min(max(room-len(group.title), 0), 1500))
		w.block(text)
		room -= len(text)
	}
}

// nameSome lists as many names as fit into limit bytes and counts the rest.
func nameSome(paths []string, limit int) string {
	text := strings.Join(paths, ", ")
	if len(text) <= limit {
		return text
	}
	n, length := 0, 0
	for n < len(paths) && length+len(paths[n])+2 <= limit-20 {
		length += len(paths[n]) + 2
		n++
	}
	if n == 0 {
		return plural(len(paths), "name", "names") + " …"
	}
	return fmt.Sprintf("%s … and %d more", strings.Join(paths[:n], ", "), len(paths)-n)
}

// writeUsers names the functions that make and take a type.
func (r *Renderer) writeUsers(w *writer, t *apidoc.Symbol, room int) {
	makers, takers := r.users(t)
	const most = 6
	for _, users := range []struct {
		title string
		paths []string
	}{{"Returned by: ", makers}, {"Taken by: ", takers}} {
		if len(users.paths) == 0 || len(users.paths) > commonUses {
			continue
		}
		text := users.title + strings.Join(users.paths[:min(len(users.paths), most)], ", ")
		if n := len(users.paths) - most; n > 0 {
			text += fmt.Sprintf(" … and %d more", n)
		}
		if text += "."; len(text) < room {
			w.block(text)
			room -= len(text)
		}
	}
}

// example writes one example as prose and code.
func (r *Renderer) example(w *writer, e *apidoc.Example) {
	title := "Example"
	if e.Name != "" {
		title += " (" + oneLine(e.Name) + ")"
	}
	w.block(title + ":")
	w.prose(markup.Clean(e.Doc), 4)
	w.code(fence(r.pkg), markup.Clean(e.Code))
	if e.Output != "" {
		w.block("Output:")
		w.code("", markup.Clean(e.Output))
	}
}
