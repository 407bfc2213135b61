package solve

import (
	"context"
	"errors"
	"reflect"
	"testing"
	"time"

	"brae.example/sconce"
)

func TestWarm(t *testing.T) {
	r := sconce.KindleWith(sconce.Lighting{Afterglow: 5})
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	var kind *sconce.KindError
	all := r.WatchAll()
	got, err := Warm(ctx, r, func() {
		for _, v := range []any{91.5, 20.0, 99.0} {
			if _, err := r.Show("heat", v); err != nil {
				t.Error(err)
			}
		}
		if _, err := r.Show("heat", "no"); !errors.As(err, &kind) {
			t.Error("heat carries a string")
		}
		if _, err := r.Show("alarm", 1.5); !errors.As(err, &kind) {
			t.Error("alarm carries a float64")
		}
	})
	if err != nil || !reflect.DeepEqual(got, []string{"hot", "hot"}) {
		t.Fatal(got, err)
	}
	if n := len(all.Drain()); n != 5 {
		t.Fatal(n)
	}
}
