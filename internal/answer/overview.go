package answer

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/markup"
	"github.com/docent-mcp/docent/internal/naming"
)

// overviewDepths contains the depths that are tried, in this order, for a package that does not fit
// completely.
var overviewDepths = []depth{
	{docs: brief, members: brief, comments: brief},
	{docs: sentence, members: sentence, comments: sentence},
	{docs: sentence, members: bare, comments: none},
	{docs: clause, members: bare, comments: none},
	{docs: none, members: bare, comments: none},
	{docs: none, members: names, comments: none},
	{docs: none, members: none, comments: none},
}

// wholeDepths contains the depths at which a package is shown completely.
var wholeDepths = []depth{
	{docs: whole, members: whole, comments: whole, examples: true},
	{docs: whole, members: whole, comments: whole},
}

// Overview answers a request for a whole package. It also shows the packages below it that the
// caller has read, if all of them fit together. Callers must not modify the answer, which may be
// cached.
func (r *Renderer) Overview(below []*Renderer, o Options) *Answer {
	standing := short(o.Standing)
	if o.Standing = ""; standing == "" {
		return r.cachedOverview(below, o)()
	}
	if limit := o.limit(); limit > 0 {
		o.MaxTokens = max((limit-len(standing))*2/7, minTokens)
	}
	a := *r.cachedOverview(below, o)()
	title := "# " + a.Packages[0].label() + "\n\n"
	if head := strings.Index(a.Text, title); head >= 0 {
		head += len(title)
		a.Text = a.Text[:head] + "> " + standing + "\n" + a.Text[head:]
	}
	return &a
}

// cachedOverview returns the function that creates an overview. All callers that wait for the same
// overview share one result, because creating it needs much memory for a large package.
func (r *Renderer) cachedOverview(below []*Renderer, o Options) func() *Answer {
	r.mu.Lock()
	defer r.mu.Unlock()
	index := slices.IndexFunc(r.overviews, func(c cachedOverview) bool { return c.options == o && c.below == len(below) })
	if index >= 0 {
		return r.overviews[index].answer
	}
	if len(r.overviews) == maxOverviews {
		r.overviews = slices.Delete(r.overviews, 0, 1)
	}
	answer := sync.OnceValue(func() *Answer { return &Answer{Packages: []About{about(r.pkg)}, Text: r.overview(below, o)} })
	r.overviews = append(r.overviews, cachedOverview{o, len(below), answer})
	return answer
}

// WithBelow is a package together with the packages below it that the caller has read.
type WithBelow struct {
	*Renderer
	Below []*Renderer
}

// Overviews answers a request for several packages, which share the budget. Problems come last.
func Overviews(all []WithBelow, problems []string, o Options) *Answer {
	a := &Answer{}
	var w writer
	for i, r := range all {
		a.Packages = append(a.Packages, about(r.pkg))
		each := o
		if limit := o.limit(); limit > 0 {
			// Room that a package does not use is available to the packages after it, but the last
			// one does not get all of it.
			room := min((limit-w.b.Len())/(len(all)-i), limit*3/2/len(all))
			each.MaxTokens = max(room*2/7-1, minTokens)
		}
		w.block(strings.TrimSuffix(withoutLinesOf(w.b.String(), r.Overview(r.Below, each).Text), "\n"))
	}
	for _, p := range problems {
		w.block(oneLine(p))
	}
	a.Text = w.within(o.limit())
	return a
}

// withoutLinesOf returns an overview without the provenance and the section names that are also in
// the previous overview.
func withoutLinesOf(before, text string) string {
	var b strings.Builder
	for line := range strings.SplitAfterSeq(text, "\n") {
		if (strings.HasPrefix(line, "> ") || strings.HasPrefix(line, "**") || strings.HasPrefix(line, "Prose: ")) && strings.Contains("\n"+before, "\n"+line) {
			continue
		}
		b.WriteString(line)
	}
	return strings.ReplaceAll(b.String(), "\n\n\n", "\n\n")
}

