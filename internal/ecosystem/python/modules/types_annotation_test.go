package modules

import (
	"strings"
	"testing"
)

func TestAnnotation_Forms(t *testing.T) {
	expectAbsent(t, []memberCase{
		{"names of typing for classes of re", `
import typing
def f(m: typing.Match[str], p: typing.Pattern[str]): m.no_a; p.no_b; m.group().no_c
`},
		{"strings", `
def f(a: 'Pot', b: 'list["Pot"]', c: "Pot | None", d: 'lib.Pot', e: '''Pot'''):
    a.no_a; b[0].no_b; c.no_c; d.anything; e.no_d
`},
		{"Optional and Union", `
import typing
from typing import Optional, Union
def f(a: Optional[Pot], b: Union[Pot, None], c: Union[Pot, SmallPot], d: typing.Optional[typing.Union[Pot, Lid]], e: Union['Pot', 'Lid']):
    a.no_a; b.no_b; c.fill; c.no_c; d.fill; d.open; d.no_d; e.no_e
`},
		{"Any and what is not known", `
from typing import Any, Union
from other import Thing
def f(a: Any, b: Thing, c: Pot | Any, d: Union[Pot, Thing], e: list[Any], g: 'not an annotation', h: list[Thing]):
    a.anything; b.anything; c.anything; d.anything; e[0].anything; e.no_a; g.anything; h[0].anything
`},
		{"names of typing for builtin classes", `
from typing import List, Dict, Set, FrozenSet, Tuple, Text
def f(a: List[Pot], b: Dict[str, Lid], c: Set[Pot], d: FrozenSet[Lid], e: Tuple[Pot, Lid], g: Tuple[Pot, ...], h: Text, i: List):
    a[0].no_a; b[''].no_b; c.pop().no_c; e[1].no_d; g[5].no_e; h.no_f; i.no_g; i[0].anything
    for x in d: x.no_h
`},
		{"abstract collections", `
from typing import Iterable, Iterator, Sequence, Mapping, Generator, Collection
from collections.abc import Iterable as I, Mapping as M
def f(a: Iterable[Pot], b: Iterator[Pot], c: Sequence[Lid], d: Mapping[str, Lid], e: Generator[Pot, None, None], g: I[Lid], h: M[str, Pot]):
    for x in a: x.no_a
    next(b).no_b
    for x in c: x.no_c
    d[''].no_d; d.get('').no_e
    for k, v in d.items(): k.no_f; v.no_g
    for x in e: x.no_h
    for x in g: x.no_i
    h.get('').no_j
`},
		{"tuples", `
def f(a: tuple[Pot, Lid], b: tuple[Pot, ...], c: tuple[()], d: tuple, e: tuple[Pot, *tuple[Lid, ...]]):
    a[0].no_a; a[1].no_b; b[9].no_c; c.no_d; d[0].anything; e[0].anything
    x, y = a
    x.no_e; y.no_f
    for z in b: z.no_g
`},
		{"Literal", `
from typing import Literal
def f(a: Literal['x'], b: Literal['x', 1], c: Literal[None, 'x'], d: Literal[True]):
    a.upper; a.no_a; b.upper; b.no_b; c.no_c; d.no_d
`},
		{"Annotated, ClassVar, Final and Required", `
from typing import Annotated, ClassVar, Final
class A:
    x: ClassVar[Pot]
    y: Annotated[Lid, 'doc', 1]
    z: Final[Pot]
A.x.no_a; A().y.no_b; A().z.no_c
`},
		{"classes", `
from typing import Type
def f(a: type[Pot], b: Type[Pot | Lid], c: type, d: 'Type[Lid]', e: type[T]) -> T:
    a().no_a; a.no_b; b().fill; b().open; b().no_c; c.anything; c().anything; d().no_d
    return e()
f(Pot, Pot, 1, Lid, Pot).no_e
`},
		{"TypeGuard and TypeIs", `
from typing import TypeGuard, TypeIs
def is_pot(x) -> TypeGuard[Pot]: ...
def is_lid(x) -> TypeIs[Lid]: ...
is_pot(1).no_a; is_lid(1).no_b
`},
		{"LiteralString, Never and NoReturn", `
from typing import LiteralString, Never
def f(a: LiteralString, b: Never): a.upper; a.no_a; b.anything
`},
		{"NewType", `
from typing import NewType
PotId = NewType('PotId', int)
Small = NewType('Small', SmallPot)
def f(a: PotId, b: Small): a.bit_length; a.no_a; b.shrink; b.no_b
`},
		{"numbers and other expressions", `
def f(a: 3, b: Pot(), c: [Pot], d: Pot and Lid, e: (Pot, Lid), g: Pot[0], h: -Pot):
    a.anything; b.anything; c.anything; d.anything; e.anything; h.anything
`},
	})
}

