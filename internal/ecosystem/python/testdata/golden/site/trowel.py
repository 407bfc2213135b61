"""A distribution that is one module."""

__version__ = "3.1"


def scoop(soil: "Soil", n: int = 1): ...


class Soil: ...


if __name__ == "__main__":
    scoop(Soil())
