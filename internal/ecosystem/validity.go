package ecosystem

import (
	"cmp"
	"context"
	"errors"
	"os"
	"sync"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/docent-mcp/docent/internal/cachedir"
	"github.com/docent-mcp/docent/internal/fetch"
)

// Validity is the part of a registry's cached answer that determines how long the answer is valid and
// how to revalidate it. The types of answers embed it.
type Validity struct {
	ETag         string    `json:"etag,omitempty"`
	LastModified string    `json:"lastModified,omitempty"`
	Requested    time.Time `json:"requested"`
	MaxAge       int64     `json:"maxAge,omitempty"` // time in seconds for which the answer is valid; 0 if the registry does not specify it
	Local        bool      `json:"local,omitempty"`  // whether the registry has no public address

	// Stale is the reason why an outdated answer is used: the registry could not
	// be reached. It is nil if the answer is up to date.
	Stale error `json:"-"`
}

// maxValidity is the longest time for which an answer is valid, even if the registry allows more.
const maxValidity = time.Hour

func (k *Validity) validity() *Validity { return k }

// Fresh reports whether the answer is still valid. age is the time for which it
// is valid if the registry has not set one.
func (k *Validity) Fresh(age time.Duration) bool {
	age = cmp.Or(time.Duration(k.MaxAge)*time.Second, age)
	return time.Since(k.Requested) < age && !k.Requested.After(time.Now())
}

// renew updates k after a response from the registry.
func (k *Validity) renew(r *fetch.Response) {
	if !r.NotModified {
		k.ETag, k.LastModified = r.ETag, r.LastModified
	}
	k.Local, k.Stale = r.Local, nil
	k.Requested, k.MaxAge = time.Now(), int64(min(r.MaxAge, maxValidity)/time.Second)
}

// Question describes how to get an answer from the cache or from a registry.
type Question[T any] struct {
	Cache *cachedir.Cache
	File  string // name of the answer's file in Cache
	Limit int64  // maximum size in bytes of File; a larger file is not read
	// Valid reports whether an answer decoded from File is usable. If it is nil,
	// all answers are.
	Valid func(*T) bool
	// Damaged, if it is not nil, is called after a damaged File was removed.
	Damaged func()
	// Enough reports whether a cached answer can be used without contacting the
	// registry.
	Enough func(*T) bool
	// Ask requests the answer from the registry. k contains the ETag and
	// LastModified of the cached answer; it is zero if there is none. The
	// returned answer is ignored if the response is NotModified.
	Ask func(ctx context.Context, k Validity) (*T, *fetch.Response, error)
}

// answersKey is the key of the answers of a question in a context: a sync.Map from answerPlace and
// the keys of Shared.
type answersKey struct{}

type answerPlace struct {
	cache *cachedir.Cache
	file  string
}

// Once returns a context for a question that reads several packages. Answer then decodes each
// cached answer only once; see also Shared.
func Once(ctx context.Context) context.Context {
	if ctx.Value(answersKey{}) != nil {
		return ctx
	}
	return context.WithValue(ctx, answersKey{}, &sync.Map{})
}

// Shared returns the value of f. If ctx comes from Once, it calls f only once for each key.
func Shared[T any](ctx context.Context, key any, f func() T) T {
	values, once := ctx.Value(answersKey{}).(*sync.Map)
	if !once {
		return f()
	}
	value, _ := values.LoadOrStore(key, sync.OnceValue(f))
	return value.(func() T)()
}

// Answer returns the answer to q, which must not be modified. It uses the cached answer if that is
// enough or if the registry cannot be reached. Otherwise it queries the registry and caches the
// answer. Only one process at a time sends a request; the others wait. The error is the error of
// q.Ask or of the lock.
func Answer[T any, P interface {
	*T
	validity() *Validity
}](ctx context.Context, q Question[T]) (*T, error) {
	place := answerPlace{q.Cache, q.File}
	decoded, once := ctx.Value(answersKey{}).(*sync.Map)
	var known *T
	if once {
		other, _ := decoded.Load(place)
		if known, _ = other.(*T); known != nil && P(known).validity().Stale != nil {
			return known, nil // The registry could not be reached before.
		}
	}
	if known == nil {
		if known = q.read(); known != nil && once {
			decoded.Store(place, known)
		}
	}
	if known != nil && q.Enough(known) {
		return known, nil
	}
	if !fetch.NetworkOff(ctx) { // Without a network, do not write files or wait for other processes.
		unlock, err := q.Cache.Lock(ctx, q.File)
		if err != nil {
			return nil, err
		}
		defer unlock()
		if other := q.read(); other != nil { // Another process may have updated File.
			if known = other; q.Enough(known) {
				return known, nil
			}
		}
	}
	var k Validity
	if known != nil {
		k = *P(known).validity()
	}
	answer, response, err := q.Ask(ctx, k)
	if err != nil {
		if known != nil && Passing(err) && !fetch.HasUpstream(ctx) {
			old := *known
			P(&old).validity().Stale = err
			if once {
				decoded.Store(place, &old)
			}
			return &old, nil
		}
		return nil, err
	}
	if response.NotModified {
		same := *known
		answer = &same
	}
	P(answer).validity().renew(response)
	_ = q.Cache.Write(q.File, func(f *os.File) error { return json.MarshalWrite(f, answer) }) // if this fails, the next call queries the registry again
	if once {
		decoded.Store(place, answer)
	}
	return answer, nil
}

// read returns the cached answer, or nil if there is no usable one.
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

// Passing reports whether a request failed for a temporary reason: the registry could not be
// reached or could not answer. A cached answer may then be used.
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
