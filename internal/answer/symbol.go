package answer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/markup"
	"github.com/docent-mcp/docent/internal/naming"
)

// Subject is a symbol of a package that an answer is about.
type Subject struct {
	*Renderer
	Symbol *apidoc.Symbol
	// Notice describes where the symbol was found if it was not found where it was requested. It is
	// at the beginning of the answer.
	Notice string
	// NotIn is the package that does not export the symbol, and Import the statement that imports it
	// from its package, if this is what Notice says.
	NotIn, Import string
	// Refer finds the symbols of other packages to which the comment on the symbol refers. It may
	// be nil.
	Refer Referrer

	// first is true for the first of consecutive symbols of one package. inPackage is true if the
	// answer is about several packages.
	first, inPackage bool
	// withMembers is true for a type if some of its members were also requested.
	withMembers bool
	// sharesHeading is true for a member that is shown under the heading of a preceding member of
	// its type. leads is true for the member with the heading, and endsHeading for the symbol after
	// these members, which needs its own heading.
	sharesHeading, leads, endsHeading bool
}

// Symbols answers a request for symbols of one or several packages. It shows each symbol with its
// documentation, its members and the types that a call needs. The symbols share the budget. Room
// that one symbol does not use is available to the others. Problems, such as a name that was not
// found, come last.
func Symbols(requests []Subject, problems []string, o Options) *Answer {
	limit := o.limit()
	a := &Answer{}
	var w writer
	single := len(requests) == 1
	all := renderers(requests)
	w.notices(noticesOf(requests, all, o.Guide))
	for _, r := range all {
		a.Packages = append(a.Packages, about(r.pkg))
	}
	if single {
		w.block("# " + symbolTitle(&requests[0]) + " in " + a.Packages[0].label())
		w.block(all[0].head())
	} else {
		heads(&w, all)
		requests = fieldsBehindTypes(requests)
		before := false // whether the previous symbol can share a heading
		for i := range requests {
			requests[i].inPackage = len(all) > 1
			requests[i].first = i == 0 || requests[i].Renderer != requests[i-1].Renderer
			requests[i].withMembers = slices.ContainsFunc(requests, func(b Subject) bool {
				return b.Renderer == requests[i].Renderer && b.Symbol.ParentPath() == requests[i].Symbol.Path && !b.Symbol.IsField()
			})
			can := requests[i].canShareHeading(requests)
			requests[i].sharesHeading = can && before && !requests[i].first && requests[i].Symbol.ParentPath() == requests[i-1].Symbol.ParentPath()
			before = can
			if requests[i].sharesHeading && !requests[i-1].sharesHeading {
				requests[i-1].leads = true
			}
			requests[i].endsHeading = i > 0 && requests[i-1].sharesHeading && !requests[i].sharesHeading
		}
	}
	room := 0
	brief := ""
	if limit > 0 {
		room = min(limit-w.b.Len(), comfortable(limit, requests))
		brief = breadthText(requests, room, max(room, limit/2-w.b.Len()), o.Guide)
		if maximum := max(room/minShare, 1); brief == "" && len(requests) > maximum {
			var rest []string
			for i := range requests[maximum:] {
				rest = append(rest, oneLine(requests[maximum+i].Symbol.Path))
			}
			problems = append(problems, "These symbols do not fit into the answer: "+nameSome(rest, room/4)+". Request fewer symbols at a time.")
			requests = requests[:maximum]
		}
	}
	var tail writer
	for _, p := range problems {
		tail.block(oneLine(p))
	}
	end := tail.b.String()
	raised := raisedBy(requests)
	if limit > 0 {
		end = cutLines(end, room/3)
		room = min(room, limit-w.b.Len()-len(end)-2-sizeOfRaised(raised)) // text about other names does not reduce the room for the symbols
	}
	// If a little text is omitted, the reader needs another call, so allow slightly more.
	slack := max(min(room/6, limit-w.b.Len()-len(end)-room), 0)
	shown := newShown(all)
	if brief != "" {
		w.block(strings.TrimSuffix(brief, "\n"))
	} else {
		var texts []string
		texts, shown = shareRoom(requests, room, slack, o.Guide)
		for i, text := range texts {
			w.part(strings.TrimSuffix(text, "\n"), fence(requests[i].pkg))
		}
	}
	writeRaised(&w, raised, shown)
	w.block(strings.TrimSuffix(end, "\n"))
	a.Text = w.within(o.limit())
	return a
}

