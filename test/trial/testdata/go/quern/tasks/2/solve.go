package solve

import (
	"errors"

	quern "hollin.example/quern/v2"
)

func Mend(lumps []quern.Grist) (done, aside []string, err error) {
	nameless := quern.Refuse(func(g quern.Grist) error {
		if g.Label == "" {
			return errors.New("no label")
		}
		return nil
	})
	m, err := quern.Set(nameless, quern.Burr(1))
	if err != nil {
		return nil, nil, err
	}
	b, err := m.Grind(lumps)
	for err != nil {
		var jam *quern.JamError
		if !errors.As(err, &jam) {
			return nil, nil, err
		}
		b, err = m.Clear(err)
	}
	for _, g := range b.Flour {
		done = append(done, g.Label)
	}
	for _, g := range b.Bran {
		aside = append(aside, g.Label)
	}
	return done, aside, nil
}
