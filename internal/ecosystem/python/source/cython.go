package source

import (
	"cmp"
	"strings"
)

// Cython sources declare some names for Python and others for C. The conversion keeps
// the names for Python, written as Python: classes, functions with their parameters,
// properties, and assignments.
//
//	cdef class A(B):                  class A(B):
//	cpdef int f(x, bint y=True)       def f(x, y: bool=True)
//	def f(double[:] x not None)       def f(x: double[:])
//	cdef readonly int n               n: int
//	cdef public: / int n              n: int
//	cpdef enum Color: / RED, BLUE     class Color(enum.IntEnum): / RED = ...; BLUE = ...
//	property tag:                     @property, def tag(self):
//	include "a.pxi"                   include a.pxi, an Include
//
// Line numbers do not change.

// ReadCython reads the declarations of a Cython file that are visible to Python.
func ReadCython(data []byte) *File {
	return readDecoded(nil, data, cython)
}

// cython converts Cython to Python with the same line numbers.
func cython(text string) string {
	c := scanner{s: text}
	var w strings.Builder
	w.Grow(len(text))
	group := cythonGroup{indent: -1}
	for pos := 0; pos < len(text); {
		indent, j := leadingSpace(text, pos)
		if j == len(text) {
			w.WriteString(text[pos:])
			break
		}
		end := j + 1
		if text[j] != '\n' {
			end = c.skip(j)
		}
		line := text[j:end]
		space := text[pos:j]
		if indent <= group.indent && text[j] != '\n' && text[j] != '#' {
			group = cythonGroup{indent: -1}
		}
		if group.kind != "" && line != "\n" && line[0] != '#' {
			line = group.line(line)
			if !group.enum {
				space = group.space
			}
		}
		rewritten, drop := cythonLine(line)
		if opened, class, ok := opensGroup(line); ok {
			group = opened
			group.indent, group.space = indent, space
			rewritten, drop = class, class == ""
			line = ""
		}
		switch name := propertyName(line); {
		case name != "":
			rewritten = "@property\n" + space + "def " + name + "(self): " + c.docBelow(end, indent)
			end = c.blockEnd(end, indent)
		case drop && opensBlock(line): // This block is not visible to Python.
			end = c.blockEnd(end, indent)
		case !drop && rewritten == line && line == text[j:end]:
			w.WriteString(text[pos:end])
			pos = end
			continue
		}
		if rewritten != "" {
			w.WriteString(space + rewritten)
		}
		for range strings.Count(text[pos:end], "\n") - strings.Count(rewritten, "\n") {
			w.WriteByte('\n')
		}
		pos = end
	}
	return w.String()
}

// cythonGroup is a block whose lines are declarations of one kind: "cdef public:"
// or "cpdef enum Color:".
type cythonGroup struct {
	kind   string // text that belongs before each line: "cdef public "
	enum   bool
	indent int    // indentation of the line that opens the group, -1 before the first column
	space  string // white space before that line
}

// opensGroup reports whether a line opens a group. class is the line that replaces it, or "" if the
// line itself does not declare anything.
func opensGroup(line string) (g cythonGroup, class string, ok bool) {
	w := word(line)
	if w != "cdef" && w != "cpdef" || !opensBlock(line) {
		return g, "", false
	}
	head := strings.TrimSpace(line[len(w):strings.LastIndexByte(line, ':')])
	switch head {
	case "", "public", "readonly":
		return cythonGroup{kind: strings.TrimSpace("cdef "+head) + " "}, "", w == "cdef"
	}
	if rest, is := strings.CutPrefix(head, "enum "); is && w == "cpdef" {
		name := word(strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(rest), "class ")))
		return cythonGroup{kind: "cpdef enum ", enum: true}, "class " + name + "(enum.IntEnum):\n", name != ""
	}
	return g, "", false
}

// line returns a line of the group as a separate declaration.
func (g *cythonGroup) line(line string) string {
	if !g.enum {
		return g.kind + line
	}
	if stringPrefix(line) >= 0 {
		return line
	}
	text, _, _ := strings.Cut(strings.TrimSpace(line), "#")
	var values []string
	for _, part := range split(nil, text) {
		name := word(strings.TrimSpace(part))
		if name == "" || name == "pass" {
			continue
		}
		_, value, _ := strings.Cut(part, "=")
		values = append(values, name+" = "+cmp.Or(strings.TrimSpace(value), "..."))
	}
	return strings.Join(values, "; ") + "\n"
}

// blockEnd returns the end of the lines that are indented more than parent.
func (c *scanner) blockEnd(pos, parent int) int {
	for pos < len(c.s) {
		indent, j := leadingSpace(c.s, pos)
		switch {
		case j == len(c.s):
			return j
		case c.s[j] == '\n':
			pos = j + 1
		case c.s[j] == '#':
			pos = c.skip(j)
		case indent <= parent:
			return pos
		default:
			pos = c.skip(j)
		}
	}
	return pos
}

// docBelow returns the docstring at the beginning of the block below parent, or "..." if
// there is none.
func (c *scanner) docBelow(pos, parent int) string {
	for pos < len(c.s) {
		indent, j := leadingSpace(c.s, pos)
		if j < len(c.s) && c.s[j] == '\n' {
			pos = j + 1
			continue
		}
		if j < len(c.s) && indent > parent && stringPrefix(c.s[j:]) >= 0 {
			if l := c.statement(j); onlyStrings(c.s[j:l.end]) {
				return c.s[j:l.end]
			}
		}
		break
	}
	return "..."
}