// heads writes the heads of packages. Packages that differ only in their names, such as the modules
// of a distribution, share one head.
func heads(w *writer, all []*Renderer) {
	var titles, bodies []string
	for _, r := range all {
		a := about(r.pkg)
		body := strings.ReplaceAll(r.head(), "> "+a.Name+" ", "> It ")
		if index := slices.Index(bodies, body); index >= 0 && strings.HasSuffix(titles[index], "@"+a.Version) {
			if !strings.HasSuffix(titles[index], a.label()) { // otherwise, the title is another part of the same package
				titles[index] = strings.TrimSuffix(titles[index], "@"+a.Version) + ", " + a.label()
			}
			continue
		}
		titles, bodies = append(titles, a.label()), append(bodies, body)
	}
	for i := range titles {
		w.block("# " + titles[i])
		w.block(bodies[i])
	}
}

// renderers returns the renderer of each requested package once.
func renderers(requests []Subject) []*Renderer {
	var all []*Renderer
	for i := range requests {
		if !slices.Contains(all, requests[i].Renderer) {
			all = append(all, requests[i].Renderer)
		}
	}
	return all
}

// canShareHeading reports whether a symbol is a member that can share a heading with other members
// of its type, because its declaration shows everything about it except the type.
func (a *Subject) canShareHeading(requests []Subject) bool {
	s := a.Symbol
	parent, name, member := cutLast(s.Path)
	return member && parent != "" && inComments(s.Doc) && a.groupOf(s) == nil && !slices.ContainsFunc(requests, func(b Subject) bool { return b.Renderer == a.Renderer && b.Symbol.Path == parent && s.IsField() }) &&
		!a.pkg.IsInternal(s) && len(a.pkg.Namesakes(s)) == 0 && !a.isNamed(s) && a.saysPath(s, name)
}

func symbolTitle(a *Subject) string {
	kind := oneLine(string(a.Symbol.Kind))
	if a.pkg.IsInternal(a.Symbol) {
		kind += ", not exported"
	}
	title := oneLine(naming.Called(a.pkg, a.Symbol.Path)) + " (" + kind + ")"
	if a.leads {
		title = "Members of " + oneLine(naming.Called(a.pkg, a.Symbol.ParentPath()))
	}
	if a.inPackage {
		title += " in " + oneLine(a.pkg.Name)
	}
	return title
}

// groupShown returns the name of the symbol with which the answer has already shown the declaration
// that the i-th symbol shares with others. It returns "" if the declaration has not been shown.
func (a *Subject) groupShown(shown shownSet, requests []Subject, i int) string {
	g := a.groupOf(a.Symbol)
	if g == nil || len(g.symbols) < 2 {
		return ""
	}
	for k := range g.symbols {
		s := &g.symbols[k]
		if s == a.Symbol || !shown.has(s) {
			continue
		}
		index := slices.IndexFunc(requests, func(b Subject) bool { return b.Symbol == s })
		if index >= 0 && index < i {
			return oneLine(s.Path)
		}
		// The type shows its constants unless they were also requested.
		if index < 0 && slices.ContainsFunc(requests[:i], func(b Subject) bool { return b.Symbol.Path == s.Of }) {
			return oneLine(s.Of)
		}
	}
	return ""
}

