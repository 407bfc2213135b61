package modules

import "testing"

func TestValue_Literals(t *testing.T) {
	expectAbsent(t, []memberCase{
		{"numbers", `
(1).no_int; (1).bit_length
(1.5).no_float; (1e3).hex; (0xe).bit_length; (0xE).no_hex
(2j).no_complex; (2j).conjugate; (-1).no_negative; (-1.5).hex; (~1).bit_length; (-True).no_true
`},
		{"strings", `
''.no_str; b''.no_bytes; rb''.decode; Rb'x'.no_raw; f'{1}'.no_format; u''.upper; '' ''.no_joined
'''a
b'''.no_long
f''.encode().no_encoded
`},
		{"constants", `
True.no_bool; True.bit_length; None.anything; ....anything; (not 1).no_not
`},
		{"the parts of a format string are evaluated, but not reported", `
f'{Pot().anything!r:>{Lid().other}}'
`},
	})
}

func TestValue_Collections(t *testing.T) {
	expectAbsent(t, []memberCase{
		{"lists, sets and tuples", `
[Pot()][0].no_a; [Pot(), SmallPot()][0].fill; [Pot(), Lid()][1].no_b
{Lid()}.pop().no_c
(Pot(), Lid())[0].no_d; (Pot(), Lid())[1].open; (Pot(), Lid())[-1].no_e; (Pot(), Lid())[-2].fill
[].no_f; ().no_g; {1}.no_h; {}.no_i
`},
		{"an index that is out of the tuple or not known", `
p = (Pot(), Lid())
p[2].anything
p[unknown()].open; p[unknown()].no_a
`},
		{"unpacked elements", `
[*[Pot()], Pot()][0].no_a
(*[Pot()], Lid())[0].anything
(*[Pot()],).no_b
dict(a=Pot())['a'].no_d; dict(a=Pot(), b=Lid())['a'].no_e; dict(a=1)['a'].anything; dict(a=Pot(), **unknown())['a'].anything
dict(zip(['a'], [Pot()]))['a'].no_f; dict(unknown(), a=Pot())['a'].anything; dict([(1, Pot())])[1].no_g
{**{1: Pot()}}[1].no_c; {'a': Lid(), **unknown()}['a'].anything
`},
		{"dictionaries", `
{1: Pot()}[1].no_a; {1: Pot(), 2: Lid()}[1].no_b; {1: Pot()}.get(1).no_c
for k in {Pot(): Lid()}: k.no_d
for k, v in {Pot(): Lid()}.items(): k.no_e; v.no_f
for v in {Pot(): Lid()}.values(): v.no_g
{1: Pot()}.get(1, Lid()).no_h; {1: Pot()}.get(1, Lid()).open
`},
		{"slices", `
[Pot()][1:][0].no_a; [Pot()][::2].append; [Pot()][1:].no_b
'abc'[1:].no_c; b'abc'[:1].no_d; b'abc'[0].no_e; b'abc'[0].bit_length; 'abc'[0].no_f
(Pot(), Pot())[:1][0].no_g
`},
		{"elements that a method returns", `
Shelf(Pot())[0].no_a
for p in Shelf(Pot()): p.no_b
class Ring:
    def __iter__(self): return self
    def __next__(self) -> Lid: ...
for l in Ring(): l.no_c
[m.no_d for m in Ring()]
`},
		{"values without elements", `
for x in Pot(): x.anything
Pot()[0].anything
for x in 1: x.anything
`},
		{"many elements", `
x = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, '')
x[0].anything; x.no_a
`},
	})
}