func (r *Renderer) overview(below []*Renderer, o Options) string {
	limit := o.limit()
	complete := len(below) == len(r.libraries())
	// A partial answer gets less room, because questions about its symbols will follow. Comments
	// get less of this room than declarations.
	part, commented := limit*3/7, limit*2/7
	names := newOutline(below, limit)
	top, all := r.minBytes(2 * limit)
	if limit == 0 || all <= 2*limit {
		if text, ok := r.whole(below, complete, limit, o.Guide, outline{}); ok {
			return text
		}
		if text, ok := r.family(below, complete, limit, o.Guide); ok {
			return text
		}
		if len(below) > 0 {
			if text, ok := r.whole(nil, len(r.libraries()) == 0, limit-names.length, o.Guide, names); ok {
				return text
			}
		}
	}
	if limit == 0 || top <= part {
		for i, d := range overviewDepths {
			room := commented
			if d.docs == none {
				room = part
			}
			if text, ok := r.partText(d, i, room, o.Guide, names); ok {
				return text
			}
		}
	}
	return r.mapText(limit, o.Guide, names)
}

// minBytes returns the number of bytes of the names of the outermost declarations, and of all
// declarations except inherited ones. Callers use them to skip a depth that
// cannot fit. It stops counting at the limit.
func (r *Renderer) minBytes(limit int) (top, all int) {
	for _, d := range r.decls() {
		top += len(withoutLabels(d.first().Name())) + 1
	}
	for _, s := range r.symbols() {
		if all > limit {
			break
		}
		all += len(withoutLabels(s.Name())) + 1
	}
	return top, all
}

// whole shows a package and the packages below it completely. It omits the examples if they are
// most of the text. It returns false if the text does not fit. complete is true if below contains
// all packages below it. Only the names in the packages of names are listed.
func (r *Renderer) whole(below []*Renderer, complete bool, limit int, g Guide, names outline) (string, bool) {
	with, fits := r.wholeText(below, complete, wholeDepths[0], 0, limit, g, names)
	if fits && (limit == 0 || len(with) <= limit/7) {
		return with, true
	}
	without, fitsWithout := r.wholeText(below, complete, wholeDepths[1], 1, limit, g, names)
	if fits && (!fitsWithout || len(with)-len(without) <= len(with)/3) {
		return with, true
	}
	return without, fitsWithout
}

// libraries returns the packages below that can be imported.
func (r *Renderer) libraries() []apidoc.Subpackage {
	return slices.DeleteFunc(slices.Clone(r.pkg.Subpackages), func(s apidoc.Subpackage) bool { return s.Command })
}

// title writes the name of the package and the source of its documentation.
func (r *Renderer) title(w *writer, g Guide) {
	a := about(r.pkg)
	w.notices(noticesAbout([]*Renderer{r}, g.Project))
	w.block("# " + a.label())
	w.block(r.head())
}

// notes writes notes on parts of the package that could not be read, and on optional parts that are
// enabled.
func (r *Renderer) notes(w *writer) {
	r.unread(w)
	for _, note := range slices.Concat(r.pkg.Warnings, r.pkg.Omissions, r.pkg.Options) {
		w.block("Note: " + oneLine(note))
	}
}

// unread writes how to get the parts of a package that were not read because the package is too
// large.
func (r *Renderer) unread(w *writer) {
	if n := len(r.pkg.Unread); n > 0 {
		w.block(fmt.Sprintf("Note: %[1]s is too large to read completely, so this overview lists only the names of %[2]s. To get the declarations of one of them, request it as a symbol or as a package, such as %[1]s/%[3]s.",
			oneLine(r.pkg.Name), plural(n, "export", "exports"), oneLine(r.pkg.Unread[0])))
	}
}

