package answer

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/markup"
)

// withoutComments removes the lines of a signature that contain only a comment, and the empty lines
// that then remain.
func withoutComments(signature string) string {
	if !strings.Contains(signature, "\n") {
		return signature
	}
	var lines []string
	inBlock := false
	for line := range strings.SplitSeq(signature, "\n") {
		trimmed := strings.TrimSpace(line)
		switch {
		case inBlock:
			inBlock = !strings.Contains(trimmed, "*/")
			continue
		case strings.HasPrefix(trimmed, "/*"):
			inBlock = !strings.Contains(trimmed[2:], "*/")
			continue
		case trimmed == "" || strings.HasPrefix(trimmed, "//"):
			continue
		}
		lines = append(lines, line)
	}
	short := strings.Join(lines, "\n")
	if head, ok := strings.CutSuffix(short, "{\n}"); ok {
		return head + "{ … }" // the body held only comments
	}
	return short
}

// maxBody is the maximum number of lines of a declaration in a bare list.
const maxBody = 12

// collapsed shortens a declaration of many lines to its first lines and its last one, and puts the
// number of omitted lines between them. It joins a parameter list of several lines into one.
func collapsed(signature string) string {
	if strings.HasPrefix(signature, "func ") {
		return onOneLine(signature)
	}
	lines := strings.Split(signature, "\n")
	if len(lines) <= maxBody {
		return signature
	}
	const shown = maxBody - 3
	indent := lines[1][:len(lines[1])-len(strings.TrimLeft(lines[1], " \t"))]
	short := append([]string{}, lines[:1+shown]...)
	short = append(short, indent+"… "+plural(len(lines)-shown-2, "more line", "more lines"), lines[len(lines)-1])
	return strings.Join(short, "\n")
}

// onOneLine folds a signature of several lines, such as a long parameter list.
func onOneLine(signature string) string {
	if !strings.Contains(signature, "\n") {
		return signature
	}
	return strings.Join(strings.Fields(signature), " ")
}

// declared lists the names of the fields and methods that a declaration shows, which are at the
// beginnings of its inner lines, or between the braces of a struct on one line. Lines that are
// indented further belong to nested declarations. A member with parameters is also listed with
// callMark after its name.
func declared(signature string) []string {
	first, rest, more := strings.Cut(signature, "\n")
	if !more {
		_, inner, ok := strings.Cut(first, "struct{")
		if !ok {
			_, inner, ok = strings.Cut(first, "struct {")
		}
		if !ok {
			return nil
		}
		rest, more = strings.ReplaceAll(inner, ";", "\n"), true
	}
	var names []string
	indent := 0
	for more {
		var line string
		line, rest, more = strings.Cut(rest, "\n")
		text := strings.TrimLeft(line, " \t")
		if depth := len(line) - len(text); indent <= 0 {
			indent = depth
		} else if depth > indent {
			continue
		}
		line = strings.TrimPrefix(strings.TrimLeft(text, "*"), "pub ")
		for {
			end := 0
			for end < len(line) && inName(line[end]) {
				end++
			}
			if end == 0 {
				break
			}
			names = append(names, line[:end])
			if rest := strings.TrimPrefix(line[end:], "?"); strings.HasPrefix(rest, "(") || strings.HasPrefix(rest, "<") {
				names = append(names, line[:end]+callMark)
			}
			// Several fields can share a line: "X, Y int".
			tail, ok := strings.CutPrefix(line[end:], ",")
			if !ok {
				break
			}
			line = strings.TrimLeft(tail, " ")
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

// clipped shortens the lines of a declaration, and omits all but a few of many lines. A comment
// that begins with mark gives the number of omitted lines.
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

// headline returns the declaration of a symbol on one line, without decorators, attributes and
// comments. It drops the parameters if the line would be too long.
func (r *Renderer) headline(s *apidoc.Symbol) string {
	d := withoutAttributes(r.parse(s))
	declaration := d.Child(-1, apidoc.DeclarationPart)
	first, last := -1, -1 // the first and the last parameter
	if declaration >= 0 {
		for i := range d.Within(max(callPart(d, declaration), declaration), apidoc.ParamPart) {
			if first < 0 {
				first = d.Parts[i].Start
			}
			last = d.Parts[i].End
		}
	}
	text := concise(withoutComments(d.Text))
	if last >= 0 && d.Parts[declaration].End == len(d.Text) && strings.Contains(d.Text[:last], "\n") {
		text = onOneLine(text)
	}
	line := firstLine(text)
	if len(line) <= maxHeadline || first < 0 {
		return line
	}
	short := firstLine(onOneLine(d.Text[:first] + "…" + d.Text[last:]))
	if len(short) < len(line) {
		return short
	}
	return line
}

// maxHeadline is the maximum length, in bytes, of a declaration that is written on one line with
// its parameters.
const maxHeadline = 100

// briefComments shortens each run of comment lines within a declaration to at most most bytes, but
// keeps at least the first sentence. It reports whether it cut anything.
func briefComments(signature string, most int) (short string, cut bool) {
	return eachComment(signature, func(text string) string {
		first := ""
		for s := range markup.Sentences(text) {
			if first != "" && len(first)+1+len(s) > most {
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

// clauseComments shortens each run of comment lines within a declaration to the
// beginning of its first sentence. It reports whether it cut anything.
func clauseComments(signature string) (short string, cut bool) {
	return eachComment(signature, func(text string) string {
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

// eachComment joins each run of comment lines within a declaration to one line of text, and
// replaces it by the result of shorten. It reports whether anything has changed.
func eachComment(signature string, shorten func(string) string) (short string, changed bool) {
	var out []string
	var run []string
	indent := ""
	flush := func() {
		text := strings.Join(strings.Fields(strings.Join(run, " ")), " ")
		run = nil
		if text == "" {
			return
		}
		less := shorten(text)
		changed = changed || less != text
		out = append(out, indent+"// "+less)
	}
	for line := range strings.SplitSeq(signature, "\n") {
		trimmed := strings.TrimLeft(line, " \t")
		if text, ok := strings.CutPrefix(trimmed, "//"); ok {
			if len(run) == 0 {
				indent = line[:len(line)-len(trimmed)]
			}
			run = append(run, text)
			continue
		}
		flush()
		if trimmed == "" {
			continue
		}
		out = append(out, line)
	}
	flush()
	return strings.Join(out, "\n"), changed
}