func TestValue_Operators(t *testing.T) {
	expectAbsent(t, []memberCase{
		{"arithmetic", `
(1 + 2).no_a; (1 / 2).no_b; (1 / 2).hex; (1 // 2).bit_length; (1 + 2.0).hex; (1 + 2j).no_c; (1 % 2).no_d
(1 ** 2).no_e; (2 ** -1).anything; (2 ** unknown()).anything
`},
		{"operators of the right operand", `
class Vector:
    def __radd__(self, other): return Pot()
    __rmul__ = __radd__
class Markup(str):
    def __radd__(self, other): return Pot()
    def __rmod__(self, other): return Pot()
    def __mod__(self, other): return Pot()
class Whole(int):
    def __radd__(self, other): return Pot()
(1 + Vector()).fill; ([1] + Vector()).fill; ('a' * Vector()).fill; ('a' + Markup()).fill; ('a' % Markup()).fill; (1 + Whole()).fill
(1 + int(Whole())).no_a; ('a' + str(Markup())).no_b
`},
		{"sets and dictionaries", `
({Pot()} | {Lid()}).no_a; ({Pot()} | {Lid()}).pop().no_b; ({Pot()} | {Lid()}).pop().open; ({Pot()} & {Lid()}).pop().no_c; ({Pot()} - {Pot()}).no_d; ({1} | [1]).anything; ({1} | unknown()).anything
({'a': Pot()} | {'b': Lid()})['a'].open; ({'a': Pot()} | {'b': Lid()})['a'].no_e; ({} | unknown()).anything
`},
		{"empty displays", `
def f(pots: list[Pot] | None, lids: dict[str, Lid], x):
    (pots or [])[0].no_a; (lids or {})['a'].no_b; (x or [])[0].anything; (pots or [Lid()])[0].open
`},
		{"starred targets", `
def f(pots: list[Pot], pair: tuple[Pot, Lid, Lid]):
    first, *rest = pots
    first.no_a; rest[0].no_b; rest.no_c
    first, *rest = pair
    first.no_d; rest[0].no_e; rest[0].open
    *rest, last = pair
    last.no_f; last.open; rest[0].open; rest[0].fill
    [more[0].no_g for _, *more in [pots]]
`},
		{"strings", `
('a' + 'b').no_a; ('%s' % 1).no_b; ('a' * 2).no_c; (b'%d' % 1).decode; (b'a' + b'b').no_d
('a' + unknown()).anything
`},
		{"lists", `
([Pot()] + [Pot()])[0].no_a; ([Pot()] + [Lid()])[0].open; ([Pot()] * 2)[0].no_b; ([Pot()] + [Lid()])[0].no_c
`},
		{"methods of operators", `
class M:
    def __add__(self, o) -> Pot: ...
    def __truediv__(self, o: str) -> Lid: ...
    def __or__(self, o) -> 'M': ...
    def __matmul__(self, o) -> Pot: ...
    def __lshift__(self, o) -> Lid: ...
m = M()
(m + 1).no_a; (m / '').no_b; (m | m).no_c; (m @ 1).no_d; (m << 1).no_e
(m - 1).anything; (m + unknown()).anything
`},
		{"comparisons", `
(1 < 2).no_a; (1 == 2).no_b; (1 in [1]).no_c; (1 is None).no_d; (1 is not None).no_e; ('' not in '').no_f
(Pot() == 1).anything; (Pot() < 1).anything
`},
		{"and and or", `
def f(p: Pot | None, l: Lid, i: int):
    (p or SmallPot()).no_a
    (p or l).open
    (p and p.fill()).no_b
    (i or Pot()).fill
    (None or l).no_c
    (None and l).anything
    (l and Pot()).fill
`},
		{"an object that is always true", `
(Lid() and Pot()).no_a
(Lid() and Pot()).fill
class Always:
    def no_b(self): ...
(Always() and Pot()).no_b
class Empty:
    def __bool__(self): return False
    def own(self): ...
(Empty() and Pot()).own
class Sized:
    def __len__(self): return 0
    def own(self): ...
(Sized() and Pot()).own
`},
		{"the right side is evaluated if the left one allows it", `
def f(p: Pot | None, x: Pot | Lid):
    p is not None and p.no_a
    p is None or p.no_b
    isinstance(x, Pot) and x.fill().no_c
    not isinstance(x, Pot) or x.no_d
`},
		{"conditional expressions", `
def f(c, p: Pot | None, x: Pot | Lid):
    (Pot() if c else SmallPot()).no_a
    (Pot() if c else Lid()).open
    (p.no_b if p else None)
    (None if p is None else p).no_c
    (x.no_d if isinstance(x, Lid) else x.no_e)
`},
		{"augmented assignments", `
n = 1
n += 1.5
n.hex; n.no_a
s = ''
s += 'x'
s.no_b
l = [Pot()]
l += [Pot()]
l[0].no_c
u = unknown()
u += 1
u.anything
`},
		{"walrus", `
if (p := Pot()): p.no_a
while (l := Lid()).name: l.no_b
[q.no_c for x in [1] if (q := Pot())]
(r := Pot()).no_d
`},
	})
}

