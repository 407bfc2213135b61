package modules

import (
	"fmt"
	"strings"
	"testing"
)

func TestClass_Members(t *testing.T) {
	expectAbsent(t, []memberCase{
		{"inherited ones, in the method resolution order", `
class A:
    def f(self) -> Pot: ...
    def g(self) -> Pot: ...
class B(A):
    def f(self) -> Lid: ...
class C(A):
    def g(self) -> Lid: ...
class D(B, C): ...
D().f().open; D().f().no_a; D().g().open; D().g().no_b; D().no_c
`},
		{"attributes of a class whose objects may have others", `
class A:
    size = 1
    def __init__(self, names):
        for n in names: setattr(self, n, 1)
    def __getattr__(self, name): ...
class B(A):
    def __new__(cls): return unknown()
class C:
    def __init_subclass__(cls): setattr(cls, unknown(), 1)
A.size; A.no_a; B.no_b; A([]).any; C.any
`},
		{"attributes that methods assign", `
class A:
    def __init__(self, n):
        self.p = Pot()
        self.q = self.r = Lid()
        self.a, self.b, *self.c = 1, Pot(), 2
        if n:
            self.d = Pot()
        try:
            self.e = Pot()
        except ValueError:
            self.e = SmallPot()
    def later(self):
        self.s: Pot = unknown()
        self.n += 1
def f(x: A):
    x.p.no_a; x.r.no_b; x.a.no_c; x.b.no_d; x.c.append; x.d.no_f; x.e.fill().no_g; x.s.no_h; x.n; x.no_i
`},
		{"a function in a class that is not a method", `
class A:
    def __init__(self): ...
    def convert(pot): pot.anything
    def mark(f): f.anything
    def other(this): this.no_a
    rules = [unknown(convert)]
    @mark
    def g(self): self.no_b
`},
		{"an attribute that gets a value of an unknown type", `
class A:
    pot: Pot = None
    def f(self):
        self.pot.no_a
        self.pot = unknown()
        self.pot.anything
    def g(self): self.pot.no_b
`},
		{"attributes of an object without any that a function gets", `
class Empty:
    '''Anything.'''
class Plain:
    def f(self): ...
class Derived(Plain): ...
def f(fill):
    a, b, c, d = Empty(), Plain(), Derived(), Empty()
    fill(a, more=[d])
    fill(b); fill(c)
    a.anything; b.no_a; c.no_b; d.no_c
    fill(more=d)
    d.anything
    d = Empty()
    d.no_d
`},
		{"attributes that a method assigns elsewhere than at the beginning of a line", `
class A:
    def __init__(self, n): self.p = Pot()
    def set(self):
        for self.i in [Lid()]: pass
        with open('x') as self.file: pass
        self.a, (self.b, *self.c) = 1, (Pot(), 2)
def f(x: A):
    x.p; x.i; x.file; x.a; x.b; x.c; x.no_a
`},
		{"an attribute with values of several types", `
class A:
    x = None
    y = Pot()
    def f(self): self.x = Pot()
    def g(self): self.y = Lid()
    def h(self):
        self.x.no_a
        self.y.open; self.y.fill; self.y.no_b
`},
		{"a property of a base that a method assigns", `
class A:
    x = None
    y = None
    @property
    def p(self) -> Pot: ...
    @p.setter
    def p(self, value): ...
    def q(self) -> Pot: ...
class B(A):
    def f(self):
        self.p = Lid()
        self.q = Lid()
class C(B): ...
def f(b: B, c: C):
    b.p.fill; c.p.fill; b.p.no_a; b.q.open; b.q.no_b
`},
		{"an attribute that another object receives", `
class A:
    def f(self, other):
        other.x = 1
        self.x.anything
`},
		{"a receiver with another name", `
class A:
    def __init__(this): this.p = Pot()
    def f(me): me.p; me.no_b
    @classmethod
    def g(klass): klass.f; klass.no_c; klass().p; klass().no_d
    @staticmethod
    def h(self): self.anything
    def i(*args): args[0].anything
`},
		{"__slots__", `
class A:
    __slots__ = ('x', 'y')
def f(a: A): a.x; a.y.anything; a.no_a
`},
		{"annotations without values", `
class A:
    x: Pot
    y: 'Lid | None'
    z: 'list[A]'
def f(a: A): a.x.no_a; a.y.no_b; a.z[0].x.no_c
`},
		{"a class that computes its attributes", `
class A:
    def __getattr__(self, name): ...
class B:
    def __getattribute__(self, name): ...
class C:
    def __init__(self, **k): self.__dict__.update(k)
class D:
    def __init__(self, k):
        for n in k: setattr(self, n, 1)
class E(A): ...
A().anything; B().anything; C().anything; D(1).anything; E().anything
`},
		{"names between two underscores", `
Pot().__anything__; Pot()._anything; Pot().__private
`},
		{"members of all objects", `
Pot().__class__; Pot().__dict__; Pot().__doc__.upper; Pot.__name__; Pot.__mro__; Pot.mro
`},
		{"nested classes", `
class A:
    class B:
        class C:
            x: Pot
        def f(self): return self.C()
    def g(self): return self.B()
A.B.C().x.no_a; A.B().f().no_b; A().g().f().x.no_c
`},
		{"a method with another result in another branch", `
class A:
    if unknown():
        def f(self) -> Pot: ...
        def g(self) -> Pot: ...
    else:
        def f(self) -> Lid: ...
        def g(self) -> Pot: ...
A().f().fill; A().f().open; A().g().no_a; A().no_b
`},
		{"functions with other results in other branches", `
def a() -> Pot: ...
if unknown():
    def a() -> Lid: ...
try:
    def b() -> Pot: ...
except ValueError:
    def b() -> Lid: ...
if unknown():
    def c(): return Pot()
else:
    def c(): return Lid()
a().fill; a().open; b().fill; b().open; c().fill; c().open
`},
		{"a class that is declared twice", `
if unknown():
    class A:
        def f(self): ...
else:
    class A:
        def g(self): ...
A().f; A().g; A().anything
`},
		{"recursion", `
class A:
    def f(self): return self.g()
    def g(self): return self.f()
    x = y = None
    def h(self):
        self.x = self.y
        self.y = self.x
        self.f().anything; self.x
        self.no_a
`},
	})
}

