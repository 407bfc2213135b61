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

func TestBoom(t *testing.T) {
	calls := 0
	reply := estuary.Parcel{Body: []byte(`{"item":{"id":"b9"},"receipt":"r"}`)}
	until := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	c, err := estuary.New(estuary.Options{Account: "a", Rest: time.Microsecond, Carrier: carrier(func(p estuary.Parcel) (estuary.Parcel, error) {
		calls++
		var body map[string]any
		json.Unmarshal(p.Body, &body)
		switch p.Operation {
		case "CommissionIceBoom":
			if hold, _ := body["hold"].(float64); hold >= 0 {
				t.Errorf("hold %v", body["hold"])
			}
			delete(body, "hold")
			want := map[string]any{"name": "north", "site": "west", "token": "k1", "labels": map[string]any{"use": "ice"}, "opening": -1.0, "season": "ice"}
			if !reflect.DeepEqual(body, want) {
				t.Errorf("%v", body)
			}
		case "SuspendIceBoom":
			if want := map[string]any{"id": "b9", "until": "2026-03-01T00:00:00Z", "reason": "thaw"}; !reflect.DeepEqual(body, want) {
				t.Errorf("%v", body)
			}
		default:
			t.Errorf("unexpected %s", p.Operation)
		}
		return reply, nil
	})})
	if err != nil {
		t.Fatal(err)
	}
	if id, err := Boom(t.Context(), c, "west", "k1", until); id != "b9" || err != nil || calls != 2 {
		t.Fatal(id, err, calls)
	}
	reply = estuary.Parcel{Header: map[string]string{"fault": "IceBoomBusy"}, Body: []byte(`{"holder":"eve","id":"b9"}`)}
	var busy *estuary.IceBoomBusyError
	if _, err := Boom(t.Context(), c, "west", "k1", until); !errors.As(err, &busy) || calls != 3 {
		t.Fatal(err, calls)
	}
}
