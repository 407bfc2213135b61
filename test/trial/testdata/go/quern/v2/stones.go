package quern

import "slices"

// Stone turns one lump into others of the same weight together.
type Stone interface {
	Turn(Grist) ([]Grist, error)
}

// StoneFunc is a function that is a Stone.
type StoneFunc func(Grist) ([]Grist, error)

// Turn calls f.
func (f StoneFunc) Turn(g Grist) ([]Grist, error) { return f(g) }

// Crack breaks lumps heavier than most in two halves; the first half has the
// odd unit. Pieces are broken again in the next pass, not in the same.
func Crack(most int) Stone {
	return StoneFunc(func(g Grist) ([]Grist, error) {
		if g.Weight <= most {
			return []Grist{g}, nil
		}
		a, b := g, g
		b.Weight = g.Weight / 2
		a.Weight = g.Weight - b.Weight
		return []Grist{a, b}, nil
	})
}

// Cleave breaks lumps heavier than most into pieces of exactly most and a
// last one of what is left, in one pass.
func Cleave(most int) Stone {
	return StoneFunc(func(g Grist) ([]Grist, error) {
		var out []Grist
		for most > 0 && g.Weight > most {
			piece := g
			piece.Weight = most
			g.Weight -= most
			out = append(out, piece)
		}
		return append(out, g), nil
	})
}

// Burr makes lumps finer by by at each pass.
func Burr(by int) Stone {
	return StoneFunc(func(g Grist) ([]Grist, error) {
		g.Coarse = max(g.Coarse-by, 0)
		return []Grist{g}, nil
	})
}

// Rub makes lumps finer by one.
//
// Deprecated: Use Burr. Rub makes lumps of coarseness 1 no finer.
func Rub() Stone {
	return StoneFunc(func(g Grist) ([]Grist, error) {
		if g.Coarse > 1 {
			g.Coarse--
		}
		return []Grist{g}, nil
	})
}

// Shell takes a husk off each lump once: a lump of its own with label husk,
// the weight weight and the coarseness of the lump, tagged "husk". What was
// shelled is tagged "shelled" and not shelled again, nor is what weighs no more
// than its husk would.
func Shell(weight int) Stone {
	return StoneFunc(func(g Grist) ([]Grist, error) {
		if g.Has("shelled") || g.Has("husk") || g.Weight <= weight {
			return []Grist{g}, nil
		}
		husk := Grist{Label: "husk", Weight: weight, Coarse: g.Coarse, Tags: []string{"husk"}}
		g.Weight -= weight
		return []Grist{g.With("shelled"), husk}, nil
	})
}

// Only shows a stone the lumps that carry all the tags.
func Only(s Stone, tags ...string) Stone {
	return StoneFunc(func(g Grist) ([]Grist, error) {
		for _, tag := range tags {
			if tag != "" && tag[0] == '-' {
				if g.Has(tag[1:]) {
					return []Grist{g}, nil
				}
			} else if !g.Has(tag) {
				return []Grist{g}, nil
			}
		}
		return s.Turn(g)
	})
}

// Refuse jams on lumps for which bad returns an error.
func Refuse(bad func(Grist) error) Stone {
	return StoneFunc(func(g Grist) ([]Grist, error) {
		if err := bad(g); err != nil {
			return nil, err
		}
		return []Grist{g}, nil
	})
}

// Mark tags every lump that does not have the tag yet.
func Mark(tag string) Stone {
	return StoneFunc(func(g Grist) ([]Grist, error) {
		if g.Has(tag) {
			return []Grist{g}, nil
		}
		return []Grist{g.With(tag)}, nil
	})
}

// Pair sets two stones one upon the other: what leaves the first is turned by
// the second in the same pass, as one stone.
func Pair(upper, lower Stone) Stone {
	return StoneFunc(func(g Grist) ([]Grist, error) {
		first, err := upper.Turn(g)
		if err != nil {
			return nil, err
		}
		var out []Grist
		for _, f := range first {
			part, err := lower.Turn(f)
			if err != nil {
				return nil, err
			}
			out = append(out, part...)
		}
		return slices.Clip(out), nil
	})
}
