package solve

import (
	"context"

	"brae.example/sconce"
)

func Warm(ctx context.Context, r *sconce.Relay, show func()) (alarms []string, err error) {
	heat, alarm := sconce.On[float64](r, "heat"), sconce.On[string](r, "alarm")
	m, err := sconce.Mirror(heat, alarm, func(t float64) (string, bool) { return "hot", t > 90 })
	if err != nil {
		return nil, err
	}
	show()
	if _, err := m.Step(); err != nil {
		return nil, err
	}
	return sconce.Gather(ctx, alarm, 2)
}
