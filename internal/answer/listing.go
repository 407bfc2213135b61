package answer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/markup"
)

// These constants describe how much of a declaration a listing shows, from least to most.
const (
	none     = iota
	names    // only the names of members
	terse    // signatures without long bodies of object types
	bare     // signatures alone
	clause   // the beginnings of first sentences
	sentence // first sentences of documentation
	brief    // first paragraphs, if they are short
	whole
)

// depth describes how much of each part of a declaration is shown.
type depth struct {
	docs     int // none, clause, sentence, brief or whole
	members  int // none, names, terse, bare, clause, sentence, brief or whole
	comments int // comments within a declaration: none, clause, sentence, brief or whole
	examples bool
}

// lister writes declarations as source code with their documentation as comments. It stops after it
// has written more than limit bytes.
type lister struct {
	r     *Renderer
	b     strings.Builder
	limit int                     // maximum length in bytes; 0 means unlimited
	skip  map[*apidoc.Symbol]bool // symbols shown elsewhere in the answer
	// members caches the members of declarations that are written several times, or is nil.
	members map[listKey]*memberLists
	// inherited contains the lines with the names of inherited props that were written.
	inherited map[string]bool
	tall      bool   // whether the last declaration took more than one line
	from      string // the type that declares all declarations of the list if they are inherited; the list's title contains its name
	cut       bool   // whether something was shown in part
	dense     bool   // whether to omit empty lines
	inside    bool   // whether the declarations are nested in the declaration of their type
}

// over reports whether the listing is longer than its limit.
func (l *lister) over() bool { return l.limit > 0 && l.b.Len() > l.limit }

// listing returns the text of declarations at one depth, without those in skip. If the text is
// longer than limit bytes, fits is false. cut reports whether part of the documentation was
// omitted.
func (r *Renderer) listing(decls []decl, d depth, limit int, skip map[*apidoc.Symbol]bool) (text string, cut, fits bool) {
	l := lister{r: r, limit: limit, skip: skip}
	text, fits = l.list(decls, d)
	return text, l.cut && fits, fits
}

// list returns the text of declarations, or false if it is longer than the
// limit.
func (l *lister) list(decls []decl, d depth) (text string, fits bool) {
	for i := range decls {
		if l.skip[decls[i].first()] {
			continue
		}
		indent := ""
		if l.inside {
			indent = "  "
		}
		if l.decl(&decls[i], d, indent); l.over() {
			return "", false
		}
	}
	return l.b.String(), true
}

// lines writes a text, with indent and mark before each line.
func (l *lister) lines(indent, mark, text string) {
	for line := range strings.SplitSeq(text, "\n") {
		before := indent + mark
		if line = strings.TrimRight(line, " \t"); line == "" {
			before = strings.TrimRight(before, " \t")
		}
		l.b.WriteString(before)
		l.b.WriteString(line)
		l.b.WriteByte('\n')
	}
}

