package modules

import "testing"

func TestCall_Overloads(t *testing.T) {
	const overloads = `
from typing import overload, Any
@overload
def pick(x: int) -> Pot: ...
@overload
def pick(x: str, *, deep: bool) -> Lid: ...
@overload
def pick(x: str, y: int, /) -> Pot: ...
@overload
def pick(*parts: bytes, sep: str = ...) -> Lid: ...
@overload
def pick(x: None, **options: int) -> SmallPot: ...
def pick(*args, **kwargs) -> Any: ...
`
	expectAbsent(t, []memberCase{
		{"the type of an argument", overloads + `
pick(1).fill().no_a
pick(b'').open().no_b
pick(b'', b'', sep='').no_c
`},
		{"a keyword-only argument that is required", overloads + `
pick('', deep=True).open().no_a
pick('', deep=True).no_fill
`},
		{"the number of arguments", overloads + `
pick('', 1).fill().no_a
`},
		{"arguments that ** takes", overloads + `
pick(None, a=1, b=2).shrink().no_a
`},
		{"an unpacked argument may be any", overloads + `
args = [1, 2]
pick(*args).anything
`},
		{"no overload accepts the arguments", overloads + `
pick(1, 2, 3, 4).anything
`},
		{"an argument of unknown type with results that differ", overloads + `
pick(unknown()).anything
`},
		{"an unknown argument, if all results are the same", `
from typing import overload
@overload
def same(x: int) -> Pot: ...
@overload
def same(x: str) -> Pot: ...
def same(x): ...
same(unknown()).no_a
`},
		{"an argument with a default", `
from typing import overload
@overload
def put(x: int, y: int = 0) -> Pot: ...
@overload
def put(x: str, y: int) -> Lid: ...
def put(x, y=0): ...
put(1).no_a
put(1, y=2).no_b
put('', y=2).open().no_c
put(y=2, x='').no_d
`},
		{"a derived class fits the base", `
from typing import overload
@overload
def wash(x: Pot) -> Lid: ...
@overload
def wash(x: str) -> Pot: ...
def wash(x): ...
wash(SmallPot()).open().no_a
wash('').fill().no_b
`},
		{"an int fits float, which comes later", `
from typing import overload
@overload
def scale(x: float) -> Pot: ...
@overload
def scale(x: str) -> Lid: ...
def scale(x): ...
scale(1).no_a
scale(1.5).no_b
`},
		{"None", `
from typing import overload
@overload
def get(x: None) -> Pot: ...
@overload
def get(x: int | None) -> Lid: ...
def get(x): ...
get(None).no_a
get(3).open().no_b
`},
		{"methods", `
from typing import overload
class Rack:
    @overload
    def take(self, i: int) -> Pot: ...
    @overload
    def take(self, i: slice) -> list[Pot]: ...
    def take(self, i): ...
Rack().take(1).no_a
Rack().take(slice(1)).append
Rack().take(slice(1)).no_b
`},
		{"arguments for which overloads declare the same types", `
from typing import overload, Iterable, Literal
@overload
def boil(x: Iterable[int], wait: Literal[True]) -> Pot: ...
@overload
def boil(x: Iterable[int], wait: bool) -> Pot | Lid: ...
@overload
def boil(x: Iterable[str], wait: bool) -> Lid: ...
def boil(x, wait): ...
boil([1], True).anything; boil(unknown(), wait=True).anything
@overload
def cool(x: Iterable[int], wait: Literal[True]) -> Pot: ...
@overload
def cool(x: Iterable[int], wait: bool) -> Lid: ...
def cool(x, wait): ...
cool([1], True).no_a; cool(unknown(), wait=True).fill().no_b; cool([1], False).no_c; cool([1], unknown()).anything
`},
		{"protocols of numbers", `
from typing import overload, Protocol
class Index(Protocol):
    def __index__(self) -> int: ...
class Sized(Protocol):
    def __len__(self) -> int: ...
@overload
def fill(x: Index) -> Pot: ...
@overload
def fill(x: Sized) -> Lid: ...
def fill(x): ...
fill((3, 3)).no_a; fill([1]).open().no_b; fill(1).anything; fill(unknown()).anything
`},
		{"literals", `
from typing import overload, Literal, Optional, Union
Kind = Literal['pan', 'pan lid']
class Omit: ...
@overload
def load(x: Literal['pot', 1], wait: Optional[Literal[False]] | Omit = ...) -> Pot: ...
@overload
def load(x: Union[Kind, None], wait: bool = ...) -> Lid: ...
@overload
def load(x: str, wait: Literal[True]) -> Shelf[Pot]: ...
@overload
def load(x: str, wait: bool = ...) -> SmallPot: ...
def load(x, wait=False): ...
load('pot').no_a; load(1).fill().no_b; load('pan').no_c; load(None).open().no_d
load('pot', False).no_e; load('pot', True).first().no_f; load('x').shrink().no_g
load(b'pot').anything; load('x', unknown()).anything; load(unknown()).anything
load('pot', Omit()).no_h
`},
	})
}

