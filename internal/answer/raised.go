package answer

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/lazyregexp"
	"github.com/docent-mcp/docent/internal/markup"
	"github.com/docent-mcp/docent/internal/naming"
)

// The comment on a function often names the errors that it raises without explaining them. The answer
// then lists the errors with the first sentences of their comments, so that readers do not have to
// request each of them.

const (
	// maxRaised is the maximum number of errors that an answer lists, and maxRaisedBytes the maximum
	// size of the list in bytes.
	maxRaised      = 24
	maxRaisedBytes = 1600
	// maxMeaning is the maximum size in bytes of the comment on one error.
	maxMeaning = 160
)

// raisedError is an error that the comment on a requested symbol names. declared is the type that
// declares it: the error itself or, for a value of an enumeration, the enumeration.
type raisedError struct {
	in       *Renderer
	declared *apidoc.Symbol
	names    []string // the name, and those of similar errors
	meaning  string
	fields   string
	kind     string // the last words of the name
	from     string // the package, in an answer about several packages
	length   int    // number of bytes that the error adds to the list
}

// shares reports whether errors that differ only in the first words of their names share a line.
func (e *raisedError) shares(other *raisedError) bool {
	return e.kind != "" && e.kind == other.kind && e.fields == other.fields && e.from == other.from
}

// line returns the line about an error and those similar to it.
func (e *raisedError) line() string {
	line := raisedItem(strings.Join(e.names, ", ")) + e.from
	switch {
	case len(e.names) == 1 && strings.HasPrefix(e.meaning, e.names[0]+" ") && e.from == "":
		line = raisedItem(e.meaning)
	case e.meaning != "":
		line += ": " + e.meaning
	}
	if e.fields != "" {
		line += " (`" + e.fields + "`)"
	}
	return line
}

// namedInComment matches a name or path in a comment, with its quotation marks.
var namedInComment = lazyregexp.New("`?[\\pL_][\\pL\\pN_]*(?:(?:\\.|::)[\\pL_][\\pL\\pN_]*)*`?")

// aboutResult matches a line about what a call returns or how it fails.
var aboutResult = lazyregexp.New("(?i)\\b(?:errors?|exceptions?|fails?|throws?|thrown|raises?|raised|returns?|returned|yields?|gives?)\\b")

// errorWord matches a word that names of errors begin or end with.
var errorWord = lazyregexp.New("^Err(?:\\p{Lu}|or\\p{Lu}|$)|(?:\\p{Ll}|\\pN)(?:Error|Exception|Failure|Fault)$")

// raisedIn returns the errors that a comment names: those in sentences about errors, and those in
// other sentences whose names are names of errors.
func (r *Renderer) raisedIn(doc string) (found []*apidoc.Symbol) {
	for _, name := range raisedNames(doc) {
		if s := r.pkg.At(name); s != nil && s.IsType() {
			found = appendNew(found, s)
		}
	}
	words := 0
	for line := range strings.Lines(doc) {
		if words == maxNamedInComment || !aboutResult().MatchString(line) {
			continue
		}
		for _, match := range namedInComment().FindAllString(line, maxNamedInComment-words) {
			words++
			if s := r.errorAt(strings.ReplaceAll(strings.Trim(match, "`"), "::", ".")); s != nil {
				found = appendNew(found, s)
			}
		}
	}
	return found
}

const (
	// maxNamedInComment is the maximum number of words of a comment that are compared with the names of
	// errors. maxErrorPath is the maximum length of such a word in bytes.
	maxNamedInComment = 400
	maxErrorPath      = 200
)

// errorAt returns the symbol at a path that may begin with the name of the package, if its name or the
// name of its enumeration is that of an error.
func (r *Renderer) errorAt(path string) *apidoc.Symbol {
	if len(path) > maxErrorPath {
		return nil
	}
	for {
		parent, name, _ := cutLast(path)
		if name == "" {
			parent, name = "", path
		}
		if !errorWord().MatchString(name) && !errorWord().MatchString(parent[strings.LastIndexByte(parent, '.')+1:]) {
			return nil
		}
		s := naming.Exact(r.pkg, path)
		switch {
		case s == nil:
		case s.IsType(), s.Role() == apidoc.EnumValueRole, s.Role() == apidoc.ValueRole && errorWord().MatchString(name):
			return s
		default:
			return nil
		}
		_, rest, ok := strings.Cut(path, ".")
		if !ok {
			return nil
		}
		path = rest
	}
}

