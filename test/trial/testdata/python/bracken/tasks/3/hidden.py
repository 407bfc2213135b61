from bracken import Rota
from bracken.rules import Apart
from solve import trade

rota = Rota(["ada", "bob"]).add("night", start=22).add("tea", start=9, every=3, load=0).pin(4, "night", "bob")
plan = rota.plan(5)
before = [d.person for d in plan]
want = "ada|tea+night|.|.|.|night\nbob|.|night|night|tea+night|."
assert trade(plan, "bob") == want, trade(plan, "bob")
assert [d.person for d in plan] == before
rota.rules.append(Apart("night"))
assert trade(plan, "bob") == "no: apart bob", trade(plan, "bob")
