package modules

import "testing"

func TestFlow_Branches(t *testing.T) {
	expectAbsent(t, []memberCase{
		{"both branches assign", `
def f(c):
    if c: x = Pot()
    elif c > 1: x = SmallPot()
    else: x = Pot()
    x.fill; x.no_a
`},
		{"one branch returns", `
def f(x: Pot | Lid):
    if isinstance(x, Lid): return x.no_a
    x.fill; x.no_open
`},
		{"one branch raises", `
def f(x: Pot | Lid):
    if not isinstance(x, Lid): raise ValueError(x.no_open)
    x.open; x.no_fill
`},
		{"one branch ends the program", `
import sys, os
from typing import NoReturn
def stop() -> NoReturn: raise SystemExit
class A:
    def fail(self) -> 'NoReturn': raise SystemExit
    def f(self, x: Pot | Lid, y: Pot | Lid, z: Pot | Lid, w: Pot | Lid):
        if isinstance(x, Lid): sys.exit(1)
        x.no_open
        if isinstance(y, Lid): stop()
        y.no_open
        if isinstance(z, Lid): self.fail()
        z.no_open
        if isinstance(w, Lid): os._exit(1)
        w.no_open
`},
		{"code that is not reached", `
def f():
    return 1
    Pot().anything
def g():
    raise ValueError
    Pot().anything
def h():
    if True: return
    Pot().anything
def i():
    if False: Pot().anything
    while False: Pot().anything
`},
		{"a variable that one branch assigns", `
def f(c):
    if c: x = Pot()
    x.no_a
`},
		{"a variable of unknown type in one branch", `
def f(c):
    x = Pot()
    if c: x = unknown()
    x.anything
`},
		{"assertions", `
def f(x: Pot | None, y: Pot | Lid, z: Pot | Lid):
    assert x
    x.no_a
    assert isinstance(y, Pot), y.anything
    y.no_open
    assert_pot(z)
    z.open
`},
	})
}

func TestFlow_Loops(t *testing.T) {
	expectAbsent(t, []memberCase{
		{"elements", `
for p in [Pot()]: p.no_a
for a, b in [(Pot(), Lid())]: a.no_b; b.no_c
for a, *b in [[Pot(), Pot()]]: a.no_d; b.no_e
`},
		{"a variable that the body changes", `
def f():
    x = Pot()
    while x:
        x.open
        x = Lid()
    x.no_a
def g():
    x = None
    for i in [1, 2]:
        if x is not None: x.no_b
        x = Pot()
`},
		{"a type that grows", `
def f():
    x = [Pot()]
    for i in [1]:
        x = [x]
    x.append; x[0].anything
`},
		{"break and continue", `
def f(c):
    while True:
        x = Pot()
        if c: break
        x = Lid()
        if c > 1: continue
        x.no_fill
    x.fill; x.no_open
def g(c):
    x = Lid()
    for i in [1]:
        if c:
            x = Pot()
            continue
        x = Lid()
    x.fill; x.open; x.no_a
`},
		{"an endless loop", `
def f():
    while True:
        if unknown(): return
    Pot().anything
def g():
    while 1: pass
    Pot().anything
`},
		{"else", `
def f(c):
    for x in [Pot()]:
        if c: break
    else:
        x = SmallPot()
        x.shrink; x.no_a
    x.fill; x.no_b
    while c:
        y = Pot()
        if c > 2: break
    else:
        y = Lid()
    y.open
`},
		{"the condition narrows", `
def next_pot() -> Pot | None: ...
def f(x: Pot | None, y: Pot | None):
    while x is not None:
        x.no_a
        x = next_pot()
    while not y: y = Pot()
    y.no_b
`},
		{"nested loops", `
def f(all: list[list[Pot]]):
    for row in all:
        for p in row:
            for q in [p]:
                q.no_a
            p.no_b
        row.no_c
`},
		{"asynchronous", `
class Stream:
    def __aiter__(self): return self
    async def __anext__(self) -> Pot: ...
async def f():
    async for p in Stream(): p.no_a
    async for p in [Pot()]: p.anything
`},
	})
}