// symbol returns the text on one symbol in at most limit bytes (unlimited if 0). If there is room,
// it contains, in this order, the declaration and documentation, members, the types that a call
// needs and returns, and examples. In an answer about several symbols, the documentation leaves
// room for the other parts, except that it may take more additional bytes.
func (a *Subject) symbol(limit, more int, heading bool, shown shownSet, g Guide) string {
	r, s := a.Renderer, a.Symbol
	w := writer{joins: heading && inComments(s.Doc)}
	switch {
	case a.sharesHeading:
	case heading && (!w.joins || a.endsHeading || !r.isNamed(s)):
		w.block("## " + symbolTitle(a))
	case heading && a.inPackage && a.first:
		w.block("## " + oneLine(r.pkg.Name))
	}
	room := func() int {
		if limit <= 0 {
			return 1 << 30
		}
		return limit - w.b.Len() - min(omissionsRoom, max(limit/4, 80))
	}
	var rest []string // names of the omitted parts
	members, with := r.around(s, shown)
	maximum := room()
	if heading && limit > 0 {
		maximum = max(room()*2/3, min(room(), minShare)) // reserve room for members and the types that a call needs
		if len(members) > few {                          // readers look for members, so members come before all but the first paragraph
			first := w.b.Len() + len(r.concise(s).Text) + len(firstParagraph(markup.Clean(s.Doc)))
			if !w.joins {
				first += aroundRoom
			}
			maximum = min(room()/3, first)
		}
		if minimum := r.minOfNeeded(s, true); minimum > 0 {
			maximum = min(maximum, max(room()-minimum*4/3, minShare/2))
		}
		if more > 0 {
			around := slices.Concat(with, members)
			maximum = max(maximum, min(maximum+more, room()-r.length(around, memberDepthsOfSeveral[len(memberDepthsOfSeveral)-1], room())-aroundRoom))
		}
	}
	refer := r.referredDoc(s, a.Refer)
	switch g := r.groupOf(s); {
	case w.joins && g != nil && len(g.symbols) > 1 && len(g.group.Signature) < maxGroup && strings.Contains(g.group.Signature, s.Name()) && w.b.Len() == 0:
		// The group contains the declaration and comes next.
	case w.joins:
		r.commented(&w, s, refer, max(maximum, 100), max(room(), 100), shown, &rest)
	default:
		forDeclaration := maximum
		if heading {
			forDeclaration = room()
		}
		r.declaration(&w, s, max(maximum, 100), max(forDeclaration, 100), !heading, shown, &rest)
		if refer != "" && len(refer) < room() {
			w.prose(refer, 3)
		}
	}
	needRoom := room() * 3 / 10
	if more > 0 || heading && len(members) > few {
		needRoom = 0 // the documentation has already left room for them, or readers look for members
	}
	depths := memberDepths
	switch {
	case a.withMembers && limit > 0:
		depths = memberDepths[:1] // the reader has requested specific members
	case heading && limit > 0:
		depths = memberDepthsOfSeveral
	}
	memberRoom := room() - needRoom
	if limit > 0 && !heading {
		memberRoom = min(memberRoom, limit*2/5)
	}
	r.members(&w, s, members, with, depths, memberRoom, heading && limit > 0, shown)
	if s.Unlisted != "" {
		if text := alsoTakes + oneLine(s.Unlisted) + "."; len(text)+2 <= room() {
			w.block(text)
		}
	}
	shown.lists(r.methodsOf(s))
	params, results, missing := r.needs(s, min(max(room()-20, 0), maxNeeded*2), heading && limit > 0, shown)
	if heading && limit > 0 {
		var both strings.Builder
		join(&both, params)
		join(&both, results)
		w.code(fence(r.pkg), both.String())
	} else {
		w.titledCode("Types it takes:", fence(r.pkg), params)
		w.titledCode("What it returns:", fence(r.pkg), results)
	}
	for _, line := range r.explanations(s) {
		if !shown.paragraphs[line] && len(line)+2 <= room() {
			shown.paragraphs[line] = true
			w.block(line)
		}
	}
	rest = append(rest, missing...)
	switch {
	case s.IsType() && !heading:
		r.writeUsers(&w, s, room())
	case r.isCallback(s):
		writePaths(&w, "Fields that hold it: ", r.paths(r.holders(s)), room())
	}
	for i := range s.Examples {
		var one writer
		e := s.Examples[i]
		if heading && limit > 0 {
			e.Output = firstOf(e.Output, maxOutputOfSeveral)
		}
		r.example(&one, &e)
		if one.b.Len() > room() || heading && limit > 0 && (i > 0 || one.b.Len() > maxExampleOfSeveral) {
			rest = append(rest, plural(len(s.Examples)-i, "example", "examples"))
			break
		}
		w.block(strings.TrimSuffix(one.b.String(), "\n"))
	}
	if len(rest) > 0 {
		text := omissions + list(rest[:min(len(rest), 8)])
		if n := len(rest) - 8; n > 0 {
			text += " and " + plural(n, "more", "more")
		}
		if g.Larger != "" && !heading {
			text += "; " + g.Larger
		}
		text += "."
		if limit <= 0 || w.b.Len()+len(text)+2 <= limit {
			w.block(text)
		}
	}
	return w.b.String()
}

