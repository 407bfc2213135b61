from bellows import FoundryError, connect
from solve import prepare

sent = []
fault = None


def wire(exchange):
    assert not exchange.rehearse, exchange
    sent.append((exchange.operation, exchange.request))
    return {"fault": fault} if fault else {"value": {"id": "c9"}}


foundry = connect(wire=wire, caller="ada")
assert prepare(foundry, "north", "k1") == "c9"
assert sent == [
    ("core_boxes.enter", {"label": "spare", "hall": "north", "token": "k1", "marks": {"use": "spare"}, "finish": "raw", "heat": 200, "idle": True}),
    ("core_boxes.rest", {"id": "c9", "hours": 36, "reason": "drying"}),
], sent
sent.clear()
fault = "core_boxes.busy"
try:
    prepare(foundry, "north", "k1")
except FoundryError as error:
    assert error.code == "core_boxes.busy", error.code
else:
    raise AssertionError("a busy box is no failure")
assert len(sent) == 1, sent
