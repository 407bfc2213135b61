package mcp

import (
	"context"
	"crypto/sha256"
	"net/http"
	"sync"
	"time"
)

// resultCache holds results for as long as the server allows (specification 2026-07-28: Caching). A
// private result is returned only to requests with the same credentials as the request that read
// it.
type resultCache struct {
	limit int // maximum size in bytes; negative for no cache

	mu      sync.Mutex
	entries map[string]*cachedResult
	bytes   int
	changes uint64 // number of invalidations
}

// A credentials value is a hash of the headers that an Authorizer adds to requests. It is zero if
// there is no Authorizer.
type credentials [sha256.Size]byte

// credentials returns the hash of the headers that the Authorizer adds at present. It returns false
// if they are not available or if nothing is cached.
func (c *Client) credentials(ctx context.Context) (credentials, bool) {
	if cc := c.conn.Load(); cc == nil || !cc.agreement().rev.HasResultType() || c.cache.limit < 0 {
		return credentials{}, false
	}
	t, ok := c.transport.(*HTTPTransport)
	if !ok || t.Authorizer == nil {
		return credentials{}, true
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, t.URL, nil)
	if err != nil || t.Authorizer.Authorize(ctx, req) != nil {
		return credentials{}, false
	}
	req.Header.Del("Dpop") // each request has a different proof
	h := sha256.New()
	if req.Header.Write(h) != nil {
		return credentials{}, false
	}
	return credentials(h.Sum(nil)), true
}

// cached returns a fresh result that may be read with the current credentials,
// or nil.
func (c *Client) cached(ctx context.Context, key string) []byte {
	e := c.cache.get(key)
	if e == nil {
		return nil
	}
	if !e.public {
		if who, ok := c.credentials(ctx); !ok || who != e.who {
			return nil
		}
	}
	return e.result
}

// before is the version of the cache and the credentials at the start of a request. The result is
// not cached if one of them has changed in the meantime.
type before struct {
	version uint64 // version of the cache
	who     credentials
	ok      bool // whether who is set
}

func (c *Client) before(ctx context.Context) before {
	who, ok := c.credentials(ctx)
	return before{c.cache.version(), who, ok}
}

// keep caches a result for as long as its caching hints allow.
func (c *Client) keep(ctx context.Context, key string, result []byte, stale Change, b before) {
	hints := readCaching(result)
	if hints.TTL <= 0 {
		return
	}
	e := &cachedResult{result: result, stale: stale, expires: time.Now().Add(hints.TTL), public: hints.Public}
	if !e.public {
		who, ok := c.credentials(ctx)
		if !ok || !b.ok || who != b.who {
			return
		}
		e.who = who
	}
	c.cache.put(key, e, b.version)
}

type cachedResult struct {
	result  []byte
	stale   Change // the kind of change that invalidates it
	expires time.Time
	public  bool
	who     credentials // credentials of the only reader, unless the result is public
}

// cost returns the number of bytes by which an entry counts toward the limit.
func (e *cachedResult) cost(key string) int { return len(key) + len(e.result) + 128 }

// get returns a fresh result, or nil.
func (r *resultCache) get(key string) *cachedResult {
	r.mu.Lock()
	defer r.mu.Unlock()
	e := r.entries[key]
	if e == nil {
		return nil
	}
	if !time.Now().Before(e.expires) {
		r.remove(key, e)
		return nil
	}
	return e
}

// version returns a number that changes with each invalidation. A result is not
// cached if the number has changed since its request began.
func (r *resultCache) version() uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.changes
}

// put caches an entry unless something was invalidated since version.
func (r *resultCache) put(key string, e *cachedResult, version uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if version != r.changes || e.cost(key) > r.limit {
		return
	}
	if r.entries == nil {
		r.entries = map[string]*cachedResult{}
	}
	if old := r.entries[key]; old != nil {
		r.remove(key, old)
	}
	for other, old := range r.entries { // drop arbitrary entries, because any result can be requested again
		if r.bytes+e.cost(key) <= r.limit {
			break
		}
		r.remove(other, old)
	}
	r.entries[key] = e
	r.bytes += e.cost(key)
}

// remove removes an entry. The caller must hold mu.
func (r *resultCache) remove(key string, e *cachedResult) {
	delete(r.entries, key)
	r.bytes -= e.cost(key)
}

// invalidate removes the results that a change invalidates.
func (r *resultCache) invalidate(change Change) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.changes++
	for key, e := range r.entries {
		if e.stale == change {
			r.remove(key, e)
		}
	}
}

func (r *resultCache) clear() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.changes++
	clear(r.entries)
	r.bytes = 0
}
