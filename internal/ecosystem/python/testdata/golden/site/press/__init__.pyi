"""The stub says more."""
from typing import overload
from ._fast import Juice as Juice, squeeze as squeeze
from .typed import filter_juice as filter_juice

MAX: int

@overload
def pour(a: int) -> int: ...
@overload
def pour(a: str, *, slowly: bool = ...) -> str: ...

class Bottle:
    size: float
    def open(self, force: int = 3) -> None: ...
    @property
    def full(self) -> bool: ...