func TestClass_Bases(t *testing.T) {
	expectAbsent(t, []memberCase{
		{"builtin classes", `
class Names(list[Pot]):
    def own(self): ...
class Text(str): ...
class Broken(ValueError): ...
for x in Names(): x.no_a
Names().own; Names().append; Names().no_b
Text().upper().no_c; Text().no_d
Broken().args; Broken().no_e
`},
		{"a base that is an alias", `
Base = Pot
class A(Base): ...
A().fill().no_a; A().no_b
`},
		{"a base that is computed", `
def base(): return Pot
class A(base()): ...
A().anything
`},
		{"one base that is not known", `
from other import Mixin
class A(Mixin, Pot): ...
class B(A): ...
A().anything; B().anything
`},
		{"bases that contain no members", `
from typing import Generic, Protocol
from abc import ABC
class A(ABC, Generic[T]):
    def f(self) -> T: ...
class B(A[Pot]): ...
B().f().no_a; B().no_b
`},
		{"a ring", `
class A(B): ...
class B(A): ...
A().anything; B().anything
`},
		{"a class that is its own base", `
class A(A): ...
A().anything
`},
		{"super", `
class A(Pot):
    def fill(self): return super().anything
    def shake(self):
        s = super()
        super().fill().no_a; super().size.no_b; s.fill().no_c; s.shaken; super(A, self).fill().anything
    @classmethod
    def make(cls): super().anything
class B(Shelf[Pot]):
    def first(self): super().first().no_e
class C(unknown()):
    def first(self): super().first().anything
`},
		{"a mixin, which only objects of derived classes use together with another base", `
class A(Pot):
    def fill(self): return super().anything()
    def shake(self): self.anything
class B(A): ...
def f(a: A): a.anything
A().no_a; B().no_b; A().fill
`},
		{"a decorated class", `
from other import wrap
@wrap
class A: ...
A().anything
`},
	})
}

func TestClass_FunctionsInOneLine(t *testing.T) {
	expectAbsent(t, []memberCase{
		{"attributes", `
class A:
    def __init__(self): self.x = Pot()
    def set(self): pass; self.y = Lid()
    def get(self): return self.x
A().x.no_a; A().y.no_b; A().get().no_c
`},
	})
}

func TestClass_AttributesInDictionaries(t *testing.T) {
	expectAbsent(t, []memberCase{
		{"their types are unknown", `
class A:
    def __init__(self):
        self.x = self.y = Pot()
        self.z = Pot()
        self.__dict__.update({'x': unknown()},
            y=unknown())
A().x.anything; A().y.anything; A().z.no_a
`},
	})
}

