package answer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/markup"
)

// Markdown writes the answer for reading. It ends with a newline.
func (a *Answer) Markdown() string {
	if a.text == "" {
		return a.write()
	}
	return a.text
}

func (a *Answer) write() string {
	w := writer{style: a.Package.style}
	w.b.Grow(16 << 10)
	if a.Symbol != "" {
		w.title(fmt.Sprintf("%s (%s) in %s", a.Symbol, a.Symbols[0].Kind, a.Package.at()))
	} else {
		w.title(a.Package.at())
	}
	w.about(&a.Package)
	w.block("> " + a.Notice)
	if a.Package.Deprecated != "" && !strings.Contains(a.Doc, "Deprecated:") {
		w.block("**Deprecated:** " + a.Package.Deprecated)
	}
	w.prose(a.Doc, 2)
	w.examples(a.Examples)
	w.told(a.Sections)
	switch {
	case a.Symbol != "":
		w.declaration(&a.Symbols[0], 2)
		w.declared(&a.Symbols[0])
		w.around(a.Symbols[0].Path, a.Symbols[1:], a.detail)
	case a.detail.docs == whole:
		w.full(a.Symbols)
	default:
		w.brief(slices.Concat(a.Symbols, a.unsigned), a.detail.docs == first)
	}
	w.sections(a.Sections)
	w.subpackages(a.Subpackages)
	for _, warning := range a.Warnings {
		w.block("Note: " + warning)
	}
	for _, omitted := range a.Omitted {
		w.block(omitted)
	}
	return w.b.String()
}

// writer writes blocks of Markdown with an empty line between them.
type writer struct {
	b     strings.Builder
	style apidoc.Style
}

func (w *writer) block(text string) {
	if text == "" {
		return
	}
	if w.b.Len() > 0 {
		w.b.WriteByte('\n')
	}
	w.b.WriteString(text)
	w.b.WriteByte('\n')
}

func (w *writer) title(text string)   { w.block("# " + text) }
func (w *writer) heading(text string) { w.block("## " + text) }

// prose writes documentation so that its headings stand below the level that
// it is told at.
func (w *writer) prose(md string, level int) {
	w.block(strings.Trim(markup.Demote(md, level), "\n"))
}

func (w *writer) code(language, code string) {
	code = strings.Trim(code, "\n")
	fence := markup.Fence(code)
	w.block(fence + language + "\n" + code + "\n" + fence)
}

// about tells on one line where the package comes from.
func (w *writer) about(a *About) {
	parts := []string{a.style.Name + " package"}
	if a.Command {
		parts[0] = a.style.Name + " command"
	}
	switch a.Module {
	case "":
	case "std":
		parts = append(parts, "standard library")
	default:
		parts = append(parts, "module "+a.Module)
	}
	if a.Version == "" {
		parts = append(parts, "of your own project")
	}
	if a.ChosenBy != "" {
		parts = append(parts, "version chosen by: "+a.ChosenBy)
	}
	source := "read from " + a.Source
	if a.Location != "" {
		source += " " + a.Location
	}
	parts = append(parts, source)
	if a.Integrity != "" {
		parts = append(parts, "integrity: "+a.Integrity)
	}
	if a.Platform != "" {
		parts = append(parts, a.Platform)
	}
	w.block(strings.Join(parts, " · "))
}

// full writes every declaration with its documentation as prose.
func (w *writer) full(ds []Declaration) {
	section := ""
	for i := 0; i < len(ds); {
		d := &ds[i]
		section = w.section(section, d)
		if !d.member && d.Of == "" && i+1 < len(ds) && (ds[i+1].member || ds[i+1].Of != "") {
			w.block("### " + d.Path)
		}
		i += w.together(ds[i:], 4)
	}
}

// together writes the first declaration, or all the first ones of which there
// is nothing to say but their signature, and returns how many.
func (w *writer) together(ds []Declaration, level int) int {
	n := 0
	for w.style.JoinMembers && n < len(ds) && ds[n].member && ds[n].From == ds[0].From && silent(&ds[n]) {
		n++
	}
	if n < 2 {
		w.declaration(&ds[0], level)
		return 1
	}
	var b strings.Builder
	for i := range ds[:n] {
		b.WriteString(ds[i].Signature + "\n")
	}
	w.code(w.style.Fence, b.String())
	w.block(remarks(&ds[0]))
	return n
}

