"""Rotas: who is on duty when."""

from ._people import Absence, Person
from ._plan import Duty, Plan
from ._rota import GapError, Rota, RuleError, Watch
from ._old import make_rota

__all__ = ["Absence", "Duty", "GapError", "Person", "Plan", "Rota", "RuleError", "Watch", "make_rota"]
__version__ = "4.1.0"
