from bellows import LateError, UntilOptions


def settled(foundry, id):
    try:
        crane = foundry.ladle_cranes.until_settled(id, UntilOptions(pause=0.001, most=0.5, or_missing=True))
    except LateError:
        return "late"
    return crane.known if crane else None
