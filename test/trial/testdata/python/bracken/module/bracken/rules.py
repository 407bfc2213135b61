"""Rules: what a person may not be given."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from ._people import Person
from ._plan import Duty

__all__ = ["Apart", "AtMost", "Rest", "Rule", "rule"]


class Rule(Protocol):
    """Forbids duties."""

    def forbids(self, person: Person, duty: Duty, mine: Sequence[Duty]) -> str | None:
        """Why ``person`` may not have ``duty``, ``None`` if nothing is against it.

        Args:
            mine: The other duties of the person, in order.
        """


@dataclass(frozen=True)
class Rest:
    """Hours between the end of one duty and the beginning of the next. Its word is ``"rest"``."""

    hours: float = 11
    kinds: frozenset[str] = frozenset()
    """Names of watches that it is about; empty for all."""

    def forbids(self, person: Person, duty: Duty, mine: Sequence[Duty]) -> str | None:
        for d in mine:
            if self.kinds and not {d.watch.name, duty.watch.name} <= self.kinds:
                continue
            if d.begins < duty.ends + self.hours and duty.begins < d.ends + self.hours:
                return "rest"
        return None


@dataclass(frozen=True)
class AtMost:
    """Bounds the duties in a span of days. Its word is ``"most"``."""

    duties: int
    days: int = 7
    """Length of the span. It slides: any so many days in a row count."""

    def forbids(self, person: Person, duty: Duty, mine: Sequence[Duty]) -> str | None:
        days = [d.day for d in mine] + [duty.day]
        for first in range(duty.day - self.days + 1, duty.day + 1):
            if sum(first <= day < first + self.days for day in days) > self.duties:
                return "most"
        return None


@dataclass(frozen=True)
class Apart:
    """Days from one duty of a kind to the next of the same person. Its word is ``"apart"``."""

    watch: str
    days: int = 2

    def forbids(self, person: Person, duty: Duty, mine: Sequence[Duty]) -> str | None:
        if duty.watch.name != self.watch:
            return None
        near = any(d.watch.name == self.watch and abs(d.day - duty.day) < self.days for d in mine)
        return "apart" if near else None


class _Call:
    def __init__(self, call: Callable[[Person, Duty, Sequence[Duty]], bool], word: str):
        self._call, self._word = call, word

    def forbids(self, person: Person, duty: Duty, mine: Sequence[Duty]) -> str | None:
        return self._word if self._call(person, duty, mine) else None


def rule(word: str) -> Callable[[Callable[[Person, Duty, Sequence[Duty]], bool]], Rule]:
    """Makes a rule of a function that is true for what is forbidden. A decorator.

    Args:
        word: What the rule gives as its reason.

    Example:
        >>> @rule("monday")
        ... def no_mondays(person, duty, mine):
        ...     return duty.day % 7 == 0
    """
    return lambda call: _Call(call, word)
