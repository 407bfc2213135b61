package solve

import (
	"context"
	"time"

	"drift.example/estuary"
)

func Finish(ctx context.Context, c *estuary.Client, id string) (revision int, err error) {
	w := estuary.NewDredgingSettledWaiter(c, func(o *estuary.DredgingSettledWaiterOptions) {
		o.Pause = time.Millisecond
		o.Missing = true
	})
	work, err := w.Wait(ctx, &estuary.SurveyDredgingInput{ID: id}, 2*time.Second)
	if err != nil || work == nil {
		return 0, err
	}
	return work.Revision, nil
}