func TestClass_Descriptors(t *testing.T) {
	expectAbsent(t, []memberCase{
		{"__get__", `
class Field:
    def __get__(self, obj, owner) -> Pot: ...
class A:
    f = Field()
A().f.no_a; A.f.no_b
`},
		{"overloads for the class and for its objects", `
from typing import overload
class Field:
    @overload
    def __get__(self, obj: None, owner) -> 'Field': ...
    @overload
    def __get__(self, obj: 'A', owner) -> Pot: ...
    def __get__(self, obj, owner): ...
    def own(self): ...
class A:
    f = Field()
A().f.no_a; A.f.own; A.f.no_b
`},
		{"a generic one", `
from typing import Generic
class Field(Generic[T]):
    def __init__(self, of: type[T]): ...
    def __get__(self, obj, owner) -> T: ...
class A:
    f: Field[Pot]
    g = Field(Lid)
A().f.no_a; A().g.no_b
`},
		{"a decorator", `
from typing import Callable, Generic
class Lazy(Generic[T]):
    def __init__(self, make: Callable[..., T]): ...
    def __get__(self, obj, owner) -> T: ...
class lazy_property:
    def __get__(self, obj, owner): ...
class Other:
    def __get__(self, obj, owner): ...
class A:
    @Lazy
    def f(self) -> Pot: ...
    @lazy_property
    def g(self) -> Lid: ...
    @lazy_property
    async def h(self) -> Lid: ...
    @Other
    def i(self) -> Pot: ...
    @lazy_property
    def j(self): return Pot()
A().f.no_a; A().g.no_b; A().h.anything; A().i.anything; A.g.anything; A().j.anything
`},
		{"__set__ alone", `
class Field:
    def __set__(self, obj, value): obj.__dict__['f'] = value
class A:
    f = Field()
A().f.anything; A.f.no_a
`},
		{"a class that may be one", `
from other import Base
class Field(Base): ...
class A:
    f = Field()
A().f.anything
`},
		{"properties that call properties", `
class A:
    @property
    def x(self): return self.y.fill()
    @property
    def y(self): return Pot()
A().x.no_a
`},
		{"a property with the result Self", `
from typing import Self
class A:
    @property
    def copy(self) -> Self: ...
class B(A):
    def own(self): ...
B().copy.own; B().copy.no_a
`},
	})
}

func TestClass_Enumerations(t *testing.T) {
	expectAbsent(t, []memberCase{
		{"values", `
from enum import Enum, IntEnum
class Color(Enum):
    RED = 1
    GREEN = 'x'
    def mix(self, o: 'Color') -> Pot: ...
class Level(IntEnum):
    LOW = 1
Color.RED.name; Color.RED.value; Color.RED.mix(Color.GREEN).no_a; Color.RED.no_b
Color['RED'].mix; Color('x').mix; Color(1).no_c
for c in Color: c.mix; c.no_d
Level.LOW.bit_length
`},
		{"members of the class itself", `
from enum import Enum
class Color(Enum):
    RED = 1
Color.RED
Color.__members__
`},
		{"annotated and private names", `
from enum import Enum
class Shape(Enum):
    _ignore_ = ['x']
    sides: int
    SQUARE = 4
Shape.SQUARE.sides.bit_length; Shape.SQUARE.sides.no_a
`},
	})
}

func TestClass_Styles(t *testing.T) {
	expectAbsent(t, []memberCase{
		{"the elements of named tuples", `
from typing import NamedTuple
class P(NamedTuple):
    pot: Pot
    lid: Lid
pot, lid = P(Pot(), Lid())
pot.no_a; pot.fill; lid.no_b
P(Pot(), Lid())[0].no_c; P(Pot(), Lid())[-1].open; P(Pot(), Lid())[:1].no_d
for x in P(Pot(), Lid()): x.anything
class Q(P):
    def __iter__(self): return unknown()
a, b = Q(Pot(), Lid())
a.anything
class R(P): ...
R(Pot(), Lid()).lid.no_e; R(Pot(), Lid()).no_f
`},
		{"the values of typed dictionaries", `
from typing import TypedDict
class D(TypedDict):
    pot: Pot
def f(d: D, k):
    d['pot'].no_a; d['pot'].fill
    d['lid'].anything; d[k].anything
`},
		{"named tuples and typed dictionaries", `
from typing import NamedTuple, TypedDict
from collections import namedtuple
class P(NamedTuple):
    pot: Pot
class D(TypedDict):
    pot: Pot
Q = namedtuple('Q', 'a b')
P(Pot()).pot.no_a; P(Pot()).no_b; P(Pot()).count; D().no_c; D().update; Q(1, 2).no_d
`},
		{"protocols", `
from typing import Protocol
class HasPot(Protocol):
    pot: Pot
    def take(self) -> Lid: ...
def f(x: HasPot): x.pot.no_a; x.take().no_b; x.anything
`},
		{"data classes", `
from dataclasses import dataclass, field
@dataclass
class A:
    pot: Pot
    lids: list[Lid] = field(default_factory=list)
A(Pot()).pot.no_a; A(Pot()).lids[0].no_b; A(Pot()).no_c
`},
	})
}

func TestClass_TooManyAncestors(t *testing.T) {
	chain := func(n int) string {
		var b strings.Builder
		b.WriteString("class C0: ...\n")
		for i := range n {
			fmt.Fprintf(&b, "class C%d(C%d): ...\n", i+1, i)
		}
		return b.String()
	}
	expectAbsent(t, []memberCase{
		{"as many as are followed", chain(maxAncestors-2) + fmt.Sprintf("C%d().no_a\n", maxAncestors-2)},
		{"more", chain(maxAncestors+1) + fmt.Sprintf("C%d().anything\n", maxAncestors+1)},
	})
}

func TestClass_AttributesThatAnObjectReplaces(t *testing.T) {
	expectAbsent(t, []memberCase{
		{"with a computed name", `
class A:
    names = ()
    def __init__(self, **more):
        self.__dict__.update(names=[], **more)
    def add(self, x):
        self.names.append(x)
class B:
    names = ()
    def add(self, x):
        self.names.no_append(x)
`},
	})
}
