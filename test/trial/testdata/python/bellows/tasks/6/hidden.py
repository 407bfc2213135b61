from datetime import datetime

from bellows import FoundryError, connect
from solve import revive

day = datetime(2026, 3, 1)
faults = {"c2": "busy", "c4": "missing"}
attempts = []


def wire(exchange):
    if exchange.operation == "ladle_cranes.scan":
        cursor = exchange.request.pop("cursor", None)
        assert exchange.request == {"hall": "north", "limit": 150, "struck": True}, exchange
        ids = ["c4", "c5"] if cursor else ["c1", "c2", "c3"]
        items = [{"id": each, "status": "settled" if each == "c3" else "struck"} for each in ids]
        return {"value": {"items": items} if cursor else {"items": items, "following": "p2"}}
    assert exchange.operation == "ladle_cranes.restore", exchange
    each = exchange.request["id"]
    assert exchange.request == {"id": each, "as_of": day}, exchange
    assert each != "c3"
    attempts.append(each)
    return {"fault": "ladle_cranes." + faults[each]} if each in faults else {"value": {"id": each}}


foundry = connect(wire=wire, caller="ada")
assert revive(foundry, "north", day) == {"back": ["c1", "c5"], "busy": ["c2"], "missing": ["c4"]}
assert len(attempts) == 5, attempts
faults["c1"] = "barred"
try:
    revive(foundry, "north", day)
except FoundryError as error:
    assert error.code == "ladle_cranes.barred", error.code
else:
    raise AssertionError("a barred crane is no failure")
