from bellows import FoundryError, connect
from solve import heat

reply = {"value": {}}
sent = []


def wire(exchange):
    sent.append(exchange)
    return reply


foundry = connect(wire=wire, caller="ada")
assert heat(foundry, "m1", 7) == {"ok": True}
assert sent[0].operation == "bell_moulds.amend", sent[0]
assert sent[0].request == {"id": "m1", "known": 7, "heat": 410, "weight": 80}, sent[0]
reply = {"fault": "bell_moulds.busy", "details": {"by": "eve"}}
assert heat(foundry, "m1", 7) == {"by": "eve"}
assert len(sent) == 2, len(sent)
reply = {"fault": "bell_moulds.stale", "details": {"known": 9}}
assert heat(foundry, "m1", 7) == {"known": 9}
reply = {"fault": "bell_moulds.missing"}
try:
    heat(foundry, "m1", 7)
except FoundryError:
    pass
else:
    raise AssertionError("a missing mould is no failure")
