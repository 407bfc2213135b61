from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._rota import Rota, Watch


@dataclass(frozen=True)
class Duty:
    """One watch of one day, and who has it."""

    day: int
    watch: Watch
    person: str | None
    """``None`` for a gap."""

    @property
    def begins(self) -> float:
        """Hours since the beginning of day 0."""
        return self.day * 24 + self.watch.start

    @property
    def ends(self) -> float:
        """Hours since the beginning of day 0."""
        return self.begins + self.watch.hours


class Plan:
    """Who is on duty when. Made by :meth:`Rota.plan`; never changed."""

    def __init__(self, rota: Rota, duties: tuple[Duty, ...], start: Mapping[str, float]):
        self._rota, self._duties, self._start = rota, duties, dict(start)

    def __iter__(self) -> Iterator[Duty]:
        """All duties in the order of their beginnings, gaps included."""
        return iter(self._duties)

    def __len__(self) -> int:
        return len(self._duties)

    def on(self, day: int, watch: str) -> str | None:
        """Who has a watch on a day.

        Raises:
            KeyError: If there is no such watch on that day.
        """
        for d in self._duties:
            if d.day == day and d.watch.name == watch:
                return d.person
        raise KeyError((day, watch))

    def of(self, person: str) -> list[Duty]:
        """Duties of one person, in order."""
        return [d for d in self._duties if d.person == person]

    def gaps(self) -> list[Duty]:
        """Duties that nobody has."""
        return [d for d in self._duties if d.person is None]

    def weights(self, *, carried: bool = True) -> dict[str, float]:
        """Weight of each person at the end.

        Args:
            carried: Count what was carried into the plan and what absences gave. Without it only duties of this plan
                count.
        """
        sums = {p.name: self._start.get(p.name, 0.0) if carried else 0.0 for p in self._rota.people}
        for d in self._duties:
            if d.person is not None:
                sums[d.person] += d.watch.weight
        return sums

    def swapped(self, day: int, watch: str, person: str, *, back: tuple[int, str] | None = None, force: bool = False) -> Plan:
        """A plan in which ``person`` has a watch.

        Args:
            back: Day and watch that the one who had it takes in return; it must be a duty of ``person``.
            force: Do not check rules.

        Raises:
            RuleError: If a rule forbids it for one of them.
            ValueError: If ``back`` is no duty of ``person``.
        """
        had = self.on(day, watch)
        changes = {(day, watch): person}
        if back is not None:
            if self.on(*back) != person:
                raise ValueError(f"{back} is no duty of {person}")
            changes[back] = had
        duties = tuple(Duty(d.day, d.watch, changes.get((d.day, d.watch.name), d.person)) for d in self._duties)
        if not force:
            for d in duties:
                if (d.day, d.watch.name) in changes and d.person is not None:
                    self._rota._check(d, [o for o in duties if o is not d])
        return Plan(self._rota, duties, self._start)
