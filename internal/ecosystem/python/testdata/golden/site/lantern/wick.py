class Wick:
    """A wick."""


def trim(wick: Wick, *, by: float = 0.1) -> Wick: ...
