package answer

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/markup"
)

// withoutComments removes the empty lines of a declaration and the lines that contain only
// comments.
func withoutComments(d *apidoc.Decl) *apidoc.Decl {
	if !strings.Contains(d.Text, "\n") {
		return d
	}
	if isOpaque(d) {
		return opaque(d, d.Child(-1, apidoc.DeclarationPart))
	}
	var edits []edit
	for _, run := range commentLines(d) {
		edits = append(edits, edit{run.start, min(run.end+1, len(d.Text)), ""})
	}
	return withoutEmptyLines(replace(d, edits))
}

// commentRun is a range of lines that contain only comments, without the last line break.
type commentRun struct {
	start, end int
	first      int // index of the first comment
}

// commentLines returns the ranges of consecutive lines that contain only comments.
func commentLines(d *apidoc.Decl) (runs []commentRun) {
	for i := range d.Parts {
		p := &d.Parts[i]
		if p.Role != apidoc.CommentPart {
			continue
		}
		start := strings.LastIndexByte(d.Text[:p.Start], '\n') + 1
		length := strings.IndexByte(d.Text[p.End:], '\n')
		if length < 0 {
			length = len(d.Text) - p.End
		}
		end := p.End + length
		switch n := len(runs); {
		case strings.TrimSpace(d.Text[start:p.Start]) != "" || strings.TrimSpace(d.Text[p.End:end]) != "":
		case n > 0 && runs[n-1].end+1 >= start:
			runs[n-1].end = end
		default:
			runs = append(runs, commentRun{start, end, i})
		}
	}
	return runs
}

// maxBody is the maximum number of lines of a declaration in a bare list.
const maxBody = 12

// collapsed shortens a declaration of many lines to its first lines and its last line, with the
// number of omitted lines between them. If the declaration is a call, collapsed joins its lines
// instead.
func collapsed(d *apidoc.Decl) *apidoc.Decl {
	lines := strings.SplitAfter(d.Text, "\n")
	if len(lines) <= maxBody {
		return d
	}
	if declaration := d.Child(-1, apidoc.DeclarationPart); declaration >= 0 && callPart(d, declaration) == declaration {
		return &apidoc.Decl{Text: onOneLine(d.Text)}
	}
	const shown = maxBody - 3
	indent := lines[1][:len(lines[1])-len(strings.TrimLeft(lines[1], " \t"))]
	start, end := len(strings.Join(lines[:1+shown], "")), len(d.Text)-len(lines[len(lines)-1])
	return replace(d, []edit{{start, end, indent + "… " + plural(len(lines)-shown-2, "more line", moreLines) + "\n"}})
}

// moreLines follows the number of lines that were left out of a declaration.
const moreLines = "more lines"

// onOneLine joins the lines of a signature, such as one with a long parameter list.
func onOneLine(signature string) string {
	if !strings.Contains(signature, "\n") {
		return signature
	}
	return strings.Join(strings.Fields(signature), " ")
}

// declared returns the names of the fields and methods that a declaration shows on separate lines
// or in its own brackets. If a member can be a method, its name followed by callMark is also
// returned.
func declared(d *apidoc.Decl) map[string]bool {
	names := map[string]bool{}
	add := func(i int) {
		begun := false // whether there was a member before this one
		for k := range d.Within(i, 0) {
			switch d.Parts[k].Role {
			case apidoc.MemberPart:
				begun = true
				name := d.ChildText(k, apidoc.NamePart)
				names[name] = true
				if d.TypeOf(k) < 0 {
					names[name+callMark] = true
				}
			case apidoc.BasePart:
				if begun || strings.HasSuffix(strings.TrimRight(d.Text[:d.Parts[k].Start], " \t"), "\n") {
					name := d.ChildText(k, apidoc.ReferencePart)
					names[name[lastPart(name):]] = true
				}
			}
		}
	}
	for i := range d.Within(-1, apidoc.DeclarationPart) {
		add(i)
		if t := d.Child(i, apidoc.TypePart); t >= 0 && strings.Contains(d.PartText(t), "\n") {
			add(t)
		}
	}
	return names
}

const callMark = "()"

// shownIn reports whether a declaration, which shows the given names, shows a member. A declaration
// that shows a variant also shows the fields of the variant.
func shownIn(declared map[string]bool, m *apidoc.Symbol) bool {
	name := oneLine(m.Name())
	if m.IsField() && name != "" && strings.Trim(name, "0123456789") == "" {
		return m.Doc == "" // the member is a field of a tuple
	}
	if m.IsCallable() {
		name += callMark // a field can have the same name as a method
	}
	return declared[name] && !slices.ContainsFunc(m.AllMembers(), func(f apidoc.Symbol) bool { return !f.IsField() })
}

