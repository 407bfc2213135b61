"""Soil."""

__all__ = ["Soil", "LOAM"]


class Soil:
    """What plants grow in."""

    acidity = 7


LOAM: Soil = Soil()
SAND = "not exported"
