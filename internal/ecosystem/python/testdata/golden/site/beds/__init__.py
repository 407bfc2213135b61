"""Beds in which plants grow."""

from __future__ import annotations

import abc
from functools import cached_property
from typing import ClassVar, Generic, Iterator, Protocol, TypeVar, runtime_checkable

from .soil import Soil
from .soil import *

T = TypeVar("T", covariant=True)


class Bed(abc.ABC):
    """A bed."""

    #: How many there are.
    count: ClassVar[int] = 0
    width = 1.0
    """In metres."""
    shape: str
    __slots__ = ("a", "b", "__dict__")
    _hidden = 1

    def __init__(self, soil: Soil, *, length: float = 2, name=None):
        """Makes a bed.

        :param soil: what it is filled with
        :type length: float
        """
        self.soil = soil
        #: In metres.
        self.length: float = length
        self.plants: list[Plant] = []
        self._secret = 1
        if name:
            self.name = name

    @property
    def area(self) -> float:
        """The area."""
        return 0

    @area.setter
    def area(self, value: float) -> None: ...

    @area.deleter
    def area(self): ...

    @cached_property
    def sunny(self) -> bool:
        """Whether it is."""

    @classmethod
    def default(cls, n: int = 1) -> Bed:
        """Makes a bed of the default size."""

    @staticmethod
    def measure(a: float, /, b: float) -> float: ...

    @abc.abstractmethod
    def weed(self, thoroughly: bool = False) -> None:
        """Removes weeds."""

    @property
    @abc.abstractmethod
    def owner(self) -> str: ...

    def __len__(self) -> int: ...
    def __getitem__(self, row: int) -> Plant: ...
    def __enter__(self): ...
    def __eq__(self, other): ...

    async def rest(self, *days): ...

    def _private(self): ...

    class Corner:
        """A part of a bed."""

        def __call__(self, x): ...

    @classmethod
    @property
    def kinds(cls) -> list[str]: ...

    plain = property(lambda self: 1, doc="Made by a call.")

    def same(self): ...
    also = same


class Raised(Bed):
    """A raised bed."""

    height: float = 0.5

    def weed(self, thoroughly=True, *, tool: str = "hoe"): ...

    owner = "me"


class Glass(Raised, metaclass=abc.ABCMeta):
    def __new__(cls, panes: int): ...


class Plant(Generic[T]):
    """A plant."""

    def fruit(self) -> T | None: ...


class Box[K, V = int]:
    """A box with type parameters."""

    def get(self, key: K) -> V: ...


@runtime_checkable
class Grows(Protocol):
    """What grows."""

    height: int

    def grow(self, days: int) -> None: ...


class Wilted(ValueError):
    """Raised if a plant wilts."""

    def __init__(self, plant, *args):
        self.plant = plant


class Rotten(Wilted, KeyError): ...


class Counter(dict[str, int]): ...


class Meta(type):
    def __call__(cls, *args): ...


def setup(cls): return cls


@setup
class Decorated: ...
