"""Private, but exported by paths."""


class Slab:
    """A stone."""

    def lay(self) -> "Pebble": ...


class Pebble: ...


def _moss(): ...


FLAT = True
