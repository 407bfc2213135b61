"""An orchard: type parameters in brackets, classes that change their subclasses, and statements of newer versions."""

import functools
from typing import (
    Any, Callable, Concatenate, Generic, ParamSpec, Self, TypeIs, TypeVarTuple, TypedDict, Unpack,
    dataclass_transform, final, override,
)

from attrs import define, field

from ._graft import graft as graft

P = ParamSpec("P")
Rows = TypeVarTuple("Rows")

type Basket[T: (int, str) = int] = dict[str, list[T]]
type Picker[**Q, R] = Callable[Q, R]


class Row(TypedDict, total=False):
    """Where trees stand.

    Attributes:
        length: In metres.
    """

    length: float
    trees: "list[Tree]"


class Plant:
    """A plant.

    @ivar name: What it is called.
    """

    kinds: dict[str, type["Plant"]] = {}

    def __init_subclass__(cls, /, kind: str = "", **options: Any) -> None:
        """Registers the subclass.

        @param kind: The kind of plant.
        @type kind: str
        @return: Nothing.
        @raise ValueError: If the kind exists.
        """

    def __class_getitem__(cls, item: Any) -> type[Self]:
        return cls

    def _get_age(self) -> int:
        """How many years it has."""
        return 0

    def _set_age(self, years: int) -> None: ...

    age = property(_get_age, _set_age)
    height = property(lambda self: 1, doc="How tall it is.")


@final
class Tree(Plant, kind="tree"):
    """A tree that has no further kinds."""

    @override
    def _get_age(self) -> int:
        return 1

    def pick[T: Plant = Tree, *Ts](self, first: T, *others: *Ts, limit: int = 0) -> tuple[T, *Ts]:
        """Pick fruit.

        :param first: The first kind.
        :param others: Other kinds.
        :keyword limit: The maximum.
        :returns: What was picked.
        """
        match first:
            case Tree(): self.picked = 1
            case _: self.picked = 2
        return (first, *others)

    @functools.cache
    def rings(self) -> int: ...


class Crate[T: Plant, *Shape, **Q](Generic[Unpack[Rows]]):
    """Holds what was picked."""

    def put(self, item: T, *args: Q.args, **kwargs: Q.kwargs) -> Self: ...

    def row(self, **row: Unpack[Row]) -> None: ...


@dataclass_transform(kw_only_default=True, field_specifiers=(field,))
def model(cls: type) -> type:
    """Make a model of a class."""
    return cls


@model
class Label:
    """A label."""

    text: str
    size: int = 3
    hidden: int = field(init=False, default=0)


@define
class Ladder:
    """A ladder, by attrs."""

    steps: int
    material: str = field(default="wood", kw_only=True)
    _owner: str = ""
    parts: list[str] = field(factory=list)


def traced(f: Callable[P, Any]) -> Callable[Concatenate[int, P], Any]:
    """Trace calls."""

    @functools.wraps(f)
    def inner(*args: P.args, **kwargs: P.kwargs) -> Any:
        try:
            return f(*args, **kwargs)
        except* ValueError:
            return None

    return inner


def is_tree(p: Plant) -> TypeIs[Tree]:
    """Whether a plant is a tree."""
    return isinstance(p, Tree)


def climb(
    ladder: Ladder | None = None, /, height: "float | int" = 1e3, *, carefully: bool = True, by: tuple[int, ...] = (1,),
    shout: Callable[[str], None] = print, note: str = 'a "b"\n', mask: int = 0xFF | 1 << 3, name=f"{P}", key=lambda x, /: x,
) -> None:
    """Climb.

    Parameters
    ----------
    ladder : Ladder, optional
        What to climb.
    height : float
        How far.

    Other Parameters
    ----------------
    carefully : bool
        Whether slowly.

    Warns
    -----
    UserWarning
        If it is high.
    """
