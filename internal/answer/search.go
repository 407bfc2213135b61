package answer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/markup"
	"github.com/docent-mcp/docent/internal/naming"
	"github.com/docent-mcp/docent/internal/search"
)

// QueryResult is a query of a search, together with its matches.
type QueryResult struct {
	Query string
	// Hits are the best matches, best first.
	Hits []Hit
	// Total is the number of all matches.
	Total int
}

// Close reports whether one of the best matches is close to the query.
func (w *QueryResult) Close() bool {
	hits := make([]search.Hit, 0, len(w.Hits))
	for i := range w.Hits {
		hits = append(hits, w.Hits[i].Hit)
	}
	return search.Close(hits)
}

// Hit is a match in one of the searched packages.
type Hit struct {
	*Renderer
	search.Hit
	// Refer finds the symbols of other packages to which the comment on a symbol refers. It may be
	// nil.
	Refer Referrer
}

// SplitQueries splits a text with several queries at semicolons and line ends.
func SplitQueries(text string) []string {
	var all []string
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ';' || r == '\n' }) {
		if part = strings.TrimSpace(part); part != "" && !slices.Contains(all, part) {
			all = append(all, part)
		}
	}
	return all
}

const (
	// bestOfMany and bestOfOne are the numbers of matches shown in full, for several queries and
	// for one.
	bestOfMany = 2
	bestOfOne  = 3
	// These constants are fractions of the best score. A match is shown in full if its score is at
	// least the fraction close, or near if there are several queries. It is listed on one line if
	// its score is at least the fraction far.
	close, near, far = 0.75, 0.6, 0.25
	// maxFull is the maximum size in bytes of a match that is shown in full. maxFullOfMany is the
	// maximum size if there are several queries. The second match gets half as much, and an operation
	// with an input of its own that is the first match gets twice as much.
	maxFull, maxFullOfMany = 1800, 1100
	// With more than fewQueries queries, matches in full share the room of fewQueries queries, but
	// have at least minFull bytes. Readers who search for many things want to choose first.
	fewQueries = 4
	minFull    = 400
	// minExcerpt is the room in bytes that a comment gets in any case.
	minExcerpt = 60
	// defaultLines is the number of further matches that are listed on a line. maxSnippet is the
	// maximum size in bytes of the documentation on such a line.
	defaultLines = 5
	// linesOfMany replaces defaultLines if there are several queries.
	linesOfMany = 3
	// maxAlike is the maximum number of lines for members with the same name. The types of a large
	// service can have hundreds of such members.
	maxAlike   = 2
	maxSnippet = 160
	// maxOperations is the maximum size in bytes of the names of the operations on a type.
	// minOperations is the room in bytes that is always reserved for them.
	maxOperations, minOperations = 400, 300
)

// Search answers queries in a few packages. For each query, it shows the best matches in full, with
// the types that a call needs, and lists further matches on one line each. Nothing is shown twice.
// Problems describe other packages that could not be searched.
func Search(in []*Renderer, problems []string, results []QueryResult, o Options) *Answer {
	a := &Answer{}
	var w writer
	var titles []string
	for _, r := range in {
		a.Packages = append(a.Packages, about(r.pkg))
		titles = append(titles, a.Packages[len(a.Packages)-1].label())
	}
	w.notices(noticesAbout(in, o.Guide.Project))
	if len(in) == 1 {
		w.block("# Found in " + titles[0])
		w.block(in[0].head())
	} else {
		w.block("# Found in " + nameSome(titles, 600))
		w.block("> " + Notice)
	}
	for _, p := range problems {
		w.block("Not searched: " + oneLine(p))
	}
	f := finder{lines: cmp.Or(o.Lines, defaultLines), guide: o.Guide, in: in, shown: newShown(in), listed: map[*apidoc.Symbol]bool{}, declares: map[*apidoc.Symbol]bool{}}
	f.write(&w, results, o)
	a.Text = w.within(o.limit())
	return a
}

