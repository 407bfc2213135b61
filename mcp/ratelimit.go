package mcp

import (
	"sync"
	"time"
)

// bucket is a token bucket. It contains at most as many tokens as the number of events allowed per
// second, and refills at that rate. The zero value is full.
type bucket struct {
	mu   sync.Mutex
	used float64   // number of tokens that were taken and not yet replaced
	last time.Time // time of the last take
}

// take takes a token. It returns false if there is none.
func (b *bucket) take(perSecond int, now time.Time) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	rate := float64(perSecond)
	b.used = max(b.used-rate*now.Sub(b.last).Seconds(), 0)
	b.last = now
	if b.used+1 > rate {
		return false
	}
	b.used++
	return true
}

// buckets contains a bucket for each recent principal.
type buckets struct {
	mu     sync.Mutex
	byName map[string]*bucket
}

// maxBuckets is the maximum number of principals with their own bucket. Others share the bucket for
// "" until a bucket that has been idle for a second is removed.
const maxBuckets = 10_000

func (b *buckets) forPrincipal(principal string, now time.Time) *bucket {
	b.mu.Lock()
	defer b.mu.Unlock()
	if found := b.byName[principal]; found != nil {
		return found
	}
	if b.byName == nil {
		b.byName = map[string]*bucket{"": {}}
	}
	if len(b.byName) >= maxBuckets {
		for name, idle := range b.byName {
			if name != "" && idle.idle(now) {
				delete(b.byName, name)
			}
		}
		if len(b.byName) >= maxBuckets {
			return b.byName[""]
		}
	}
	fresh := new(bucket)
	b.byName[principal] = fresh
	return fresh
}

// idle reports whether the bucket is full again.
func (b *bucket) idle(now time.Time) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return now.Sub(b.last) > time.Second
}

// mayComplete reports whether the client is within MaxCompletionRate (specification: Completion,
// Security). It counts the requests of a principal on all connections together. Without a
// principal, it counts the requests of a session. All clients without a principal and a session are
// counted together.
func (s *Server) mayComplete(r *Request) bool {
	var sessionBucket *bucket
	if r.session != nil {
		sessionBucket = &r.session.completions
	}
	return s.completions.take(r, sessionBucket, s.opts.Limits.MaxCompletionRate)
}

// mayAskTasks reports whether the client is within MaxRequestRate for requests about tasks
// (specification 2025-11-25: Tasks, Task Isolation and Access Control). It distinguishes clients in
// the same way as mayComplete.
func (s *Server) mayAskTasks(r *Request) bool {
	var sessionBucket *bucket
	if r.session != nil {
		sessionBucket = &r.session.taskRequests
	}
	return s.taskRequests.take(r, sessionBucket, s.opts.Tasks.MaxRequestRate)
}

// take takes a token from the bucket of r's principal, and reports whether
// there was one. Without a principal it uses sessionBucket, which is nil if
// there is no session.
func (b *buckets) take(r *Request, sessionBucket *bucket, perSecond int) bool {
	now := time.Now()
	if principal := r.Principal(); principal != "" || sessionBucket == nil {
		sessionBucket = b.forPrincipal(principal, now)
	}
	return sessionBucket.take(perSecond, now)
}
