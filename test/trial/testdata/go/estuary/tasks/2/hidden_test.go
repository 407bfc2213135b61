package solve

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"drift.example/estuary"
)

type carrier func(estuary.Parcel) (estuary.Parcel, error)

func (f carrier) Carry(_ context.Context, p estuary.Parcel) (estuary.Parcel, error) { return f(p) }

func TestLists(t *testing.T) {
	c, err := estuary.New(estuary.Options{Account: "a", Carrier: carrier(func(p estuary.Parcel) (estuary.Parcel, error) {
		var body map[string]any
		json.Unmarshal(p.Body, &body)
		switch p.Operation {
		case "ListGaugeStations":
			page, _ := body["page"].(string)
			delete(body, "page")
			if want := map[string]any{"site": "north", "most": 100.0, "retired": true}; !reflect.DeepEqual(body, want) {
				t.Errorf("%v", body)
			}
			next := map[string]string{"": "p2", "p2": "p3", "p3": ""}[page]
			return estuary.Parcel{Body: fmt.Appendf(nil, `{"items":[{"name":"n%s"},{"name":"m"}],"next":%q}`, page, next)}, nil
		case "ListSaltProbeEvents":
			if want := map[string]any{"id": "s1", "most": 5.0}; !reflect.DeepEqual(body, want) {
				t.Errorf("%v", body)
			}
			return estuary.Parcel{Body: []byte(`{"items":[{"actor":"c"},{"actor":"b"}],"next":"more"}`)}, nil
		}
		t.Errorf("unexpected %s", p.Operation)
		return estuary.Parcel{Body: []byte("{}")}, nil
	})})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := Stations(t.Context(), c, "north"); err != nil || !reflect.DeepEqual(got, []string{"n", "m", "np2", "m", "np3", "m"}) {
		t.Fatal(got, err)
	}
	if got, err := Doers(t.Context(), c, "s1"); err != nil || !reflect.DeepEqual(got, []string{"b", "c"}) {
		t.Fatal(got, err)
	}
}
