"""Loads its modules when they are asked for."""

import importlib

_import_structure = {"wick": ["Wick", "trim"], "oil": ["Oil"]}
__all__ = ["Wick", "trim", "Oil", "bright"]


def __getattr__(name):
    for module, names in _import_structure.items():
        if name in names:
            return getattr(importlib.import_module("." + module, __name__), name)
    raise AttributeError(name)


def __dir__():
    return __all__


def bright(): ...
