package solve

import (
	"context"
	"time"

	"drift.example/estuary"
)

func Boom(ctx context.Context, c *estuary.Client, site, key string, until time.Time) (string, error) {
	once := func(o *estuary.Options) { o.Attempts = 1 }
	out, err := c.CommissionIceBoom(ctx, &estuary.CommissionIceBoomInput{
		Name: "north", Site: site, Token: key, Labels: map[string]string{"use": "ice"},
		Opening: -1, Hold: -1, Season: estuary.SeasonIce,
	}, once)
	if err != nil {
		return "", err
	}
	id := out.IceBoom.ID
	_, err = c.SuspendIceBoom(ctx, &estuary.SuspendIceBoomInput{ID: id, Until: until, Reason: "thaw"}, once)
	return id, err
}
