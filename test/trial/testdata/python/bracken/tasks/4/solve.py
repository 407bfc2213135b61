from bracken import Rota
from bracken.export import agenda
from bracken.rules import rule


@rule("friday")
def no_fridays(person, duty, mine):
    return duty.day % 7 == 4 and not person.name.startswith("z")


def fridays(names):
    rota = Rota(names, rules=[no_fridays])
    rota.add("desk", start=9, hours=4, every=2, offset=2)
    rota.add("door", start=13, hours=4, every=2, offset=2)
    return rota


def diary(rota, name):
    return agenda(rota.plan(7), name, merge=True)