// propertyName returns the name that "property name:" declares. It returns the
// empty string for other lines.
func propertyName(line string) string {
	rest, ok := strings.CutPrefix(line, "property ")
	rest = strings.TrimLeft(rest, " \t")
	if name := word(rest); ok && strings.HasPrefix(strings.TrimLeft(rest[len(name):], " \t"), ":") {
		return name
	}
	return ""
}

// opensBlock reports whether a logical line ends with a colon.
func opensBlock(line string) bool {
	c := scanner{s: line}
	l := c.statement(0)
	return l.end > 0 && line[l.end-1] == ':'
}

// cythonLine converts one logical line to Python. drop is true if neither the
// line nor the block below it is visible to Python.
func cythonLine(line string) (python string, drop bool) {
	w := word(line)
	rest := strings.TrimLeft(line[len(w):], " \t")
	switch w {
	case "cimport", "ctypedef", "DEF", "IF", "ELIF", "ELSE":
		return "", true
	case "from":
		if _, _, ok := cutWord(line, "cimport"); ok {
			return "", true
		}
	case "def":
		return "def " + cythonHeader(rest), false
	case "cpdef":
		return cythonFunction(rest)
	case "cdef":
		return cythonDeclaration(rest)
	}
	return line, false
}

// cythonDeclaration converts the part after cdef of a declaration that is visible to Python: a
// class, or public attributes. drop is true for declarations that are not visible to Python.
func cythonDeclaration(rest string) (python string, drop bool) {
	visible := false
	for {
		w := word(rest)
		after := strings.TrimLeft(rest[len(w):], " \t")
		switch w {
		case "class":
			end := strings.IndexByte(after, ':')
			if head := strings.IndexByte(after, '['); head >= 0 && head < end { // The head ends before names for C, as in [ type A, object B ].
				end = head
			}
			if end < 0 {
				return "", true
			}
			head := strings.ReplaceAll(after[:end], "\\\n", " ")
			return "class " + strings.TrimSpace(head) + ":" + after[strings.IndexByte(after, ':')+1:], false
		case "public", "readonly":
			visible = true
		case "api", "inline", "extern":
		default:
			if !visible || w == "enum" || w == "struct" || w == "union" || w == "" || strings.Contains(rest, "(") {
				return "", true
			}
			line, _, _ := strings.Cut(strings.TrimSpace(rest), "#")
			var all []string
			kind := ""
			for i, part := range split(nil, line) {
				name, first := typedName(part)
				if i == 0 {
					kind = cmp.Or(first, "object")
				}
				all = append(all, name+": "+kind)
			}
			return strings.Join(all, "; "), false
		}
		rest = after
	}
}

// cythonFunction converts the part after cpdef of a function. drop is true for declarations that
// are not visible to Python.
func cythonFunction(rest string) (python string, drop bool) {
	open := strings.IndexByte(rest, '(')
	if w := word(rest); w == "enum" || w == "class" || open < 0 {
		return cythonDeclaration(rest)
	}
	head := strings.TrimSpace(rest[:open])
	name := head[strings.LastIndexAny(head, " \t*&]")+1:]
	if name == "" {
		return "", true
	}
	return "def " + cythonHeader(name+rest[open:]), false
}

// cythonHeader converts the part after def: the types of parameters, and Cython's
// declarations after the parameters.
func cythonHeader(text string) string {
	open := strings.IndexByte(text, '(')
	if open < 0 {
		return text
	}
	c := scanner{s: text}
	closing := c.matching(open, len(text))
	if closing < 0 {
		return text
	}
	l := scanner{s: text[closing:]}
	end := l.statement(0)
	if end.colon < 0 { // A .pxd file declares functions without defining them.
		return text[:open] + "(" + CythonParams(text[open+1:closing]) + "): ...\n"
	}
	return text[:open] + "(" + CythonParams(text[open+1:closing]) + ")" + text[closing+end.colon:]
}

// CythonParams converts a Cython parameter list to Python.
func CythonParams(text string) string {
	var params []string
	for _, part := range split(nil, text) {
		params = append(params, typedParam(part))
	}
	return strings.Join(params, ", ")
}

// typedParam converts a Cython parameter to Python.
func typedParam(part string) string {
	part = Flat(part)
	c := scanner{s: part}
	l := c.statement(0)
	rest, value := part, ""
	if l.equals >= 0 {
		rest, value = strings.TrimSpace(part[:l.equals]), "="+strings.TrimSpace(part[l.equals+1:])
		if value == "=*" { // Only the definition contains the default value.
			value = "=..."
		}
	}
	if l.colon >= 0 && l.colon < len(rest) || strings.HasPrefix(rest, "*") || rest == "/" {
		return part
	}
	rest = strings.TrimSuffix(strings.TrimSuffix(rest, " not None"), " or None")
	name, kind := typedName(rest)
	if kind == "" {
		return name + value
	}
	return name + ": " + kind + value
}

// typedName splits a declaration such as "double[:] x" into name and type. A
// single word, such as self, is a name. The type is empty if there is none.
func typedName(text string) (name, kind string) {
	text = strings.TrimSpace(text)
	i := len(text)
	for i > 0 && isIdent(text[i-1]) {
		i--
	}
	name, kind = text[i:], strings.TrimSpace(text[:i])
	if name == "" {
		return word(text), ""
	}
	switch kind = strings.NewReplacer("*", "", "&", "", "const ", "").Replace(kind); kind {
	case "bint":
		kind = "bool"
	case "object":
		kind = ""
	}
	return name, kind
}
