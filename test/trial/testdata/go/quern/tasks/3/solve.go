package solve

import (
	quern "hollin.example/quern/v2"
	"hollin.example/quern/v2/sieve"
)

func Grades(lumps []quern.Grist) (map[string]int, error) {
	m, err := quern.SetWith(quern.Dressing{Gap: 50, Passes: 1, Toll: quern.NoToll}, quern.Only(quern.Burr(2), "wet"))
	if err != nil {
		return nil, err
	}
	b, err := m.Grind(lumps)
	if err != nil {
		return nil, err
	}
	s, err := sieve.New(sieve.Grades(sieve.Grade{Name: "dusty", Upto: 1}, sieve.Grade{Name: "rough", Upto: 6}), sieve.AtLeast(10))
	if err != nil {
		return nil, err
	}
	sums := map[string]int{}
	for name, lumps := range s.Sort(b) {
		sums[name] = 0
		for _, g := range lumps {
			sums[name] += g.Weight
		}
	}
	return sums, nil
}
