package ecosystem

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/docent-mcp/docent/internal/cachedir"
	"github.com/docent-mcp/docent/internal/fetch"
)

type keptText struct {
	Kept

	Text string
}

func TestAnswerAsksOnlyWhenItMust(t *testing.T) {
	cache := cachedir.New(t.TempDir(), cachedir.Options{})
	const file = "test/answer"
	asked := 0
	var given Kept
	var response *fetch.Response
	var failure error
	answer := func(fresh time.Duration) (*keptText, error) {
		return Answer(t.Context(), Question[keptText]{
			Cache: cache, File: file,
			Read: func() *keptText {
				data, err := cache.Read(file, 1<<10)
				k := &keptText{}
				if err != nil || json.Unmarshal(data, k) != nil {
					return nil
				}
				return k
			},
			Enough: func(k *keptText) bool { return k.Fresh(fresh) },
			Ask: func(_ context.Context, k Kept) (*keptText, *fetch.Response, error) {
				asked++
				given = k
				return &keptText{Text: "new"}, response, failure
			},
		})
	}
	expect := func(step string, fresh time.Duration, text string, times int, stale bool) *keptText {
		t.Helper()
		k, err := answer(fresh)
		if err != nil || k.Text != text || asked != times || (k.Stale != nil) != stale {
			t.Fatalf("%s: %+v, %v after %d requests", step, k, err, asked)
		}
		return k
	}

	failure = &fetch.Error{Kind: fetch.Unreachable}
	if _, err := answer(time.Hour); !errors.Is(err, failure) {
		t.Fatalf("nothing is kept, and the error is %v", err)
	}
	failure, response = nil, &fetch.Response{ETag: "1", LastModified: "Monday", Local: true}
	asked = 0
	if k := expect("first", time.Hour, "new", 1, false); k.ETag != "1" || !k.Local || given.ETag != "" {
		t.Errorf("first: %+v, asked with %+v", k, given)
	}
	expect("fresh", time.Hour, "new", 1, false)
	response = &fetch.Response{NotModified: true}
	if k := expect("not modified", 0, "new", 2, false); given.ETag != "1" || given.LastModified != "Monday" || k.ETag != "1" || k.Local {
		t.Errorf("not modified: %+v, asked with %+v", k, given)
	}
	failure = &fetch.Error{Kind: fetch.Offline}
	expect("offline", 0, "new", 3, true)
	failure = &fetch.Error{Kind: fetch.NotFound}
	if _, err := answer(0); !errors.Is(err, failure) {
		t.Errorf("not found: %v", err)
	}
	failure, response = nil, &fetch.Response{MaxAge: 24 * time.Hour}
	if k := expect("with an age", 0, "new", 5, false); k.MaxAge != 3600 || k.ETag != "" {
		t.Errorf("with an age: %+v", k)
	}
	expect("within that age", 0, "new", 5, false)
}