func TestFlow_Exceptions(t *testing.T) {
	expectAbsent(t, []memberCase{
		{"handlers see each assignment of the body", `
def f():
    x = Pot()
    try:
        x = Lid()
        unknown()
        x = Pot()
    except ValueError:
        x.open; x.fill; x.no_a
    x.no_b
`},
		{"else and finally", `
def f():
    try:
        x = Pot()
        y = Pot()
    except ValueError:
        x = SmallPot()
        return
    else:
        x.no_a
        x = Lid()
    finally:
        y.no_b
    x.open; x.no_fill
`},
		{"a handler that ends", `
def f():
    x = None
    try: x = Pot()
    except OSError: return
    x.no_a
`},
		{"expected errors", `
try: Pot().anything
except AttributeError: pass
try: Pot().anything
except (ValueError, AttributeError): Pot().other
try: Pot().anything
except: pass
try: Pot().anything
except unknown(): pass
try: Pot().no_a
except (ValueError, KeyError): pass
try:
    Pot().no_b
    print(1)
    print(2)
except Exception: pass
`},
		{"the exception", `
class Broken(Exception):
    def mend(self) -> Pot: ...
try: pass
except Broken as e: e.mend().no_a; e.no_b; e.args
try: pass
except (Broken, ValueError) as e: e.mend; e.no_c
try: pass
except unknown() as e: e.anything
`},
		{"groups", `
class Broken(Exception): ...
try: pass
except* Broken as e: e.exceptions
`},
		{"finally after a return", `
def f():
    x = None
    try:
        x = Pot()
        return x
    finally:
        x.no_a
    Pot().anything
`},
		{"raise in a handler", `
def f():
    try: x = Pot()
    except ValueError as e: raise KeyError from e
    x.no_a
`},
	})
}

func TestFlow_ContextManagers(t *testing.T) {
	expectAbsent(t, []memberCase{
		{"__enter__", `
class Hold:
    def __enter__(self) -> Pot: ...
    def __exit__(self, *a): ...
with Hold() as p, Hold() as q: p.no_a; q.no_b
with Hold() as (a, b): a.anything
with (Hold() as r, Hold() as s): r.no_c
with Pot() as t: t.anything
with unknown() as u: u.anything
`},
		{"__aenter__", `
class Hold:
    async def __aenter__(self) -> Pot: ...
    async def __aexit__(self, *a): ...
async def f():
    async with Hold() as p: p.no_a
`},
		{"errors that are expected", `
import contextlib, pytest, unittest
with contextlib.suppress(AttributeError): Pot().anything
with pytest.raises((AttributeError, ValueError)): Pot().anything
with pytest.raises(unknown): Pot().anything
with pytest.raises(ValueError): Pot().no_a
with pytest.raises(socket.gaierror): Pot().no_c
class Test(unittest.TestCase):
    def test(self):
        with self.assertRaises(AttributeError): Pot().anything
        with self.assertRaises(KeyError): Pot().no_b
        self.assertRaises(AttributeError, lambda: Pot().anything)
`},
		{"code after a body that raises an error that may be suppressed", `
import contextlib
def f():
    with contextlib.suppress(ValueError):
        raise ValueError
    Pot().no_a
def g(lock):
    with open('x'):
        return 1
    Pot().anything
`},
		{"a variable that the suppressed code assigns", `
import contextlib
def f():
    x = Pot()
    with contextlib.suppress(ValueError):
        x = Lid()
    x.fill; x.open; x.no_a
`},
	})
}

