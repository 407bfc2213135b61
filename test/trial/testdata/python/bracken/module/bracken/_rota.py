from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from ._people import Person, people as _parse
from ._plan import Duty, Plan

if TYPE_CHECKING:
    from .rules import Rule


class GapError(Exception):
    """Nobody is left for a watch."""

    day: int
    watch: str
    reasons: dict[str, str]
    """Why each person was passed over, by name: the words of the rule, ``"away"``, ``"skills"`` or ``"share"``."""

    def __init__(self, day: int, watch: str, reasons: dict[str, str]):
        super().__init__(f"nobody for {watch} on day {day}")
        self.day, self.watch, self.reasons = day, watch, reasons


class RuleError(Exception):
    """A rule forbids a duty."""

    def __init__(self, person: str, reason: str):
        super().__init__(f"{person}: {reason}")
        self.person, self.reason = person, reason


@dataclass(frozen=True)
class Watch:
    """A duty that comes again."""

    name: str
    start: float = 8
    """Hour of the day."""
    hours: float = 8
    load: float = 1.0
    """How heavy an hour is. 0 makes a watch that nobody minds."""
    every: int = 1
    """Days from one to the next."""
    offset: int = 0
    """First day."""
    needs: frozenset[str] = frozenset()
    """Skills that a person must have, all of them."""

    @property
    def weight(self) -> float:
        """``hours`` times ``load``."""
        return self.hours * self.load

    def on(self, day: int) -> bool:
        """Whether it takes place on a day."""
        return day >= self.offset and (day - self.offset) % self.every == 0


class Rota:
    """People, watches and rules, of which plans are made.

    Args:
        people: Who can be on duty. Their order decides between equals.
        rules: See :mod:`bracken.rules`.
        gaps: What :meth:`plan` does when nobody is left: ``"raise"`` a :class:`GapError`, or ``"leave"`` it open.
    """

    def __init__(self, people: Iterable[Person | str], *, rules: Sequence[Rule] = (), gaps: Literal["raise", "leave"] = "raise"):
        self.people = _parse(people)
        self.rules = list(rules)
        self.watches: list[Watch] = []
        self._gaps = gaps
        self._pins: dict[tuple[int, str], str] = {}

    def add(self, watch: Watch | str, /, **fields: object) -> Rota:
        """Adds a watch, or makes one of a name and the fields of :class:`Watch`. Gives the rota, for chains."""
        self.watches.append(watch if isinstance(watch, Watch) else Watch(watch, **fields))  # type: ignore[arg-type]
        return self

    def pin(self, day: int, watch: str, person: str) -> Rota:
        """Gives a watch of one day to a person, whatever rules and weights say. It counts as weight."""
        self._pins[day, watch] = person
        return self

    def _check(self, duty: Duty, others: Sequence[Duty]) -> None:
        reason = self._reason(next(p for p in self.people if p.name == duty.person), duty, others)
        if reason:
            raise RuleError(duty.person or "", reason)

    def _reason(self, person: Person, duty: Duty, others: Sequence[Duty]) -> str | None:
        if person.share <= 0:
            return "share"
        if not duty.watch.needs <= person.skills:
            return "skills"
        if any(a.covers(duty.day) for a in person.away):
            return "away"
        mine = [d for d in others if d.person == person.name]
        for rule in self.rules:
            if reason := rule.forbids(person, duty, mine):
                return reason
        return None

    def plan(self, days: int, *, carried: Mapping[str, float] | None = None) -> Plan:
        """Makes a plan for the days from 0.

        Args:
            days: How many.
            carried: Weights from before, by name.

        Raises:
            GapError: If nobody is left for a watch and gaps are not left.
        """
        weight = {p.name: 0.0 for p in self.people} | dict(carried or {})
        start, duties = dict(weight), []
        for day in range(days):
            for p in self.people:
                if any(a.fair and a.covers(day) for a in p.away):
                    others = [weight[o.name] - start[o.name] for o in self.people if o is not p]
                    gain = sum(others) / len(others) / max(day, 1) if others else 0.0
                    weight[p.name] += gain
                    start[p.name] += gain
            for watch in sorted((w for w in self.watches if w.on(day)), key=lambda w: w.start):
                empty = Duty(day, watch, None)
                chosen = self._pins.get((day, watch.name))
                reasons: dict[str, str] = {}
                if chosen is None:
                    best = None
                    for p in self.people:
                        if reason := self._reason(p, empty, duties):
                            reasons[p.name] = reason
                        elif best is None or weight[p.name] / p.share < weight[best.name] / best.share:
                            best = p
                    chosen = best.name if best else None
                if chosen is None and self._gaps == "raise":
                    raise GapError(day, watch.name, reasons)
                if chosen is not None:
                    weight[chosen] += watch.weight
                duties.append(Duty(day, watch, chosen))
        return Plan(self, tuple(duties), start)
