package solve

import (
	"context"
	"errors"
	"time"

	"drift.example/estuary"
)

func Revive(ctx context.Context, c *estuary.Client, site string, at time.Time) (back, busy, missing []string, err error) {
	pager := estuary.NewListSpillBoomsPager(c, &estuary.ListSpillBoomsInput{Site: site, Most: 100, Retired: true})
	for boom, err := range pager.All(ctx) {
		if err != nil {
			return back, busy, missing, err
		}
		if boom.State != estuary.StateRetired {
			continue
		}
		_, err := c.RestoreSpillBoom(ctx, &estuary.RestoreSpillBoomInput{ID: boom.ID, At: at})
		var held *estuary.SpillBoomBusyError
		var gone *estuary.SpillBoomMissingError
		switch {
		case err == nil:
			back = append(back, boom.ID)
		case errors.As(err, &held):
			busy = append(busy, boom.ID)
		case errors.As(err, &gone):
			missing = append(missing, boom.ID)
		default:
			return back, busy, missing, err
		}
	}
	return back, busy, missing, nil
}
