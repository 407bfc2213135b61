from colliery import CallConfig, Client, CollieryError, Settings
from solve import could

reply = {"value": {"revision": 0}}


def transport(exchange):
    assert exchange.operation == "relocate_rail_switch", exchange.operation
    assert exchange.input == {"id": "s1", "district": "west", "keep_tags": True}, exchange.input
    assert exchange.rehearse is True
    assert exchange.notes == {"from": "test", "why": "plan"}, exchange.notes
    return reply


client = Client(Settings(account="ada", transport=transport, call=CallConfig(notes={"from": "test"})))
assert could(client, "s1") is True
reply = {"value": {"revision": 4}}
assert could(client, "s1") is False
for fault in ("Busy", "Refused"):
    reply = {"fault": fault}
    assert could(client, "s1") is False
reply = {"fault": "Missing"}
try:
    could(client, "s1")
except CollieryError:
    pass
else:
    raise AssertionError("a missing switch is no failure")
