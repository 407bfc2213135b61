"""A heap."""

import functools
import warnings

__all__ = ["Heap", "turn", "hidden", "Worm"]


def deprecated(reason):
    def decorate(function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            warnings.warn(reason, DeprecationWarning)
            return function(*args, **kwargs)
        return wrapper
    return decorate


def anything(function):
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)
    return wrapper


class Heap:
    """A heap."""

    def __init__(self, *args, **kwargs):
        self._make(*args, **kwargs)
        self.layers, self.heat = [], 1.5
        self.worms: "dict[str, Worm]" = {}

    def _make(self, width: int = 1): ...

    turn_twice = functools.partialmethod(turn, 2) if False else None

    @anything
    def steam(self, degrees): ...

    def __getattr__(self, name): ...


@deprecated("Use a fork.")
def turn(heap: Heap, times: int = 1) -> Heap:
    """Turns a heap."""


def hidden(): ...


def Worm(*args):
    """Looks like a class."""


turn.__doc__ = "Turns it again."
Heap.steam.__doc__ = "Steams."
