"""Classes that are made from their fields."""

import collections
import dataclasses
import enum
from dataclasses import KW_ONLY, InitVar, dataclass, field
from typing import ClassVar, NamedTuple, NotRequired, Required, TypedDict

from pydantic import BaseModel, Field


class Colour(enum.Enum):
    """A colour."""

    RED = 1
    GREEN = 2
    #: Like the sky.
    BLUE = enum.auto()
    CRIMSON = RED

    @property
    def warm(self) -> bool: ...

    @classmethod
    def parse(cls, text: str) -> "Colour": ...


class Size(enum.IntEnum):
    SMALL, LARGE = 1, 2


class Flags(enum.Flag):
    A = enum.auto()
    B = A


Kind = enum.Enum("Kind", "HERB TREE")


@dataclass
class Label:
    """A label."""

    name: str
    price: float = 1.5
    colours: list[Colour] = field(default_factory=list)
    hidden: int = field(default=0, init=False)
    KIND: ClassVar[str] = "label"
    code: InitVar[str] = "x"
    _: KW_ONLY
    note: str | None = None
    """Free text."""

    def __post_init__(self, code): ...


@dataclasses.dataclass(kw_only=True, order=True)
class Tag(Label):
    size: Size = Size.SMALL


class Point(NamedTuple):
    """A point in the garden."""

    x: int
    y: int = 0

    def distance(self) -> float: ...


Pair = collections.namedtuple("Pair", ["left", "right"], defaults=[None])


class Order(TypedDict, total=False):
    """An order."""

    name: Required[str]
    amount: int
    note: NotRequired[str]


Options = TypedDict("Options", {"size": int, "from": str})


class Plan(BaseModel):
    """A plan."""

    title: str = Field(..., description="What it is called.")
    beds: int = 3
    tags: list[str] = Field(default_factory=list)
    owner: str = Field(default="me", alias="ownerName")
