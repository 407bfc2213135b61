from bellows import CallOptions, FoundryError, connect, is_fault
from solve import could

reply = {"value": {"known": 0}}


def wire(exchange):
    assert exchange.operation == "crates.move", exchange
    assert exchange.request == {"id": "c1", "hall": "yard", "keep_marks": True}, exchange
    assert exchange.rehearse
    assert exchange.notes == {"from": "test", "why": "plan"}, exchange
    return reply


foundry = connect(wire=wire, caller="ada", options=CallOptions(notes={"from": "test"}))
assert could(foundry, "c1") is True
reply = {"value": {"known": 4}}
assert could(foundry, "c1") is False
for fault in ("busy", "barred"):
    reply = {"fault": f"crates.{fault}"}
    assert could(foundry, "c1") is False
reply = {"fault": "crates.missing"}
try:
    could(foundry, "c1")
except FoundryError as error:
    assert is_fault(error, "missing")
else:
    raise AssertionError("a missing crate is no failure")
