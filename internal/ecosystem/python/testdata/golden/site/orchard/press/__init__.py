"""Presses fruit; its names are attached lazily."""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach(__name__, submodules=[], submod_attrs={"_mill": ["squeeze", "Mill"]})
