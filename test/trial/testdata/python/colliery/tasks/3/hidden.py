from colliery import Client, Settings
from solve import settled

looks = 0


def transport(exchange):
    global looks
    assert exchange.operation == "view_winder_rope", exchange.operation
    if exchange.input["id"] == "gone":
        return {"fault": "Missing"}
    if exchange.input["id"] == "busy":
        return {"value": {"state": "changing", "revision": 1}}
    looks += 1
    return {"value": {"state": "changing" if looks < 5 else "settled", "revision": looks}}


client = Client(Settings(account="ada", transport=transport))
assert settled(client, "r1") == 5
assert settled(client, "gone") is None
assert settled(client, "busy") == "late"
