package answer

import (
	"fmt"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/markup"
	"github.com/docent-mcp/docent/internal/naming"
)

// This file writes the declaration of a symbol with its documentation.

// declaration writes the declarations at the path of a symbol, truncated to forDeclaration bytes,
// and their documentation. Together they take at most room bytes, unless the declarations alone
// take more. If place is true, it adds the file and the line.
func (r *Renderer) declaration(w *writer, s *apidoc.Symbol, room, forDeclaration int, place bool, shown shownSet, rest *[]string) {
	for i, each := range append([]*apidoc.Symbol{s}, r.pkg.Namesakes(s)...) {
		if i > 0 && w.b.Len() > room {
			*rest = append(*rest, "another declaration of the same name")
			return
		}
		w.code(fence(r.pkg), r.signature(each, forDeclaration, rest).Text)
		d := decl{symbols: []apidoc.Symbol{*each}}
		var notes []string
		if called := oneLine(naming.Called(r.pkg, s.Path)); i == 0 && called != oneLine(s.Path) {
			notes = append(notes, "("+r.defaultExport(called, s)+")")
		} else if remark := r.remarks(&d, r.constraint(each)); remark != "" {
			notes = append(notes, remark)
		}
		if deprecated := oneLine(each.Deprecated); deprecated != "" && !strings.Contains(each.Doc, "Deprecated:") {
			notes = append(notes, "**Deprecated:** "+deprecated)
		}
		w.block(strings.Join(notes, " "))
		doc := shown.similar(each, shown.unsaid(once(markup.Clean(each.Doc))))
		if maximum := max(room-w.b.Len()-100, 60); len(doc) > maximum {
			doc = excerptOfCall(doc, maximum)
			*rest = append(*rest, fmt.Sprintf(restOfComment+" (%d bytes)", len(each.Doc)-len(doc)))
		}
		shown.say(doc)
		w.prose(doc, 3)
		if place && each.File != "" {
			w.block(fmt.Sprintf("Declared in %s:%d.", oneLine(each.File), each.Line))
		}
	}
}

// signature returns the declaration of a symbol, shortened if it takes most of the room.
func (r *Renderer) signature(s *apidoc.Symbol, room int, rest *[]string) *apidoc.Decl {
	d := r.withoutLiterals(r.concise(s), s) // the members are listed below the declaration
	limit := room * 3 / 4
	if s.IsType() && strings.Contains(d.Text, "\n") {
		limit = room * 15 / 16 // for readers, the declaration is the most important part
	}
	if len(d.Text) > min(room/2, limit) {
		d, _ = r.briefComments(d, 0)
	}
	if len(d.Text) > limit {
		d, _ = r.clauseComments(d)
	}
	if len(d.Text) > limit {
		if short := withoutComments(d); short.Text != d.Text {
			d = short
			*rest = append(*rest, commentsWithin)
		}
	}
	if short, n := fewer(d, max(room/overloadShare, 200), comment(r.pkg)); n > 0 && room < 1<<29 {
		d = short
		*rest = append(*rest, plural(n, "overload", "overloads"))
	}
	if len(d.Text) > limit {
		*rest = append(*rest, "the rest of the declaration")
		end := attributesEnd(d)
		return &apidoc.Decl{Text: d.Text[:end] + firstLines(d.Text[end:], limit-end) + "\n" + comment(r.pkg) + "…"}
	}
	return d
}

// commentsWithin states that comments within a declaration were omitted.
const commentsWithin = "the comments within the declaration"

// inComments reports whether documentation can be shown as comments in code. This is the case if it
// contains no code, headings and tables.
func inComments(doc string) bool {
	return !strings.Contains(doc, "```") && !strings.Contains(doc, "\n#") && !strings.Contains(doc, "\n|") && !strings.Contains(doc, "\n    ")
}

// isNamed reports whether a symbol has a single declaration that contains the symbol's name in
// the form that users write.
func (r *Renderer) isNamed(s *apidoc.Symbol) bool {
	return !r.pkg.IsInternal(s) && len(r.pkg.Namesakes(s)) == 0 && r.saysPath(s, oneLine(naming.Called(r.pkg, s.Path)))
}

// commented writes the declarations at the path of a symbol below their documentation, as in source
// code. It truncates the text to room bytes.
func (r *Renderer) commented(w *writer, s *apidoc.Symbol, refer string, room, forDeclaration int, shown shownSet, rest *[]string) {
	mark := comment(r.pkg)
	for i, each := range append([]*apidoc.Symbol{s}, r.pkg.Namesakes(s)...) {
		if i > 0 && w.b.Len() > room {
			*rest = append(*rest, "another declaration of the same name")
			return
		}
		signature := shown.sameBody(each, withoutTags(r.signature(each, forDeclaration, rest)), mark)
		doc := shown.similar(each, shown.unsaid(once(markup.Clean(each.Doc))))
		maximum := max(room-w.b.Len()-len(signature), 60)
		if len(doc) > maximum {
			doc = r.telling(doc)
		}
		if len(doc) > maximum {
			short := excerptOfCall(doc, maximum)
			*rest = append(*rest, fmt.Sprintf(restOfComment+" (%d bytes)", len(doc)-len(short)))
			doc = short
		}
		shown.say(doc)
		if refer != "" && i == 0 && len(refer) < room-w.b.Len()-len(signature)-len(doc) {
			doc = strings.TrimLeft(doc+"\n\n"+refer, "\n")
		}
		d := decl{symbols: []apidoc.Symbol{*each}}
		if called := oneLine(naming.Called(r.pkg, s.Path)); i == 0 && called != oneLine(s.Path) {
			doc = strings.TrimLeft(doc+"\n("+r.defaultExport(called, s)+")", "\n")
		} else if remark := r.remarks(&d, r.constraint(each)); remark != "" {
			doc = strings.TrimLeft(doc+"\n"+remark, "\n")
		}
		if deprecated := oneLine(each.Deprecated); deprecated != "" && !strings.Contains(each.Doc, "Deprecated:") {
			doc = strings.TrimLeft(doc+"\nDeprecated: "+deprecated, "\n")
		}
		l := lister{r: r}
		if doc != "" {
			l.lines("", mark, commentText(doc))
		}
		l.lines("", "", signature)
		w.code(fence(r.pkg), l.b.String())
	}
}

// defaultExport returns a remark that a symbol, or the type to which a member belongs, is the value
// that an import of the whole package provides.
func (r *Renderer) defaultExport(called string, s *apidoc.Symbol) string {
	path, rest, member := strings.Cut(oneLine(s.Path), ".")
	if member {
		called = strings.TrimSuffix(called, "."+rest)
	}
	return called + " is " + r.export(path)
}

// firstLines returns the lines of s that fit into limit bytes.
func firstLines(s string, limit int) string {
	limit = max(limit, 0)
	if len(s) <= limit {
		return s
	}
	if end := strings.LastIndexByte(s[:limit], '\n'); end > 0 {
		return s[:end]
	}
	return strings.ToValidUTF8(s[:limit], "")
}

// firstOf returns the first lines of s, followed by "…" if there are more.
func firstOf(s string, lines int) string {
	all := strings.SplitAfterN(strings.Trim(s, "\n"), "\n", lines+1)
	if len(all) <= lines {
		return s
	}
	return strings.Join(all[:lines], "") + "…"
}
