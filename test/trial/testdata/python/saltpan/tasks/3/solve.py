from saltpan import Pan
from saltpan.sluice import merge


def sessions(north, south):
    both = merge(Pan(north), Pan(south), key=lambda e: e[0], unique=True)
    return both.crust(lambda e: e[0], gap=30).turn(lambda batch: [who for _, who in batch]).all()


def newest(events):
    piles = Pan(events).piles(lambda e: e[1], most=2)
    return {who: [second for second, _ in pile] for who, pile in piles.items()}