func inName(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// maxClipped is the maximum number of bytes of each line, and maxOverloads the maximum number of
// lines, of a declaration in a clipped list.
const (
	maxClipped   = 160
	maxOverloads = 3
)

// clipped shortens the lines of a declaration, and omits most of the lines if there are many. A
// comment that begins with mark states the number of omitted lines.
func clipped(signature, mark string) string {
	lines := strings.Split(signature, "\n")
	if more := len(lines) - maxOverloads; more > 1 {
		lines = append(lines[:maxOverloads:maxOverloads], mark+"… "+plural(more, "more line", "more lines"))
	}
	for i, l := range lines {
		if len(l) > maxClipped {
			lines[i] = strings.ToValidUTF8(l[:maxClipped], "") + " …"
		}
	}
	return strings.Join(lines, "\n")
}

// headline returns the declaration of a symbol on one line without decorators, attributes and
// comments. It omits the parameters if the line would be too long.
func (r *Renderer) headline(s *apidoc.Symbol) string {
	d := withoutAttributes(withoutComments(r.concise(s)))
	declaration := d.Child(-1, apidoc.DeclarationPart)
	first, last := -1, -1 // bounds of the parameters
	if declaration >= 0 {
		for i := range d.Within(max(callPart(d, declaration), declaration), apidoc.ParamPart) {
			if first < 0 {
				first = d.Parts[i].Start
			}
			last = d.Parts[i].End
		}
	}
	text := d.Text
	if last >= 0 && d.Parts[declaration].End == len(text) && strings.Contains(text[:last], "\n") {
		text = onOneLine(text)
	}
	line := firstLine(text)
	if len(line) <= maxHeadline || first < 0 {
		return line
	}
	if short := firstLine(strings.TrimSpace(d.Text[:first]) + "…" + strings.TrimLeft(d.Text[last:], ", \n")); len(short) < len(line) {
		return short
	}
	return line
}

// maxHeadline is the maximum length in bytes of a declaration on one line with its parameters.
const maxHeadline = 100

// briefComments shortens each range of comment lines in a declaration to at most maximum bytes, but
// keeps at least the first sentence. It reports whether it omitted anything.
func (r *Renderer) briefComments(d *apidoc.Decl, maximum int) (short *apidoc.Decl, cut bool) {
	return r.eachComment(d, func(text string) string {
		first := ""
		for s := range markup.Sentences(text) {
			if first != "" && len(first)+1+len(s) > maximum {
				break
			}
			first = strings.TrimPrefix(first+" "+s, " ")
		}
		if len(first) == len(text) {
			return text
		}
		return shortened(first, defaultBehind(text, first))
	})
}

// clauseComments shortens each range of comment lines in a declaration to the beginning of its
// first sentence. It reports whether it omitted anything.
func (r *Renderer) clauseComments(d *apidoc.Decl) (short *apidoc.Decl, cut bool) {
	return r.eachComment(d, func(text string) string {
		first := text
		for s := range markup.Sentences(text) {
			first = s
			break
		}
		if len(first) == len(text) && len(text) <= maxClause {
			return text
		}
		if len(first) > maxClause {
			first = excerpt(first, maxClause)
		}
		return shortened(first, defaultBehind(text, first))
	})
}

// eachComment joins each range of comment lines in a declaration to one line of text, and replaces
// it by the result of shorten. It reports whether anything has changed.
func (r *Renderer) eachComment(d *apidoc.Decl, shorten func(string) string) (short *apidoc.Decl, changed bool) {
	mark := comment(r.pkg)
	var edits []edit
	for _, run := range commentLines(d) {
		first := &d.Parts[run.first]
		if !strings.HasPrefix(d.Text[first.Start:], strings.TrimSpace(mark)) {
			continue
		}
		lines := strings.Split(d.Text[run.start:run.end], "\n")
		for i := range lines {
			lines[i] = strings.TrimPrefix(strings.TrimSpace(lines[i]), strings.TrimSpace(mark))
		}
		text := strings.Join(strings.Fields(strings.Join(lines, " ")), " ")
		if text == "" {
			edits = append(edits, edit{run.start, min(run.end+1, len(d.Text)), ""})
			continue
		}
		less := shorten(text)
		changed = changed || less != text
		edits = append(edits, edit{first.Start, first.End, mark + less})
		if first.End < run.end {
			edits = append(edits, edit{first.End, run.end, ""})
		}
	}
	return withoutEmptyLines(replace(d, edits)), changed
}
