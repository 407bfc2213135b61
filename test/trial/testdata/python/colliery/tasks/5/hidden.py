from colliery import Client, CollieryError, Settings
from solve import open_room

sent = []
fault = None


def transport(exchange):
    assert not exchange.rehearse, exchange
    sent.append((exchange.operation, dict(exchange.input)))
    return {"fault": fault} if fault else {"value": {"id": "r9"}}


client = Client(Settings(account="ada", transport=transport))
assert open_room(client, "west", "k1") == "r9"
assert sent == [
    (
        "open_lamp_room",
        {"name": "north", "district": "west", "nonce": "k1", "tags": {"use": "lamps"}, "depth": 80, "heat_limit": 0, "silent": True},
    ),
    ("halt_lamp_room", {"id": "r9", "hours": 1.5, "reason": "oil"}),
], sent
sent.clear()
fault = "Busy"
try:
    open_room(client, "west", "k1")
except CollieryError:
    pass
else:
    raise AssertionError("a busy room is no failure")
assert len(sent) == 1, sent
