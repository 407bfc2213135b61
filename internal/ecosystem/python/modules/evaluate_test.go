package modules

import (
	"context"
	"strings"
	"testing"
)

func TestListsOfNamesAreEvaluated(t *testing.T) {
	const base = `
import os
from ._m import *
from ._m import helper, select
from inspect import isclass
class Base: pass
class A_gen(Base): pass
class Other: pass
class Failed(Exception): pass
a = A_gen(1)
o = Other()
def f(): pass
FLAG = 1
`
	for _, tt := range []struct{ all, want string }{
		{`__all__ = ["Int%s%d" % (s, n) for n in (8, 16) for s in "us"]`, "Intu8 Ints8 Intu16 Ints16"},
		{`__all__ = [f"x{n}" for n in range(2)] + list({"y": 1, 'z': 2})`, "x0 x1 y z"},
		{`__all__ = [n.upper() for n in ['a', 'b', 'c'] if n != 'b' and not n.startswith('c')]`, "A"},
		{`__all__ = ["_".join((p, s)) for p, s in {"a": "b"}.items()]`, "a_b"},
		{`__all__ = [n for n in dir() if n[0] != '_' and n[-3:] != 'gen' and n not in ('os', 'f', 'o')]`, "helper select isclass Base Other Failed a FLAG star"},
		{`__all__ = [n for n, v in globals().items() if isinstance(v, type) and issubclass(v, Base)]`, "Base A_gen"},
		{`__all__ = [n for n, v in list(globals().items()) if isinstance(v, (Base, os.PathLike))]`, "a"},
		{`__all__ = sorted(k for k, v in vars().items() if isclass(v) and v.__module__ == __name__ and v.__name__ == 'Other')`, "Other"},
		{`__all__ = [k for k in globals().keys() if k.isupper()]`, "FLAG"},
		{`pairs = list(globals().copy().items())
names, classes = select(pairs, Base)
__all__ = names + classes + ['f']`, "a A_gen f"},
		{`__all__ = ['f']
for n, v in list(globals().items()):
    if n.startswith('_') or not callable(v):
        continue
    if isclass(v):
        __all__.append(n)`, "f Base A_gen Other Failed"},
		{`__all__ = []
for n in ('a', 'o', 'x'):
    if n == 'x':
        break
    __all__ += [n]`, "a o"},
		{`__all__ = helper()`, "f a"},
	} {
		text := "-- pkg/__init__.py" + base + tt.all + `
later = 1
-- pkg/_m.py
star = 1
_hidden = 2
def helper():
    names = ['f']
    names.extend(('b', 'a'))
    names.remove('b')
    return names
def select(pairs, base):
    "Doc."
    names = []
    classes = []
    for name, value in pairs:
        if name.startswith('_'):
            continue
        if name.endswith('_gen') and issubclass(value, base):
            classes.append(name)
        if isinstance(value, base):
            names.append(name)
    return names, classes
`
		r := Open(context.Background(), &Source{Module: "pkg", Root: files(text), Modules: []string{"pkg"}}, nil)
		m := r.moduleIn(r.main, "pkg")
		if got := strings.Join(r.exports(m), " "); got != tt.want || m.dynamic {
			t.Errorf("%s: %s (not known: %v), not %s", tt.all, got, m.dynamic, tt.want)
		}
	}
}

