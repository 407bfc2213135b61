package solve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"drift.example/estuary"
)

type carrier func(estuary.Parcel) (estuary.Parcel, error)

func (f carrier) Carry(_ context.Context, p estuary.Parcel) (estuary.Parcel, error) { return f(p) }

func TestRevive(t *testing.T) {
	faults := map[string]string{"b2": "SpillBoomBusy", "b4": "SpillBoomMissing"}
	calls := 0
	c, err := estuary.New(estuary.Options{Account: "a", Rest: time.Microsecond, Carrier: carrier(func(p estuary.Parcel) (estuary.Parcel, error) {
		var body map[string]any
		json.Unmarshal(p.Body, &body)
		if p.Operation == "ListSpillBooms" {
			page, _ := body["page"].(string)
			delete(body, "page")
			if want := map[string]any{"site": "north", "most": 100.0, "retired": true}; !reflect.DeepEqual(body, want) {
				t.Errorf("%v", body)
			}
			if page == "" {
				return estuary.Parcel{Body: []byte(`{"items":[{"id":"b1","state":"retired"},{"id":"b2","state":"retired"},{"id":"b3","state":"settled"}],"next":"p2"}`)}, nil
			}
			return estuary.Parcel{Body: []byte(`{"items":[{"id":"b4","state":"retired"},{"id":"b5","state":"retired"}],"next":""}`)}, nil
		}
		calls++
		id, _ := body["id"].(string)
		if want := map[string]any{"id": id, "at": "2026-03-01T00:00:00Z"}; p.Operation != "RestoreSpillBoom" || id == "b3" || !reflect.DeepEqual(body, want) {
			t.Errorf("%s %v", p.Operation, body)
		}
		if fault := faults[id]; fault != "" {
			return estuary.Parcel{Header: map[string]string{"fault": fault}, Body: []byte(`{}`)}, nil
		}
		return estuary.Parcel{Body: []byte(`{"item":{},"receipt":"r"}`)}, nil
	})})
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	back, busy, missing, err := Revive(t.Context(), c, "north", at)
	if got, want := fmt.Sprint(back, busy, missing, err, calls), "[b1 b5] [b2] [b4] <nil> 6"; got != want {
		t.Fatalf("got %s, want %s", got, want)
	}
	faults["b1"] = "SpillBoomRefused"
	var refused *estuary.SpillBoomRefusedError
	if _, _, _, err := Revive(t.Context(), c, "north", at); !errors.As(err, &refused) {
		t.Fatal(err)
	}
}
