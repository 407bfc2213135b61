from bellows import CallOptions
from bellows.core_boxes import CoreBoxEnter, CoreBoxRest


def prepare(foundry, hall, key):
    once = CallOptions(attempts=1)
    box = foundry.core_boxes.enter(
        CoreBoxEnter(label="spare", hall=hall, token=key, marks={"use": "spare"}, finish="raw", heat=200, idle=True), once
    )
    foundry.core_boxes.rest(CoreBoxRest(id=box.id, hours=36, reason="drying"), once)
    return box.id