// SearchAll answers queries in packages that are too numerous to be listed. The notes describe the
// packages, and each match includes the name of its package.
func SearchAll(where string, notes []string, results []QueryResult, o Options) *Answer {
	var w writer
	var in []*Renderer
	for i := range results {
		for k := range results[i].Hits {
			in = append(in, results[i].Hits[k].Renderer)
		}
	}
	w.notices(incomplete(in))
	w.block("# Found in " + where)
	w.block("> " + strings.Join(append(slices.Clone(notes), Notice), "\n> "))
	f := finder{lines: cmp.Or(o.Lines, defaultLines), guide: o.Guide, versioned: true, shown: newShown(in), listed: map[*apidoc.Symbol]bool{}, declares: map[*apidoc.Symbol]bool{}}
	f.write(&w, results, o)
	a := &Answer{Text: w.within(o.limit())}
	for i := range results {
		for k := range results[i].Hits {
			if p := about(results[i].Hits[k].pkg); !slices.Contains(a.Packages, p) {
				a.Packages = append(a.Packages, p)
			}
		}
	}
	return a
}

// write writes the matches of each query.
func (f *finder) write(w *writer, results []QueryResult, o Options) {
	limit := o.limit()
	f.snippet, f.maximum = maxSnippet, maxFull
	if len(results) > 1 {
		f.snippet = maxSnippet * 2 / 3
		f.maximum = min(maxFullOfMany, max(maxFullOfMany*fewQueries/len(results), minFull))
	}
	for i := range results {
		room := 1 << 30
		if limit > 0 {
			room = (limit - w.b.Len() - 200) / (len(results) - i)
		}
		if text := f.result(&results[i], len(results) > 1, room); len(text) <= max(room, 0) {
			w.block(strings.TrimSuffix(text, "\n"))
		} else {
			w.block(strings.TrimSuffix(cutLines(text, max(room, 0)), "\n"))
		}
	}
	if f.first != "" && o.Guide.Symbol != "" {
		w.block("To see others in full, " + o.Guide.symbol(f.first) + ", or several at once.")
	}
	if f.section != "" && o.Guide.Section != "" {
		w.block("To read a section, " + strings.Replace(o.Guide.Section, "%s", f.section, 1) + ".")
	}
}

// finder writes the matches of a search.
type finder struct {
	guide Guide
	lines int
	in    []*Renderer // the packages that were searched
	// shown contains the symbols that the answer shows in full or within another declaration.
	// listed contains the symbols that are listed on a line.
	shown  shownSet
	listed map[*apidoc.Symbol]bool
	// declares contains the types whose members are shown with their signatures.
	declares map[*apidoc.Symbol]bool
	// versioned adds the version of its package to each full match.
	versioned bool
	snippet   int    // maximum size in bytes of the documentation on a line
	maximum   int    // maximum size in bytes of a match that is shown in full
	first     string // a symbol that is only listed on a line
	section   string // a section that was found
}

