package source

import (
	"cmp"
	"strings"
)

// Cython sources declare what Python sees beside what C sees. Cython leaves the first,
// as Python: classes, functions with their parameters, properties, and assignments.
//
//	cdef class A(B):                  class A(B):
//	cpdef int f(x, bint y=True)       def f(x, y: bool=True)
//	def f(double[:] x not None)       def f(x: double[:])
//	cdef readonly int n               n: int
//	property tag:                     @property, def tag(self):
//	include "a.pxi"                   include a.pxi, an Include
//
// Lines stay where they are.

// ReadCython reads the declarations of a Cython file that Python sees.
func ReadCython(data []byte) *File {
	text, _ := Decode(data[:min(len(data), MaxSize)])
	return Read(cython(text))
}

// cython returns the Python of Cython.
func cython(text string) string {
	c := scanner{s: text}
	var w strings.Builder
	w.Grow(len(text))
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
		kept, drop := cythonLine(line)
		switch name := propertyName(line); {
		case name != "":
			kept = "@property\n" + text[pos:j] + "def " + name + "(self): " + c.docBelow(end, indent)
			end = c.blockEnd(end, indent)
		case drop && opensBlock(line): // nothing of it is seen
			end = c.blockEnd(end, indent)
		case !drop && kept == line:
			w.WriteString(text[pos:end])
			pos = end
			continue
		}
		if kept != "" {
			w.WriteString(text[pos:j] + kept)
		}
		for range strings.Count(text[pos:end], "\n") - strings.Count(kept, "\n") {
			w.WriteByte('\n')
		}
		pos = end
	}
	return w.String()
}

// blockEnd is where the lines end that are indented by more than parent.
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

// docBelow is the docstring that the block below parent begins with, "..." if it has
// none.
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

// propertyName is the name that "property name:" declares, empty of other lines.
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

// cythonLine returns the Python of one logical line; drop is true if Python sees
// nothing of it, nor of the block below it.
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

// cythonDeclaration is what Python sees of "cdef …": classes and public attributes.
func cythonDeclaration(rest string) (python string, drop bool) {
	visible := false
	for {
		w := word(rest)
		after := strings.TrimLeft(rest[len(w):], " \t")
		switch w {
		case "class":
			end := strings.IndexByte(after, ':')
			if head := strings.IndexByte(after, '['); head >= 0 && head < end { // [ type A, object B ]
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
			for i, part := range split(line) {
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

// cythonFunction is the function of "cpdef …".
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

// cythonHeader rewrites what follows def: the types of parameters, and what Cython
// says behind them.
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
	if end.colon < 0 {
		return text
	}
	return text[:open] + "(" + CythonParams(text[open+1:closing]) + ")" + text[closing+end.colon:]
}

// CythonParams is a list of parameters of Cython as one of Python.
func CythonParams(text string) string {
	var params []string
	for _, part := range split(text) {
		params = append(params, typedParam(part))
	}
	return strings.Join(params, ", ")
}

// typedParam is a parameter of Cython as one of Python.
func typedParam(part string) string {
	part = Flat(part)
	c := scanner{s: part}
	l := c.statement(0)
	left, value := part, ""
	if l.equals >= 0 {
		left, value = strings.TrimSpace(part[:l.equals]), "="+strings.TrimSpace(part[l.equals+1:])
	}
	if l.colon >= 0 && l.colon < len(left) || strings.HasPrefix(left, "*") || left == "/" {
		return part
	}
	left = strings.TrimSuffix(strings.TrimSuffix(left, " not None"), " or None")
	name, kind := typedName(left)
	if kind == "" {
		return name + value
	}
	return name + ": " + kind + value
}

// typedName takes "double[:] x" apart. What has no name is one itself: self.
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
