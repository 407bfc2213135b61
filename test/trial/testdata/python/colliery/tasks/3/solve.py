from colliery.errors import LateError


def settled(client, id):
    try:
        rope = client.until_settled_winder_rope(id, every=0.001, most=0.5, missing_ok=True)
    except LateError:
        return "late"
    return rope and rope.revision