// decl writes one declaration with its members.
func (l *lister) decl(d *decl, dep depth, indent string) {
	s := d.first()
	text := l.r.conciseOf(d)
	if dep.docs < whole {
		text = withoutTags(text)
	}
	switch {
	case d.group == nil || dep.docs == whole:
		text = l.body(text, dep)
	case dep.docs == none && dep.comments == none:
		text = l.fewerConstants(withoutComments(text), len(d.symbols), shownConstants+1)
	default:
		text = l.fewerConstants(l.body(text, dep), len(d.symbols), maxConstants)
	}
	doc := markup.Clean(d.doc())
	if dep.docs < whole && d.group == nil && repeatsName(doc, s.Path) {
		doc = ""
	}
	doc = l.documentation(l.r.telling(doc), dep.docs)
	var notes []string
	if deprecated := oneLine(s.Deprecated); deprecated != "" && !strings.Contains(doc, "Deprecated:") && d.group == nil {
		word := "Deprecated"
		if n := len(overloads(text)); n > 1 {
			word += fmt.Sprintf(" (the next %d declarations)", n)
		}
		if dep.docs > none {
			notes = append(notes, word+": "+deprecated)
		} else {
			notes = append(notes, word+".")
		}
	}
	if s.From != "" && s.From == l.from {
		d = &decl{symbols: []apidoc.Symbol{*s}}
		d.symbols[0].From = ""
	}
	if remark := l.r.remarks(d, unmet(l.r.constraint(d.first()))); remark != "" {
		notes = append(notes, remark)
	}
	var members []apidoc.Symbol
	var more []string // lines about members that are not listed individually
	if d.group == nil {
		full := l.r.concise(s)
		if dep.members > bare && hasComments(s) || dep.members == names && len(text.Text) > maxShownBody || dep.members == terse {
			if short := l.r.withoutLiterals(full, s); short != full {
				full, text = short, short
			}
		}
		members, more = l.membersOf(s, full, dep.members)
		members = l.r.withoutRepeated(s, members, dep.members > bare)
	}
	tall := doc != "" || len(notes) > 0 || len(members) > 0 || len(more) > 0 || strings.Contains(text.Text, "\n") || dep.examples && len(s.Examples) > 0
	if indent == "" && !l.dense && l.b.Len() > 0 && (tall || l.tall) {
		l.b.WriteByte('\n')
	}
	l.tall = tall
	mark := comment(l.r.pkg)
	if doc != "" {
		l.lines(indent, mark, doc)
	}
	for _, n := range notes {
		l.lines(indent, mark, n)
	}
	signature := text.Text
	if s.AlsoType && len(members) > 0 { // put the type last, next to its members
		first, rest, _ := strings.Cut(signature, "\n")
		signature = rest + "\n" + first
	}
	style := l.r.pkg.Style
	nested := style.Nested && len(members) > 0 && (s.IsType() || s.Role() == apidoc.ModuleRole)
	if nested {
		signature = strings.TrimSuffix(signature, " "+elided)
	}
	braces := nested && !style.Indented && !strings.HasSuffix(signature, "}")
	switch {
	case braces:
		signature += " {"
	case nested && style.Indented && !strings.HasSuffix(signature, ":"):
		signature += ":"
	}
	l.lines(indent, "", signature)
	for _, text := range more {
		inner := indent
		if braces || nested && style.Indented {
			inner += "  "
		}
		if isComponent(s) {
			text = l.inheritedOnce(text)
		}
		l.lines(inner, mark, text)
	}
	inner := indent
	if style.Nested && len(members) > 0 {
		inner += "  "
		l.tall = false
	}
	if dep.examples {
		l.examples(d.examples(), indent)
	}
	outer := l.from
	for i := range members {
		if l.over() {
			return
		}
		deeper := min(dep.members, bare)
		if dep.members == whole {
			deeper = whole // comments on the fields of a nested type state their defaults
		}
		if from := members[i].From; from != l.from && from != "" && i+1 < len(members) && members[i+1].From == from {
			l.lines(inner, mark, "from "+oneLine(from)+":") // replaces a remark on each member
			l.from = from
		}
		l.decl(&decl{symbols: members[i : i+1]}, depth{dep.members, deeper, dep.comments, dep.examples}, inner)
	}
	l.from = outer
	if braces {
		l.lines(indent, "", "}")
		l.tall = true
	}
}

// inheritedOnce returns a line about the members of a component. It omits the names of inherited members that
// the list has already shown, such as the style props of every part.
func (l *lister) inheritedOnce(line string) string {
	from, names, ok := strings.Cut(line, ": ")
	if !ok || !strings.HasPrefix(from, "from ") || len(names) < maxBrief {
		return line
	}
	if l.inherited[line] {
		return from + ": as above"
	}
	if l.inherited == nil {
		l.inherited = map[string]bool{}
	}
	l.inherited[line] = true
	return line
}

// body returns a declaration with its inner comments shortened as dep requires.
func (l *lister) body(d *apidoc.Decl, dep depth) *apidoc.Decl {
	switch {
	case dep.docs == terse:
		short := withoutBodies(d)
		l.cut = l.cut || short.Text != d.Text
		return short
	case dep.comments == whole || !strings.Contains(d.Text, "\n"):
		return d
	case dep.comments == clause:
		short, cut := l.r.clauseComments(d)
		l.cut = l.cut || cut
		return short
	case dep.comments > clause:
		maximum := 0
		if dep.comments == brief {
			maximum = maxBrief
		}
		short, cut := l.r.briefComments(d, maximum)
		l.cut = l.cut || cut
		return short
	}
	short := withoutComments(d)
	if dep.docs == none {
		if overloads(short) != nil {
			short, _ = fewer(short, 300, comment(l.r.pkg))
		} else {
			short = collapsed(short)
		}
	}
	l.cut = l.cut || short.Text != d.Text
	return short
}

