package modules

import "testing"

func TestNarrow_None(t *testing.T) {
	expectAbsent(t, []memberCase{
		{"comparisons with None", `
def f(x: Pot | None, y: Pot | None, z: Pot | None, w: Pot | None):
    if x is not None: x.no_a
    if y is None: y.anything
    else: y.no_b
    if z != None: z.no_c
    if not (w is None): w.no_d
`},
		{"truth", `
def f(x: Pot | None, y: Pot | None):
    if x: x.no_a
    if not y: return
    y.no_b
`},
		{"and, or, not", `
def f(x: Pot | None, y: Pot | Lid | None, a: Pot | Lid, b: Pot | Lid):
    if x and isinstance(y, Pot): x.no_a; y.no_b; y.no_open
    if not (isinstance(a, Pot) or isinstance(b, Pot)): a.no_fill; b.no_fill
    if isinstance(a, Pot) and isinstance(b, Pot): a.no_open; b.no_open
    if isinstance(a, Lid) or a.no_open: a.open
    if not isinstance(a, Pot) or not isinstance(b, Pot): return
    a.no_open; b.no_open
`},
		{"a walrus", `
def pot() -> Pot | None: ...
if (x := pot()) is not None: x.no_a
if y := pot(): y.no_b
`},
		{"a comparison with a value excludes None", `
def f(x: str | None, y: int | None, z: Pot | None):
    if x == 'a': x.no_a
    if y == 1: y.no_b
    if z == unknown(): z.anything
    if x in ('a', 'b'): x.no_c
    if x in ('a', None): x.no_d
`},
		{"bool", `
def f(x: Pot | None):
    if bool(x): x.no_a
`},
	})
}

func TestNarrow_Classes(t *testing.T) {
	expectAbsent(t, []memberCase{
		{"isinstance", `
def f(x, y: object, z: Pot):
    if isinstance(x, Pot): x.no_a
    else: x.anything
    if isinstance(y, Lid): y.no_b
    if isinstance(z, SmallPot): z.shrink; z.no_c
    else: z.fill; z.no_d
`},
		{"several classes", `
classes = (Pot, Lid)
CLASSES = (Pot, Lid)
def f(x, y, z, w):
    if isinstance(x, (Pot, Lid)): x.fill; x.open; x.no_a
    if isinstance(y, Pot | Lid): y.open; y.no_b
    if isinstance(z, (str, (Pot, Lid))): z.upper; z.no_c
    if isinstance(w, classes): w.open; w.no_d
    if isinstance(w, CLASSES): w.open; w.no_e
`},
		{"classes that are not known", `
from other import Thing
def f(x: Pot | Lid, y, kind):
    if isinstance(x, Thing): x.anything
    if isinstance(x, (Pot, Thing)): x.anything
    if isinstance(y, kind): y.anything
    if isinstance(y, type(x)): y.open
`},
		{"a class that is unrelated may have a common subclass", `
def f(x: Pot):
    if isinstance(x, Lid): x.open; x.anything
`},
		{"the base of the class", `
def f(x: SmallPot):
    if isinstance(x, Pot): x.shrink; x.no_a
    else: x.anything
`},
		{"builtin classes", `
def f(x: str | bytes | list[Pot], y: int | str):
    if isinstance(x, bytes): x.decode; x.no_a
    elif isinstance(x, list): x[0].no_b
    else: x.encode; x.no_c
    if isinstance(y, str): return
    y.no_d
`},
		{"type(x) is", `
def f(x: Pot | Lid):
    if type(x) is Pot: x.fill; x.open
    if type(x) == Lid: x.open; x.fill
`},
		{"issubclass and callable", `
def f(x: type[Pot], y: Pot):
    if issubclass(x, Lid): x.open
    if callable(y): y.anything
`},
		{"an isinstance of the program", `
def isinstance(x, y): return True
def f(x):
    if isinstance(x, Pot): x.anything
`},
		{"a function that may be a type guard", `
def is_lid(x): ...
def f(x: Pot | Lid, y: Pot):
    if is_lid(x): x.fill; x.open; x.anything
    if has_lid(y): y.anything
`},
	})
}