func (f *finder) result(result *QueryResult, several bool, room int) string {
	var w writer
	if several {
		w.block("## " + oneLine(result.Query))
	}
	if len(result.Hits) == 0 {
		w.block(fmt.Sprintf("Nothing matches %q. Try fewer or different words.", oneLine(result.Query)))
		return w.b.String()
	}
	if !slices.ContainsFunc(result.Hits, func(h Hit) bool { return !h.Similar }) {
		w.block(fmt.Sprintf("There is no exact match for %q; these names and words are similar.", oneLine(result.Query)))
	}
	full, enough, count := bestOfOne, close, f.lines
	if several {
		full, enough, count = bestOfMany, near, min(f.lines, linesOfMany)
	}
	full = min(full, len(result.Hits))
	if !result.Close() {
		full = 0
		w.block(fmt.Sprintf("There is no close match for %q. These results share words with it:", oneLine(result.Query)))
	}
	for full > 1 && result.Hits[full-1].Score < enough*result.Hits[0].Score {
		full--
	}
	var lines strings.Builder
	var above []string
	var cited []*apidoc.Symbol // symbols that are shown in full or on a line for this query
	var sets []*operationSet
	alike := map[*apidoc.Symbol][]string{}
	before := f.shown.clone()
	cite := func(h *Hit, lines int) {
		cited = append(cited, h.Symbol)
		if all := h.siblingOperations(h.Symbol); len(all) > 0 {
			sets = append(sets, &operationSet{in: h.Renderer, first: h.Symbol, all: all, lines: lines, full: lines == 0})
		}
	}
	// fullRoom returns the number of bytes that a match in full can take.
	fullRoom := func(i int) int {
		share, maximum := (room-w.b.Len())*3/4, f.maximum
		if i+1 < full {
			share = (room - w.b.Len()) / 2
		}
		switch {
		case several && i > 0:
			maximum = f.maximum / 2
		case several && result.Hits[i].takesFields(result.Hits[i].Symbol):
			maximum = 2 * f.maximum
		}
		return min(maximum, share)
	}
	n := 0                   // number of lines written
	like := map[string]int{} // number of lines about members with each name
	for i := range result.Hits {
		h := &result.Hits[i]
		set := setWith(sets, h.Symbol)
		switch {
		case n >= count || i > 1 && n > 1 && h.Score < far*result.Hits[0].Score:
		case h.Symbol != nil && (f.shown.has(h.Symbol) || i > 0 && f.listed[h.Symbol]):
			if before.has(h.Symbol) && (i == 0 || h.Score >= near*result.Hits[0].Score) {
				above = append(above, oneLine(naming.Called(h.pkg, h.Symbol.Path)))
			}
		case set != nil && !f.versioned && (set.lines > 0 || h.sibling(h.Symbol, set.first)):
			if !set.named {
				set.named = true
				n++ // the line with the names
			}
		case h.Symbol != nil && f.addAlike(alike, cited, h):
		case h.Symbol != nil && i < full && room-w.b.Len() > 300 && !(several && f.cites(cited, h)) && f.fitsWithInputs(h, fullRoom(i)):
			cite(h, 0)
			w.block(strings.TrimSuffix(f.full(h, fullRoom(i)), "\n"))
		case h.Symbol != nil && (like[h.Symbol.Name()] >= maxAlike || h.Symbol.Doc == "" && f.memberOfShown(h)):
		default:
			if set != nil {
				set.lines++
			}
			if h.Symbol != nil {
				like[h.Symbol.Name()]++
				f.listed[h.Symbol] = true
				cite(h, 1)
			}
			lines.WriteString(f.line(h))
			n++
		}
	}
	for _, set := range sets {
		lines.WriteString(set.namesLine(cited))
	}
	for i := range result.Hits {
		if h := &result.Hits[i]; len(h.Alike) > 0 && slices.Contains(cited, h.Symbol) {
			lines.WriteString("- " + oneLine(h.Symbol.Name()) + " is the same in " + alikeTypes(h) + "\n")
		}
	}
	for _, s := range cited {
		if names := alike[s]; len(names) > 0 {
			lines.WriteString("- like " + oneLine(s.Name()) + ": " + strings.Join(names, ", ") + "\n")
		}
	}
	if len(above) > 0 {
		lines.WriteString("- above: " + strings.Join(above, ", ") + "\n")
	}
	if remaining := result.Total - full - n - len(above); remaining > 0 && f.guide.More != "" && !several {
		fmt.Fprintf(&lines, "- … and %s; %s\n", plural(remaining, "less similar match", "less similar matches"), f.guide.More)
	}
	w.block(strings.TrimSuffix(lines.String(), "\n"))
	return w.b.String()
}

// takesFields reports whether an operation has an input of its own. Readers need the comments on its
// fields to call the operation.
func (r *Renderer) takesFields(s *apidoc.Symbol) bool { return len(r.ownInputs(s)) > 0 }

// fitsWithInputs reports whether the declaration of an operation fits into limit bytes together with
// the fields of its inputs, without which readers cannot call it.
func (f *finder) fitsWithInputs(h *Hit, limit int) bool {
	length := len(withoutComments(h.concise(h.Symbol)).Text) + aroundRoom
	for _, t := range h.ownInputs(h.Symbol) {
		length += f.inputLength(h.Renderer, t, limit)
	}
	return length <= limit || len(h.ownInputs(h.Symbol)) == 0
}

