from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Grain(NamedTuple):
    """A number with a unit, as :func:`fine` and :func:`coarse` read it."""

    amount: float
    unit: str = "g"
    """``"g"``, ``"kg"`` or ``"t"``."""

    def grams(self) -> float:
        """The amount in grams."""
        return self.amount * {"g": 1, "kg": 1000, "t": 1_000_000}[self.unit]


@dataclass
class _Format:
    decimal: str
    group: str


def fine(text: str, *, decimal: str = ".", group: str = "") -> Grain:
    """Reads ``"1.5kg"`` exactly: no blanks, a known unit.

    Parameters
    ----------
    decimal
        Sign before the decimals.
    group
        Sign between thousands, which is overlooked.

    Raises
    ------
    ValueError
        If it reads differently.
    """
    if text != text.strip() or " " in text:
        raise ValueError(f"blanks in {text!r}")
    return _read(text, _Format(decimal, group), None)


def coarse(text: str, *, unit: str = "g", decimal: str = ".", group: str = "") -> Grain:
    """Like :func:`fine`, with blanks anywhere and ``unit`` where there is none."""
    return _read("".join(text.split()), _Format(decimal, group), unit)


def _read(text: str, form: _Format, default: str | None) -> Grain:
    number = text.rstrip("gkt")
    unit = text[len(number) :] or default
    if unit not in ("g", "kg", "t"):
        raise ValueError(f"no unit in {text!r}")
    if form.group:
        number = number.replace(form.group, "")
    return Grain(float(number.replace(form.decimal, ".")), unit)
