from saltpan import Pan


def windows(values, notes):
    pan = Pan(values).skim(2, end=True).sieve(lambda v: v > 0, rest=notes.append)
    return pan.rake(3, overlap=1, short="fill", fill=0).all()
