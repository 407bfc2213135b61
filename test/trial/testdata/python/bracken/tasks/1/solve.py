from bracken import Rota, Watch
from bracken.rules import AtMost, Rest


def month(names):
    rota = Rota(names, rules=[Rest(hours=12), AtMost(5, days=7)], gaps="leave")
    rota.add(Watch("night", start=22, hours=8)).add(Watch("day", start=8, hours=8, load=0.5))
    plan = rota.plan(days=28)
    return {"night0": plan.on(0, "night"), "open": len(plan.gaps()), "weights": plan.weights()}