func TestAnnotation_Aliases(t *testing.T) {
	expectAbsent(t, []memberCase{
		{"plain ones", `
from typing import Union, Optional
A = Pot
B = Union[Pot, Lid]
C = Optional[A]
D = list[A]
E = Pot | None
def f(a: A, b: B, c: C, d: D, e: E): a.no_a; b.open; b.no_b; c.no_c; d[0].no_d; e.no_e
`},
		{"TypeAlias", `
from typing import TypeAlias
A: TypeAlias = 'list[Pot]'
B: TypeAlias = Lid
def f(a: A, b: B): a[0].no_a; b.no_b
`},
		{"type statements", `
type A = list[Pot]
type B = 'Lid | None'
def f(a: A, b: B): a[0].no_a; b.no_b
`},
		{"generic ones", `
from typing import Dict, Tuple
Pair = tuple[T, T]
Named = Dict[str, T]
def f(a: Pair[Pot], b: Named[Lid], c: Pair): a[0].no_a; b[''].no_b; c[0].anything; c.no_c
`},
		{"rings", `
A = list['A']
B = 'C'
C = B
type D = list[D]
def f(a: A, b: B, c: C, d: D): a[0].anything; b.anything; c.anything; d[0].anything
`},
		{"names with several values", `
if unknown(): A = Pot
else: A = Lid
def f(a: A): a.fill; a.open; a.anything
`},
		{"an annotated variable is no alias", `
A: object = Pot
def f(a: A): a.anything
`},
		{"a plain string is no alias", `
A = 'Pot'
def f(a: A): a.anything
`},
	})
}

func TestAnnotation_TypeVariables(t *testing.T) {
	expectAbsent(t, []memberCase{
		{"in the function they are not known", `
def f(x: T, y: list[T]) -> T:
    x.anything; y[0].anything; y.no_a
`},
		{"in a generic class", `
from typing import Generic
class A(Generic[T]):
    x: T
    def f(self) -> T:
        self.x.anything
        self.f().anything
        self.no_a
`},
		{"ParamSpec", `
from typing import ParamSpec, Callable
P = ParamSpec('P')
def call(f: Callable[P, T], *args: P.args, **options: P.kwargs) -> T: ...
def pot(n: int) -> Pot: ...
call(pot, 1).no_a
`},
		{"a bound", `
from typing import TypeVar
B = TypeVar('B', bound=Pot)
def same(x: B) -> B: ...
same(SmallPot()).shrink; same(SmallPot()).no_a
def bounded[X: Pot](x: X) -> X: ...
bounded(SmallPot()).shrink; bounded(SmallPot()).no_b
`},
		{"defaults of type parameters", `
class Box[X = Pot]:
    def get(self) -> X: ...
def f(a: Box[Lid], b: Box): a.get().no_a; b.get().anything
`},
	})
}

// TestAnnotation_Hostile reads annotations that a careless reader follows for too long.
func TestAnnotation_Hostile(t *testing.T) {
	deep := func(open, middle, end string, n int) string {
		return strings.Repeat(open, n) + middle + strings.Repeat(end, n)
	}
	expectAbsent(t, []memberCase{
		{"a type of types", "def f(x: " + deep("list[", "Pot", "]", 15) + "): x" + strings.Repeat("[0]", 15) + ".no_a\n"},
		{"deeper than the limit", "def f(x: " + deep("list[", "Pot", "]", 500) + "): x" + strings.Repeat("[0]", 500) + ".anything\n"},
		{"a long union", "def f(x: Pot" + strings.Repeat(" | Pot", 150) + "): x.anything\n"},
		{"a union of many types", "def f(x: tuple[Pot]" + strings.Repeat(" | tuple[Lid, Pot]", 3) + " | int | str | bytes | float | complex | list | dict | set | Pot | Lid | SmallPot | frozenset): x.anything\n"},
		{"quotes that do not end", "def f(x: 'list[Pot', y: 'Pot): x.anything\n"},
		{"brackets that do not end", "def f(x: list[Pot): x.anything\n"},
		{"an empty subscript", "def f(x: list[], y: dict[,], z: tuple[:]): x.append; y.keys; z.count\n"},
	})
}