func TestCall_TypeVariables(t *testing.T) {
	expectAbsent(t, []memberCase{
		{"a class, or something else", `
def get(c: type[T] | str) -> T: ...
get(Pot).no_a
get('Pot').anything
`},
		{"a generator that calls itself", `
def walk(n: int):
    yield Pot()
    yield from walk(n - 1)
def other():
    yield Lid()
    yield from another()
def another():
    yield Pot()
    yield from other()
for p in walk(3): p.no_a
for p in another(): p.anything
`},
		{"in containers", `
from typing import Iterable, Sequence, Mapping
def first(x: list[T]) -> T: ...
def key(x: dict[K, V]) -> K: ...
def value(x: Mapping[K, V]) -> V: ...
def any_of(x: Iterable[T]) -> T: ...
def last(x: Sequence[T]) -> T: ...
first([Pot()]).no_a
key({Pot(): Lid()}).no_b
value({Pot(): Lid()}).no_c
any_of({Lid()}).no_d
any_of((Lid(), Lid())).no_e
last([Pot()]).no_f
any_of(Shelf(Pot())).no_g
`},
		{"in optional types", `
from typing import Optional
def some(x: Optional[T]) -> T: ...
def other(x: T | None) -> T: ...
def pot() -> Pot | None: ...
some(pot()).no_a
other(pot()).no_b
`},
		{"in tuples", `
def swap(x: tuple[K, V]) -> tuple[V, K]: ...
swap((Pot(), Lid()))[0].no_a
swap((Pot(), Lid()))[1].no_b
`},
		{"of classes", `
from typing import Type
def make(c: type[T]) -> T: ...
def build(c: Type[T]) -> T: ...
make(Pot).no_a
build(Lid).open().no_b
`},
		{"of results of functions", `
from typing import Callable
def run(f: Callable[..., T]) -> T: ...
def pot() -> Pot: ...
run(pot).no_a
run(Lid).no_b
`},
		{"of awaitable values", `
from typing import Awaitable
async def pot() -> Pot: ...
def wait(x: Awaitable[T]) -> T: ...
wait(pot()).no_a
`},
		{"of a class that inherits from a generic one", `
class Pots(Shelf[Pot]): ...
def first(x: Shelf[T]) -> T: ...
first(Pots(Pot())).no_a
Pots(Pot()).first().no_b
Pots(Pot())[0].no_c
`},
		{"through several generic classes", `
from typing import Generic
class Pair(Shelf[V], Generic[K, V]):
    def left(self) -> K: ...
class PotPair(Pair[Pot, Lid]): ...
def f(p: Pair[Pot, Lid], q: PotPair):
    p.left().no_a
    p.first().no_b
    q.left().no_c
    q.first().no_d
`},
		{"several arguments with one variable", `
def choose(a: T, b: T) -> T: ...
choose(Pot(), Pot()).no_a
choose(Pot(), Lid()).no_b
choose(Pot(), Lid()).open
`},
		{"a variable that no argument determines", `
def parse(text: str) -> T: ...
parse('').anything
`},
		{"an argument of unknown type", `
def same(x: T) -> T: ...
same(unknown()).anything
`},
		{"named arguments", `
def same(*, x: T, y: int = 0) -> T: ...
same(y=1, x=Pot()).no_a
`},
		{"variadic arguments", `
def either(*x: T) -> T: ...
either(Pot()).no_a
`},
		{"type parameters in brackets", `
def same[X](x: X) -> X: ...
class Box[X]:
    def __init__(self, x: X): self.x = x
    def get(self) -> X: return self.x
    def map[Y](self, y: Y) -> 'Box[Y]': ...
same(Pot()).no_a
Box(Lid()).get().no_b
Box(Lid()).map(Pot()).get().no_c
`},
		{"the annotation of self", `
from typing import TypeVar
S = TypeVar('S', bound='Node')
class Node:
    def copy(self: S) -> S: ...
class Leaf(Node):
    def fall(self): ...
Leaf().copy().fall
Leaf().copy().no_a
`},
		{"Self", `
from typing import Self
class Node:
    def copy(self) -> Self: ...
    @classmethod
    def make(cls) -> Self: ...
class Leaf(Node):
    def fall(self): ...
Leaf().copy().fall
Leaf.make().copy().fall
Leaf.make().no_a
Node.make().no_fall
`},
	})
}

