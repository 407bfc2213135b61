from colliery import CallConfig
from colliery.errors import RailSwitchBusyError, RefusedError
from colliery.types import RelocateRailSwitchInput


def could(client, id):
    config = CallConfig(rehearse=True, notes={"why": "plan"})
    try:
        return client.relocate_rail_switch(RelocateRailSwitchInput(id=id, district="west", keep_tags=True), config).revision == 0
    except (RailSwitchBusyError, RefusedError):
        return False
