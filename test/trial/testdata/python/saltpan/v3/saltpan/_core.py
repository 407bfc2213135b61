from __future__ import annotations

import functools
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, Literal, ParamSpec, TypeVar, overload

T = TypeVar("T")
U = TypeVar("U")
P = ParamSpec("P")


class DryError(RuntimeError):
    """The pan was used already."""


@dataclass(frozen=True)
class Spill:
    """A value that a step could not work on."""

    value: Any
    error: Exception
    step: str
    """Name of the method: ``"sieve"``, ``"turn"``, ..."""


class Pan(Generic[T]):
    """A lazy stream that runs once.

    Parameters
    ----------
    source
        What runs in.
    spills : {"raise", "drop", "gather"}, default "raise"
        What becomes of a value for which a step's function raises an exception.
    """

    basin: list[Spill]
    """What was gathered, for ``spills="gather"``. Complete when the pan has run."""

    def __init__(self, source: Iterable[T], *, spills: Literal["raise", "drop", "gather"] = "raise"):
        self._source: Iterator[T] | None = iter(source)
        self._spills = spills
        self.basin = []

    def _take(self) -> Iterator[T]:
        if self._source is None:
            raise DryError("this pan was used already; go on with what the step gave")
        source, self._source = self._source, None
        return source

    def _next(self, source: Iterable[U]) -> Pan[U]:
        new: Pan[U] = Pan(source, spills=self._spills)
        new.basin = self.basin
        return new

    def _try(self, step: str, call: Callable[..., U], value: Any) -> tuple[bool, U | None]:
        try:
            return True, call(value)
        except Exception as error:
            if self._spills == "raise":
                raise
            if self._spills == "gather":
                self.basin.append(Spill(value, error, step))
            return False, None

    def __iter__(self) -> Iterator[T]:
        return self._take()

    def sieve(self, keep: Callable[[T], object], *, rest: Callable[[T], object] | None = None) -> Pan[T]:
        """Lets only some values through.

        Parameters
        ----------
        keep
            True for what is let through.
        rest
            Called with each value that is not.
        """

        def run(source: Iterator[T]) -> Iterator[T]:
            for value in source:
                ok, kept = self._try("sieve", keep, value)
                if ok and kept:
                    yield value
                elif ok and rest:
                    rest(value)

        return self._next(run(self._take()))

    @overload
    def turn(self, call: Callable[[T], U]) -> Pan[U]: ...
    @overload
    def turn(self, call: Callable[[T], Iterable[U]], *, flat: Literal[True]) -> Pan[U]: ...
    def turn(self, call, *, flat=False):
        """Changes each value.

        Parameters
        ----------
        flat
            The function gives several values, which run out one by one.
        """

        def run(source):
            for value in source:
                ok, new = self._try("turn", call, value)
                if ok and flat:
                    yield from new
                elif ok:
                    yield new

        return self._next(run(self._take()))

    def skim(self, count: int, *, end: bool = False) -> Pan[T]:
        """Takes the first values off and lets the others through; with ``end`` the last."""

        def run(source: Iterator[T]) -> Iterator[T]:
            if not end:
                for _ in range(count):
                    next(source, None)
                yield from source
                return
            held: deque[T] = deque()
            for value in source:
                held.append(value)
                if len(held) > count:
                    yield held.popleft()

        return self._next(run(self._take()))

    def rake(self, size: int, *, overlap: int = 0, short: Literal["keep", "drop", "fill"] = "keep", fill: Any = None) -> Pan[list[T]]:
        """Gathers values into lists of a size.

        Parameters
        ----------
        overlap
            How many values of a list begin the next one, too. Less than ``size``.
        short
            What becomes of a last list with fewer values: it is kept, dropped, or filled up with ``fill``. A list that
            would only have values of the overlap is never made.

        Raises
        ------
        ValueError
            If ``overlap`` is not less than ``size``.
        """
        if overlap >= size:
            raise ValueError(f"overlap {overlap} is not less than size {size}")

        def run(source: Iterator[T]) -> Iterator[list[T]]:
            batch: list[T] = []
            fresh = 0
            for value in source:
                batch.append(value)
                fresh += 1
                if len(batch) == size:
                    yield batch
                    batch, fresh = batch[size - overlap :] if overlap else [], 0
            if fresh and short == "fill":
                yield batch + [fill] * (size - len(batch))
            elif fresh and short == "keep":
                yield batch

        return self._next(run(self._take()))

    def crust(self, key: Callable[[T], Hashable] | None = None, *, gap: float | None = None) -> Pan[list[T]]:
        """Gathers neighbours that belong together into lists.

        Parameters
        ----------
        key
            Neighbours with equal keys belong together. Left out: equal neighbours.
        gap
            Keys are numbers, and neighbours whose keys differ by no more than this belong together.
        """

        def run(source: Iterator[T]) -> Iterator[list[T]]:
            batch: list[T] = []
            last: Any = None
            for value in source:
                ok, now = self._try("crust", key or (lambda v: v), value)
                if not ok:
                    continue
                if batch and (abs(now - last) > gap if gap is not None else now != last):
                    yield batch
                    batch = []
                batch.append(value)
                last = now
            if batch:
                yield batch

        return self._next(run(self._take()))

    def once(self, key: Callable[[T], Hashable] | None = None, *, within: int | None = None) -> Pan[T]:
        """Drops values that came before.

        Parameters
        ----------
        within
            Remember only so many of the newest keys. Left out: all.
        """

        def run(source: Iterator[T]) -> Iterator[T]:
            seen: dict[Hashable, None] = {}
            for value in source:
                ok, k = self._try("once", key or (lambda v: v), value)
                if not ok or k in seen:
                    continue
                seen[k] = None
                if within is not None and len(seen) > within:
                    del seen[next(iter(seen))]
                yield value

        return self._next(run(self._take()))

    def watch(self, call: Callable[[int, T], object], *, every: int = 1) -> Pan[T]:
        """Calls a function with the number of each value, from 1, and the value; with ``every`` only of each so many."""

        def run(source: Iterator[T]) -> Iterator[T]:
            for n, value in enumerate(source, 1):
                if n % every == 0:
                    call(n, value)
                yield value

        return self._next(run(self._take()))

    def all(self) -> list[T]:
        """Runs the pan and gives what comes out."""
        return list(self._take())

    def fold(self, call: Callable[[U, T], U], start: U) -> U:
        """Runs the pan into one value."""
        return functools.reduce(call, self._take(), start)

    def piles(self, key: Callable[[T], Hashable], *, most: int | None = None) -> dict[Any, list[T]]:
        """Runs the pan and sorts what comes out into lists by key, in the order in which keys come.

        Parameters
        ----------
        most
            Keep only so many of each key, the newest.
        """
        piles: dict[Any, deque[T]] = {}
        for value in self._take():
            ok, k = self._try("piles", key, value)
            if ok:
                piles.setdefault(k, deque(maxlen=most)).append(value)
        return {k: list(v) for k, v in piles.items()}


def pan(*, spills: Literal["raise", "drop", "gather"] = "raise") -> Callable[[Callable[P, Iterable[T]]], Callable[P, Pan[T]]]:
    """Makes a generator function give a :class:`Pan`. A decorator.

    Examples
    --------
    >>> @pan()
    ... def count(n):
    ...     yield from range(n)
    >>> count(3).skim(1).all()
    [1, 2]
    """

    def wrap(call: Callable[P, Iterable[T]]) -> Callable[P, Pan[T]]:
        @functools.wraps(call)
        def made(*args: P.args, **kwargs: P.kwargs) -> Pan[T]:
            return Pan(call(*args, **kwargs), spills=spills)

        return made

    return wrap