func TestNarrow_Attributes(t *testing.T) {
	expectAbsent(t, []memberCase{
		{"of variables", `
class A:
    pot: Pot | None
    any_: Pot | Lid
    inner: 'A'
def f(a: A, b: A):
    if a.pot: a.pot.no_a
    if isinstance(a.any_, Lid): a.any_.no_fill; b.any_.fill
    if a.inner.inner.pot is not None: a.inner.inner.pot.no_b
    if isinstance(a.inner.any_, Lid):
        a.inner = b
        a.inner.any_.fill
`},
		{"of self", `
class A:
    def __init__(self):
        self.x = None
    def set(self):
        self.x = Pot()
    def f(self):
        if self.x is None: return
        self.x.no_a
`},
		{"a discriminant", `
from typing import Literal
class A:
    kind: Literal['a']
    def own_a(self): ...
class B:
    kind: Literal['b']
    def own_b(self): ...
def f(x: A | B):
    if x.kind == 'a': x.own_a
    else: x.own_b
`},
		{"a branch forgets what it assigns", `
class A:
    x: Pot | Lid
def f(a: A, c):
    if isinstance(a.x, Pot):
        if c: a.x = unknown()
        a.x.open
`},
	})
}

func TestNarrow_Doubts(t *testing.T) {
	expectAbsent(t, []memberCase{
		{"versions and platforms", `
import sys, os
from lib import HAS_POTS
if sys.version_info >= (3, 14): ''.anything
def f(x):
    for y in x:
        if sys.version_info < (3, 14):
            continue
        ''.anything
    if sys.version_info < (3, 14): pass
    ''.no_d
    if x: return
    ''.no_e
else: ''.anything
if sys.platform == 'win32': ''.anything
if os.name == 'nt': ''.anything
if os.environ.get('X'): ''.anything
if HAS_POTS: ''.anything
if PY3: ''.anything
if is_py3: ''.anything
if lib.version == 3: ''.anything
if IS_WINDOWS and 1: ''.anything
if sys.platform == 'win32' and ''.anything: pass
sys.platform != 'win32' or n or ''.anything
x = ''.anything if sys.version_info[0] > 3 else 1
while sys.version_info: ''.anything
[''.anything for x in '' if PY3]
`},
		{"versions and platforms of classes of the program", `
import sys, pytest
class Own:
    if sys.version_info >= (4, 0):
        def later(self): ...
if sys.platform == 'win32':
    class Win: ...
Own().later; Own().no_c; HAS_OWN and Own().no_d
if sys.version_info >= (3, 14): Own().no_a; Own().later
@pytest.mark.skipif(sys.platform == 'win32', reason='')
def f(): Own().no_b
@pytest.mark.xfail
def g(): Own().anything
if HAS_OWN and hasattr(Own, 'anything'): Own().anything
class Text(str): ...
if HAS_TEXT: Text().anything
`},
		{"attributes that are tested", `
import importlib
def f(p: Pot):
    if hasattr(p, 'other'): p.other; p.anything
    if getattr(p, 'other', None): p.other
    if importlib.util.find_spec('x'): p.anything
    if not hasattr(p, 'x'): return
    p.x
`},
		{"other conditions", `
def f(n, x: Pot, mode):
    if n > 3: x.no_a
    if mode == 'debug': x.no_b
    if x.size: x.no_c
    if verbose: x.no_d
    if X: x.no_e
    if x.size in LARGE: x.no_f
    elif n == LARGE and n != HAS_POTS: n = ''; n.anything
    elif LARGE == n: ''.anything
`},
		{"decorators that skip a function", `
import sys, unittest, pytest
@unittest.skipIf(sys.version_info < (3, 14), 'old')
def f(): ''.anything
@pytest.mark.skipif(sys.platform == 'win32', reason='')
def g(): ''.anything
@pytest.mark.slow
def h(): Pot().no_a
`},
		{"decorators that skip a class, and conditions in a class", `
import sys, unittest, pytest
@pytest.mark.skipif(sys.platform == 'win32', reason='')
@pytest.mark.slow
class A:
    pot = ''.anything
    def f(self): ''.anything
@pytest.mark.slow
class B:
    def f(self): Pot().no_a
    if sys.version_info < (3, 14):
        def g(self): ''.anything
    else:
        def g(self): ''.anything
    if unknown:
        def h(self): Pot().no_b
`},
	})
}
