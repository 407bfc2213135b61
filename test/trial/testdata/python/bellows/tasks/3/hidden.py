from bellows import connect
from solve import settled

looks = 0


def wire(exchange):
    global looks
    assert exchange.operation == "ladle_cranes.show", exchange
    match exchange.request["id"]:
        case "gone":
            return {"fault": "ladle_cranes.missing"}
        case "busy":
            return {"value": {"status": "changing", "known": 1}}
    looks += 1
    return {"value": {"status": "changing" if looks < 5 else "settled", "known": looks}}


foundry = connect(wire=wire, caller="ada")
assert settled(foundry, "c1") == 5
assert settled(foundry, "gone") is None
assert settled(foundry, "busy") == "late"
