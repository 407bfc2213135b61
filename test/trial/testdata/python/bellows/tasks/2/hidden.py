from bellows import connect
from solve import stairs, who


def wire(exchange):
    rest = {k: v for k, v in exchange.request.items() if k != "cursor"}
    if exchange.operation == "carts.trail":
        assert rest == {"id": "c1", "limit": 4}, rest
        return {"value": {"items": [{"by": "cid"}, {"by": "ada"}], "following": "more"}}
    assert exchange.operation == "tower_stairs.scan", exchange
    assert rest == {"hall": "north", "limit": 150, "struck": True}, rest
    if "cursor" in exchange.request:
        return {"value": {"items": [{"label": "z"}]}}
    return {"value": {"items": [{"label": "x"}, {"label": "y"}], "following": "p2"}}


foundry = connect(wire=wire, caller="ada")
assert stairs(foundry, "north") == ["x", "y", "z"]
assert who(foundry, "c1") == ["ada", "cid"]
