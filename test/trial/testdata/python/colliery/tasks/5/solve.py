from colliery import CallConfig
from colliery.types import HaltLampRoomInput, OpenLampRoomInput


def open_room(client, district, key):
    once = CallConfig(attempts=1)
    room = client.open_lamp_room(
        OpenLampRoomInput(name="north", district=district, nonce=key, tags={"use": "lamps"}, depth=80, heat_limit=0, silent=True), once
    )
    client.halt_lamp_room(HaltLampRoomInput(id=room.id, hours=1.5, reason="oil"), once)
    return room.id