// raisedBy returns the errors of the packages of symbols that their comments name. It omits those that
// were also requested. Similar errors share a line.
func raisedBy(requests []Subject) (all []raisedError) {
	seen := map[*apidoc.Symbol]bool{}
	for i := range requests {
		seen[requests[i].Symbol] = true
	}
	length, count := 0, 0
	for i := range requests {
		r := requests[i].Renderer
		if requests[i].Symbol.IsType() {
			continue
		}
		doc := unwrapped(markup.Clean(requests[i].Symbol.Doc))
		for _, s := range r.raisedIn(doc) {
			if seen[s] || count == maxRaised {
				continue
			}
			fields, declared := r.fieldsOf(s), s
			if s.Role() == apidoc.EnumValueRole {
				if declared = r.pkg.At(s.ParentPath()); declared == nil || seen[declared] {
					continue
				}
				if fields = strings.TrimRight(oneLine(r.concise(s).Text), ",;"); fields == s.Name() {
					fields = ""
				}
			}
			if s.Doc == "" && fields == "" || fields == "" && strings.Contains(doc, "- `"+s.Name()+"`: ") {
				continue // there is no comment on it, or the list of errors explains it
			}
			seen[s] = true
			count++
			e := raisedError{in: r, declared: declared, fields: fields, kind: lastWords(s.Name(), 2)}
			e.names = []string{oneLine(naming.Called(r.pkg, s.Path))}
			if requests[i].inPackage {
				e.from = inPackage + oneLine(r.pkg.Name)
			}
			e.meaning = excerpt(oneLine(firstParagraph(markup.Clean(s.Doc))), maxMeaning)
			e.length = len(e.line()) + 1
			if slices.ContainsFunc(all, func(other raisedError) bool { return e.shares(&other) }) {
				e.length = len(e.names[0]) + 2
			}
			if length += e.length; length > maxRaisedBytes {
				return all
			}
			all = append(all, e)
		}
	}
	return all
}

// maxErrorFields is the maximum number of fields of an error that are listed.
const maxErrorFields = 4

// fieldsOf returns the fields with comments that a type itself declares. Fields without comments often only
// distinguish the type from others.
func (r *Renderer) fieldsOf(t *apidoc.Symbol) string {
	if !t.IsType() {
		return ""
	}
	var all []string
	for i := range t.Members {
		if m := &t.Members[i]; m.IsField() && m.From == "" && m.Doc != "" && len(all) < maxErrorFields {
			all = append(all, strings.TrimRight(oneLine(withoutTags(r.concise(m)).Text), ",;"))
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
	for i := range all {
		size += all[i].length
	}
	return size
}

// writeRaised lists the errors that are not in shown. Errors with the same fields whose names differ
// only in their first words, such as GateBusyError and LampBusyError, share a line.
func writeRaised(w *writer, all []raisedError, shown shownSet) {
	var combined []raisedError
	for _, e := range all {
		if shown.has(e.declared) {
			continue
		}
		if i := slices.IndexFunc(combined, func(other raisedError) bool { return e.shares(&other) }); i >= 0 {
			combined[i].names = append(combined[i].names, e.names...)
		} else {
			combined = append(combined, e)
		}
	}
	var lines []string
	fields := "" // those on the line before
	for i := range combined {
		e := &combined[i]
		line := e.line()
		if e.fields != "" && e.fields == fields {
			line = strings.TrimSuffix(line, " (`"+e.fields+"`)") + sameFields
		}
		fields = e.fields
		lines = append(lines, line)
	}
	if len(lines) > 0 {
		w.block(raisedTitle + "\n\n" + strings.Join(lines, "\n"))
	}
}

// sameFields replaces the fields of an error that are those of the error before it.
const sameFields = " (same fields)"
