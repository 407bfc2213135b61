from datetime import datetime

from colliery import Client, Settings
from colliery.errors import RefusedError
from solve import revive

day = datetime(2026, 3, 1)
faults = {"b2": "Busy", "b4": "Missing"}
attempts = []


def transport(exchange):
    given = dict(exchange.input)
    if exchange.operation == "find_dust_barrier":
        token = given.pop("token", None)
        assert given == {"district": "west", "per_page": 120, "closed": True}, given
        ids = ["b4", "b5"] if token else ["b1", "b2", "b3"]
        items = [{"id": each, "state": "settled" if each == "b3" else "closed"} for each in ids]
        return {"value": {"items": items} if token else {"items": items, "next_token": "p2"}}
    assert exchange.operation == "reopen_dust_barrier", exchange.operation
    assert given == {"id": given["id"], "as_of": day}, given
    assert given["id"] != "b3"
    attempts.append(given["id"])
    return {"fault": faults[given["id"]]} if given["id"] in faults else {"value": {"id": given["id"]}}


client = Client(Settings(account="ada", transport=transport))
assert revive(client, "west", day) == {"back": ["b1", "b5"], "busy": ["b2"], "missing": ["b4"]}
assert len(attempts) == 6, attempts
faults["b1"] = "Refused"
try:
    revive(client, "west", day)
except RefusedError:
    pass
else:
    raise AssertionError("a refused call is no failure")
