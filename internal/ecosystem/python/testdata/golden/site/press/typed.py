def filter_juice(juice, fine=False):
    """Filters juice. The docstring is in the source, the types are in the stub."""
