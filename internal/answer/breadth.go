package answer

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/markup"
	"github.com/docent-mcp/docent/internal/naming"
)

// If an answer has no room for the declarations of all requested symbols with the inputs of their
// calls, such as those that a pattern matches in the client of a service, it lists all of them
// with as many details as fit for each.

// minListed is the minimum number of symbols that are listed in this way.
const minListed = 6

// shortenedComments begins the sentence that describes how to get what such a list omits, and
// shortenedFields if the list contains the beginnings of the comments on fields.
const (
	shortenedComments = "Comments are shortened, and those on fields are omitted."
	shortenedFields   = "Comments are shortened."
)

// inputDetail determines how much of the input of an operation is shown below its signature.
type inputDetail int

const (
	noInput inputDetail = iota
	inputNames
	inputFields
	inputComments
)

// briefDepths contains the depths that are tried for such a list, from most to least detailed.
var briefDepths = []struct {
	docs  int // sentence, clause or none
	input inputDetail
}{{sentence, inputComments}, {clause, inputComments}, {sentence, inputFields}, {sentence, inputNames}, {clause, inputNames}, {clause, noInput}, {none, noInput}}

// breadthText lists symbols in at most room bytes, or in maximum bytes if the comments on the fields of all
// inputs fit then. It returns "" if there is room for the declarations of all symbols with the inputs of
// their calls.
func breadthText(requests []Subject, room, maximum int, g Guide) string {
	if room == 0 || len(requests) < minListed {
		return ""
	}
	needed := 0
	for i := range requests {
		needed += requests[i].minRoom(true)
	}
	if needed <= room {
		return ""
	}
	var first string
	for i := range requests {
		if r, s := requests[i].Renderer, requests[i].Symbol; first == "" || s.IsCallable() {
			if first = oneLine(naming.Called(r.pkg, s.Path)); s.IsCallable() {
				break
			}
		}
	}
	advice := " To see symbols in full, " + g.symbol(first) + ", or about ten at once."
	withInputs := slices.ContainsFunc(requests, func(a Subject) bool { return len(a.ownInputs(a.Symbol)) > 0 })
	for _, d := range briefDepths {
		end, limit := shortenedComments+advice, room
		if d.input == inputComments {
			if !withInputs {
				continue
			}
			end, limit = shortenedFields+advice, maximum
		}
		limit -= len(end) + 2
		text, count := briefList(requests, d.docs, d.input, limit)
		switch {
		case count == len(requests):
			return text + "\n" + end + "\n"
		case d.docs == none && count > 0:
			var rest []string
			for i := range requests[count:] {
				rest = append(rest, oneLine(requests[count+i].Symbol.Name()))
			}
			return text + "\nNot listed: " + (nameGroup{names: rest}).summary(max(room/8, 80)) + "\n\n" + end + "\n"
		}
	}
	return ""
}

// briefList writes the declarations of symbols that fit into limit bytes. It returns their number.
func briefList(requests []Subject, docs int, input inputDetail, limit int) (text string, count int) {
	var w writer
	shown := map[*apidoc.Symbol]bool{}
	for count < len(requests) {
		group := requests[count:]
		heading := group[0].briefHeading()
		if end := slices.IndexFunc(group, func(a Subject) bool { return a.Renderer != group[0].Renderer || a.briefHeading() != heading }); end >= 0 {
			group = group[:end]
		}
		r := group[0].Renderer
		var code writer
		code.b.Write(w.b.Bytes())
		code.block(heading)
		l := lister{r: r, dense: true}
		listed := 0
		for i := range group {
			s := group[i].Symbol
			before := l.b.Len()
			l.decl(&decl{symbols: []apidoc.Symbol{*s}}, depth{docs: docs, members: names}, "")
			for _, t := range r.ownInputs(s) {
				if input != noInput && !shown[t] {
					shown[t] = true
					l.lines("", comment(r.pkg), r.inputLine(t, input))
				}
			}
			if code.b.Len()+l.b.Len()+20 > limit {
				fitting := l.b.String()[:before]
				l.b.Reset()
				l.b.WriteString(fitting)
				break
			}
			listed++
		}
		if listed > 0 {
			w = code
			w.code(fence(r.pkg), l.b.String())
			count += listed
		}
		if listed < len(group) {
			break
		}
	}
	return w.b.String(), count
}

// briefHeading returns the heading of a list of symbols in brief. It names the type that declares
// them unless their declarations do.
func (a *Subject) briefHeading() string {
	heading := ""
	if parent := a.Symbol.ParentPath(); parent != "" && !a.saysPath(a.Symbol, oneLine(a.Symbol.Path)) {
		heading = "## Members of " + oneLine(naming.Called(a.pkg, parent))
		if a.inPackage {
			heading += " in " + oneLine(a.pkg.Name)
		}
	} else if a.inPackage {
		heading = "## " + oneLine(a.pkg.Name)
	}
	return heading
}

// ownInputs returns the types with members that calls of s take, and few others.
func (r *Renderer) ownInputs(s *apidoc.Symbol) []*apidoc.Symbol {
	if s.IsType() {
		return nil
	}
	takes, _ := r.callTypes(s)
	return slices.DeleteFunc(takes, func(t *apidoc.Symbol) bool { return len(r.uses()[t]) > commonUses || t.NumMembers() == 0 })
}

// shortClause returns the beginning of the comment on a field, or "" if it only repeats the name.
func shortClause(doc, path string) string {
	text := oneLine(firstParagraph(markup.Clean(doc)))
	if repeatsName(text, path) {
		return ""
	}
	return strings.TrimSuffix(excerpt(text, maxClause), ".")
}

// inputLine returns the fields of an input on one line, or its methods if it has no fields.
func (r *Renderer) inputLine(t *apidoc.Symbol, input inputDetail) string {
	members := t.AllMembers()
	fields := slices.DeleteFunc(slices.Clone(members), func(m apidoc.Symbol) bool { return m.IsCallable() || m.Role() == apidoc.ConstructorRole })
	if len(fields) == 0 {
		fields, input = members, inputNames
	}
	var all []string
	for i := range fields {
		if input == inputNames {
			all = append(all, oneLine(fields[i].Name()))
			continue
		}
		field := strings.TrimRight(oneLine(withoutComments(r.concise(&fields[i])).Text), ",;")
		if clause := shortClause(fields[i].Doc, fields[i].Path); input == inputComments && clause != "" {
			field += " (" + clause + ")"
		}
		all = append(all, field)
	}
	return oneLine(t.Path) + ": " + strings.Join(all, ", ")
}