func TestCall_Comparisons(t *testing.T) {
	expectAbsent(t, []memberCase{
		{"the largest and smallest elements", `
max([Pot()]).no_a; min(Pot(), SmallPot()).fill; max(Pot(), Lid()).no_b; max([Pot()], default=Lid()).open; max(*unknown()).anything
max([Pot()], key=unknown).no_c; max(unknown()).anything
`},
		{"the parameter of the function key", `
def f(pots: list[Pot]):
    sorted(pots, key=lambda p: p.no_a); sorted(pots, key=lambda p: p.fill); max(Pot(), Lid(), key=lambda p: p.no_b)
    pots.sort(key=lambda p: p.no_c); min(pots, key=lambda p=1: p.anything); sorted(unknown(), key=lambda p: p.anything)
    other(pots, key=lambda p: p.anything); pots.sort(key=lambda *p: p.anything)
`},
		{"sorted of the program", `
def max(x, key): ...
max([Pot()], key=lambda p: p.anything); max([Pot()], None).anything
`},
	})
}

func TestCall_OverloadedConstructors(t *testing.T) {
	expectAbsent(t, []memberCase{
		{"an overload that declares self", `
from typing import Generic, overload
class Maker(Generic[T]):
    @overload
    def __init__(self, bind: int = ..., *, class_: type[T]): ...
    @overload
    def __init__(self: 'Maker[Pot]', bind: int = ...): ...
    def __init__(self, bind=1, *, class_=None): ...
    def __call__(self) -> T: ...
Maker().__call__().no_a; Maker(1)().no_b; Maker(1)().fill; Maker(class_=Lid)().no_c; Maker(class_=Lid)().open
Maker(class_=unknown)().anything
`},
		{"overloads that may both apply", `
from typing import Generic, overload
class Maker(Generic[T]):
    @overload
    def __init__(self: 'Maker[Pot]', x: int): ...
    @overload
    def __init__(self: 'Maker[Lid]', x: str): ...
    def __init__(self, x): ...
    def make(self) -> T: ...
Maker(1).make().no_a; Maker('a').make().no_b; Maker(unknown()).make().anything; Maker(*unknown()).make().anything
def f(x: int | str): Maker(x).make().anything
`},
	})
}