// wholeText shows a package and the packages below it completely. It fails if they take more than
// limit bytes besides the names in the packages of names. complete is true if below contains all packages below it.
func (r *Renderer) wholeText(below []*Renderer, complete bool, d depth, without, limit int, g Guide, names outline) (string, bool) {
	var w writer
	r.title(&w, g)
	sections := r.usageSections(limit == 0)
	if len(r.pkg.Symbols) > 0 || len(below) > 0 || len(r.pkg.Subpackages) == 0 {
		w.block(r.completeness(below, complete, without > 0, sections, g, names))
	}
	written := sections
	if limit > 0 {
		written = r.withoutRepeats(sections, d.examples)
	}
	if !r.wholeBody(&w, d, limit, 2, written, nil) {
		return "", false
	}
	before := []*Renderer{r}
	for _, b := range below {
		w.block("## " + oneLine(b.pkg.Name))
		if c := oneLine(b.condition()); c != "" {
			w.block("All declarations: " + condition(c) + ".")
		}
		b.notes(&w)
		skip := b.exportedAgain(&w, before)
		before = append(before, b)
		if !b.wholeBody(&w, d, limit, 3, nil, skip) {
			return "", false
		}
	}
	if limit > 0 {
		limit += names.length
	}
	if len(below) == 0 {
		r.subpackages(&w, true, names)
	}
	r.notes(&w)
	w.block(elsewhere(r.pkg))
	r.otherSections(&w, g, 40, sections)
	return w.b.String(), limit == 0 || w.b.Len() <= limit
}

// completeness returns a sentence that states that the package is shown completely, or what else
// the reader can request. complete is true if below contains all packages below this one.
// withoutExamples is true if the examples were omitted.
func (r *Renderer) completeness(below []*Renderer, complete, withoutExamples bool, shown []apidoc.Section, g Guide, names outline) string {
	var rest []string
	if n := len(r.libraries()) - len(below); !complete && n > 0 {
		packages := plural(n, "package "+r.whereOthers()+" it", "packages "+r.whereOthers()+" it")
		if len(names.texts) > 0 {
			packages = "the declarations of " + packages + " (only their names are listed)"
		}
		rest = append(rest, packages)
	}
	if n := len(r.unshownSections(g, shown)); n > 0 {
		rest = append(rest, plural(n, "section of prose", "sections of prose"))
	}
	if withoutExamples {
		examples := "its examples"
		if paths := r.withExamples(); len(paths) > 0 {
			examples = "examples of " + nameSome(paths, 300)
		}
		rest = append(rest, examples)
	}
	if len(r.pkg.Elsewhere) > 0 {
		rest = append(rest, plural(len(r.pkg.Elsewhere), "symbol that is not in this build", "symbols that are not in this build"))
	}
	if n := len(r.pkg.Unread); n > 0 {
		rest = append(rest, "what "+plural(n, "export declares", "exports declare"))
	}
	all := append([]*Renderer{r}, below...)
	if slices.ContainsFunc(all, func(b *Renderer) bool { return len(b.pkg.Omissions) > 0 }) {
		rest = append(rest, "prose that is too long")
	}
	name := oneLine(r.pkg.Name)
	if len(below) > 0 {
		name += " and " + plural(len(below), "package", "packages") + " below it"
	}
	// Warnings about a package do not matter if it is known to have no other names.
	doubtful := slices.ContainsFunc(all, func(b *Renderer) bool { return len(b.pkg.Warnings) > 0 && !b.pkg.AllNames })
	text := "Complete: all declarations of " + name + "."
	switch {
	case doubtful:
		text = "All declarations of " + name + " that were found; a note describes what may be missing."
	case len(rest) == 0:
		return "Complete: this is all of " + name + "; there is nothing more to request."
	}
	if len(rest) > 0 {
		text += " Not shown: " + list(rest) + "."
	}
	if len(below) == 0 {
		text += r.together(g, names)
	}
	return text
}

// unshownPackages returns a sentence about the packages below this one, none of which is shown, and
// how to get them. It returns "" if there are none.
func (r *Renderer) unshownPackages(g Guide, names outline) string {
	n := len(r.libraries())
	if n == 0 {
		return ""
	}
	text := "Not shown: the declarations of " + plural(n, "package", "packages") + " " + r.whereOthers() + " it"
	if len(names.texts) > 0 {
		text += " (only their names are listed)"
	}
	return text + "." + r.together(g, names)
}

const (
	// maxFamily is the maximum number of packages of which some are suggested for a question.
	maxFamily = 24
	// maxTogether is the maximum number of packages that a suggested question names, and
	// maxTogetherBytes the maximum length of their names in bytes.
	maxTogether      = 12
	maxTogetherBytes = 480
)