func TestValue_Comprehensions(t *testing.T) {
	expectAbsent(t, []memberCase{
		{"elements of results", `
[Pot() for x in '']. no_a
[Pot() for x in ''][0].no_b
{Lid() for x in ''}.pop().no_c
{1: Pot() for x in ''}[1].no_d
for p in (Pot() for x in ''): p.no_e
(Pot() for x in '').send
`},
		{"targets", `
[p.no_a for p in [Pot()]]
[(a.no_b, b.no_c) for a, b in [(Pot(), Lid())]]
[(a.no_d, b.append) for a, *b in [(Pot(), Lid())]]
[v.no_e for i, (k, v) in [(1, (2, Pot()))]]
[q.no_f for p in [[Pot()]] for q in p]
`},
		{"a variable hides one of the function", `
def f(x: Pot):
    [x.no_a for x in [Lid()]]
    x.fill
    x.no_b
`},
		{"conditions narrow", `
def f(all: list[Pot | None], other: list[Pot | Lid]):
    [p.no_a for p in all if p]
    [p.no_b for p in all if p is not None]
    [o.no_c for o in other if isinstance(o, Pot)]
    [o.open for o in other if not isinstance(o, Pot)]
    [o.anything for o in other if hasattr(o, 'anything')]
`},
		{"asynchronous", `
async def pots():
    yield Pot()
async def f():
    [p.no_a async for p in pots()]
    {p: p.no_b async for p in pots()}
`},
		{"in a class", `
class A:
    pots = [Pot()]
    names = [p.no_a for p in pots]
    size = pots[0].no_b
`},
	})
}

func TestValue_Lambdas(t *testing.T) {
	expectAbsent(t, []memberCase{
		{"the body sees the variables around it", `
def f():
    p = Pot()
    sort(key=lambda x: p.no_a)
    g = lambda p: p.anything
    h = lambda *p, **q: (p.anything, q.anything)
    p.no_b
`},
		{"a lambda outside functions", `
p = Pot()
f = lambda x: p.no_a
g = lambda p: p.anything
`},
		{"a comprehension in a lambda", `
def f(all: list[Pot]):
    return lambda: [p.no_a for p in all]
`},
		{"a lambda that returns a lambda", `
def f(p: Pot):
    return lambda: lambda q: (p.no_a, q.anything)
`},
	})
}

func TestValue_Names(t *testing.T) {
	expectAbsent(t, []memberCase{
		{"a variable of the module", `
p = Pot()
def f(): p.no_a
`},
		{"a variable of the module with several values", `
p = Pot()
if unknown(): p = Lid()
def f(): p.open; p.no_a
`},
		{"a variable of the module that another function assigns", `
p = Pot()
q = Pot()
def f():
    global p
    p = Lid()
def g(): p.open; q.no_a
`},
		{"a variable of a function hides that of the module", `
p = Pot()
def f():
    p = Lid()
    p.no_a; p.open
def g(p): p.anything
def h():
    p.anything
    p = Lid()
`},
		{"builtin functions and classes", `
len('').no_a; str(1).no_b; int('1').no_c; repr(1).no_d; sorted([Pot()])[0].no_e
for i, p in enumerate([Pot()]): i.no_f; p.no_g
for a, b in zip([Pot()], [Lid()]): a.no_h; b.no_i
range(3).no_j
`},
		{"a name that hides a builtin one", `
def len(x) -> Pot: ...
len('').no_a; len('').fill
def f(str): str(1).anything
`},
		{"modules", `
import lib
import lib as l
lib.Pot().no_a; l.Lid().no_b; lib.anything; lib.unknown().anything
`},
		{"imports in functions", `
def f():
    import lib
    from lib import Pot as P, Lid
    lib.Pot().no_a; P().no_b; Lid().no_c
    from other import Lid as L
    L().anything
`},
		{"annotated variables", `
p: Pot = unknown()
q: Pot | None = Pot()
r: 'list[Lid]' = []
s: int
p.no_a; q.no_b; r[0].no_c
def f():
    x: Pot = unknown()
    y: Pot | None = None
    z: Lid | None = Lid()
    x.no_d; z.no_e; z.open
`},
		{"Final", `
from typing import Final
P: Final = Pot()
Q: Final[Lid] = unknown()
P.no_a; Q.no_b
def f():
    r: Final = Pot()
    r.no_c
`},
		{"a name that a star import may bind", `
from other import *
list().anything
str(1).anything
`},
		{"deleted names", `
def f():
    p = Pot()
    del p
    p.anything
    a, b = Pot(), Pot()
    del (a, b)
    a.anything; b.anything
`},
	})
}
