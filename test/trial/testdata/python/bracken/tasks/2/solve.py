from bracken import GapError, Person, Rota


def crew(lines, before):
    first, *others = [Person.parse(line) for line in lines]
    rota = Rota([first.off(1, 2, fair=True), *others]).add("ward", needs=frozenset({"medic"}))
    try:
        plan = rota.plan(6, carried=before)
    except GapError as gap:
        return gap.day, gap.reasons
    return [plan.on(day, "ward") for day in range(6)]
