"""Several pans at once."""

from __future__ import annotations

import heapq
import threading
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from ._core import Pan

__all__ = ["deal", "lock", "merge"]

T = TypeVar("T")


def merge(*pans: Pan[T], key: Callable[[T], Any] | None = None, unique: bool = False) -> Pan[T]:
    """One pan of several, each of which is in order.

    Parameters
    ----------
    key
        What the order is of. Left out: the values. Among equals the pan named first comes first.
    unique
        Let only the first of equal keys through.
    """
    merged = heapq.merge(*pans, key=key)

    def run() -> Iterator[T]:
        empty = last = object()
        for value in merged:
            now = key(value) if key else value
            if unique and last is not empty and now == last:
                continue
            last = now
            yield value

    return Pan(run())


def deal(pan: Pan[T], hands: int, *, key: Callable[[T], int] | None = None) -> tuple[Pan[T], ...]:
    """Several pans of one. Values go round, one to each.

    Parameters
    ----------
    key
        Says which hand a value goes to instead, from 0. Values for a hand that is not there are lost.
    """
    source = iter(pan)
    queues: list[deque[T]] = [deque() for _ in range(hands)]
    turn = 0

    def draw(mine: int) -> Iterator[T]:
        nonlocal turn
        while True:
            while not queues[mine]:
                try:
                    value = next(source)
                except StopIteration:
                    return
                to = key(value) if key else turn % hands
                turn += 1
                if 0 <= to < hands:
                    queues[to].append(value)
            yield queues[mine].popleft()

    return tuple(Pan(draw(i)) for i in range(hands))


class _Locked:
    def __init__(self, source: Iterator[Any]):
        self._source, self._lock = source, threading.Lock()

    def __iter__(self) -> _Locked:
        return self

    def __next__(self) -> Any:
        with self._lock:
            return next(self._source)


def lock(pan: Pan[T]) -> Iterator[T]:
    """An iterator over a pan that several threads can draw from."""
    return _Locked(iter(pan))
