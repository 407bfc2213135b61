"""A gate."""

from ._stones import Slab

__all__ = ("Gate", "KEYS")


class Gate:
    def close(self, slab: Slab) -> None: ...


class Latch(Gate): ...


def open_gate(key: str, *, slowly: bool = False) -> Gate:
    """Opens the gate."""


KEYS = {"north": 1}