func TestFunctionsThatAFunctionMakes(t *testing.T) {
	got := outline(read(t, "-- pkg/__init__.py\ndef _make():\n    x = 1\n    def a(b, c=x):\n        'Of a.'\n        def inner(): pass\n    def d(): pass\n    return a, d\ne, d = _make()\ndel _make\n", "pkg").Symbols)
	if want := "function e | def e(b, c=x) | Of a.\nfunction d | def d()\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	got = outline(read(t, "-- pkg/__init__.py\nimport math\nfrom functools import wraps\ndef _one(f):\n    def g(x, *, p=1):\n        'Of g.'\n    return g\ndef _as(f):\n    @wraps(f)\n    def g(*a): pass\n    return g\ndef _kept(f):\n    def g(): pass\n    g = cached(g)\n    return g\ndef _any(f):\n    def g(*a, **k): pass\n    return g\nexp = _any(math.exp)\nif _new():\n    log = _any('log')\n    log2 = _one(1)\nelse:\n    from ._m import log, log2\nsin = _one(math.sin)\ncos = _as(math.cos)\ntan = _kept(math.tan)\n-- pkg/_m.py\ndef log(x): 'Of m.'\ndef log2(x): 'Of m.'\n", "pkg").Symbols)
	if want := "var exp | exp = _any(math.exp)\nfunction log | def log(x) | Of m.\nfunction log2 | def log2(x, *, p=1) | Of g.\nfunction sin | def sin(x, *, p=1) | Of g.\nvar cos | cos = _as(math.cos)\nvar tan | tan = _kept(math.tan)\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestFunctionsThatBecomeObjects(t *testing.T) {
	const classes = "class _Form:\n    def __call__(self, *args, **kwds):\n        raise TypeError('no')\nclass Flag:\n    def __call__(self) -> bool: ...\nclass _Proxy: ...\nclass _Wrapper:\n    def __init__(self, f): ...\n    def __call__(self, /, *args, **kwds):\n        return self.f(*args, **kwds)\n"
	got := outline(read(t, "-- pkg/__init__.py\nfrom . import _m\nfrom functools import cache\n@_m._Form\ndef Union(self, parameters): 'One of them.'\n@_m.Flag\ndef ready(): 'If so.'\n@_m._Proxy\ndef stream(): ...\n@_m._Wrapper\ndef f(x): ...\n@cache\ndef g(x): ...\n@_m._Proxy()\ndef h(x): ...\n@cache\n@_m.Flag\ndef i(x): ...\n-- pkg/_m.py\n"+classes, "pkg").Symbols)
	if want := "var Union | Union: _m._Form | One of them.\nvar ready | ready: _m.Flag | If so.\nvar stream | stream: _m._Proxy\nfunction f | def f(x)\nfunction g | @cache ; def g(x)\nfunction h | def h(x)\nfunction i | @cache ; def i(x)\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestHostileListsOfNamesEnd(t *testing.T) {
	for _, all := range []string{
		"__all__ = [a for a in range(20000) for b in range(20000) for c in range(20000)]",
		"__all__ = [range(20000) for a in range(20000)]",
		"def f():\n    s = 'x'\n    for i in range(1000):\n        s = s + s\n    return [s]\n__all__ = f()",
		"def f():\n    s = ['x']\n    for i in range(1000):\n        s += s\n    return s\n__all__ = f()",
		"def f():\n    s = 'x'\n    for i in range(1000):\n        s = f'{s}{s}'\n    return [s]\n__all__ = f()",
		"def f():\n    s = 'x'\n    for i in range(1000):\n        s = '%s%s' % (s, s)\n    return [s]\n__all__ = f()",
		"def f():\n    s = 'x'\n    for i in range(1000):\n        s = ','.join([s, s])\n    return [s]\n__all__ = f()",
		"def f(): return g()\ndef g(): return f()\n__all__ = f()",
		"a = b[0]\nb = [a]\n__all__ = [x for x in b]",
		"__all__ = " + strings.Repeat("[x for x in ", 100_000) + "'a'" + strings.Repeat("]", 100_000),
		"x = 1\n__all__ = [globals() for i in range(20000)]",
	} {
		r := Open(context.Background(), &Source{Module: "pkg", Root: files("-- pkg/__init__.py\n" + all), Modules: []string{"pkg"}}, nil)
		m := r.moduleIn(r.main, "pkg")
		for _, n := range r.exports(m) {
			if len(n) > maxText {
				t.Errorf("%.60s: a name of %d bytes", all, len(n))
			}
		}
		if !m.dynamic {
			t.Errorf("%.60s: is known", all)
		}
	}
}
