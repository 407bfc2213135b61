package source

import (
	"strings"
	"testing"
)

const cythonText = `# cython: language_level=3
cimport cython
from libc.string cimport memcpy, \
    memset
include "more.pxi"

ctypedef fused number:
    int
    double

cdef extern from "x.h":
    int f(int x)
    """not a docstring"""

DEF LIMIT = 3
VERSION = "1"

cdef int hidden(int x) except -1:
    """Hidden."""
    return x

cpdef inline double shown(double[:] x not None, bint quick=True, *, object other=None, **rest) except? -1:
    """Shown."""
    return x[0]

cdef public class Node(Base) [ type NodeType, object Node ]:
    """A node."""
    cdef int secret
    cdef readonly int size, depth
    cdef public str name
    cdef void walk(self):
        pass

    property tag:
        """The tag.

        Of the element.
        """
        def __get__(self):
            return 1
        def __set__(self, value):
            pass

    def __cinit__(self, const char* data, tag=None):
        self.data = data

    def find(self, _Path path,
             namespaces=None) -> Node:
        """Find it."""

def last(x): pass
`

func TestCythonIsReadAsPythonSeesIt(t *testing.T) {
	f := ReadCython([]byte(cythonText))
	var got []string
	var walk func(body []Stmt, in string)
	walk = func(body []Stmt, in string) {
		for _, s := range body {
			name := s.Name
			if s.Kind == Assign {
				name = s.Targets[0] + " " + s.Annotation
			}
			text := in + name
			if s.Kind == Def {
				for _, p := range Params(s.Params) {
					text += " " + p.Name + ":" + p.Annotation + "=" + p.Default
				}
			}
			if s.Doc != "" {
				value, _ := Unquote(s.Doc)
				text += " // " + strings.Fields(value)[0]
			}
			got = append(got, text)
			if s.Kind == Class {
				walk(s.Body, name+".")
			}
		}
	}
	walk(f.Body, "")
	want := []string{
		"more.pxi", "VERSION ",
		"shown x:double[:]= quick:bool=True other:=None rest:= // Shown.",
		"Node // A", "Node.size int", "Node.depth int", "Node.name str", "Node.tag self:= // The",
		"Node.__cinit__ self:= data:char= tag:=None", "Node.find self:= path:_Path= namespaces:=None // Find", "last x:=",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%s", strings.Join(got, "\n"))
	}
	lines := strings.Split(cythonText, "\n")
	if last := f.Body[len(f.Body)-1]; lines[last.Line-1] != "def last(x): pass" {
		t.Errorf("the last function is in line %d: %q", last.Line, lines[last.Line-1])
	}
	if len(f.Gaps) > 0 {
		t.Errorf("%v", f.Gaps)
	}
}

func FuzzCython(f *testing.F) {
	f.Add(cythonText)
	f.Add("cdef class A(B):\n    cdef public int x, y\n    property p:\n        '''D'''\n")
	f.Add("cpdef f(int x not None, *, a=1):\n\tpass\ncdef extern from 'a':\n  int g()\n")
	f.Add("cdef readonly\nproperty :\ncdef class\ncpdef (\ndef (")
	f.Fuzz(func(t *testing.T, text string) {
		python := cython(text)
		if len(python) > 20*len(text)+1000 {
			t.Errorf("%d bytes became %d", len(text), len(python))
		}
		Read(python)
	})
}
