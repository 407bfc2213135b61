from bellows import CallOptions
from bellows.bell_moulds import BellMouldAmend, BellMouldBusyError, BellMouldStaleError


def heat(foundry, id, known):
    try:
        foundry.bell_moulds.amend(BellMouldAmend(id=id, known=known, heat=410, weight=80), CallOptions(attempts=1))
    except BellMouldBusyError as error:
        return {"by": error.details["by"]}
    except BellMouldStaleError as error:
        return {"known": error.details["known"]}
    return {"ok": True}
