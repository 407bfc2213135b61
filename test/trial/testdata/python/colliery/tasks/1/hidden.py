from datetime import timedelta

from colliery import Client, CollieryError, Settings
from solve import cool

reply = {"value": {}}
sent = []


def transport(exchange):
    sent.append(exchange)
    return reply


client = Client(Settings(account="ada", transport=transport))
assert cool(client, "c1", 7) == {"ok": True}
assert sent[0].operation == "modify_face_cutter", sent[0]
assert sent[0].input == {"id": "c1", "revision": 7, "tons": 12, "lasting": timedelta(minutes=45)}, sent[0]
reply = {"fault": "Busy", "holder": "eve"}
assert cool(client, "c1", 7) == {"holder": "eve"}
assert len(sent) == 2, len(sent)
reply = {"fault": "Stale", "newest": 9}
assert cool(client, "c1", 7) == {"newest": 9}
reply = {"fault": "Missing"}
try:
    cool(client, "c1", 7)
except CollieryError:
    pass
else:
    raise AssertionError("a missing machine is no failure")
