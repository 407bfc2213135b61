package answer

import (
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/markup"
	"github.com/docent-mcp/docent/internal/naming"
)

// The comment on a function often names the errors that it raises without explaining them. The answer
// then lists the errors with the first sentences of their comments, so that readers do not have to
// request each of them.

const (
	// maxRaised is the maximum number of errors that an answer lists, and maxRaisedBytes the maximum
	// size of the list in bytes.
	maxRaised      = 16
	maxRaisedBytes = 1600
	// maxMeaning is the maximum size in bytes of the comment on one error.
	maxMeaning = 160
)

// raisedError is an error that the comment on a requested symbol names.
type raisedError struct{ name, line string }

// raisedBy returns the errors of the packages of symbols that their comments name. It omits those that
// were also requested.
func raisedBy(requests []Subject) (all []raisedError) {
	seen := map[*apidoc.Symbol]bool{}
	for i := range requests {
		seen[requests[i].Symbol] = true
	}
	length := 0
	for i := range requests {
		r := requests[i].Renderer
		doc := unwrapped(markup.Clean(requests[i].Symbol.Doc))
		for _, name := range raisedNames(doc) {
			s := r.pkg.At(name)
			if s == nil || seen[s] || !s.IsType() || len(all) == maxRaised {
				continue
			}
			fields := r.fieldsOf(s)
			if s.Doc == "" && fields == "" || fields == "" && strings.Contains(doc, "- `"+name+"`: ") {
				continue // there is no comment on it, or the list of errors explains it
			}
			seen[s] = true
			line := raisedItem(oneLine(naming.Called(r.pkg, s.Path)))
			if requests[i].inPackage {
				line += inPackage + oneLine(r.pkg.Name)
			}
			if meaning := excerpt(oneLine(firstParagraph(markup.Clean(s.Doc))), maxMeaning); meaning != "" {
				line += ": " + meaning
			}
			if fields != "" {
				line += " (`" + fields + "`)"
			}
			if length += len(line) + 1; length > maxRaisedBytes {
				return all
			}
			all = append(all, raisedError{s.Name(), line})
		}
	}
	return all
}

// maxErrorFields is the maximum number of fields of an error that are listed.
const maxErrorFields = 3

// fieldsOf returns the fields with comments that a type itself declares. Fields without comments often only
// distinguish the type from others.
func (r *Renderer) fieldsOf(t *apidoc.Symbol) string {
	var all []string
	for i := range t.Members {
		if m := &t.Members[i]; m.IsField() && m.From == "" && m.Doc != "" && len(all) < maxErrorFields {
			all = append(all, strings.TrimRight(oneLine(r.concise(m).Text), ",;"))
		}
	}
	return strings.Join(all, ", ")
}

const (
	raisedTitle = "Errors:"
	// inPackage stands between the name of an error and its package in an answer about several packages.
	inPackage = " in "
)

// raisedItem returns the beginning of the line about an error.
func raisedItem(name string) string { return "- " + name }

// sizeOfRaised returns the size in bytes of the list of errors.
func sizeOfRaised(all []raisedError) int {
	if len(all) == 0 {
		return 0
	}
	size := len(raisedTitle) + 4
	for _, e := range all {
		size += len(e.line) + 1
	}
	return size
}

// writeRaised lists the errors whose declarations the answer does not contain.
func writeRaised(w *writer, all []raisedError) {
	text := w.b.String()
	var lines []string
	for _, e := range all {
		if !declaresName(text, e.name) {
			lines = append(lines, e.line)
		}
	}
	if len(lines) > 0 {
		w.block(raisedTitle + "\n\n" + strings.Join(lines, "\n"))
	}
}

// declaresName reports whether a text contains a name other than as a quotation in a comment, so
// that it shows the declaration or a use of it.
func declaresName(text, name string) bool {
	for rest := text; ; {
		i := strings.Index(rest, name)
		if i < 0 {
			return false
		}
		end := i + len(name)
		before, after := i == 0 || !inName(rest[i-1]) && rest[i-1] != '`', end == len(rest) || !inName(rest[end]) && rest[end] != '`'
		if before && after {
			return true
		}
		rest = rest[end:]
	}
}
