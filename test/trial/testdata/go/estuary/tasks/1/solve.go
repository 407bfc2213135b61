package solve

import (
	"context"
	"errors"
	"time"

	"drift.example/estuary"
)

func Mend(ctx context.Context, c *estuary.Client, id string, seen int) (holder string, err error) {
	_, err = c.AmendSluiceGate(ctx, &estuary.AmendSluiceGateInput{
		ID: id, Revision: seen, Hold: 90 * time.Minute, Tolerance: 4,
	},
		func(o *estuary.Options) { o.Attempts = 1 })
	var busy *estuary.SluiceGateBusyError
	if errors.As(err, &busy) {
		return busy.Holder, nil
	}
	return "", err
}
