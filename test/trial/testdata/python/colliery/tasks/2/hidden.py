from colliery import Client, Settings
from solve import decks, who


def transport(exchange):
    given = dict(exchange.input)
    if exchange.operation == "history_pony":
        assert given == {"id": "p1", "per_page": 4}, given
        return {"value": {"items": [{"actor": "c"}, {"actor": "a"}], "next_token": "more"}}
    assert exchange.operation == "find_screen_deck", exchange.operation
    token = given.pop("token", None)
    assert given == {"district": "north", "per_page": 120, "closed": True}, given
    if token:
        return {"value": {"items": [{"name": "z"}]}}
    return {"value": {"items": [{"name": "x"}, {"name": "y"}], "next_token": "p2"}}


client = Client(Settings(account="ada", transport=transport))
assert decks(client, "north") == ["x", "y", "z"]
assert who(client, "p1") == ["a", "c"]
