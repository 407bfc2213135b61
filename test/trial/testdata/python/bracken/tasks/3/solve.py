from bracken import RuleError
from bracken.export import table


def trade(plan, person):
    try:
        new = plan.swapped(2, "night", person, back=(4, "night"))
    except RuleError as error:
        return f"no: {error.reason} {error.person}"
    return table(new, rows="person", empty=".", sep="|", head=False)
