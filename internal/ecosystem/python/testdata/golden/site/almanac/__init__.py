"""Types and values."""

import enum
import typing as t
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Annotated, Any, Final, Literal, NewType, Optional, TypeAlias, Union

from beds import Bed


class Mode(enum.Enum):
    SLOW = "slow"


Day = NewType("Day", int)
Rows: TypeAlias = "list[tuple[int, Bed]]"
type Tree[T] = T | list[Tree[T]]
type Simple = int
Handler = Callable[[Bed, int], None]
Either = Union[int, str, None]
Names = Sequence[str] | None
Size = Literal["small", "large", 1, None, b"x"]
Old = Optional[Bed]
Table = Mapping[str, "Bed"]
Anything = Any

FIRST: Final = date(2020, 1, 1)
LAST: Final[int] = 12
NAMES = ["a", "b"]
TABLE = {1: "one", **{}}
EMPTY = ()
TEXT = """Several
lines."""
LONG = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33]
COMPUTED = 60 * 60 + len(NAMES)
NEGATIVE = -1
CONDITION = 1 if NAMES else 2
CALL = date.today()
ATTRIBUTE = Mode.SLOW
undefined: int
"""Has no value."""

#: A comment that documents.
documented = True

private = object()


def plan(
    when: Annotated[date, "the day"],
    how: Literal["fast", "slow"] = "fast",
    where: "Optional[Bed]" = None,
    then: Callable[..., t.Awaitable[None]] = print,
    kinds: type[Bed] | tuple[type[Bed], ...] = (),
    table: t.Dict[str, t.List[int]] = {},
    *args: tuple[int, str],
) -> t.Iterator["Rows"]: ...


def never() -> t.NoReturn: ...
