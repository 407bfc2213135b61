package solve

import quern "hollin.example/quern/v2"

func Split(label string, weight int) ([]int, error) {
	m, err := quern.SetWith(quern.Dressing{Toll: quern.NoToll, Order: quern.HeaviestUp}, quern.Cleave(25))
	if err != nil {
		return nil, err
	}
	b, err := m.Grind([]quern.Grist{{Label: label, Weight: weight, Coarse: 1}})
	if err != nil {
		return nil, err
	}
	var weights []int
	for _, g := range b.Flour {
		weights = append(weights, g.Weight)
	}
	return weights, nil
}