// documentation returns the part of a comment that is shown, with "…" in place of omitted text. It
// returns "" if nothing is shown.
func (l *lister) documentation(doc string, how int) string {
	switch how {
	case whole:
		return commentText(strings.TrimSpace(once(doc)))
	case clause, sentence, brief:
		first := oneLine(markup.Synopsis(doc))
		if how == brief {
			if p := oneLine(markup.PlainLinks(firstParagraph(doc))); len(p) <= maxBrief {
				first = p
			} else if p = excerpt(p, maxBrief); len(p) > len(first) {
				first = p
			}
		}
		if first == "" {
			l.cut = l.cut || doc != ""
			return ""
		}
		if strings.HasPrefix(first, "```") || strings.HasPrefix(first, "- ") && how == brief {
			first = oneLine(markup.Synopsis(doc))
		}
		if index := lastBreak(first); strings.HasSuffix(first, ":") && index > 0 {
			first = first[:index] // omit the sentence that introduces the omitted text
		}
		maximum := maxSentence
		if how == clause {
			maximum = maxClause
		}
		if len(first) > maximum {
			first = excerpt(first, maximum)
		}
		if wordsExceed(doc, len(first)+3) {
			l.cut = true
			return shortened(first, defaultBehind(doc, first))
		}
		return first
	}
	l.cut = l.cut || doc != ""
	return ""
}

// wordsExceed reports whether the words of a text, separated by single spaces, take more than limit
// bytes.
func wordsExceed(text string, limit int) bool {
	n := -1
	for word := range strings.FieldsSeq(text) {
		if n += len(word) + 1; n > limit {
			return true
		}
	}
	return false
}

const (
	// maxSentence is the maximum length of a first sentence, in bytes.
	maxSentence = 400
	// maxClause is the maximum length of the beginning of a first sentence, in bytes.
	maxClause = 72
	// maxBrief is the maximum length of a first paragraph, in bytes.
	maxBrief = 200
)

// examples writes examples as code after their declaration.
func (l *lister) examples(all []apidoc.Example, indent string) {
	for i := range all {
		e := &all[i]
		title := "Example"
		if e.Name != "" {
			title += " (" + oneLine(e.Name) + ")"
		}
		l.lines(indent, comment(l.r.pkg), title+":")
		if e.Doc != "" {
			l.lines(indent, comment(l.r.pkg), strings.TrimSpace(markup.Clean(e.Doc)))
		}
		l.lines(indent+"\t", "", strings.Trim(markup.Clean(e.Code), "\n"))
		if e.Output != "" {
			l.lines(indent+"\t", comment(l.r.pkg), "Output: "+strings.TrimSpace(markup.Clean(e.Output)))
		}
		if e.After != "" {
			l.lines(indent, comment(l.r.pkg), strings.TrimSpace(markup.Clean(e.After)))
		}
	}
}

// examples returns the examples of the symbols in a declaration.
func (d *decl) examples() []apidoc.Example {
	if len(d.symbols) == 1 {
		return d.first().Examples
	}
	var all []apidoc.Example
	for i := range d.symbols {
		all = append(all, d.symbols[i].Examples...)
	}
	return all
}

// memberLists contains the members of a declaration in the form in which listings show them.
type memberLists struct {
	declared, inherited []apidoc.Symbol // inherited members are listed only if none are declared
	more                []string        // lines for members that are not listed individually
	from                []string        // lines with the names of the inherited members
}

// listKey identifies the lists of members of a symbol.
type listKey struct {
	symbol   *apidoc.Symbol
	comments bool // whether the members are listed with their comments
}

// listMembers sorts the members of a declaration into lists, without the members that the
// declaration itself shows. If a literal is on one line, its members' comments are not part of the
// declaration.
func (r *Renderer) listMembers(s *apidoc.Symbol, d *apidoc.Decl, comments bool) *memberLists {
	out := &memberLists{}
	shown := declared(d)
	var getters, inherited []apidoc.Symbol
	fields := map[string]bool{}
	members := s.AllMembers()
	for i := range members {
		fields[members[i].Name()] = true
	}
	for i := range members {
		m := &members[i]
		switch {
		case shownIn(shown, m) || r.lists(d, m) && !(comments && m.Doc != ""):
		case m.From != "":
			inherited = append(inherited, *m)
		case r.isGetter(m, fields):
			getters = append(getters, *m)
		default:
			out.declared = append(out.declared, *m)
		}
	}
	if len(getters) >= manyGetters {
		out.more = append(out.more, "has a method GetX for each field X ("+plural(len(getters), "getter", "getters")+")")
	} else {
		out.declared = append(out.declared, getters...)
	}
	if len(out.declared) == 0 && len(shown) == 0 && !hasSeveral(d) && len(inherited) <= maxInherited {
		out.inherited = inherited
	}
	out.from = inheritedLines(inherited)
	return out
}

