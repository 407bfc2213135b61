def graft(stem, scion, /, *, season="spring", **care):
    """Join two plants.

    Args:
        stem (Plant): The lower part.
        scion: The upper part.
        **care: How to care for it.

    Yields:
        Plant: One plant a year.

    Example:
        >>> graft(a, b)
    """
    yield stem
