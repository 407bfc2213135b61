package solve

import (
	"context"
	"fmt"
	"testing"

	"drift.example/estuary"
)

type carrier func(estuary.Parcel) (estuary.Parcel, error)

func (f carrier) Carry(_ context.Context, p estuary.Parcel) (estuary.Parcel, error) { return f(p) }

func TestFinish(t *testing.T) {
	looks := 0
	c, err := estuary.New(estuary.Options{Account: "a", Carrier: carrier(func(p estuary.Parcel) (estuary.Parcel, error) {
		if p.Operation != "SurveyDredging" {
			t.Errorf("unexpected %s", p.Operation)
		}
		if string(p.Body) == `{"id":"gone"}` {
			return estuary.Parcel{Header: map[string]string{"fault": "DredgingMissing"}, Body: []byte(`{}`)}, nil
		}
		looks++
		state := "changing"
		if looks >= 4 {
			state = "settled"
		}
		return estuary.Parcel{Body: fmt.Appendf(nil, `{"item":{"state":%q,"revision":%d}}`, state, looks)}, nil
	})})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := Finish(t.Context(), c, "d1"); got != 4 || err != nil {
		t.Fatal(got, err)
	}
	if got, err := Finish(t.Context(), c, "gone"); got != 0 || err != nil {
		t.Fatal(got, err)
	}
}
