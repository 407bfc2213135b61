package modules

import (
	"slices"
	"strings"
	"testing"
)

func TestBoundKeys(t *testing.T) {
	const made = "_names = ['A', 'B']\nif sys.version_info >= (3,):\n    _names.append('C')\n"
	several := func(n int) string {
		return "globals().update({" + strings.Repeat("**{name: 1 for name in _names}, ", n) + "})\n"
	}
	for code, want := range map[string]string{
		several(maxUpdates):     "A B C",
		several(maxUpdates + 1): "*",
		"globals().update(\n    {name: getattr(typing, name) for name in _names if hasattr(typing, name)}\n)\n": "A B C",
		"globals().update({'x_' + name: 1 for name in _names})\n":                                               "x_A x_B x_C",
		"globals().update({'D': 1, **{name: 2 for name in ('E',)}})\n":                                          "D E",
		"if typing:\n    globals().update({'D': 1})\n":                                                          "D",
		"globals().update({'D': 1})\nvars().update({'E': 1})\n":                                                 "D E",
		"globals().update({'D': 1})\nglobals()[name] = 1\n":                                                     "*",
		"globals().update(others)\n":                                                                            "*",
		"globals().update(D=1)\n":                                                                               "*",
		"globals().update({name: 1 for name in others()})\n":                                                    "*",
		"import socket, listed\nglobals().update({n: getattr(socket, n) for n in socket.__all__ if n.isupper()})\nglobals().update({n: 1 for n in listed.__all__})\n": "AF_INET Listed",
		"import unlisted\nglobals().update({n: 1 for n in unlisted.__all__})\n":                                                                                       "*",
		"globals().update({**others, 'D': 1})\n":                                                       "*",
		"def add(f):\n    _names.append(f.__name__)\nglobals().update({name: 1 for name in _names})\n": "*",
		"globals().update({f(name): 1 for name in _names})\n":                                          "*",
		"globals().update({name: 1 for name in _names\n":                                               "*",
		"def f():\n    globals().update({'D': 1})\n":                                                   "*",
	} {
		for _, from := range []string{"pkg/_compat.py", "pkg/__init__.py"} { // also through a star import
			files := "-- pkg/__init__.py\nfrom ._compat import *\n"
			if from == "pkg/__init__.py" {
				files = ""
			}
			p := read(t, files+"-- "+from+"\nimport sys, typing\n"+made+code+"-- socket.py\n__all__ = f()\n-- unlisted.py\n__all__ = f()\n-- listed.py\n__all__ = ['Listed']\n", "pkg")
			if slices.Contains(p.Hidden, "*") != (want == "*") {
				t.Errorf("%s: %.80q: it is not said correctly whether all names are known: %q", from, code, p.Hidden)
			}
			for name := range strings.FieldsSeq(want) {
				if !slices.Contains(p.Hidden, name) && p.At(name) == nil {
					t.Errorf("%s: %.80q: %s is not among %q", from, code, name, p.Hidden)
				}
			}
		}
	}
}