// together returns a sentence with the names of a question about the packages below this one, after a
// space. If the names of all of them are too long, it contains those that the examples of the
// documentation mention most often. It returns "" if there are fewer than two packages or too many to
// choose from. If the answer only contains names of these packages, the sentence also describes
// how to get all of them.
func (r *Renderer) together(g Guide, below outline) string {
	all := r.libraries()
	if len(all) > maxFamily {
		return ""
	}
	if mentions := r.mentions(); len(all) > maxTogether || namesLength(all) > maxTogetherBytes {
		slices.SortStableFunc(all, func(a, b apidoc.Subpackage) int { return mentions[lastName(b.Name)] - mentions[lastName(a.Name)] })
	}
	var names []string
	length := 0
	for _, s := range all[:min(len(all), maxTogether)] {
		name := oneLine(s.Name)
		if length += len(name) + 1; length > maxTogetherBytes {
			break
		}
		names = append(names, name)
	}
	if len(names) < 2 {
		return ""
	}
	which := "them"
	if len(names) < len(all) || len(below.texts) > 0 {
		which = "several"
	}
	text := " To see " + which + " in one call, name them together: " + strings.Join(names, ",")
	if len(below.texts) > 0 && g.Larger != "" {
		text += "; to see all declarations in one call, " + g.Larger
	}
	return text + "."
}

// namesLength returns the length of the names of packages with commas between them.
func namesLength(all []apidoc.Subpackage) int {
	n := len(all)
	for _, s := range all {
		n += len(s.Name)
	}
	return n
}

// lastName returns the last part of the name of a package.
func lastName(name string) string { return name[strings.LastIndexAny(name, "/.:")+1:] }

// withExamples returns the paths of the symbols that have examples.
func (r *Renderer) withExamples() []string {
	var paths []string
	for s := range r.pkg.All {
		if len(s.Examples) > 0 {
			paths = append(paths, oneLine(naming.Called(r.pkg, s.Path)))
		}
	}
	return paths
}

// wholeBody writes the documentation, prose, examples and declarations of a package. It returns
// false if they do not fit into limit bytes.
func (r *Renderer) wholeBody(w *writer, d depth, limit, level int, sections []apidoc.Section, skip map[*apidoc.Symbol]bool) bool {
	if doc := markup.Clean(r.pkg.Doc); !strings.Contains(w.b.String(), "\n"+doc+"\n") { // entry points repeat the comment of their package
		w.prose(doc, level)
	}
	r.writeSections(w, sections, level)
	if d.examples {
		for i := range r.pkg.Examples {
			r.example(w, &r.pkg.Examples[i])
		}
	}
	room := 0
	if limit > 0 {
		if room = limit - w.b.Len() - 100; room <= 0 {
			return false
		}
	}
	text, _, fits := r.listing(r.decls(), d, room, skip)
	w.code(fence(r.pkg), text)
	return fits
}

// exportedAgain writes the names of the symbols that both r and one of the packages before it
// export, and returns these symbols.
func (r *Renderer) exportedAgain(w *writer, before []*Renderer) map[*apidoc.Symbol]bool {
	if !r.pkg.Style.Aliased {
		return nil
	}
	type place struct {
		path, file string
		line       int
	}
	placeOf := func(s *apidoc.Symbol) place { return place{s.Path, s.File, s.Line} }
	shown := map[place]bool{}
	for _, other := range before {
		for i := range other.pkg.Symbols {
			if s := &other.pkg.Symbols[i]; s.File != "" {
				shown[placeOf(s)] = true
			}
		}
	}
	skip := map[*apidoc.Symbol]bool{}
	var names []string
	for i := range r.pkg.Symbols {
		if s := &r.pkg.Symbols[i]; shown[placeOf(s)] {
			skip[s] = true
			names = append(names, oneLine(s.Path))
		}
	}
	if len(names) > 0 {
		w.block("Also exports: " + nameMany(names) + ".")
	}
	return skip
}

