package solve

import (
	"context"
	"errors"
	"strings"

	"drift.example/estuary"
)

func Check(ctx context.Context, c *estuary.Client, id string) (bool, error) {
	out, err := c.RetireLock(ctx, &estuary.RetireLockInput{ID: id, Orphans: true}, func(o *estuary.Options) {
		o.Rehearse = true
		o.Marks = map[string]string{"why": "plan"}
	})
	var refused *estuary.LockRefusedError
	if errors.As(err, &refused) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return strings.HasPrefix(out.Receipt, "rehearsal-"), nil
}
