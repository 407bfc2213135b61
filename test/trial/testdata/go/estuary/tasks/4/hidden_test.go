package solve

import (
	"context"
	"testing"

	"drift.example/estuary"
)

type carrier func(estuary.Parcel) (estuary.Parcel, error)

func (f carrier) Carry(_ context.Context, p estuary.Parcel) (estuary.Parcel, error) { return f(p) }

func TestCheck(t *testing.T) {
	receipt, fault := "rehearsal-1", ""
	c, err := estuary.New(estuary.Options{Account: "a", Carrier: carrier(func(p estuary.Parcel) (estuary.Parcel, error) {
		if p.Operation == "SurveyLock" {
			if p.Header["mark-why"] != "" {
				t.Error("the client keeps the mark")
			}
			return estuary.Parcel{Body: []byte(`{}`)}, nil
		}
		if p.Operation != "RetireLock" || string(p.Body) != `{"id":"l1","orphans":true}` || p.Header["rehearse"] != "yes" || p.Header["mark-why"] != "plan" {
			t.Errorf("%s %s %v", p.Operation, p.Body, p.Header)
		}
		return estuary.Parcel{Header: map[string]string{"fault": fault}, Body: []byte(`{"receipt":"` + receipt + `"}`)}, nil
	})})
	if err != nil {
		t.Fatal(err)
	}
	if ok, err := Check(t.Context(), c, "l1"); !ok || err != nil {
		t.Fatal(ok, err)
	}
	receipt = "4711"
	if ok, err := Check(t.Context(), c, "l1"); ok || err != nil {
		t.Fatal(ok, err)
	}
	fault = "LockRefused"
	if ok, err := Check(t.Context(), c, "l1"); ok || err != nil {
		t.Fatal(ok, err)
	}
	fault = "LockMissing"
	if _, err := Check(t.Context(), c, "l1"); err == nil {
		t.Fatal("no error")
	}
	if _, err := c.SurveyLock(t.Context(), &estuary.SurveyLockInput{ID: "l1"}); err != nil {
		t.Fatal(err)
	}
}
