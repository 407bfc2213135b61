// Package quern grinds lumps of grist: a [Mill] puts each through its stones,
// pass after pass, until a pass changes nothing.
//
// # Weight
//
// No weight is lost: the weights of flour, bran and toll add up to the weight
// that went in. A stone that breaks this fails with [ErrWeight].
//
// # Passes
//
// One pass takes every lump through every stone in order. The number of passes
// is chosen by [Dressing.Passes].
package quern

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
)

// Grist is one lump of what is ground.
type Grist struct {
	Label  string
	Weight int
	// Coarse is how coarse the lump is. Flour is 0, and no stone makes it
	// finer than that.
	Coarse int
	Tags   []string
}

// With returns a copy of g that carries one more tag.
func (g Grist) With(tag string) Grist {
	g.Tags = append(slices.Clone(g.Tags), tag)
	return g
}

// Has reports whether g carries the tag, without regard to case.
func (g Grist) Has(tag string) bool {
	return slices.ContainsFunc(g.Tags, func(t string) bool { return strings.EqualFold(t, tag) })
}

// Errors of mills.
var (
	// ErrBare is returned by Set and SetWith without stones.
	ErrBare = errors.New("quern: a mill needs a stone")
	// ErrJammed is returned by Grind while a jam is not cleared.
	ErrJammed = errors.New("quern: the mill is jammed")
	// ErrWeight is the cause of a jam at a stone whose lumps weigh more or less
	// than the lump that it was given.
	ErrWeight = errors.New("quern: weight gained or lost")
)

// Values of [Dressing.Toll] and [Dressing.Gap] that mean none.
const (
	NoToll = -1
	NoGap  = -1
)

// Dust says what becomes of lumps without weight.
type Dust int

// What becomes of dust.
const (
	SweepDust Dust = iota // dropped after each pass
	KeepDust              // kept as flour
	BranDust              // set aside as bran
)

// Order is the order of flour.
type Order int

// Orders of flour.
const (
	AsGround   Order = iota // as it leaves the last stone
	Finest                  // by coarseness, then as ground
	HeaviestUp              // by weight, heaviest first, then as ground
)

// Dressing says how a mill works. The zero value takes the usual toll.
type Dressing struct {
	// Gap is the coarseness up to which a lump counts as flour when it leaves
	// the mill; what is coarser is bran. 0 means 3. NoGap counts only lumps of
	// coarseness 0.
	Gap int
	// Passes is the number of passes. 0 grinds until a pass changes nothing,
	// at most 12 times.
	Passes int
	// Toll is the divisor of the miller's part: of every lump of flour, its
	// weight divided by Toll, rounded down. 0 means 16. NoToll takes nothing.
	Toll int
	// Dust is what becomes of lumps without weight.
	Dust Dust
	// Order is the order of flour.
	Order Order
	// OnBran is called for each lump that is set aside, in the order in which
	// that happens. Nil calls nothing.
	OnBran func(Grist)
}

// Batch is what left the mill.
type Batch struct {
	Flour []Grist
	Bran  []Grist
	// Toll is the weight that the miller kept.
	Toll int
	// Passes is how many passes it took, the last one that changed nothing
	// included.
	Passes int
}

// Weight is the weight of flour, without bran and toll.
func (b *Batch) Weight() int {
	n := 0
	for _, g := range b.Flour {
		n += g.Weight
	}
	return n
}

// ByLabel sums up the weights of flour by label.
func (b *Batch) ByLabel() map[string]int {
	sums := map[string]int{}
	for _, g := range b.Flour {
		sums[g.Label] += g.Weight
	}
	return sums
}

// JamError says which stone failed on which lump.
type JamError struct {
	Stone int // counted from 0
	Grist Grist
	Cause error
}

func (e *JamError) Error() string {
	return fmt.Sprintf("quern: stone %d jammed on %s: %v", e.Stone, e.Grist.Label, e.Cause)
}

// Unwrap returns the cause.
func (e *JamError) Unwrap() error { return e.Cause }

// Mill grinds. It is used by one goroutine at a time.
type Mill struct {
	stones   []Stone
	dressing Dressing
	jam      *jam
}

// jam is the state of a pass that stopped.
type jam struct {
	err        *JamError
	stone      int
	done, todo []Grist
	batch      *Batch
	pass       int
	changed    bool
}

