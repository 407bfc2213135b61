package source

import (
	"fmt"
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
				name = s.Targets[0] + " " + s.Annotation.Text()
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

func TestDeclarationsOfCythonAreReadAsPythonSeesThem(t *testing.T) {
	const text = `cimport numpy as np
cdef extern from "x.h" nogil:
    int f(int x)
cpdef int area(int w, double h=*) except -1  # of a rectangle
cpdef enum Color:
    """Colours."""
    RED = 1  # first
    GREEN, BLUE

cpdef enum class Shape:
    ROUND
cdef class Frame(Base):
    cdef:
        readonly int width
        int secret

        # between
        public object owner
    cdef public:
        str name, title
        bint keyed
    cdef int hidden(self)
    cpdef copy(self, bint deep=*)
cdef class Forward
after = 1
`
	var got []string
	for _, s := range ReadCython([]byte(text)).Body {
		line := s.Name + strings.Join(s.Targets, "") + "(" + Flat(s.Params) + ")"
		for _, m := range s.Body {
			line += " " + m.Name + strings.Join(m.Targets, "") + ":" + m.Annotation.Text() + "=" + m.Value.Text()
			if m.Kind == Def {
				line += "(" + Flat(m.Params) + ")"
			}
		}
		got = append(got, line+fmt.Sprint(" ", s.Line))
	}
	want := []string{
		"area(w: int, h: double=...) 4", "Color(enum.IntEnum) RED:=1 GREEN:=... BLUE:=... 5", "Shape(enum.IntEnum) ROUND:=... 10",
		"Frame(Base) width:int= owner:object= name:str= title:str= keyed:bool= copy:=(self, deep: bool=...) 12", "after() 25",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
}

func FuzzCython(f *testing.F) {
	f.Add(cythonText)
	f.Add("cdef class A(B):\n    cdef public int x, y\n    property p:\n        '''D'''\n")
	f.Add("cpdef f(int x not None, *, a=1):\n\tpass\ncdef extern from 'a':\n  int g()\n")
	f.Add("cdef:\n  public int x\n\n  readonly y\ncpdef enum E:\n  A, B = 1 # c\n  'd'\ncpdef int g(int a=*) except *\n")
	f.Add("cdef readonly\nproperty :\ncdef class\ncpdef (\ndef (")
	f.Fuzz(func(t *testing.T, text string) {
		python := cython(text)
		if len(python) > 20*len(text)+1000 {
			t.Errorf("%d bytes became %d", len(text), len(python))
		}
		Read(python)
	})
}
