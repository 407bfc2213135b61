"""Plans as text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from ._plan import Duty, Plan

__all__ = ["agenda", "table"]


def table(plan: Plan, *, rows: Literal["day", "person"] = "day", empty: str = "-", sep: str = " ", head: bool = True) -> str:
    """One line for each day, with a column for each watch, or for each person, with a column for each day.

    With ``rows="day"`` a cell is who has the watch, and the columns are in the order of the names. With
    ``rows="person"`` a cell has the names of the person's watches of that day, joined by ``+``.

    Args:
        empty: What stands for nobody, nothing and no such watch.
        sep: What stands between cells.
        head: Begin with a line that names the columns; its first cell is ``rows``.
    """
    days = sorted({d.day for d in plan})
    if rows == "day":
        names = sorted({d.watch.name for d in plan})
        lines = [[str(day)] + [_who(plan, day, n) or empty for n in names] for day in days]
    else:
        names = [str(day) for day in days]
        lines = [[p.name] + ["+".join(d.watch.name for d in plan.of(p.name) if d.day == day) or empty for day in days] for p in plan._rota.people]
    return "\n".join(sep.join(line) for line in ([[rows, *names]] if head else []) + lines)


def _who(plan: Plan, day: int, watch: str) -> str | None:
    try:
        return plan.on(day, watch)
    except KeyError:
        return None


def agenda(plan: Plan, person: str, *, line: Callable[[Duty], str] | None = None, merge: bool = False) -> list[str]:
    """Lines for one person, one a duty: ``"day 3 22:00-06:00 night"``.

    Args:
        line: Writes a line instead.
        merge: Duties that follow each other without a break become one line, with their names joined by ``+``. Has no
            effect with ``line``.
    """
    duties = plan.of(person)
    if line is not None:
        return [line(d) for d in duties]
    spans: list[tuple[Duty, float, str]] = []
    for d in duties:
        if merge and spans and spans[-1][1] == d.begins:
            first, _, names = spans.pop()
            spans.append((first, d.ends, names + "+" + d.watch.name))
        else:
            spans.append((d, d.ends, d.watch.name))
    return [f"day {d.day} {_clock(d.begins)}-{_clock(end)} {names}" for d, end, names in spans]


def _clock(hours: float) -> str:
    minutes = round(hours * 60) % 1440
    return f"{minutes // 60:02}:{minutes % 60:02}"
