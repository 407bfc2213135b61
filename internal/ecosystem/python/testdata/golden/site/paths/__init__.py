"""Exports of all kinds."""

import sys
from typing import TYPE_CHECKING

from . import gate
from ._stones import *
from ._stones import Slab as Flagstone, _moss
from .gate import KEYS, Gate, open_gate as unlock
import beds.soil
import seeds as seeds

if TYPE_CHECKING:
    from .lazy import Lamp

if sys.version_info >= (3, 8):
    from .gate import Latch
else:
    from .old import Latch

if sys.platform == "win32":
    WINDOWS = True
else:
    def unix_only(): ...

try:
    import gravel
except ImportError:
    gravel = None

try:
    from json import loads
except ImportError:
    def loads(text): ...

__all__ = ["Gate", "unlock", "gate", "Latch"]
__all__ += ["Lamp"] + [n for n in ("made_0", "made_1")]
__all__.extend(gate.__all__)
__all__.append("Flagstone")

for i in range(2):
    globals()[f"made_{i}"] = i


def __getattr__(name):
    if name == "Lamp":
        from .lazy import Lamp
        return Lamp
    raise AttributeError(name)


version: str = "1.0"
a = b = 1
first, *rest = 1, 2, 3
(left, right) = ("l", "r")
counter = 0
counter += 1
del a
if (walrus := 3) > 2:
    pass
