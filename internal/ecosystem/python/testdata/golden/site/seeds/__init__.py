"""Functions that sow seeds."""

import asyncio
import contextlib
import functools
from typing import Any, Callable, Concatenate, Iterator, Optional, ParamSpec, TypeVar, overload

from beds import Bed
from beds.soil import Soil as Earth
import almanac as al

T = TypeVar("T")
N = TypeVar("N", int, float)
B = TypeVar("B", bound=Bed)
P = ParamSpec("P")


def sow(seed, /, bed: Bed, depth: float = 2.5, *rows: int, spacing: "int | None" = None, **options: Any) -> list[int]:
    """Sows a seed.

    Args:
        seed: what to sow.
        depth (float): how deep.
        *rows: where.

    Returns:
        The rows.

    Raises:
        ValueError: if it is too deep.
    """


def water(litres=1, cold=True, name='can', ratio=-0.5, nothing=None, rows=(1, 2), tools=[], sizes={"a": 1}, mode=al.Mode.SLOW,
          when=lambda: 0, *, raw=b"x", dots=..., text="a" "b", formatted=f"{1}", call=dict(a=1), big=1_000_000): ...


def only(*, key): ...


def empty(): ...


@overload
def dig(where: int) -> str: ...
@overload
def dig(where: str, deep: bool = ...) -> bytes: ...
def dig(where, deep=False):
    """Digs a hole."""


async def grow(days: int = 7) -> "asyncio.Task[Earth]":
    """Waits."""


async def leaves(plant: Bed):
    yield plant


@contextlib.contextmanager
def shade(bed: Bed, *, colour: str = "white") -> Iterator[Bed]:
    """Shades a bed."""
    yield bed


@functools.lru_cache(maxsize=None)
def cached(x: int) -> int: ...


@functools.cache
def cached_too(x: int) -> int: ...


def timed(function: Callable[P, T]) -> Callable[P, T]:
    """A decorator."""
    @functools.wraps(function)
    def wrapper(*args: P.args, **kwargs: P.kwargs) -> T: ...
    return wrapper


def with_bed(function: Callable[Concatenate[Bed, P], T]) -> Callable[P, T]: ...


@timed
def decorated(a: int, b: str = "x") -> None:
    """Keeps its signature."""


@functools.singledispatch
def prune(plant, hard=False): ...


@prune.register
def _(plant: int, hard=False): ...


half = functools.partial(sow, depth=1)
shorthand = lambda x, y=1: x
alias = sow


def generic(x: T, y: Optional[N] = None, z: B | None = None) -> dict[str, T]: ...


def pick[K, *Ts, **Q](key: K, *args: *Ts, then: Callable[Q, K]) -> tuple[*Ts]: ...


def old():
    """Does nothing.

    .. deprecated:: 2.0
       Use :func:`sow`.
    """


def _private(): ...


def __dunder__(): ...


def outer():
    def inner(): ...
    return inner


del asyncio