// inputLength returns the number of bytes of the fields of an input without comments. It is more than
// limit if they do not fit, and 0 if the answer has already shown them.
func (f *finder) inputLength(r *Renderer, t *apidoc.Symbol, limit int) int {
	if f.shown.has(t) {
		return 0
	}
	text, _ := r.compact(t, neededDepths[3:4], limit, f.shown.clone())
	if text == "" {
		return limit + 1
	}
	return len(text)
}

// cites reports whether a match is a member of a cited symbol, has a cited member, or is a type
// that the result of a cited operation contains.
func (f *finder) cites(cited []*apidoc.Symbol, h *Hit) bool {
	return slices.ContainsFunc(cited, func(s *apidoc.Symbol) bool {
		return s.ParentPath() == h.Symbol.Path || h.Symbol.ParentPath() == s.Path && f.memberOfShown(h) || h.wrapped(s, h.Symbol)
	})
}

// wrapped reports whether the result of calls to s contains t in a field.
func (r *Renderer) wrapped(s, t *apidoc.Symbol) bool {
	_, results := r.callTypes(s)
	return t.IsType() && slices.ContainsFunc(results, func(result *apidoc.Symbol) bool {
		return result != t && slices.Contains(r.typesOf(result), t)
	})
}

// maxAlikeNamed is the maximum number of siblings of a match whose names are listed.
const maxAlikeNamed = 4

// addAlike records a match as a sibling of a cited symbol. It returns false if the match is not a
// sibling of any of them.
func (f *finder) addAlike(alike map[*apidoc.Symbol][]string, cited []*apidoc.Symbol, h *Hit) bool {
	for _, c := range cited {
		if !f.versioned && h.sibling(h.Symbol, c) {
			if len(alike[c]) < maxAlikeNamed {
				name := oneLine(naming.Called(h.pkg, h.Symbol.Path))
				if f.elsewhere(h) {
					name += " in " + oneLine(h.pkg.Name)
				}
				alike[c] = append(alike[c], name)
			}
			return true
		}
	}
	return false
}

// alikeTypes lists the types that have a field like the field that was found.
func alikeTypes(h *Hit) string {
	var names []string
	for _, s := range h.Alike[:min(len(h.Alike), maxAlikeNamed)] {
		names = append(names, oneLine(naming.Called(h.pkg, s.ParentPath())))
	}
	if n := len(h.Alike) - len(names); n > 0 {
		return strings.Join(names, ", ") + " and " + plural(n, "more type", "more types")
	}
	return list(names)
}

// memberOfShown reports whether a match is a member of a symbol that is shown in full with at least
// the names of its members.
func (f *finder) memberOfShown(h *Hit) bool {
	parent := h.parent()
	return parent != nil && f.shown.has(parent)
}

// parent returns the symbol to which a member belongs, or nil.
func (h *Hit) parent() *apidoc.Symbol {
	parent, _, ok := cutLast(h.Symbol.Path)
	if !ok {
		return nil
	}
	return h.byPath.get(parent, func() *apidoc.Symbol { return h.pkg.At(parent) })
}

// cutLast splits a path before its last part. ok is false if the path has only
// one part.
func cutLast(path string) (before, last string, ok bool) {
	index := strings.LastIndexByte(path, '.')
	if index < 0 {
		return path, "", false
	}
	return path[:index], path[index+1:], true
}

// elsewhere reports whether a match belongs to a package that is not in the title.
func (f *finder) elsewhere(h *Hit) bool { return len(f.in) != 1 || f.in[0] != h.Renderer }

// constraint returns the condition of a match, or "" if the beginning of the answer states it.
func (f *finder) constraint(h *Hit) string {
	if f.elsewhere(h) {
		return oneLine(h.Symbol.Constraint)
	}
	return h.constraint(h.Symbol)
}