func TestCall_Constructors(t *testing.T) {
	expectAbsent(t, []memberCase{
		{"__new__ without an annotation may return any object", `
class A:
    def __new__(cls, x): return make(cls)
A(1).anything
`},
		{"__new__ with the result Self", `
from typing import Self
class A:
    def __new__(cls) -> Self: ...
A().no_a
`},
		{"__new__ with another result", `
class A:
    def __new__(cls) -> Pot: ...
A().fill
`},
		{"__new__ that is not a function", `
class A:
    __new__ = unknown
A().anything
`},
		{"__call__ of a metaclass", `
class Meta(type):
    def __call__(cls, *args): return Pot()
class A(metaclass=Meta): ...
A().fill
`},
		{"a metaclass may add members to classes", `
class Meta(type):
    def count(cls): ...
class A(metaclass=Meta): ...
A().no_a
A.count
A.anything
`},
		{"a metaclass that is not known", `
from other import Meta
class A(metaclass=Meta): ...
A().anything
A.anything
`},
		{"a base that is not known", `
from other import Base
class A(Base): ...
A().anything
`},
		{"builtin collections", `
list((Pot(), Pot()))[0].no_a
for p in set([Pot()]): p.no_b
dict({'': Lid()})[''].no_c
tuple([Lid()])[0].no_d
list(unknown())[0].anything
dict(a=1)['a'].anything
frozenset([Pot()]).no_e
`},
		{"classes with type arguments", `
list[Pot]()[0].no_a
dict[str, Lid]()[''].no_b
Shelf[Lid](unknown()).first().no_c
`},
		{"type of one argument", `
type(Pot())().fill
type(Pot()).no_a
type(Pot())().no_b
`},
		{"a class of the program named type is no builtin", `
class type:
    def own(self): ...
type().own
type().no_a
`},
		{"exceptions", `
try: pass
except (ValueError, KeyError) as e:
    e.args
    e.no_a
except OSError as e:
    e.errno
except IOError as e:
    e.errno
    e.no_b
`},
	})
}

func TestCall_Callables(t *testing.T) {
	expectAbsent(t, []memberCase{
		{"an object with __call__", `
class Maker:
    def __call__(self) -> Pot: ...
Maker()().no_a
`},
		{"an object without __call__", `
Pot()().anything
`},
		{"a value that is declared as Callable", `
from typing import Callable
def f(make: Callable[[int], Pot], any_: Callable, g: Callable[..., list[Lid]]):
    make(1).no_a
    any_().anything
    g()[0].no_b
`},
		{"a union of functions", `
def f() -> Pot: ...
def g() -> SmallPot: ...
def h(c):
    x = f if c else g
    x().fill
    x().no_a
`},
		{"cast", `
from typing import cast
import typing as t
cast(Pot, unknown()).no_a
t.cast('Lid', unknown()).no_b
`},
		{"a function of the program named cast is another", `
def cast(a, b) -> Lid: ...
cast(Pot, 1).open
`},
		{"open", `
open('a').read().no_a
open('a', 'rb').peek
open('a', 'rb').no_b
open('a', mode='wb').write
open('a', 'wb').no_peek
open('a', 'r+b').peek
open('a', 'r+b').no_c
open('a', 'rb', 0).anything
open('a', unknown()).anything
`},
		{"lambdas", `
f = lambda: Pot()
f().no_a; (lambda x: x)(Pot()).anything
def g(lid):
    f = lambda: lid
    h = lambda: Lid()
    f().anything; h().no_b; h().open
pot = Pot()
k = lambda: pot
pot = unknown()
k().anything
`},
		{"partial functions", `
import functools
from functools import partial
def make(n: int) -> Pot: ...
partial(Lid, 1)().no_a; functools.partial(Lid)().no_b; partial(unknown())().anything; partial(make, 1).func
`},
		{"a local function", `
def f():
    def g() -> Pot: ...
    async def h() -> Lid: ...
    def i(): return 1
    g().no_a
    i().no_c
    async def j():
        (await h()).no_b
`},
		{"results without annotations", `
def make(): return Pot()
def either(c):
    if c: return Pot()
    return SmallPot()
def maybe(c):
    if c: return Pot()
def pots():
    yield Pot()
    yield from [Pot()]
def fails(): raise NotImplementedError
def same(x): return x
def ring(x): return ring(x - 1)
make().no_a
either(1).fill().no_b
maybe(1).no_c
for p in pots(): p.no_d
fails().anything
same(Pot()).anything
ring(1).anything
`},
		{"asynchronous results", `
async def make(): return Pot()
async def pots():
    yield Pot()
async def f():
    (await make()).no_a
    make().no_b
    async for p in pots(): p.no_c
    [q.no_d async for q in pots()]
`},
	})
}

