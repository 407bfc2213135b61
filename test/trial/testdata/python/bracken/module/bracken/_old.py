from __future__ import annotations

import warnings


def make_rota(names: list[str], days: int) -> dict[int, str]:
    """A rota of one watch a day, in turns.

    .. deprecated:: 4.0
        Use :class:`Rota`, which knows rules and weights.
    """
    warnings.warn("use Rota", DeprecationWarning, stacklevel=2)
    return {day: names[day % len(names)] for day in range(days)}
