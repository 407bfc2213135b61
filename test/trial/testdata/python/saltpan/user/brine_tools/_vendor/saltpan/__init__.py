"""Streams of values."""

__all__ = ["Pan"]


class Pan:
    """A stream."""

    def __init__(self, source, on_error=None):
        self._source, self._on_error = list(source), on_error

    def filter(self, keep):
        """Keeps some values."""
        return Pan(filter(keep, self._source), self._on_error)

    def map(self, call):
        """Changes each value."""
        return Pan(map(call, self._source), self._on_error)

    def chunks(self, size):
        """Lists of a size; a short last one is dropped."""
        return Pan([self._source[i : i + size] for i in range(0, len(self._source) - size + 1, size)], self._on_error)

    def all(self):
        """What there is."""
        return self._source