func TestFlow_Match(t *testing.T) {
	expectAbsent(t, []memberCase{
		{"classes", `
def f(x: Pot | Lid, y, z: Pot | Lid):
    match x:
        case Pot(): x.fill; x.no_a
        case Lid(name=n): n.anything; x.open; x.no_b
        case other: other.anything; x.anything
    x.anything
    match y:
        case Pot() | Lid(): y.no_c; y.open
        case Pot() if y.size: y.no_d
        case [Pot(), 1]: y.anything
        case unknown.Kind(): y.anything
        case 1 | Pot(): y.anything
    match z:
        case Lid() as lid if len(str(lid)) > 1: lid.no_e; z.no_f; z.open
    Pot().no_g; str(y).no_h
`},
		{"variables that cases bind", `
def f(x, p: Pot):
    match x:
        case {'a': p, **rest}: p.anything; rest.anything
        case [p, *others] if p: p.anything; others.anything
        case Pot() as p: p.no_b
        case _: p.no_a
`},
		{"variables that cases assign", `
def f(x):
    match x:
        case 1: y = Pot()
        case _: y = SmallPot()
    y.fill; y.no_a
`},
		{"a case with an assignment on its line", `
x = Lid()
def f(y):
    match y:
        case {'a': 1}: x = Pot()
        case [x, 1] if y: z = Pot(); z.no_a
        case (1): x: Pot = Pot()
        case -1: x = SmallPot()
    x.fill
`},
		{"variables with the names match and case", `
def f(x):
    case: Pot = unknown()
    match = case
    match.no_a
    case.fill().no_b
    case[0].anything
    case[0]: Pot = x
    case.size: int = 3
`},
		{"parts of the subject", `
def f(x: Pot | Lid, y: Pot | Lid):
    match x, y:
        case Pot(), Lid(): x.fill; y.open
`},
	})
}

func TestFlow_Assignments(t *testing.T) {
	expectAbsent(t, []memberCase{
		{"several targets", `
a = b = Pot()
a.no_a; b.no_b
c, d = Pot(), Lid()
c.no_c; d.no_d
e, (f, g) = 1, (Pot(), Lid())
f.no_e; g.no_f
h, *i, j = Pot(), 1, 2, Lid()
h.no_g; i.append; j.no_h
[k, l] = [Pot(), Pot()]
k.no_i
`},
		{"too many or too few values", `
def f():
    a, b = Pot(), Lid(), 1
    a.anything; b.anything
    c, d = Pot(),
    c.anything; d.anything
`},
		{"attributes and elements", `
p = Pot()
p.size = 1
p.size += 1
p.anything = 1
p.size.no_a
all = {1: Pot()}
all[1] = Pot()
all[1].no_b
all[Pot().no_c] = Pot()
`},
		{"an attribute that a condition narrows", `
class A:
    lid: Lid | None = None
    pot: Pot | Lid
def f(a: A):
    if a.lid: a.lid.no_a
    if isinstance(a.pot, Pot):
        a.pot.no_open
        a.pot = unknown()
        a.pot.open
    if isinstance(a.pot, Pot):
        a = A()
        a.pot.open
`},
		{"an annotation that the value satisfies", `
def f():
    x: Pot | None = Pot()
    x.no_a
    y: Pot | None
    y = None
    if y: y.anything
`},
		{"setattr makes the type unknown", `
def f():
    p = Pot()
    setattr(p, 'anything', 1)
    p.anything
    q = Pot()
    vars(q)['anything'] = 1
    q.anything
`},
		{"a variable that a nested function assigns", `
def f():
    x = Pot()
    y = Pot()
    def g():
        nonlocal x
        x = Lid()
    g()
    x.open; y.no_a
`},
		{"a nested function sees all values", `
def f():
    x = Pot()
    def g():
        x.open; x.no_a
        def h(): x.no_b
    class A:
        def i(self): x.no_c
    x = Lid()
`},
		{"a class in a function", `
def f():
    class A:
        def own(self): ...
    A().no_a
    A.no_b
`},
		{"annotations with names of the function", `
def f(Pot):
    x: Pot = unknown()
    x.anything
    y: 'list[Pot]' = []
    y[0].anything
    def g(z: Pot): z.anything
`},
		{"default values", `
def f(x=Pot(), y: Pot = None, z: Pot | None = None, *args: Pot, **options: Lid):
    x.anything; y.anything
    if z: z.no_a
    args[0].no_b; options[''].no_c; args.no_d; options.keys
`},
	})
}