// silent is true of a declaration that has a signature and nothing else, but
// for what it is from.
func silent(d *Declaration) bool {
	return d.Doc == "" && d.Deprecated == "" && len(d.Examples) == 0 && len(d.Inherited) == 0 && d.Constraint == "" && exportedAs(d) == ""
}

// section writes a heading when the kind of declaration changes. What goes
// with a type stands under it.
func (w *writer) section(current string, d *Declaration) string {
	if d.member || d.Of != "" {
		return current
	}
	s := w.sectionOf(d)
	if s != current {
		w.heading(s)
	}
	return s
}

// declaration writes one declaration, its documentation and examples.
func (w *writer) declaration(d *Declaration, level int) {
	w.code(w.style.Fence, d.Signature)
	w.block(remarks(d))
	if d.Deprecated != "" && !strings.Contains(d.Doc, "Deprecated:") {
		w.block("**Deprecated:** " + d.Deprecated)
	}
	w.prose(d.Doc, level)
	w.examples(d.Examples)
	w.inherited(d.Inherited)
}

// inherited names the members that a type has of others.
func (w *writer) inherited(all []Inherited) {
	for _, i := range all {
		w.block("Inherited from " + i.From + ": " + strings.Join(i.Members, ", ") + ".")
	}
}

// remarks is what a signature does not say of a symbol.
func remarks(d *Declaration) string {
	var parts []string
	if d.through != "" {
		parts = append(parts, d.through)
	}
	if d.From != "" {
		parts = append(parts, "from "+d.From)
	}
	if d.Constraint != "" {
		parts = append(parts, "only on "+d.Constraint)
	}
	if as := exportedAs(d); as != "" {
		parts = append(parts, "exported as "+as)
	}
	if len(parts) == 0 {
		return ""
	}
	return "(" + strings.Join(parts, "; ") + ")"
}

// exportedAs is the name of a declaration that carries another one within.
func exportedAs(d *Declaration) string {
	if d.member || len(d.Names) > 0 || d.Path == "export=" || d.Path == "default" {
		return ""
	}
	s := apidoc.Symbol{Path: d.Path, Signature: d.Signature}
	if within := s.DeclaredName(); within == "" || within == s.Name() {
		return ""
	}
	return d.Path
}

func (w *writer) declared(d *Declaration) {
	if d.File != "" {
		w.block(fmt.Sprintf("Declared in %s:%d.", d.File, d.Line))
	}
}

// around writes what stands around the symbol at a path that was asked for.
func (w *writer) around(path string, ds []Declaration, d detail) {
	var namesakes, together, members, with []Declaration
	for _, each := range ds {
		switch {
		case each.Path == path && len(each.Names) == 0:
			namesakes = append(namesakes, each)
		case each.member:
			members = append(members, each)
		case len(each.Names) > 0:
			together = append(together, each)
		default:
			with = append(with, each)
		}
	}
	if len(namesakes) > 0 {
		w.heading("Of the same name")
		for i := range namesakes {
			w.declaration(&namesakes[i], 3)
			w.declared(&namesakes[i])
		}
	}
	for _, group := range []struct {
		title string
		ds    []Declaration
	}{{"Declared together", together}, {"Members", members}, {"Goes with it", with}} {
		if len(group.ds) == 0 {
			continue
		}
		w.heading(group.title)
		if d.members == whole {
			for i := 0; i < len(group.ds); {
				i += w.together(group.ds[i:], 3)
			}
			continue
		}
		w.listing(group.ds, d.members == first)
	}
}

// brief writes declarations as listings with first sentences as comments.
func (w *writer) brief(ds []Declaration, sentences bool) {
	section := ""
	for start := 0; start < len(ds); {
		section = w.section(section, &ds[start])
		end := start + 1
		for end < len(ds) && (ds[end].member || ds[end].Of != "" || w.sectionOf(&ds[end]) == section) {
			end++
		}
		w.listing(ds[start:end], sentences)
		start = end
	}
}

