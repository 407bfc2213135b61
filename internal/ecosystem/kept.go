package ecosystem

import (
	"cmp"
	"context"
	"errors"
	"os"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/docent-mcp/docent/internal/cachedir"
	"github.com/docent-mcp/docent/internal/fetch"
)

// Kept is the part of a registry's answer that says how long the answer holds
// in the cache and how to ask whether it has changed. Answers embed it.
type Kept struct {
	ETag         string    `json:"etag,omitempty"`
	LastModified string    `json:"lastModified,omitempty"`
	Asked        time.Time `json:"asked"`
	MaxAge       int64     `json:"maxAge,omitempty"` // seconds; 0 if the registry does not say
	Local        bool      `json:"local,omitempty"`  // the registry has no public address

	// Stale is why the registry could not be asked again.
	Stale error `json:"-"`
}

// maxKept bounds the time for which answers hold.
const maxKept = time.Hour

func (k *Kept) keeping() *Kept { return k }

// Fresh reports whether the answer still holds. age is how long it does if the
// registry has not set it.
func (k *Kept) Fresh(age time.Duration) bool {
	age = cmp.Or(time.Duration(k.MaxAge)*time.Second, age)
	return time.Since(k.Asked) < age && !k.Asked.After(time.Now())
}

// renew is called when the registry has answered.
func (k *Kept) renew(r *fetch.Response) {
	if !r.NotModified {
		k.ETag, k.LastModified = r.ETag, r.LastModified
	}
	k.Local, k.Stale = r.Local, nil
	k.Asked, k.MaxAge = time.Now(), int64(min(r.MaxAge, maxKept)/time.Second)
}

// Question is how a registry is asked for an answer that is kept in the cache.
type Question[T any] struct {
	Cache *cachedir.Cache
	File  string // the answer's name in Cache
	Limit int64  // size in bytes of an answer in Cache; a longer one is not read
	// Valid reports whether what File holds is an answer. Nil accepts all.
	Valid func(*T) bool
	// Damaged is called, if it is not nil, when File was damaged and has been removed.
	Damaged func()
	// Enough reports whether an answer that is kept does without asking.
	Enough func(*T) bool
	// Ask asks the registry with the ETag and LastModified of k, which is zero
	// if no answer is kept. The answer is not used if the response is
	// NotModified.
	Ask func(ctx context.Context, k Kept) (*T, *fetch.Response, error)
}

// Answer returns the answer to q: the one that is kept, if it is enough or the
// registry cannot be reached, else the registry's, which is kept from then on.
// Of several processes one asks. The error is that of q.Ask or of the lock.
func Answer[T any, P interface {
	*T
	keeping() *Kept
}](ctx context.Context, q Question[T]) (*T, error) {
	known := q.read()
	if known != nil && q.Enough(known) {
		return known, nil
	}
	unlock, err := q.Cache.Lock(ctx, q.File)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if other := q.read(); other != nil { // another process has asked
		if known = other; q.Enough(known) {
			return known, nil
		}
	}
	var k Kept
	if known != nil {
		k = *P(known).keeping()
	}
	answer, response, err := q.Ask(ctx, k)
	if err != nil {
		if known != nil && Passing(err) {
			P(known).keeping().Stale = err
			return known, nil
		}
		return nil, err
	}
	if response.NotModified {
		answer = known
	}
	P(answer).keeping().renew(response)
	_ = q.Cache.Write(q.File, func(f *os.File) error { return json.MarshalWrite(f, answer) }) // without it the registry is asked again
	return answer, nil
}

// read returns the answer that is kept, nil if there is none.
func (q *Question[T]) read() *T {
	data, err := q.Cache.Read(q.File, q.Limit)
	if errors.Is(err, cachedir.ErrDamaged) && q.Damaged != nil {
		q.Damaged()
	}
	answer := new(T)
	if err != nil || json.Unmarshal(data, answer) != nil || q.Valid != nil && !q.Valid(answer) {
		return nil
	}
	return answer
}

// Passing reports whether a request failed for a reason that says nothing about
// what was asked for, so that what is known may be used.
func Passing(err error) bool {
	failed, ok := errors.AsType[*fetch.Error](err)
	if !ok {
		return false
	}
	switch failed.Kind {
	case fetch.Offline, fetch.Unreachable, fetch.NoHost, fetch.Timeout, fetch.Busy, fetch.Failed:
		return true
	}
	return false
}
