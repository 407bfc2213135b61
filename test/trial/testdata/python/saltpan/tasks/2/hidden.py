from solve import weigh

got = weigh(["1.250,5 kg", " 3 g", "2", "two", "4 lb", "0,5t"])
assert got == (1250500 + 3 + 2000 + 500000, [("two", "turn"), ("4 lb", "turn")]), got
