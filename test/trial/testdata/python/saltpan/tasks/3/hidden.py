from solve import newest, sessions

got = sessions(iter([(0, "a"), (30, "b"), (90, "c")]), iter([(30, "x"), (61, "y"), (121, "z")]))
assert got == [["a", "b"], ["y", "c"], ["z"]], got
got = newest(iter([(1, "a"), (2, "b"), (3, "a"), (4, "a")]))
assert got == {"a": [3, 4], "b": [2]}, got