// hasSeveral reports whether a symbol has several declarations.
func hasSeveral(d *apidoc.Decl) bool {
	n := 0
	for range d.Within(-1, apidoc.DeclarationPart) {
		n++
	}
	return n > 1
}

// membersOf returns the members that a listing shows individually, and lines about the others.
func (l *lister) membersOf(s *apidoc.Symbol, d *apidoc.Decl, how int) (written []apidoc.Symbol, more []string) {
	if how == none || s.NumMembers() == 0 {
		return nil, nil
	}
	key := listKey{s, how > bare}
	lists := l.members[key]
	if lists == nil {
		lists = l.r.listMembers(s, d, how > bare)
		if l.members != nil {
			l.members[key] = lists
		}
	}
	more = slices.Clone(lists.more)
	if how > names && lists.inherited != nil {
		return lists.inherited, more
	}
	declared := lists.declared
	if how == names {
		calls, others, remaining := l.callsOf(declared)
		if len(others) > 0 {
			more = append(more, "has "+nameMany(memberNames(others)))
		}
		if remaining > 0 {
			more = append(more, "can be called in "+plural(remaining, "more way", "more ways"))
		}
		declared = calls
	}
	return declared, append(more, lists.from...)
}

// maxCall is the maximum length in bytes of the call signatures that are shown when only the names
// of other members are listed.
const maxCall = 400

// callsOf separates call signatures from the other members and shortens them, because names alone
// do not show how to make a call. remaining is the number of omitted overloads.
func (l *lister) callsOf(members []apidoc.Symbol) (calls, others []apidoc.Symbol, remaining int) {
	mark := comment(l.r.pkg)
	for _, m := range members {
		if !m.IsCallOfParent() {
			others = append(others, m)
			continue
		}
		d, n := fewer(l.r.parse(&m), maxCall, mark)
		m.Signature = d.Text
		if n > 0 { // a line above the members states how many were omitted
			lines := slices.DeleteFunc(strings.Split(d.Text, "\n"), func(s string) bool { return strings.HasPrefix(s, mark) })
			m.Signature = strings.Join(lines, "\n")
		}
		calls, remaining = append(calls, m), remaining+n
	}
	return calls, others, remaining
}

// manyNames is the maximum number of names in a list that shows each name. A list of more names
// shows families and subjects instead.
const manyNames = 40

// nameMany lists names. If there are more than manyNames, it lists their families
// and subjects instead.
func nameMany(all []string) string {
	if len(all) <= manyNames {
		return strings.Join(all, ", ")
	}
	return nameGroup{names: all}.summary(1200)
}

// hasComments reports whether a member that s declares itself has documentation.
func hasComments(s *apidoc.Symbol) bool {
	return slices.ContainsFunc(s.AllMembers(), func(m apidoc.Symbol) bool { return m.From == "" && (m.Doc != "" || m.Deprecated != "") })
}

// maxInherited is the maximum number of inherited members that are shown individually if there are
// no other members. If there are at least manyGetters getters, they share one line.
const (
	maxInherited = 40
	manyGetters  = 6
)

// isGetter reports whether a method only returns the field after which it is named.
func (r *Renderer) isGetter(m *apidoc.Symbol, fields map[string]bool) bool {
	field, ok := strings.CutPrefix(m.Name(), "Get")
	if !ok || field == "" || !m.IsCallable() || !fields[field] {
		return false
	}
	d := r.parse(m)
	return d.Child(d.Child(-1, apidoc.DeclarationPart), apidoc.ParamPart) < 0
}

func memberNames(members []apidoc.Symbol) []string {
	names := make([]string, 0, len(members))
	for i := range members {
		if name := oneLine(members[i].Name()); !slices.Contains(names, name) { // a static and an instance member can have the same name
			names = append(names, name)
		}
	}
	return names
}

// inheritedLines returns lines with the names of inherited members, one line for each type that
// declares such members.
func inheritedLines(members []apidoc.Symbol) []string {
	var order []string
	by := map[string][]string{}
	for i := range members {
		from := oneLine(members[i].From)
		if by[from] == nil {
			order = append(order, from)
		}
		if name := oneLine(members[i].Name()); !slices.Contains(by[from], name) { // a static and an instance member can have the same name
			by[from] = append(by[from], name)
		}
	}
	for i, from := range order {
		order[i] = "from " + from + ": " + nameMany(by[from])
	}
	return order
}