// alsoTakes is the beginning of the line about other things that a component takes but that are not
// listed.
const alsoTakes = "Also takes: "

// maxExampleOfSeveral is the maximum size in bytes of the example of a symbol in an answer about
// several symbols. Each symbol has at most one example.
const maxExampleOfSeveral = 700

// maxOutputOfSeveral is the maximum number of lines of the output of such an example.
const maxOutputOfSeveral = 5

// aroundRoom is the room in bytes that is reserved for comment markers and fences around a
// declaration and its members.
const aroundRoom = 120

// maxGroup is the maximum size in bytes of a group of declarations that is shown instead of the
// requested declaration.
const maxGroup = 1000

// omissions is the beginning of the line that lists the omitted parts.
const (
	omissions     = "Left out: "
	restOfComment = "the rest of the comment"
)

// omissionsRoom is the room in bytes that is reserved for the line that lists the omitted parts.
const omissionsRoom = 160

// titledCode writes a title and a code block below it. It writes nothing if there is no code. Code
// that continues the previous block has no title, unless it is a list of inherited members.
func (w *writer) titledCode(title, language, code string) {
	if code == "" {
		return
	}
	if !w.joins || strings.HasPrefix(title, "Inherited") {
		w.block(title)
	}
	w.code(language, code)
}

// around returns the members of a symbol that its declaration does not show, and related
// declarations, such as the group of the symbol. It omits members and declarations that the answer
// shows elsewhere.
func (r *Renderer) around(s *apidoc.Symbol, shown shownSet) (members, with []decl) {
	fields := declared(r.parse(s))
	all := r.withoutRepeated(s, s.AllMembers(), true)
	for i := range all {
		if m := &all[i]; !shownIn(fields, m) && !shown.has(m) && !r.saysCalls(s, m) {
			members = append(members, decl{symbols: all[i : i+1]})
		}
	}
	if g := r.groupOf(s); g != nil && len(g.symbols) > 1 {
		with = append(with, *g)
	}
	for _, d := range r.goesWith(s) {
		if !shown.has(d.first()) {
			with = append(with, d)
		}
	}
	return members, with
}

// nameSome lists as many names as fit into limit bytes, and adds the number of the others.
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

// writeUsers lists the functions that return and take a type, and the fields of other types that
// contain it.
func (r *Renderer) writeUsers(w *writer, t *apidoc.Symbol, room int) {
	makers, takers := r.users(t)
	for _, users := range []struct {
		title string
		found []*apidoc.Symbol
	}{{"Returned by: ", makers}, {"Taken by: ", takers}, {"Fields that hold it: ", r.holders(t)}} {
		room -= writePaths(w, users.title, r.paths(users.found), room)
	}
}

// writePaths writes the first paths after a title, if there is room for them. It returns the number
// of bytes written.
func writePaths(w *writer, title string, paths []string, room int) int {
	const maximum = 6
	if len(paths) == 0 || len(paths) > commonUses {
		return 0
	}
	text := title + strings.Join(paths[:min(len(paths), maximum)], ", ")
	if n := len(paths) - maximum; n > 0 {
		text += fmt.Sprintf(" … and %d more", n)
	}
	if text += "."; len(text) >= room {
		return 0
	}
	w.block(text)
	return len(text)
}

// isCallback reports whether a type is a function type. Callers pass its values to other functions.
func (r *Renderer) isCallback(s *apidoc.Symbol) bool {
	if !s.IsType() || s.NumMembers() > 0 {
		return false
	}
	d := r.parse(s)
	declaration := d.Child(-1, apidoc.DeclarationPart)
	return declaration >= 0 && callPart(d, declaration) >= 0
}

// paths returns the paths of symbols in the form that users write, each once.
func (r *Renderer) paths(symbols []*apidoc.Symbol) (paths []string) {
	for _, s := range symbols {
		paths = appendNew(paths, oneLine(naming.Called(r.pkg, s.Path)))
	}
	return paths
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
	w.prose(markup.Clean(e.After), 4)
}