// full returns a found symbol as one block of code: the beginning of its documentation,
// its declaration and members, and the types that a call needs.
func (f *finder) full(h *Hit, limit int) string {
	r, s := h.Renderer, h.Symbol
	f.shown.add(s)
	mark := comment(r.pkg)
	d := r.withoutLiterals(withoutTags(r.concise(s)), s)
	if len(d.Text) > limit/2 {
		d, _ = r.briefComments(d, maxBrief)
	}
	if len(d.Text) > limit*3/4 {
		d, _ = r.briefComments(d, 0)
	}
	if len(d.Text) > limit {
		d = withoutComments(d)
	}
	d, _ = fewer(d, max(limit/4, 200), mark)
	if len(d.Text) > limit {
		d = &apidoc.Decl{Text: firstLines(d.Text, limit) + "\n" + mark + "…"}
	}
	var w writer
	path := oneLine(naming.Called(r.pkg, s.Path))
	title := "**" + path + "**"
	if f.elsewhere(h) {
		where := about(r.pkg)
		if !f.versioned {
			where.Version = ""
		}
		title += " in " + where.label()
	}
	if s.Deprecated != "" {
		title += " (deprecated: " + oneLine(s.Deprecated) + ")"
	}
	if title != "**"+path+"**" || !r.saysPath(s, path) {
		w.block(title)
	}
	inputs := 0
	for _, t := range r.ownInputs(s) {
		inputs += f.inputLength(r, t, limit)
	}
	remaining := limit - w.b.Len() - len(d.Text)
	docLimit := max(min(remaining/2, remaining-inputs), minExcerpt)
	if s.IsType() && hasManyMembers(s) {
		docLimit = docLimit * 2 / 3
	}
	doc := excerptOfCall(f.shown.unsaid(r.cleanComment(s)), docLimit)
	if match := oneLine(markup.PlainLinks(h.Snippet())); strings.HasSuffix(doc, "…") && len(match) <= 2*maxSnippet && !strings.Contains(oneLine(doc), match) {
		if before := strings.TrimRight(strings.TrimSuffix(oneLine(doc), "…"), " "); strings.HasPrefix(match, before) {
			doc = match // the comment was cut within its first sentence
		} else {
			doc += "\n\n… " + match
		}
	}
	f.shown.say(doc)
	if refer := r.referredDoc(s, h.Refer); refer != "" && len(refer) < limit-w.b.Len()-len(d.Text)-len(doc) {
		doc = strings.TrimLeft(doc+"\n\n"+refer, "\n")
	}
	whole := decl{symbols: []apidoc.Symbol{*s}}
	if remark := r.remarks(&whole, unmet(f.constraint(h))); remark != "" {
		doc = strings.TrimLeft(doc+"\n"+remark, "\n")
	}
	l := lister{r: r}
	if doc = commentText(doc); doc != "" {
		l.lines("", mark, doc)
	}
	l.lines("", "", f.shown.sameBody(s, d, mark))
	room := func() int { return max(limit-w.b.Len()-l.b.Len(), 0) }
	if s.IsType() {
		join(&l.b, f.members(r, s, room()))
		if names := r.operationNames(s, min(max(room()/2, minOperations), maxOperations)); names != "" {
			join(&l.b, mark+"used by "+names+"\n")
		}
	}
	params, results, _ := r.needs(s, room(), true, f.shown)
	join(&l.b, params)
	if len(results) < room() {
		join(&l.b, results)
	}
	w.code(fence(r.pkg), l.b.String())
	return w.b.String()
}

// members returns the constructors of a type and the signatures, or only the names,
// of its members.
func (f *finder) members(r *Renderer, t *apidoc.Symbol, room int) string {
	members, with := r.around(t, f.shown)
	if len(with) > fewConstructors {
		with = nil
	}
	var b strings.Builder
	if text, _, fits := r.listing(with, depth{docs: sentence, members: bare, comments: sentence}, max(room/2, 1), nil); fits {
		b.WriteString(text)
		for _, d := range with {
			for k := range d.symbols {
				f.shown.add(&d.symbols[k])
			}
		}
	}
	// Members are written without comments, and inherited members only by name. Another search can
	// find them.
	var declared []apidoc.Symbol
	var inherited []apidoc.Symbol
	for i := range members {
		if m := members[i].first(); m.From != "" {
			inherited = append(inherited, *m)
		} else {
			declared = append(declared, *m)
		}
	}
	declared = r.withoutRepeated(t, declared, false)
	var decls []decl
	for i := range declared {
		decls = append(decls, decl{symbols: declared[i : i+1]})
	}
	text, _, fits := r.listing(decls, depth{}, max(room-b.Len(), 1), nil)
	if fits {
		f.declares[t] = true
	} else {
		text = comment(r.pkg) + "has " + nameGroup{names: memberNames(declared)}.summary(min(max(room-b.Len(), 40), 1500)) + "\n"
	}
	join(&b, text)
	for _, line := range inheritedLines(inherited) {
		if line = comment(r.pkg) + line + "\n"; b.Len()+len(line) < room {
			b.WriteString(line)
		}
	}
	return b.String()
}

