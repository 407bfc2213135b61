from bracken import GapError
from solve import diary, fridays

got = diary(fridays(["ada", "zoe"]), "zoe")
assert got == ["day 2 13:00-17:00 door", "day 4 09:00-17:00 desk+door"], got
got = diary(fridays(["ada", "zoe"]), "ada")
assert got == ["day 2 09:00-13:00 desk", "day 6 09:00-17:00 desk+door"], got
try:
    diary(fridays(["ada"]), "ada")
except GapError as gap:
    assert gap.reasons == {"ada": "friday"}, gap.reasons
else:
    raise AssertionError("a Friday was given away")