// hasReadme reports whether a README section belongs in the answer about the
// package. The README of a module belongs to the package that has the module's
// name, not to the packages below it.
func (r *Renderer) hasReadme(s *apidoc.Section) bool {
	if !isReadme(s.ID) {
		return false
	}
	entryPoint := r.pkg.Module != "" && apidoc.IsBelow(r.pkg.Name, r.pkg.Module)
	if r.pkg.Above != "" {
		entryPoint = r.pkg.Above != r.pkg.Name
	}
	return !entryPoint || strings.Contains(s.File, "/")
}

// usageSections returns the sections of the README that show how to use the package and contain
// code. If all is true, it returns all prose.
func (r *Renderer) usageSections(all bool) []apidoc.Section {
	var found []apidoc.Section
	for i := range r.pkg.Sections {
		s := r.pkg.Sections[i]
		if all && !isSkill(s.ID) || r.hasReadme(&s) && strings.Contains(s.Body, "`") && !saysNothing(s.Title) {
			found = append(found, s)
		}
	}
	return found
}

// wholeReadme introduces a complete README, so that readers do not request it again.
const wholeReadme = "The README, whole:"

// numReadme returns the number of sections in the README.
func (r *Renderer) numReadme() (n int) {
	for i := range r.pkg.Sections {
		if r.hasReadme(&r.pkg.Sections[i]) {
			n++
		}
	}
	return n
}

// saysNothing reports whether the title of a section shows that the section does not help to use
// the package.
func saysNothing(title string) bool {
	title = strings.ToLower(title)
	for _, word := range []string{"install", "contribut", "licen", "sponsor", "support", "author", "credit", "changelog", "develop", "package manager", "acknowledg", "stats", "badges", "table of contents", "contents", "community"} {
		if strings.Contains(title, word) {
			return true
		}
	}
	return false
}

func (r *Renderer) writeSections(w *writer, sections []apidoc.Section, level int) {
	outermost := 6
	for i := range sections {
		outermost = min(outermost, max(sections[i].Level, 1))
	}
	for i := range sections {
		s := &sections[i]
		depth := min(max(s.Level, 1)-outermost+level, 6)
		w.block(strings.Repeat("#", depth) + " " + oneLine(s.Title))
		if s.Origin != "" && (i == 0 || sections[i-1].Origin != s.Origin) {
			w.block("> Added by docent: " + oneLine(s.Origin) + ".")
		}
		w.prose(markup.Clean(s.Body), min(depth+1, 6))
	}
}

// partText returns a package at a depth that shows only a part of it. It fails if that takes more
// than limit bytes besides the names in the packages of names.
func (r *Renderer) partText(d depth, level, limit int, g Guide, names outline) (string, bool) {
	var w writer
	r.title(&w, g)
	w.block(r.unshownPackages(g, names))
	r.beginningOfDoc(&w, limit, []int{40, 40, 30, 30, 15, 10, 10}[min(level, 6)], g)
	sections := r.usage(&w, limit/10)
	room := 0
	if limit > 0 {
		room = max(limit-w.b.Len()-600, 1)
	}
	text, cut, fits := r.listing(r.decls(), d, room, nil)
	if !fits {
		return "", false
	}
	w.code(fence(r.pkg), text)
	limit += names.length
	r.subpackages(&w, d.docs > none || len(names.texts) > 0, names)
	r.notes(&w)
	var parts []string
	if cut {
		parts = append(parts, "Comments are shortened or omitted (…). To see symbols in full, "+g.symbol(r.sample())+", or several at once")
	}
	if len(parts) > 0 {
		parts = append(parts, "to find symbols by keyword, "+g.Search)
		w.block(strings.Join(parts, "; ") + ".")
	}
	w.block(elsewhere(r.pkg))
	r.otherSections(&w, g, 25, sections)
	return w.b.String(), limit == 0 || w.b.Len() <= limit
}