// line returns a match on one line, with the sentence that matches the query.
func (f *finder) line(h *Hit) string {
	var b strings.Builder
	snippet := oneLine(strings.ReplaceAll(h.Snippet(), "```", ""))
	if h.Symbol != nil && snippet != "" {
		if doc := markup.Clean(h.Symbol.Doc); len(h.telling(doc)) < len(doc) && !strings.Contains(oneLine(h.telling(doc)), snippet) {
			snippet = oneLine(markup.Synopsis(h.telling(doc)))
		}
	}
	if h.Symbol != nil {
		snippet = strings.TrimPrefix(snippet, h.Symbol.Name()+" ")
	}
	if maximum := f.snippet; len(snippet) > maximum {
		snippet = excerpt(snippet, maximum)
	}
	switch {
	case h.Section != nil:
		b.WriteString("- section “" + oneLine(h.Section.Title) + "”")
		if id := sectionID(h.Section); id != "" {
			b.WriteString(" (" + id + ")")
			if f.section == "" {
				f.section = id
			}
		}
		if h.Section.Origin != "" {
			b.WriteString(", from " + oneLine(h.Section.Origin))
		}
	case h.Subpackage != nil:
		b.WriteString("- package " + oneLine(h.Subpackage.Name))
	default:
		s := h.Symbol
		if f.first == "" {
			f.first = oneLine(naming.Called(h.pkg, s.Path))
		}
		declared := f.declares[h.parent()]
		path, signature := oneLine(naming.Called(h.pkg, s.Path)), clipped(h.headline(s), comment(h.pkg))
		b.WriteString("-")
		if f.elsewhere(h) {
			b.WriteString(" " + path + " in " + oneLine(h.pkg.Name))
		} else if declared || !h.saysPath(s, path) {
			b.WriteString(" " + path)
		}
		if !declared {
			b.WriteString(" " + inline(signature))
		}
		if c := unmet(f.constraint(h)); c != "" {
			b.WriteString(" (" + condition(c) + ")")
		}
		if s.Deprecated != "" {
			b.WriteString(" (deprecated)")
		}
	}
	if snippet != "" && !strings.HasSuffix(snippet, ":") {
		b.WriteString(": " + snippet)
	}
	b.WriteByte('\n')
	return b.String()
}

// saysPath reports whether a declaration contains the path of its symbol. The path can be written
// as a whole or, for a method in a language with separate declarations, as its receiver and its
// name.
func (r *Renderer) saysPath(s *apidoc.Symbol, path string) bool {
	d := r.parse(s)
	declaration := d.Child(-1, apidoc.DeclarationPart)
	if declaration < 0 {
		return false
	}
	name := d.ChildText(declaration, apidoc.NamePart)
	parent, last, member := cutLast(path)
	if !member {
		return name == path
	}
	typ := d.Child(d.Child(declaration, apidoc.ReceiverPart), apidoc.TypePart)
	return typ >= 0 && d.ChildText(typ, apidoc.ReferencePart) == parent && name == last
}

// sectionID returns the ID with which readers can request a section, or "" for a part of the
// package's own documentation.
func sectionID(s *apidoc.Section) string {
	if s.ID == "doc" {
		return ""
	}
	return oneLine(s.ID)
}

// firstLine returns the first line of a declaration, with "…" if there is more.
func firstLine(signature string) string {
	line, _, more := strings.Cut(signature, "\n")
	if more {
		line += " …"
	}
	return line
}

// inline formats code within a line, even if it contains backticks.
func inline(code string) string {
	mark := "`"
	for strings.Contains(code, mark) {
		mark += "`"
	}
	if len(mark) > 1 {
		return mark + " " + code + " " + mark
	}
	return mark + code + mark
}
