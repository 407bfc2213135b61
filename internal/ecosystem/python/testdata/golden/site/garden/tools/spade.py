"""A module of a namespace package."""

class Spade:
    def dig(self, depth: int) -> None: ...
