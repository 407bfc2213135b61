from solve import crew

got = crew(["ada:medic", "bob:medic@0.5", "cid:cook"], {"bob": 4})
assert got == ["ada", "bob", "bob", "ada", "ada", "ada"], got
got = crew(["ada:medic", "bob:medic", "cid:cook"], {"ada": 9, "bob": 4})
assert got == ["bob", "bob", "bob", "ada", "ada", "bob"], got
got = crew(["ada:medic", "bob:medic@0"], {})
assert got == (1, {"ada": "away", "bob": "share"}), got
