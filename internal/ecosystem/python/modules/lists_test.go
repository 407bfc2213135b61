package modules

import (
	"context"
	"strings"
	"testing"
)

// TestLists_Evaluated evaluates the expressions and statements with which modules compute __all__.
func TestLists_Evaluated(t *testing.T) {
	const head = "import types\nfrom inspect import isfunction, ismodule\nfrom . import m\ndef f(): pass\nclass A: pass\nx = 1\n_TABLE = {'a': 'one', 'b': 'two'}\n_NAMES = ['a', 'b', 'c']\n"
	for _, tt := range []struct{ all, want string }{
		{"__all__ = _NAMES[1:]", "b c"},
		{"__all__ = _NAMES[:-1]", "a b"},
		{"__all__ = [_NAMES[0], _NAMES[-1]]", "a c"},
		{"__all__ = list(_TABLE.values())", "one two"},
		{"__all__ = [_TABLE['b']]", "two"},
		{"__all__ = list(dict(_TABLE).keys())", "a b"},
		{"__all__ = list(set(_NAMES) - {'b'})", "a c"},
		{"__all__ = tuple() + tuple(_NAMES)", "a b c"},
		{"__all__ = ['a'] if len(_NAMES) == 3 else ['b']", "a"},
		{"__all__ = ['a'] if not _NAMES else ['b']", "b"},
		{"__all__ = [*_NAMES, 'd']", "a b c d"},
		{"__all__ = 'a b  c'.split()", "a b c"},
		{"__all__ = 'a, b'.replace(' ', '').split(',')", "a b"},
		{"__all__ = [n.removeprefix('_x_').removesuffix('_y') for n in ['_x_a_y', 'b']]", "a b"},
		{"__all__ = [n.lower().strip() for n in ('A ', 'B') if not n.islower()]", "a b"},
		{"__all__ = [str(n) + 'x' for n in range(1 + 1, 5 - 1)]", "2x 3x"},
		{"__all__ = ['a%d' % (n * 2) for n in range(2)]", "a0 a2"},
		{"__all__ = [n for n in _NAMES if n in ('a', 'c') or n == 'b' and None]", "a c"},
		{"__all__ = [n for n in _NAMES if 'b' in n]", "b"},
		{"__all__ = [n for n, v in globals().items() if isfunction(v)]", "f"},
		{"__all__ = [n for n, v in globals().items() if isinstance(v, types.FunctionType)]", "f"},
		{"__all__ = [n for n, v in globals().items() if ismodule(v) and n == 'm']", "m"},
		{"__all__ = [v for v in m.__all__ if v != 'p']", "q"},
		{"__all__ = _NAMES.copy()\n__all__.sort()\n__all__ += m.NAMES", "a b c r"},
		{"def _g(names, more):\n    names = list(names)\n    names += more\n    if 'a' in names:\n        names.remove('a')\n    else:\n        names.append('z')\n    return names\n__all__ = _g(_NAMES, ['d'])", "b c d"},
		{"__all__ = [a + b for a, b in [('x', 'y'), ('z', '')]]", "xy z"},

		// What cannot be evaluated leaves the list open.
		{"__all__ = read('names.txt')", "open"},
		{"__all__ = [n for n in _NAMES if n.encode()]", "open"},
		{"__all__ = _NAMES[i]", "open"},
		{"__all__ = [_TABLE['c']]", "open"},
		{"__all__ = ['%r' % n for n in _NAMES]", "open"},
		{"__all__ = [n for n in range(3, key=1)]", "open"},
		{"__all__ = [a for a, b in [('x',)]]", "open"},
		{"def _g(*names): return names\n__all__ = _g('a')", "open"},
		{"def _g(n): return n\n__all__ = _g()", "open"},
		{"def _g():\n    with x: pass\n    return ['a']\n__all__ = _g()", "open"},
		{"__all__ = [n for n in _NAMES if n < 'b']", "open"},
	} {
		text := "-- pkg/__init__.py\n" + head + tt.all + "\n-- pkg/m.py\n__all__ = ['p', 'q']\nNAMES = ('r',)\np = q = r = 1\n"
		r := Open(context.Background(), &Source{Module: "pkg", Root: files(text), Modules: []string{"pkg"}}, nil)
		m := r.moduleIn(r.main, "pkg")
		got := strings.Join(r.exports(m), " ")
		if m.dynamic {
			got = "open"
		}
		if got != tt.want {
			t.Errorf("%s: %s, not %s", tt.all, got, tt.want)
		}
	}
}
