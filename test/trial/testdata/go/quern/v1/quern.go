// Package quern grinds grist in a mill of stones.
//
// New code uses hollin.example/quern/v2, in which toll and passes are chosen
// by a Dressing.
package quern

import "errors"

// Grist is one lump of what is ground.
type Grist struct {
	Label  string
	Weight int
	Coarse int // how coarse it is; flour is 0
}

// Stone turns one lump into others.
type Stone func(Grist) ([]Grist, error)

// Mill grinds with its stones in order.
type Mill struct {
	// Toll is the number of units that the miller keeps of every lump.
	Toll   int
	Stones []Stone
}

// ErrNoStones is returned by Grind of a mill without stones.
var ErrNoStones = errors.New("quern: no stones")

// NewMill makes a mill that takes a toll of one unit of every lump.
func NewMill(stones ...Stone) *Mill { return &Mill{Toll: 1, Stones: stones} }

// Grind puts every lump through every stone once.
func (m *Mill) Grind(in []Grist) ([]Grist, error) {
	if len(m.Stones) == 0 {
		return nil, ErrNoStones
	}
	for _, s := range m.Stones {
		var out []Grist
		for _, g := range in {
			part, err := s(g)
			if err != nil {
				return nil, err
			}
			out = append(out, part...)
		}
		in = out
	}
	for i := range in {
		in[i].Weight -= m.Toll
	}
	return in, nil
}

// Burr makes lumps finer by one.
func Burr() Stone {
	return func(g Grist) ([]Grist, error) {
		g.Coarse = max(g.Coarse-1, 0)
		return []Grist{g}, nil
	}
}