// beginningOfDoc writes the package's documentation up to its first heading, in at most percent of
// the limit, and lists the other headings.
func (r *Renderer) beginningOfDoc(w *writer, limit, percent int, g Guide) {
	doc := markup.Clean(r.pkg.Doc)
	if limit == 0 || len(doc) <= limit*percent/100/2 {
		w.prose(doc, 2)
		return
	}
	parts := markup.Parts(doc)
	var titles []string
	for _, p := range parts {
		if p.Title != "" {
			titles = append(titles, oneLine(p.Title))
		}
	}
	if len(parts) > 0 {
		w.prose(excerpt(parts[0].Body, limit*percent/100), 2)
	}
	if len(titles) > 0 {
		text := "The documentation also contains: " + nameSome(titles, 600)
		if g.Section != "" {
			text += "; to read that, " + strings.Replace(g.Section, "%s", "doc", 1)
		}
		w.block(text + ".")
	}
}

// usage writes the sections of the README about using the package if they are short. Otherwise, it
// writes the most useful section in at most limit bytes.
func (r *Renderer) usage(w *writer, limit int) (whole []apidoc.Section) {
	sections := r.usageSections(false)
	total := 0
	for i := range sections {
		total += len(sections[i].Title) + len(sections[i].Body) + len("\n## \n\n")
	}
	if total <= max(limit, 0)*3/2 {
		if n := r.numReadme(); n > 0 && n == len(sections) {
			w.block(wholeReadme)
		}
		r.writeSections(w, sections, 2)
		return sections
	}
	pos := -1
	for i := range r.pkg.Sections {
		s := &r.pkg.Sections[i]
		if !r.hasReadme(s) || !hasProgram(s.Body) {
			continue
		}
		words := strings.ToLower(s.Title)
		switch {
		case strings.Contains(words, "install"), strings.Contains(words, "package manager"):
		case slices.ContainsFunc([]string{"usage", "quick", "example", "how to use", "getting started"}, func(u string) bool { return strings.Contains(words, u) }):
			pos = i
		case pos < 0:
			pos = i
			continue
		default:
			continue
		}
		if pos == i {
			break
		}
	}
	if pos < 0 {
		return nil
	}
	s := &r.pkg.Sections[pos]
	w.block("## " + oneLine(s.Title))
	body := strings.TrimSpace(markup.Clean(s.Body))
	short := excerpt(body, max(limit, 200))
	w.prose(short, 3)
	if short != body {
		return nil
	}
	return []apidoc.Section{*s}
}

// hasProgram reports whether a text contains a code block that is not a command line.
func hasProgram(md string) bool {
	inside := false
	for line := range strings.Lines(md) {
		info, fence := strings.CutPrefix(strings.TrimSpace(line), "```")
		if !fence {
			continue
		}
		if inside = !inside; !inside {
			continue
		}
		switch strings.ToLower(strings.TrimSpace(info)) {
		case "sh", "bash", "shell", "console", "zsh", "cmd", "powershell", "text", "txt", "diff", "":
		default:
			return true
		}
	}
	return false
}

// maxBelow is the maximum number of packages below another one that a partial answer lists.
const maxBelow = 40

// subpackages lists the packages below, one on each line. If sentences is true, it adds the first
// sentence of their documentation.
func (r *Renderer) subpackages(w *writer, sentences bool, names outline) {
	all := r.pkg.Subpackages
	if len(all) == 0 {
		return
	}
	var b strings.Builder
	b.WriteString("Packages " + r.whereOthers())
	prefix := oneLine(r.pkg.Name)
	if !slices.ContainsFunc(all, func(s apidoc.Subpackage) bool { return !apidoc.IsBelow(oneLine(s.Name), prefix) }) {
		b.WriteString(" " + prefix + "…")
	} else {
		prefix = ""
	}
	b.WriteString(":\n")
	for i := range all[:min(len(all), maxBelow)] {
		s := &all[i]
		name := oneLine(s.Name)
		b.WriteString("- " + strings.TrimPrefix(name, prefix))
		if synopsis := oneLine(s.Synopsis); sentences && synopsis != "" {
			synopsis = strings.TrimPrefix(synopsis, "Package "+name[strings.LastIndexByte(name, '/')+1:]+" ")
			b.WriteString(": " + excerpt(synopsis, 200))
		}
		b.WriteByte('\n')
		b.WriteString(names.texts[s.Name])
	}
	if n := len(all) - maxBelow; n > 0 {
		b.WriteString("- … and " + plural(n, "more", "more") + "\n")
	}
	w.block(strings.TrimSuffix(b.String(), "\n"))
}

