from colliery.errors import DustBarrierBusyError, DustBarrierMissingError
from colliery.types import FindDustBarrierInput, ReopenDustBarrierInput


def revive(client, district, day):
    result = {"back": [], "busy": [], "missing": []}
    for barrier in client.each_find_dust_barrier(FindDustBarrierInput(district=district, per_page=120, closed=True)):
        if barrier.state != "closed":
            continue
        try:
            client.reopen_dust_barrier(ReopenDustBarrierInput(id=barrier.id, as_of=day))
        except DustBarrierBusyError:
            result["busy"].append(barrier.id)
        except DustBarrierMissingError:
            result["missing"].append(barrier.id)
        else:
            result["back"].append(barrier.id)
    return result
