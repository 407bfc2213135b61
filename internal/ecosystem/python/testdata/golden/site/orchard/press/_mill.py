class Mill:
    """Crushes fruit."""

    speed: int = 3


def squeeze(fruit, hard=False):
    """Press juice."""
