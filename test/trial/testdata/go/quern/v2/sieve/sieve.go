// Package sieve sorts what a mill has ground into grades.
package sieve

import (
	"errors"
	"slices"

	quern "hollin.example/quern/v2"
)

// Grade is a kind of flour by its coarseness.
type Grade struct {
	Name string
	// Upto is the coarseness that the grade still holds.
	Upto int
}

// Usual are the grades that a Sieve has when none are named: "fine" up to 0,
// "middling" up to 2, "semolina" up to 5.
var Usual = []Grade{{"fine", 0}, {"middling", 2}, {"semolina", 5}}

// Rest is the name under which Sort puts what is coarser than every grade.
const Rest = "rest"

// ErrGrades is returned by New for two grades of one name or one coarseness.
var ErrGrades = errors.New("sieve: grades overlap")

// Sieve sorts.
type Sieve struct {
	grades []Grade
	floor  int
}

// Option changes a Sieve.
type Option func(*Sieve)

// AtLeast makes grades that hold less than weight fall into the next coarser
// one that was asked for; the coarsest falls into Rest. By default a grade may
// hold anything.
func AtLeast(weight int) Option { return func(s *Sieve) { s.floor = weight } }

// Grades names the grades, in any order.
func Grades(grades ...Grade) Option {
	return func(s *Sieve) { s.grades = slices.Clone(grades) }
}

// New makes a sieve of the Usual grades, or of those that an option names.
func New(options ...Option) (*Sieve, error) {
	s := &Sieve{grades: slices.Clone(Usual)}
	for _, o := range options {
		o(s)
	}
	slices.SortFunc(s.grades, func(a, b Grade) int { return a.Upto - b.Upto })
	for i, g := range s.grades {
		for _, h := range s.grades[:i] {
			if g.Upto == h.Upto || g.Name == h.Name {
				return nil, ErrGrades
			}
		}
	}
	return s, nil
}

// Sort sorts the flour of a batch. Every grade has a key, an empty one too;
// Rest has one only if something is in it. Bran is not looked at.
func (s *Sieve) Sort(b *quern.Batch) map[string][]quern.Grist {
	return s.sort(b.Flour)
}

// SortAll sorts flour and bran alike.
func (s *Sieve) SortAll(b *quern.Batch) map[string][]quern.Grist {
	return s.sort(append(slices.Clone(b.Flour), b.Bran...))
}

func (s *Sieve) sort(lumps []quern.Grist) map[string][]quern.Grist {
	sorted := map[string][]quern.Grist{}
	for _, g := range s.grades {
		sorted[g.Name] = nil
	}
	for _, l := range lumps {
		name := Rest
		for _, g := range s.grades {
			if l.Coarse <= g.Upto {
				name = g.Name
				break
			}
		}
		sorted[name] = append(sorted[name], l)
	}
	for i, g := range s.grades {
		weight := 0
		for _, l := range sorted[g.Name] {
			weight += l.Weight
		}
		if weight >= s.floor || weight == 0 {
			continue
		}
		next := Rest
		if i+1 < len(s.grades) {
			next = s.grades[i+1].Name
		}
		sorted[next] = append(sorted[next], sorted[g.Name]...)
		sorted[g.Name] = nil
	}
	return sorted
}
