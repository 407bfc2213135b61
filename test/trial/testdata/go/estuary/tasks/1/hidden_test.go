package solve

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"testing"
	"time"

	"drift.example/estuary"
)

type carrier func(estuary.Parcel) (estuary.Parcel, error)

func (f carrier) Carry(_ context.Context, p estuary.Parcel) (estuary.Parcel, error) { return f(p) }

func TestMend(t *testing.T) {
	calls := 0
	reply := estuary.Parcel{Body: []byte(`{"item":{},"receipt":"r"}`)}
	c, err := estuary.New(estuary.Options{Account: "a", Rest: time.Microsecond, Carrier: carrier(func(p estuary.Parcel) (estuary.Parcel, error) {
		calls++
		var body map[string]any
		json.Unmarshal(p.Body, &body)
		want := map[string]any{"id": "g-7", "revision": 12.0, "hold": float64(90 * time.Minute), "tolerance": 4.0}
		if p.Operation != "AmendSluiceGate" || !reflect.DeepEqual(body, want) {
			t.Errorf("%s %v", p.Operation, body)
		}
		return reply, nil
	})})
	if err != nil {
		t.Fatal(err)
	}
	if holder, err := Mend(t.Context(), c, "g-7", 12); holder != "" || err != nil || calls != 1 {
		t.Fatal(holder, err, calls)
	}
	reply = estuary.Parcel{Header: map[string]string{"fault": "SluiceGateBusy"}, Body: []byte(`{"holder":"eve","id":"g-7"}`)}
	if holder, err := Mend(t.Context(), c, "g-7", 12); holder != "eve" || err != nil || calls != 2 {
		t.Fatal(holder, err, calls)
	}
	reply.Header["fault"] = "SluiceGateStale"
	var stale *estuary.SluiceGateStaleError
	if _, err := Mend(t.Context(), c, "g-7", 12); !errors.As(err, &stale) {
		t.Fatal(err)
	}
}
