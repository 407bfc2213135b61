from .wick import Wick


class Oil:
    def soak(self, wick: "Wick") -> bool: ...
