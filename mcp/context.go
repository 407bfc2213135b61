package mcp

import (
	"context"
	"sync"
	"time"
)

// callContext is the context of a request. It is a field of Request, so that a call needs only one
// allocation. Its channel is created when it is first used.
type callContext struct {
	parent context.Context
	req    *Request
	alone  bool // whether it is independent of parent

	mu    sync.Mutex
	done  chan struct{}
	err   error
	after map[*func()]struct{} // functions to call when the context is done; see AfterFunc
	stop  func() bool          // detaches c from parent
}

var closedChannel = func() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

func (c *callContext) Deadline() (time.Time, bool) {
	if c.alone {
		return time.Time{}, false
	}
	return c.parent.Deadline()
}

func (c *callContext) Done() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.done == nil {
		if c.err != nil {
			c.done = closedChannel
		} else {
			c.done = make(chan struct{})
			c.follow()
		}
	}
	return c.done
}

// follow makes c end when its parent ends. The caller must hold mu.
func (c *callContext) follow() {
	if c.stop == nil && !c.alone && c.parent.Done() != nil {
		c.stop = context.AfterFunc(c.parent, func() { c.cancel(context.Canceled) })
	}
}

func (c *callContext) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err == nil && !c.alone && c.parent.Err() != nil {
		return context.Canceled
	}
	return c.err
}

func (c *callContext) Value(key any) any {
	if _, ok := key.(requestKey); ok {
		return c.req
	}
	return c.parent.Value(key)
}

// AfterFunc lets package context derive contexts from c without starting a goroutine.
func (c *callContext) AfterFunc(f func()) (stop func() bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		go f()
		return func() bool { return false }
	}
	if c.after == nil {
		c.after = map[*func()]struct{}{}
	}
	key := &f
	c.after[key] = struct{}{}
	c.follow()
	return func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		_, waiting := c.after[key]
		delete(c.after, key)
		return waiting
	}
}

// cancel ends the context. Only the first call has an effect.
func (c *callContext) cancel(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return
	}
	c.err = err
	if c.stop != nil {
		c.stop()
	}
	if c.done != nil {
		close(c.done)
	}
	for f := range c.after {
		go (*f)()
	}
	c.after = nil
}
