package mcp

import (
	"sync"
	"time"
)

// resultCache holds results for as long as the server allows (specification
// 2026-07-28: Caching). A client has one authorization, so results that are
// private and public are kept alike.
type resultCache struct {
	limit int // of bytes; negative for no cache

	mu      sync.Mutex
	entries map[string]*cachedResult
	bytes   int
	changes uint64 // counts invalidations
}

type cachedResult struct {
	result  []byte
	stale   Change // the change that makes it stale
	expires time.Time
}

// cost is what an entry counts against the limit.
func (e *cachedResult) cost(key string) int { return len(key) + len(e.result) + 128 }

// get returns a fresh result, or nil.
func (r *resultCache) get(key string) []byte {
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
	return e.result
}

// version identifies the state of the server before a request. A result is not
// kept if something has changed since.
func (r *resultCache) version() uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.changes
}

// put keeps result for as long as its hints say.
func (r *resultCache) put(key string, result []byte, stale Change, version uint64) {
	ttl := readCaching(result).TTL
	if ttl <= 0 || r.limit < 0 {
		return
	}
	e := &cachedResult{result, stale, time.Now().Add(ttl)}
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
	for other, old := range r.entries { // any, since all can be had again
		if r.bytes+e.cost(key) <= r.limit {
			break
		}
		r.remove(other, old)
	}
	r.entries[key] = e
	r.bytes += e.cost(key)
}

// remove requires mu.
func (r *resultCache) remove(key string, e *cachedResult) {
	delete(r.entries, key)
	r.bytes -= e.cost(key)
}

// invalidate drops what a change makes stale.
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

// clear drops everything.
func (r *resultCache) clear() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.changes++
	clear(r.entries)
	r.bytes = 0
}
