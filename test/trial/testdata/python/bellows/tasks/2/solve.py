from bellows.carts import CartTrail
from bellows.tower_stairs import TowerStairScan


def stairs(foundry, hall):
    return [stair.label for stair in foundry.tower_stairs.scan_all(TowerStairScan(hall=hall, limit=150, struck=True))]


def who(foundry, id):
    page = foundry.carts.trail(CartTrail(id=id, limit=4))
    return [entry.by for entry in reversed(page.items)]
