"""Names that are computed.

| A line block
| of two lines.

+-------+--------+
| Waste | Months |
+=======+========+
| Peel  | 6      |
+-------+--------+

.. list-table::
   :header-rows: 1

   * - Tool
     - Use
   * - fork
     - turn

Term
    Its definition.

    A quoted paragraph.

!!! note
    An admonition of MkDocs.

.. _target:

.. versionadded:: 1.1
   It is here.

.. image:: heap.png

.. seealso:: :mod:`beds`
"""

from . import heap
from .heap import *

_names = ["peel", "leaf"]
_table = {"egg": 1, "straw": 2}


def _public(module):
    return [n for n in dir(module) if not n.startswith("_")]


__all__ = [n.upper() for n in _names if len(n) == 4 and n != "stem"]
__all__ += sorted(_table) + ["mix_%s" % n for n in _names] + [f"{n}_pile" for n in _names]
__all__ += [n for n in heap.__all__ if n not in ("hidden",)]
__all__.remove("egg")
for _n in _names:
    globals()["mix_" + _n] = _n
    globals()["from_loop_" + _n] = _n
    __all__.append("from_loop_" + _n)
globals().update({"peel_pile": 1, "leaf_pile": 2})
PEEL = LEAF = straw = 1
heap.Heap.size = property(lambda self: 3)
heap.Heap.turned = True
