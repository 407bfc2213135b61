from saltpan import Pan
from solve import booths, fresh, tickets

assert isinstance(tickets(2), Pan)
assert tickets(4).turn(lambda n: 6 // (n - 2)).all() == [-6, 6, 3]
seen = []
got = booths(21, seen)
assert got == [[4, 8, 12, 16, 20], [1, 5, 9, 13, 17, 21], [2, 6, 10, 14, 18]], got
assert seen == [(10, 10), (20, 20)], seen
assert fresh([1, 2, 1, 3, 1, [4], 2]) == [1, 2, 3, 1, 2], fresh([1, 2, 1, 3, 1, [4], 2])
