"""Small tools on brine."""

from ._vendor.saltpan import Pan as _Pan

__all__ = ["count_words"]


def count_words(text: str) -> int:
    """Counts the words of a text."""
    return len(_Pan(text.split()).filter(None).all())