// Set makes a mill with the zero Dressing.
func Set(stones ...Stone) (*Mill, error) { return SetWith(Dressing{}, stones...) }

// SetWith makes a mill.
func SetWith(d Dressing, stones ...Stone) (*Mill, error) {
	if len(stones) == 0 {
		return nil, ErrBare
	}
	return &Mill{stones: stones, dressing: d}, nil
}

// NewMill makes a mill without toll that grinds one pass.
//
// Deprecated: Use SetWith. NewMill keeps dust.
func NewMill(stones ...Stone) *Mill {
	m, _ := SetWith(Dressing{Toll: NoToll, Passes: 1, Dust: KeepDust}, stones...)
	return m
}

// Grind grinds lumps. A stone that fails jams the mill: the error is then a
// *JamError, and the batch is nil.
func (m *Mill) Grind(lumps []Grist) (*Batch, error) {
	if m.jam != nil {
		return nil, ErrJammed
	}
	return m.run(&jam{todo: slices.Clone(lumps), batch: &Batch{}})
}

// Clear takes up after the jam that err tells of. See the README.
func (m *Mill) Clear(err error) (*Batch, error) {
	var e *JamError
	if !errors.As(err, &e) || m.jam == nil || m.jam.err != e {
		return nil, err
	}
	j := m.jam
	m.jam = nil
	m.setAside(j.batch, e.Grist)
	j.changed = true
	return m.run(j)
}

func (m *Mill) setAside(b *Batch, g Grist) {
	b.Bran = append(b.Bran, g)
	if m.dressing.OnBran != nil {
		m.dressing.OnBran(g)
	}
}

func (m *Mill) run(j *jam) (*Batch, error) {
	d := m.dressing
	passes := d.Passes
	if passes == 0 {
		passes = 12
	}
	for j.pass < passes {
		for ; j.stone < len(m.stones); j.stone++ {
			for len(j.todo) > 0 {
				g := j.todo[0]
				j.todo = j.todo[1:]
				out, err := m.stones[j.stone].Turn(g)
				sum := 0
				for _, o := range out {
					sum += o.Weight
				}
				if err == nil && sum != g.Weight {
					err = ErrWeight
				}
				if err != nil {
					j.err = &JamError{j.stone, g, err}
					m.jam = j
					return nil, j.err
				}
				if len(out) != 1 || out[0].Coarse != g.Coarse || out[0].Label != g.Label || len(out[0].Tags) != len(g.Tags) {
					j.changed = true
				}
				j.done = append(j.done, out...)
			}
			j.todo, j.done = j.done, nil
		}
		var kept []Grist
		for _, g := range j.todo {
			switch {
			case g.Weight > 0 || d.Dust == KeepDust:
				kept = append(kept, g)
			case d.Dust == BranDust:
				m.setAside(j.batch, g)
			}
		}
		j.todo, j.stone = kept, 0
		j.pass++
		changed := j.changed
		j.changed = false
		if d.Passes == 0 && !changed {
			break
		}
	}
	m.finish(j)
	return j.batch, nil
}

func (m *Mill) finish(j *jam) {
	d, b := m.dressing, j.batch
	b.Passes = j.pass
	gap := d.Gap
	switch {
	case gap == 0:
		gap = 3
	case gap < 0:
		gap = 0
	}
	toll := d.Toll
	if toll == 0 {
		toll = 16
	}
	for _, g := range j.todo {
		if g.Coarse > gap {
			m.setAside(b, g)
			continue
		}
		if toll > 0 {
			part := g.Weight / toll
			g.Weight -= part
			b.Toll += part
		}
		b.Flour = append(b.Flour, g)
	}
	switch d.Order {
	case Finest:
		slices.SortStableFunc(b.Flour, func(x, y Grist) int { return x.Coarse - y.Coarse })
	case HeaviestUp:
		slices.SortStableFunc(b.Flour, func(x, y Grist) int { return y.Weight - x.Weight })
	}
}

// Each grinds lumps one by one, each as a batch of its own.
func (m *Mill) Each(lumps iter.Seq[Grist]) iter.Seq2[*Batch, error] {
	return func(yield func(*Batch, error) bool) {
		for g := range lumps {
			if !yield(m.Grind([]Grist{g})) {
				return
			}
		}
	}
}