// whereOthers returns the word for the location of other packages of the module: "below" or
// "beside".
func (r *Renderer) whereOthers() string {
	if r.pkg.Above == "" || r.pkg.Above == r.pkg.Name || slices.ContainsFunc(r.pkg.Subpackages, func(s apidoc.Subpackage) bool { return apidoc.IsBelow(s.Name, r.pkg.Name) }) {
		return "below"
	}
	return "beside"
}

// otherSections lists the skills of the package and the sections of prose that are not shown.
func (r *Renderer) otherSections(w *writer, g Guide, maximum int, shown []apidoc.Section) {
	r.skills(w, g)
	ids := r.unshownSections(g, shown)
	if len(ids) == 0 {
		return
	}
	text := strings.Join(ids[:min(len(ids), maximum)], ", ")
	if n := len(ids) - maximum; n > 0 {
		text += " … and " + plural(n, "more", "more")
	}
	w.block("Prose: " + text + ". To read some, " + strings.Replace(g.Section, "%s", ids[0], 1) + ".")
}

// unshownSections returns the IDs of the sections that are not shown.
func (r *Renderer) unshownSections(g Guide, shown []apidoc.Section) (ids []string) {
	if g.Section == "" {
		return nil
	}
	for _, s := range Outline(r.pkg.Sections) {
		if !saysNothing(s.Title) && !isSkill(s.ID) && !slices.ContainsFunc(shown, func(other apidoc.Section) bool { return other.ID == s.ID }) {
			ids = append(ids, s.ID)
		}
	}
	return ids
}

// elsewhere returns sentences with the names of symbols that exist only on other platforms or with
// features that are disabled.
func elsewhere(p *apidoc.Package) string {
	const maximum = 20
	var here, off []*apidoc.Symbol
	for i := range p.Elsewhere {
		if s := &p.Elsewhere[i]; strings.HasSuffix(s.Constraint, " (off)") {
			off = append(off, s)
		} else {
			here = append(here, s)
		}
	}
	var texts []string
	for _, part := range []struct {
		why     string
		symbols []*apidoc.Symbol
	}{{"Not on " + oneLine(p.Platform), here}, {"Off", off}} {
		if len(part.symbols) == 0 {
			continue
		}
		condition := func(s *apidoc.Symbol) string {
			c, _ := strings.CutSuffix(oneLine(s.Constraint), " (off)")
			return " (" + c + ")"
		}
		common := condition(part.symbols[0])
		if len(part.symbols) == 1 || slices.ContainsFunc(part.symbols, func(s *apidoc.Symbol) bool { return condition(s) != common }) {
			common = ""
		}
		var names []string
		for _, s := range part.symbols[:min(len(part.symbols), maximum)] {
			name := oneLine(s.Path)
			if common == "" {
				name += condition(s)
			}
			names = append(names, name)
		}
		if n := len(part.symbols) - maximum; n > 0 {
			names = append(names, plural(n, "more symbol", "more symbols"))
		}
		texts = append(texts, part.why+common+", so not shown: "+list(names)+".")
	}
	return strings.Join(texts, " ")
}

// symbol returns words that describe how to request the symbol at path.
func (g Guide) symbol(path string) string { return strings.Replace(g.Symbol, "%s", path, 1) }

// sample returns the path of a symbol that is used as an example. It is the class with the most
// members, or otherwise the first symbol.
func (r *Renderer) sample() string {
	p := r.pkg
	for _, s := range p.Defaults() {
		for _, t := range naming.TypesOf(p, s) {
			return oneLine(t.Path)
		}
	}
	var best *apidoc.Symbol
	for i := range p.Symbols {
		s := &p.Symbols[i]
		switch {
		case s.NumMembers() == 0:
		case best == nil, s.Form() == apidoc.ClassForm && (best.Form() != apidoc.ClassForm || s.NumMembers() > best.NumMembers()):
			best = s
		}
	}
	switch {
	case best != nil:
		return oneLine(naming.Called(p, best.Path))
	case len(p.Symbols) > 0:
		return oneLine(p.Symbols[0].Path)
	}
	return "Name"
}
