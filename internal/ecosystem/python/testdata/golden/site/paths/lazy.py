class Lamp:
    """A lamp that is loaded when it is asked for."""
