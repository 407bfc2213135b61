package source

import "strings"

// declaration reads a function or class. name is the index after the word def or
// class. async is true after the word async.
func (r *reader) declaration(out *[]Stmt, start, name, indent, depth int, in place, decorators []*Expression, async bool) {
	pos := space(r.s, name)
	kind := Def
	if r.s[start] == 'c' {
		kind = Class
	}
	l := r.scanner.statement(start)
	if l.problem != "" {
		r.gap(start, l.problem+lost)
	}
	end := l.colon
	if end < 0 {
		end = l.end
	}
	called := word(r.s[pos:])
	if called == "" || called[0] >= '0' && called[0] <= '9' {
		r.pos = l.next
		return
	}
	r.statements++
	*out = append(*out, Stmt{Kind: kind, Line: r.line(start), Async: async, Name: called, Decorators: decorators})
	s := &(*out)[len(*out)-1]
	r.header(s, pos+len(called), end)
	if l.colon < 0 {
		r.pos = l.next
		return
	}
	if first := space(r.s, l.colon+1); first < l.end || l.semi >= 0 { // The body is on the same line.
		if q := stringPrefix(r.s[first:]); q >= 0 {
			if text := strings.TrimSpace(r.s[first:l.end]); onlyStrings(text) {
				s.Doc = text
			}
		}
		if s.Kind == Class {
			r.simple(&s.Body, first, "", class)
		} else {
			r.pos = l.next
			if l.semi >= 0 {
				r.pos = r.skip(l.next)
			}
		}
		return
	}
	r.pos = l.next
	s.Doc = r.docstring(indent)
	switch {
	case s.Kind == Class:
		r.comment = ""
		r.block(&s.Body, indent, depth+1, class)
	case r.bodies || in == module && s.Name == "__getattr__":
		r.block(&s.Body, indent, depth+1, function)
	default:
		r.deprecation(s, indent)
		if in == class && s.Name == "__init__" {
			r.attributes(s, indent)
		} else {
			r.skipBlock(indent)
		}
	}
}

// header reads the part between the name of a function or class and the colon.
func (r *reader) header(s *Stmt, i, end int) {
	i = space(r.s, i)
	if i < end && r.s[i] == '[' {
		if e := r.matching(i, end); e > 0 {
			s.TypeParams = strings.TrimSpace(r.s[i+1 : e])
			i = space(r.s, e+1)
		}
	}
	if i < end && r.s[i] == '(' {
		e := r.matching(i, end)
		if e < 0 {
			e = end
		}
		s.Params = strings.TrimSpace(r.s[i+1 : e])
		for strings.HasPrefix(s.Params, "#") { // as in def f(  # noqa
			_, rest, _ := strings.Cut(s.Params, "\n")
			s.Params = strings.TrimSpace(rest)
		}
		if e == end {
			return
		}
		i = space(r.s, e+1)
	}
	if i < end && strings.HasPrefix(r.s[i:end], "->") {
		s.Returns = strings.TrimSpace(r.s[i+2 : end])
	}
}

// deprecation records whether the body of a function begins with a warning that
// the function is deprecated.
func (r *reader) deprecation(s *Stmt, parent int) {
	start := r.pos
	indent := r.indentation()
	pos := r.pos
	r.pos = start
	r.comment = ""
	if indent <= parent {
		return
	}
	if rest := r.s[pos:]; !strings.HasPrefix(rest, "warnings.warn(") && !strings.HasPrefix(rest, "warn(") {
		return
	}
	l := r.scanner.statement(pos)
	text := r.s[pos:l.end]
	if !strings.Contains(text, "DeprecationWarning") && !strings.Contains(text, "FutureWarning") {
		return
	}
	open := strings.IndexByte(text, '(')
	if args := split(nil, strings.TrimSuffix(text[open+1:], ")")); len(args) > 1 {
		s.Deprecated = args[0]
	}
}

// attributes reads the assignments to attributes of the first parameter in the
// body of __init__, however deeply they are nested.
func (r *reader) attributes(s *Stmt, parent int) {
	self := word(s.Params) + "."
	for self != "." {
		indent := r.indentation()
		if indent <= parent {
			if indent >= 0 {
				r.pos = r.lineStart()
			}
			return
		}
		rest := r.s[r.pos:]
		switch {
		case strings.HasPrefix(rest, self):
			r.simple(&s.Body, r.pos, r.comment, class)
		case rest[0] == '(' && strings.HasPrefix(rest[1:], self), rest[0] == '"' || rest[0] == '\'':
			r.simple(&s.Body, r.pos, "", class)
		case startsDeclaration(r.s, r.pos):
			l := r.scanner.statement(r.pos)
			r.pos = l.next
			if l.colon >= 0 && space(r.s, l.colon+1) >= l.end {
				r.skipBlock(indent)
			}
		default:
			r.pos = r.skip(r.pos)
		}
		r.comment = ""
	}
	r.skipBlock(parent)
}
