package ecosystem

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"

	"github.com/docent-mcp/docent/internal/cachedir"
	"github.com/docent-mcp/docent/internal/fetch"
)

type cachedText struct {
	Validity

	Text string
}

func TestAnswerAsksOnlyWhenItMust(t *testing.T) {
	cache := cachedir.New(t.TempDir(), cachedir.Options{})
	const file = "test/answer"
	requests := 0
	var stored Validity
	var response *fetch.Response
	var failure error
	answer := func(fresh time.Duration) (*cachedText, error) {
		return Answer(t.Context(), Question[cachedText]{
			Cache: cache, File: file, Limit: 1 << 10,
			Enough: func(k *cachedText) bool { return k.Fresh(fresh) },
			Ask: func(_ context.Context, k Validity) (*cachedText, *fetch.Response, error) {
				requests++
				stored = k
				return &cachedText{Text: "new"}, response, failure
			},
		})
	}
	expect := func(step string, fresh time.Duration, text string, times int, stale bool) *cachedText {
		t.Helper()
		k, err := answer(fresh)
		if err != nil || k.Text != text || requests != times || (k.Stale != nil) != stale {
			t.Fatalf("%s: %+v, %v after %d requests", step, k, err, requests)
		}
		return k
	}

	failure = &fetch.Error{Kind: fetch.Unreachable}
	if _, err := answer(time.Hour); !errors.Is(err, failure) {
		t.Fatalf("nothing is kept, and the error is %v", err)
	}
	failure, response = nil, &fetch.Response{ETag: "1", LastModified: "Monday", Local: true}
	requests = 0
	if k := expect("first", time.Hour, "new", 1, false); k.ETag != "1" || !k.Local || stored.ETag != "" {
		t.Errorf("first: %+v, asked with %+v", k, stored)
	}
	expect("fresh", time.Hour, "new", 1, false)
	response = &fetch.Response{NotModified: true}
	if k := expect("not modified", 0, "new", 2, false); stored.ETag != "1" || stored.LastModified != "Monday" || k.ETag != "1" || k.Local {
		t.Errorf("not modified: %+v, asked with %+v", k, stored)
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

func TestAnswerAsksAgainForWhatIsDamagedOrNoAnswer(t *testing.T) {
	cache := cachedir.New(t.TempDir(), cachedir.Options{})
	const file = "test/answer"
	damaged := 0
	ask := func(valid bool) (stored Validity) {
		_, err := Answer(t.Context(), Question[cachedText]{
			Cache: cache, File: file, Limit: 1 << 10,
			Valid:   func(*cachedText) bool { return valid },
			Damaged: func() { damaged++ },
			Enough:  func(*cachedText) bool { return false },
			Ask: func(_ context.Context, k Validity) (*cachedText, *fetch.Response, error) {
				stored = k
				return &cachedText{Text: "new"}, &fetch.Response{ETag: "1"}, nil
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		return stored
	}
	ask(true)
	if k := ask(true); k.ETag != "1" || damaged != 0 {
		t.Errorf("what is kept: asked with %+v, %d damaged", k, damaged)
	}
	if k := ask(false); k.ETag != "" {
		t.Errorf("what is no answer: asked with %+v", k)
	}
	if err := os.Truncate(cache.Path(file), 10); err != nil {
		t.Fatal(err)
	}
	if k := ask(true); k.ETag != "" || damaged != 1 {
		t.Errorf("what is damaged: asked with %+v, %d damaged", k, damaged)
	}
}

func TestAnswerIsDecodedOnceForAQuestion(t *testing.T) {
	cache := cachedir.New(t.TempDir(), cachedir.Options{})
	age := time.Hour
	var failure error
	answer := func(ctx context.Context) *cachedText {
		t.Helper()
		k, err := Answer(ctx, Question[cachedText]{
			Cache: cache, File: "test/answer", Limit: 1 << 10,
			Enough: func(k *cachedText) bool { return k.Fresh(age) },
			Ask: func(context.Context, Validity) (*cachedText, *fetch.Response, error) {
				return &cachedText{Text: "new"}, &fetch.Response{}, failure
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	answer(t.Context()) // caches it
	if a, b := answer(t.Context()), answer(t.Context()); a == b {
		t.Error("two questions share an answer")
	}
	ctx := Once(t.Context())
	first := answer(ctx)
	if answer(Once(ctx)) != first {
		t.Error("the answer is decoded twice for one question")
	}
	age, failure = 0, &fetch.Error{Kind: fetch.Unreachable}
	outdated := answer(ctx)
	if outdated.Stale == nil || first.Stale != nil {
		t.Errorf("the outdated answer is %+v, the first one %+v", outdated, first)
	}
	failure = nil
	if answer(ctx) != outdated {
		t.Error("one question asks a registry again that could not be reached")
	}
	if k := answer(Once(t.Context())); k.Text != "new" || k.Stale != nil {
		t.Errorf("the answer from the registry is %+v", k)
	}
}