// condition describes the condition under which a symbol exists. Unless only the platform
// determines the condition, the package readers append " (on)", " (off)" or, if it is on only
// because of the request, " (requested)".
func condition(constraint string) string {
	if c, ok := strings.CutSuffix(constraint, " (on)"); ok {
		return "only with " + c + ", which is on"
	}
	if c, ok := strings.CutSuffix(constraint, " (requested)"); ok {
		return "only with " + c + ", which was requested and is off otherwise"
	}
	if c, ok := strings.CutSuffix(constraint, " (off)"); ok {
		return "only with " + c + ", which is off"
	}
	return "only on " + constraint
}

// unmet returns the condition, or "" if it is known to be true, because lists of declarations omit
// conditions that are true for most declarations.
func unmet(constraint string) string {
	if strings.HasSuffix(constraint, " (on)") {
		return ""
	}
	return constraint
}

// packageCondition returns the condition under which everything in a package exists, or "" if there
// is none. It is shown once with the package.
func packageCondition(p *apidoc.Package) string {
	if len(p.Symbols) == 0 {
		return ""
	}
	first := p.Symbols[0].Constraint
	if first == "" || slices.ContainsFunc(p.Symbols, func(s apidoc.Symbol) bool { return s.Constraint != first }) {
		return ""
	}
	return first
}

// constraint returns a symbol's condition, or "" if the whole package has the same condition.
func (r *Renderer) constraint(s *apidoc.Symbol) string {
	if s.Constraint == "" || s.Constraint == r.condition() {
		return ""
	}
	return oneLine(s.Constraint)
}

// remarks returns information that the signature of a symbol does not show, such as the condition
// under which it exists. It may return "".
func (r *Renderer) remarks(d *decl, constraint string) string {
	s := d.first()
	var parts []string
	if from := oneLine(s.From); from != "" {
		parts = append(parts, "from "+from)
	}
	if constraint != "" {
		parts = append(parts, condition(constraint))
	}
	if as := r.exportedAs(d); as != "" {
		parts = append(parts, r.export(as))
	}
	for _, as := range d.also {
		parts = append(parts, "also "+r.export(as))
	}
	if len(parts) == 0 {
		return ""
	}
	return "(" + strings.Join(parts, "; ") + ")"
}

// export returns a remark with the path under which a symbol is exported.
func (r *Renderer) export(path string) string {
	for _, d := range r.pkg.Style.Defaults {
		if d.Path == path {
			return d.Title
		}
	}
	return "exported as " + oneLine(path)
}

// exportedAs returns the name under which a declaration is exported, or "" if it is the declared
// name.
func (r *Renderer) exportedAs(d *decl) string {
	s := d.first()
	if d.group != nil || strings.Contains(s.Path, ".") && componentRole(s) != apidoc.SubcomponentRole {
		return ""
	}
	parsed := r.parse(s)
	within := parsed.ChildText(parsed.Child(-1, apidoc.DeclarationPart), apidoc.NamePart)
	if within == "" || within == baseName(s) || isNumbered(s.Path, within) {
		return ""
	}
	return oneLine(s.Path)
}

// isNumbered reports whether a path is a name followed by a number. Such paths belong to types with
// the same name that cannot be imported.
func isNumbered(path, name string) bool {
	number, ok := strings.CutPrefix(path, name+"_")
	return ok && number != "" && strings.Trim(number, "0123456789") == ""
}

// fewerConstants shortens a group of more than maximum constants to its first lines and the names of
// the other constants.
func (l *lister) fewerConstants(d *apidoc.Decl, n, maximum int) *apidoc.Decl {
	lines := strings.SplitAfter(d.Text, "\n")
	if n <= maximum || len(lines) < max(maximum, shownConstants+3) {
		return d
	}
	last := lines[len(lines)-1]
	start, end := len(strings.Join(lines[:shownConstants+1], "")), len(d.Text)-len(last)
	var rest []string
	for i := range d.Parts {
		if p := &d.Parts[i]; p.Role == apidoc.NamePart && p.Start >= start && p.Start < end {
			rest = append(rest, d.PartText(i))
		}
	}
	if len(rest)+shownConstants < n {
		rest = append(rest, "…")
	}
	l.cut = true
	return &apidoc.Decl{Text: d.Text[:start] + "\t" + comment(l.r.pkg) + "… " + strings.Join(rest, ", ") + "\n" + last}
}

// A group of more than maxConstants constants is shortened to shownConstants lines.
const (
	maxConstants   = 12
	shownConstants = 3
)