func TestCall_Decorators(t *testing.T) {
	expectAbsent(t, []memberCase{
		{"one that is not known", `
from other import wrap
@wrap
def f() -> Pot: ...
f().anything
class A:
    @wrap
    def g(self) -> Pot: ...
A().g().anything
`},
		{"one that returns what it gets", `
from typing import Callable, TypeVar
F = TypeVar('F', bound=Callable)
def mark(f: F) -> F: ...
def option(name: str) -> Callable[[F], F]: ...
@mark
@option('x')
def f() -> Pot: ...
f().no_a
`},
		{"one that returns something else", `
from typing import Callable
def replace(f: T) -> Lid: ...
def option(name: str) -> Callable[[T], Lid]: ...
def bare(f): return f
@replace
def f() -> Pot: ...
@option('x')
def g() -> Pot: ...
@bare
def h() -> Pot: ...
f().anything
g().anything
h().no_a
`},
		{"the code of one that returns what it gets, or passes the result on", `
import functools
def register(name):
    def decorate(f):
        table[name] = f
        return f
    return decorate
def timed(f):
    @functools.wraps(f)
    def call(*args, **kwargs):
        with Timer(): print(args)
        return f(*args, **kwargs)
    return call
def later(f):
    async def call(self, *args, **kwargs): return await f(self, *args, **kwargs)
    return call
def maybe(f):
    def call(*args, **kwargs):
        try: return f(*args, **kwargs)
        except ValueError: print()
    return call
def each(f):
    def call(*args, **kwargs): return [f(*args, **kwargs)]
    return call
def sometimes(f):
    if f: return f
@register('x')
def a() -> Pot: ...
@timed
def b() -> Pot: ...
class C:
    @later
    async def c(self) -> Pot: ...
@maybe
def d() -> Pot: ...
@each
def e() -> Pot: ...
@register
def f() -> Pot: ...
@sometimes
def g() -> Pot: ...
a().no_a; b().no_b; d().anything; e().anything; f().anything; g().anything
async def main(): (await C().c()).no_c
`},
		{"one that declares the function that it returns", `
from typing import Callable
def each(f: Callable[..., T]) -> Callable[..., list[T]]: ...
@each
def f() -> Pot: ...
class A:
    @each
    def g(self) -> Lid: ...
    @each
    def h(self): return Pot() # a derived class may override it
    @property
    @each
    def p(self) -> Lid: ...
f()[0].no_a
A().g()[0].no_b
A().h()[0].anything
A().p[0].no_c
`},
		{"one with the name of a decorator of the standard library", `
from typing import Callable
def contextmanager(f: Callable[..., T]) -> Callable[..., Shelf[T]]: ...
@contextmanager
def f() -> Pot: ...
f().first().no_a
`},
		{"context managers", `
from contextlib import contextmanager, asynccontextmanager
from typing import Iterator, AsyncIterator
@contextmanager
def use() -> Iterator[Pot]: yield Pot()
@contextmanager
def lend(): yield Lid()
@asynccontextmanager
async def hold() -> AsyncIterator[Lid]: yield Lid()
with use() as p, lend() as l: p.no_a; l.no_b
async def f():
    async with hold() as h: h.no_c
use().no_d
`},
		{"caches", `
from functools import lru_cache, cache
@lru_cache(maxsize=None)
def f() -> Pot: ...
@cache
def g() -> Lid: ...
f().no_a
f.cache_clear
g().no_b
`},
		{"static and class methods", `
class A:
    @staticmethod
    def s(x: T) -> T: ...
    @classmethod
    def c(cls, x: T) -> T: ...
A.s(Pot()).no_a
A().s(Pot()).no_b
A.c(Lid()).no_c
A().c(Lid()).no_d
`},
		{"a method that is called on the class", `
Pot.fill(Pot()).no_a
`},
		{"properties", `
from functools import cached_property
from abc import abstractmethod
class A:
    @property
    def p(self) -> Pot: ...
    @cached_property
    def c(self) -> Lid: ...
    @property
    @abstractmethod
    def q(self): return Pot()
    @p.setter
    def p(self, value): ...
A().p.no_a
A().c.no_b
A().q.no_c
A.p.anything
`},
		{"wrapped functions", `
from functools import wraps
@wraps(unknown)
def f() -> Pot: ...
f().anything
`},
	})
}
