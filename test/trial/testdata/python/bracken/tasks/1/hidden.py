from solve import month

got = month(["ada", "bob", "cid"])
assert got == {"night0": "bob", "open": 0, "weights": {"ada": 132.0, "bob": 124.0, "cid": 80.0}}, got
got = month(["ada", "bob"])
assert got == {"night0": "bob", "open": 16, "weights": {"ada": 80.0, "bob": 160.0}}, got
got = month(["a", "b", "c", "d"])
assert got == {"night0": "b", "open": 0, "weights": {"a": 84.0, "b": 88.0, "c": 84.0, "d": 80.0}}, got
