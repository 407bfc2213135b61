package mcp

import (
	"sync"
	"time"
)

// bucket limits how often something happens: it holds tokens for a second's
// worth of events and fills at that rate. The zero value is full.
type bucket struct {
	mu   sync.Mutex
	used float64 // tokens taken and not yet replaced
	last time.Time
}

// take takes a token if there is one.
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

// buckets are one for each principal that has come lately.
type buckets struct {
	mu     sync.Mutex
	byName map[string]*bucket
}

// maxBuckets is how many principals are told apart; a further one shares the
// bucket of "" until another has been quiet for a second.
const maxBuckets = 10_000

func (b *buckets) of(principal string, now time.Time) *bucket {
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

// mayComplete reports whether the one who asks has not asked for completion
// too often of late (specification: Completion, Security). A principal counts
// as one whatever it connects by. Without one a session does, and those who
// have neither count together.
func (s *Server) mayComplete(r *Request) bool {
	var own *bucket
	if r.session != nil {
		own = &r.session.completions
	}
	return s.completions.take(r, own, s.opts.Limits.MaxCompletions)
}

// mayAskTasks is mayComplete for requests about tasks (specification
// 2025-11-25: Tasks, Task Isolation and Access Control).
func (s *Server) mayAskTasks(r *Request) bool {
	var own *bucket
	if r.session != nil {
		own = &r.session.taskRequests
	}
	return s.taskRequests.take(r, own, s.opts.Tasks.MaxRequests)
}

// take takes a token from the bucket of the one who sent r: the principal's, or
// without one own, the session's, if there is a session.
func (b *buckets) take(r *Request, own *bucket, perSecond int) bool {
	now := time.Now()
	who := r.Principal()
	if who != "" || own == nil {
		own = b.of(who, now)
	}
	return own.take(perSecond, now)
}
