from saltpan import Pan, coarse


def weigh(lines):
    pan = Pan(lines, spills="gather").turn(lambda line: coarse(line, unit="kg", decimal=",", group="."))
    total = pan.fold(lambda sum, grain: sum + grain.grams(), 0)
    return total, [(spill.value, spill.step) for spill in pan.basin]
