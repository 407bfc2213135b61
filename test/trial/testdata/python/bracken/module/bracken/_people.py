from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Absence:
    """Days on which somebody cannot be on duty."""

    first: int
    """First day away."""
    last: int | None = None
    """Last day away, which counts. ``None``: only the first."""
    fair: bool = False
    """Gain the mean weight of the others for each day away."""

    def covers(self, day: int) -> bool:
        """Whether a day falls into it."""
        return self.first <= day <= (self.first if self.last is None else self.last)


@dataclass(frozen=True)
class Person:
    """Somebody who can be on duty. A bare string stands for a person of that name."""

    name: str
    skills: frozenset[str] = frozenset()
    """What a watch may need. See :attr:`Watch.needs`."""
    share: float = 1.0
    """How much of a full load the person takes: 0.5 for half. 0 is never chosen, but by :meth:`Rota.pin`."""
    away: tuple[Absence, ...] = field(default=())

    @classmethod
    def parse(cls, text: str) -> Person:
        """Reads ``"ada:medic,driver@0.5"``: name, skills, share; all but the name may be left out.

        Raises:
            ValueError: If the share is not a number.
        """
        text, _, share = text.partition("@")
        name, _, skills = text.partition(":")
        return cls(name, frozenset(s for s in skills.split(",") if s), float(share) if share else 1.0)

    def off(self, *days: int, fair: bool = False) -> Person:
        """The same person, also away on some days."""
        return Person(self.name, self.skills, self.share, self.away + tuple(Absence(d, fair=fair) for d in days))


def people(given: Iterable[Person | str]) -> list[Person]:
    return [p if isinstance(p, Person) else Person(p) for p in given]
