from bellows import CallOptions, FoundryError, is_fault
from bellows.crates import CrateMove


def could(foundry, id):
    try:
        crate = foundry.crates.move(CrateMove(id=id, hall="yard", keep_marks=True), CallOptions(rehearse=True, notes={"why": "plan"}))
    except FoundryError as error:
        if is_fault(error, "busy") or is_fault(error, "barred"):
            return False
        raise
    return crate.known == 0
