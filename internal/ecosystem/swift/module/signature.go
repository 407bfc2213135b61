package module

import (
	"cmp"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
)

// signature returns the declaration in the form shown to users: with the
// conformances of a type, and with the constraints of the extension that
// declares a member. For an inherited member, it omits constraints on Self,
// because they are satisfied.
func (d *documenter) signature(e *entity, inherited bool) string {
	text := e.declaration()
	for _, noise := range []string{"@preconcurrency ", "@frozen "} {
		text = strings.Replace(text, noise, "", 1)
	}
	if e.decl.Access == source.Open {
		text = withModifier(text, "open")
	}
	if v := e.decl.Value; literal(v) && (e.is(source.Case) || e.decl.Let && e.is(source.Var)) {
		text += " = " + v
	}
	switch {
	case e.isType() && !e.isProtocol():
		if list := d.clause(e); list != "" {
			head, where, ok := strings.Cut(text, " where ")
			text = head + " : " + list
			if ok {
				text += " where " + where
			}
		}
	case e.ext != nil:
		where := e.ext.where
		if inherited {
			where = slices.DeleteFunc(slices.Clone(where), func(q source.Requirement) bool { return q.Left == "Self" })
		}
		text = constrained(text, where)
	}
	lines := d.restrictions(e)
	if a := d.introduced(e); a != "" {
		lines = append([]string{a}, lines...)
	}
	return strings.Join(append(lines, text), "\n")
}

// withModifier inserts a keyword into a declaration, after its attributes.
func withModifier(text, word string) string {
	i := 0
	for i < len(text) && text[i] == '@' {
		for i < len(text) && text[i] != ' ' && text[i] != '(' {
			i++
		}
		if i < len(text) && text[i] == '(' {
			i = closingIndex(text, i)
		}
		i = skipSpace(text, i)
	}
	return text[:i] + word + " " + text[i:]
}

// maxLiteral is the maximum size, in bytes, of a value that is shown with a declaration.
const maxLiteral = 40

// literal reports whether an initial value is a single short literal.
func literal(text string) bool {
	if text == "" || len(text) > maxLiteral || strings.Contains(text, "\n") || strings.Contains(text, `\(`) {
		return false
	}
	s := source.NewScanner(strings.TrimPrefix(text, "-"))
	switch t := s.Next(); t.Kind {
	case source.Integer, source.Float, source.String:
		return s.Next().Kind == source.EOF
	}
	return text == "true" || text == "false"
}

// clause returns the inheritance clause of a type: its superclass and the
// protocols to which it conforms unconditionally.
func (d *documenter) clause(e *entity) string {
	var list []string
	add := func(u *unit, texts []string, scope *entity, f *file) {
		for _, text := range texts {
			for _, b := range u.bounds(text, scope, f) {
				if !b.isVisible() {
					text = ""
				}
			}
			text = shortConformance(text)
			if text != "" && !slices.Contains(list, text) {
				list = append(list, text)
			}
		}
	}
	add(e.unit, e.decl.Inherits, e.parent, e.file)
	for _, x := range e.extensions {
		if len(x.where) == 0 && !x.hidden && (d.shows(x.unit) || d.isPicked(e)) {
			add(x.unit, x.decl.Inherits, e, x.file)
		}
	}
	return strings.Join(list, ", ")
}

// shortConformance returns a conformance as text, without attributes that users
// do not need and without the name of the standard library.
func shortConformance(text string) string {
	for _, word := range []string{"@retroactive ", "@preconcurrency "} {
		text = strings.ReplaceAll(text, word, "")
	}
	text = strings.TrimPrefix(source.PrintType(text), "Swift.")
	if rest, ok := strings.CutPrefix(text, "@unchecked "); ok {
		if rest = strings.TrimPrefix(rest, "Swift."); rest != "Sendable" {
			return rest
		}
		return "@unchecked " + rest
	}
	return text
}

// constrained adds the constraints of an extension to the declaration of a member.
func constrained(text string, where []source.Requirement) string {
	if len(where) == 0 {
		return text
	}
	parts := make([]string, len(where))
	for i := range where {
		q := &where[i]
		op := " == "
		if q.Op == ":" {
			op = " : "
		}
		parts[i] = source.PrintType(q.Left) + op + source.PrintType(q.Right)
	}
	clause := strings.Join(parts, ", ")
	tail := ""
	if i := strings.LastIndex(text, " { "); i > 0 && strings.HasSuffix(text, " }") {
		text, tail = text[:i], text[i:]
	}
	if strings.Contains(text, " where ") {
		return text + ", " + clause + tail
	}
	return text + " where " + clause + tail
}

// introduced returns the attribute with the version of the platform that
// introduced an entity. It is empty if the platform has no versions or if the
// type has the same attribute.
func (d *documenter) introduced(e *entity) string {
	if !d.w.platform.apple() {
		return ""
	}
	since := func(all []source.Availability) string {
		for _, a := range all {
			if a.Domain == d.w.platform.os {
				return a.Introduced
			}
		}
		return ""
	}
	version := since(e.availability())
	if version == "" || e.parent != nil && since(e.parent.availability()) == version {
		return ""
	}
	return "@available(" + d.w.platform.os + " " + version + ", *)"
}

// restrictions returns an attribute for each platform on which an entity cannot be used or is deprecated, and one if
// asynchronous functions cannot use it. It omits those that the type has, and the deprecation that is shown as a notice.
func (d *documenter) restrictions(e *entity) []string {
	list := func(all []source.Availability) (lines []string) {
		for _, a := range all {
			add := func(what, version string) {
				if version != "" {
					what += ": " + version
				}
				lines = append(lines, "@available("+a.Domain+", "+what+")")
			}
			everywhere := a.Domain == "*" || a.Domain == "Swift"
			switch {
			case a.Unavailable && !everywhere:
				add("unavailable", "")
			case a.Obsoleted != "" && !everywhere:
				add("obsoleted", a.Obsoleted)
			case a.IsDeprecated && !everywhere && a.Domain != d.w.platform.os:
				add("deprecated", a.Deprecated)
			}
			if a.NoAsync {
				add("noasync", "")
			}
		}
		return lines
	}
	lines := list(e.availability())
	if e.parent != nil {
		outer := list(e.parent.availability())
		lines = slices.DeleteFunc(lines, func(line string) bool { return slices.Contains(outer, line) })
	}
	return lines
}

// deprecation returns the deprecation notice of an entity, for all platforms or
// for this one. It returns "" if there is none.
func (d *documenter) deprecation(e *entity) string {
	for _, a := range e.availability() {
		if !a.IsDeprecated || a.Domain != "*" && a.Domain != "Swift" && a.Domain != d.w.platform.os {
			continue
		}
		text := a.Message
		if a.Renamed != "" && !strings.Contains(text, a.Renamed) {
			text = strings.TrimSpace(text + " Use " + a.Renamed + ".")
		}
		if a.Domain != "*" && a.Deprecated != "" {
			text = strings.TrimSpace("Since " + a.Domain + " " + a.Deprecated + ". " + text)
		}
		return cmp.Or(text, "Deprecated.")
	}
	return ""
}
