from bellows import FoundryError, is_fault
from bellows.ladle_cranes import LadleCraneRestore, LadleCraneScan


def revive(foundry, hall, day):
    result = {"back": [], "busy": [], "missing": []}
    for crane in foundry.ladle_cranes.scan_all(LadleCraneScan(hall=hall, limit=150, struck=True)):
        if crane.status != "struck":
            continue
        try:
            foundry.ladle_cranes.restore(LadleCraneRestore(id=crane.id, as_of=day))
        except FoundryError as error:
            what = next((each for each in ("busy", "missing") if is_fault(error, each)), None)
            if what is None:
                raise
            result[what].append(crane.id)
        else:
            result["back"].append(crane.id)
    return result