// unsigned are the names of declarations of which nothing else is shown.
func unsigned(ds []Declaration) (names []string, others []Declaration) {
	for i := range ds {
		if ds[i].Signature == "" {
			names = append(names, ds[i].Path)
		} else {
			others = append(others, ds[i])
		}
	}
	return names, others
}

// listing writes declarations into one block of code.
func (w *writer) listing(ds []Declaration, sentences bool) {
	names, ds := unsigned(ds)
	if len(ds) > 0 {
		w.signed(ds, sentences)
	}
	if len(names) > 0 {
		more := ""
		if len(ds) > 0 {
			more = "And by name alone: "
		}
		w.block(more + strings.Join(names, ", "))
	}
}

// signed writes declarations that have signatures.
func (w *writer) signed(ds []Declaration, sentences bool) {
	var b strings.Builder
	comment := w.style.LineComment
	tall := false // the declaration before takes more than a line
	for i := range ds {
		d := &ds[i]
		var notes []string
		if sentences && d.Doc != "" {
			notes = append(notes, oneLine(d.Doc))
		}
		if d.Deprecated != "" && !strings.Contains(d.Doc, "Deprecated:") {
			if sentences {
				notes = append(notes, "Deprecated: "+d.Deprecated)
			} else {
				notes = append(notes, "Deprecated.")
			}
		}
		if r := remarks(d); r != "" {
			notes = append(notes, r)
		}
		lines := len(notes) + strings.Count(d.Signature, "\n") + min(1, len(d.Members)+len(d.Inherited))
		if i > 0 && (lines > 0 || tall) {
			b.WriteByte('\n')
		}
		tall = lines > 0
		for _, n := range notes {
			b.WriteString(comment + n + "\n")
		}
		b.WriteString(d.Signature + "\n")
		if len(d.Members) > 0 {
			b.WriteString(comment + "has " + strings.Join(d.Members, ", ") + "\n")
		}
		for _, i := range d.Inherited {
			b.WriteString(comment + "inherits from " + i.From + ": " + strings.Join(i.Members, ", ") + "\n")
		}
	}
	w.code(w.style.Fence, b.String())
}

func (w *writer) examples(examples []Example) {
	for i := range examples {
		e := &examples[i]
		title := "Example"
		if e.Name != "" {
			title += " (" + e.Name + ")"
		}
		w.block(title + ":")
		w.prose(e.Doc, 4)
		w.code(w.style.Fence, e.Code)
		if e.Output != "" {
			w.block("Output:")
			w.code("", e.Output)
		}
	}
}

// told writes the sections whose text is shown, those with headings alone that
// stand above them too.
func (w *writer) told(sections []Section) {
	last, outermost := -1, 6
	for i := range sections {
		if sections[i].Body != "" {
			last = i
			outermost = min(outermost, max(sections[i].level, 1))
		}
	}
	for i := range sections[:last+1] {
		s := &sections[i]
		level := min(max(s.level-outermost, 0)+2, 6)
		w.block(strings.Repeat("#", level) + " " + s.Title)
		w.prose(s.Body, min(level+1, 6))
	}
}

// sections lists the titles of the others.
func (w *writer) sections(sections []Section) {
	last := -1
	for i := range sections {
		if sections[i].Body != "" {
			last = i
		}
	}
	if last+1 == len(sections) {
		return
	}
	w.heading("Sections")
	w.b.WriteByte('\n')
	for _, s := range sections[last+1:] {
		w.b.WriteString("- " + s.Title + " (" + s.ID + ")\n")
	}
}

func (w *writer) subpackages(packages []Subpackage) {
	if len(packages) == 0 {
		return
	}
	w.heading("Packages below")
	w.b.WriteByte('\n')
	for i := range packages {
		s := &packages[i]
		w.b.WriteString("- " + s.Name)
		if s.Synopsis != "" {
			w.b.WriteString(": " + s.Synopsis)
		}
		w.b.WriteByte('\n')
	}
}
