package solve

import (
	"context"
	"errors"
	"testing"

	"brae.example/sconce"
)

func TestDeliver(t *testing.T) {
	r := sconce.Kindle()
	if _, err := r.Watch("a"); err != nil {
		t.Fatal(err)
	}
	if ok, err := Deliver(r, "a", "hi"); ok || err != nil {
		t.Fatal(ok, err)
	}
	r.WatchAll()
	if ok, err := Deliver(r, "a", "hi"); !ok || err != nil {
		t.Fatal(ok, err)
	}
	r.Douse()
	if ok, err := Deliver(r, "a", "hi"); ok || !errors.Is(err, sconce.ErrDark) {
		t.Fatal(ok, err)
	}
}

func TestSpy(t *testing.T) {
	r := sconce.Kindle()
	w, err := Spy(r)
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{"a", "x1", "b", "x2", "c", "x3"} {
		r.Show(".secret", word)
	}
	ctx := context.Background()
	for _, want := range []string{"x1", "x2"} {
		if s, err := w.Next(ctx); err != nil || s.Value != want {
			t.Fatal(s, err)
		}
	}
	if _, err := w.Next(ctx); !errors.Is(err, sconce.ErrFull) {
		t.Fatal(err)
	}
}
