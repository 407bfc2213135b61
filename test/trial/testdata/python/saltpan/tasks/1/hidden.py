from solve import windows

notes = []
got = windows(iter([5, -1, 4, 0, 3, 2, 9, 9]), notes)
assert got == [[5, 4, 3], [3, 2, 0]], got
assert notes == [-1, 0], notes
assert windows([1, 2, 3, 8, 8], []) == [[1, 2, 3]]
