from saltpan import Pan, pan
from saltpan.sluice import deal


@pan(spills="drop")
def tickets(n):
    yield from range(1, n + 1)


def booths(n, seen):
    watched = tickets(n).watch(lambda place, ticket: seen.append((place, ticket)), every=10)
    return [hand.all() for hand in deal(watched, 3, key=lambda ticket: ticket % 4)]


def fresh(values):
    return Pan(values, spills="drop").once(lambda v: (hash(v), v), within=2).all()
