"""Streams of values that dry."""

from . import sluice
from ._core import DryError, Pan, Spill, pan
from ._grain import Grain, coarse, fine

__all__ = ["DryError", "Grain", "Pan", "Spill", "coarse", "fine", "pan", "sluice"]
