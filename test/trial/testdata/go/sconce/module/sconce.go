// Package sconce passes signals between lamps and those that watch them.
//
// A [Relay] holds lamps by name. [Relay.Show] shows a signal on a lamp,
// [Relay.Watch] watches one. Signals are values of any type; [On] gives a lamp
// a type and refuses others.
package sconce

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Errors of relays.
var (
	ErrDark    = errors.New("sconce: the relay is dark")
	ErrUnseen  = errors.New("sconce: nobody saw the signal")
	ErrUnknown = errors.New("sconce: no such lamp")
)

// KindError is returned for a signal of another type than its lamp's.
type KindError struct {
	Lamp string
	Got  any
}

func (e *KindError) Error() string {
	return fmt.Sprintf("sconce: lamp %s shows no %T", e.Lamp, e.Got)
}

// Overflow says what a watch does with a signal when its queue is full.
type Overflow int

// What a full watch does.
const (
	// Dim drops the oldest signal of the queue.
	Dim Overflow = iota
	// Shun drops the new signal.
	Shun
	// Snuff ends the watch with ErrFull.
	Snuff
)

// ErrFull ends a watch whose queue was full, see Snuff.
var ErrFull = errors.New("sconce: the watch was too slow")

// Lighting configures a relay. The zero value makes lamps when they are first
// named.
type Lighting struct {
	// Strict makes Show and Watch return ErrUnknown for a lamp that Hang did
	// not hang. By default they hang it.
	Strict bool
	// Afterglow is how many signals a lamp remembers for echoes. 0 means 1; a
	// negative number remembers none.
	Afterglow int
	// Queue is how many signals wait in a watch. 0 means 8.
	Queue int
	// Overflow is what a full watch does.
	Overflow Overflow
}

// Signal is what a watch gets.
type Signal struct {
	Lamp  string
	Value any
	// Seq counts the signals of the lamp from 1.
	Seq int
	// Echo is true for a signal that was shown before the watch began.
	Echo bool
}

// Relay passes signals on. It is safe for concurrent use.
type Relay struct {
	lighting Lighting
	mu       sync.Mutex
	lamps    map[string]*lamp
	dark     bool
}

type lamp struct {
	seq     int
	glow    []Signal
	kind    func(any) bool
	watches []*Watch
}

// Kindle makes a relay with the zero Lighting.
func Kindle() *Relay { return KindleWith(Lighting{}) }

// KindleWith makes a relay.
func KindleWith(l Lighting) *Relay { return &Relay{lighting: l, lamps: map[string]*lamp{}} }

// Hang hangs lamps that do not hang yet.
func (r *Relay) Hang(names ...string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, name := range names {
		if r.lamps[name] == nil {
			r.lamps[name] = &lamp{}
		}
	}
}

// Lamps lists the lamps that are not veiled, in alphabetical order.
func (r *Relay) Lamps() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var names []string
	for name := range r.lamps {
		if !strings.HasPrefix(name, ".") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func (r *Relay) lampLocked(name string) (*lamp, error) {
	switch l := r.lamps[name]; {
	case r.dark:
		return nil, ErrDark
	case l != nil:
		return l, nil
	case r.lighting.Strict:
		return nil, ErrUnknown
	}
	r.lamps[name] = &lamp{}
	return r.lamps[name], nil
}

// ShowOption changes how a signal is shown.
type ShowOption func(*showing)

type showing struct {
	seen     int
	fleeting bool
}

// Seen makes Show return ErrUnseen if fewer than n watches got the signal. It
// is shown all the same. Without it nobody has to see a signal.
func Seen(n int) ShowOption { return func(s *showing) { s.seen = n } }

// Fleeting keeps the signal out of the lamp's memory: no later watch gets it as
// an echo.
func Fleeting() ShowOption { return func(s *showing) { s.fleeting = true } }

// Show shows a signal and returns its number.
func (r *Relay) Show(name string, value any, options ...ShowOption) (int, error) {
	var o showing
	for _, option := range options {
		option(&o)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	l, err := r.lampLocked(name)
	if err != nil {
		return 0, err
	}
	if l.kind != nil && !l.kind(value) {
		return 0, &KindError{name, value}
	}
	l.seq++
	s := Signal{Lamp: name, Value: value, Seq: l.seq}
	if keep := r.lighting.Afterglow; !o.fleeting && keep >= 0 {
		l.glow = append(l.glow, s)
		l.glow = l.glow[max(0, len(l.glow)-max(keep, 1)):]
	}
	seen := 0
	watches := l.watches
	if all := r.lamps[""]; all != nil && !strings.HasPrefix(name, ".") {
		watches = append(slices.Clone(watches), all.watches...)
	}
	for _, w := range watches {
		if w.push(s) {
			seen++
		}
	}
	if seen < o.seen {
		return l.seq, ErrUnseen
	}
	return l.seq, nil
}

// Flash shows a signal.
//
// Deprecated: Use Show. Flash drops errors and is never echoed.
func (r *Relay) Flash(name string, value any) { _, _ = r.Show(name, value, Fleeting()) }

// WatchOption changes a watch.
type WatchOption func(*Watch)

// Echo lets a watch begin with what its lamp remembers, oldest first.
func Echo() WatchOption { return func(w *Watch) { w.echo = true } }

// Sift lets through only signals for which keep is true. What is sifted out
// counts as not seen.
func Sift(keep func(Signal) bool) WatchOption { return func(w *Watch) { w.keep = keep } }

// Queue overrides Lighting.Queue and Lighting.Overflow for one watch.
func Queue(n int, full Overflow) WatchOption {
	return func(w *Watch) { w.size, w.full = n, full }
}

// Watch is a queue of signals of one lamp.
type Watch struct {
	relay *Relay
	echo  bool
	keep  func(Signal) bool
	size  int
	full  Overflow

	mu    sync.Mutex
	queue []Signal
	err   error
	ready chan struct{}
}

// Watch watches a lamp.
func (r *Relay) Watch(name string, options ...WatchOption) (*Watch, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	l, err := r.lampLocked(name)
	if err != nil {
		return nil, err
	}
	return r.watchLocked(l, options), nil
}

// WatchAll watches all lamps that are not veiled, those hung later included.
// It gets no echoes.
func (r *Relay) WatchAll(options ...WatchOption) *Watch {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.lamps[""] == nil {
		r.lamps[""] = &lamp{}
	}
	return r.watchLocked(r.lamps[""], options)
}

func (r *Relay) watchLocked(l *lamp, options []WatchOption) *Watch {
	w := &Watch{relay: r, size: r.lighting.Queue, full: r.lighting.Overflow, ready: make(chan struct{}, 1)}
	for _, o := range options {
		o(w)
	}
	if w.size == 0 {
		w.size = 8
	}
	if w.echo {
		for _, s := range l.glow {
			s.Echo = true
			w.push(s)
		}
	}
	l.watches = append(l.watches, w)
	return w
}

func (w *Watch) push(s Signal) bool {
	if w.keep != nil && !w.keep(s) {
		return false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil {
		return false
	}
	if len(w.queue) >= w.size {
		switch w.full {
		case Dim:
			w.queue = w.queue[1:]
		case Shun:
			return false
		case Snuff:
			w.err = ErrFull
			w.wake()
			return false
		}
	}
	w.queue = append(w.queue, s)
	w.wake()
	return true
}

func (w *Watch) wake() {
	select {
	case w.ready <- struct{}{}:
	default:
	}
}

// Next waits for the next signal. What was queued before the watch ended is
// still returned, then the error that ended it: ErrDark after Relay.Douse,
// ErrFull.
func (w *Watch) Next(ctx context.Context) (Signal, error) {
	for {
		w.mu.Lock()
		if len(w.queue) > 0 {
			s := w.queue[0]
			w.queue = w.queue[1:]
			w.mu.Unlock()
			return s, nil
		}
		err := w.err
		w.mu.Unlock()
		if err != nil {
			return Signal{}, err
		}
		select {
		case <-w.ready:
		case <-ctx.Done():
			return Signal{}, ctx.Err()
		}
	}
}

// Drain returns what is queued now, without waiting.
func (w *Watch) Drain() []Signal {
	w.mu.Lock()
	defer w.mu.Unlock()
	queued := w.queue
	w.queue = nil
	return queued
}

// Douse ends all watches. A relay that is dark shows nothing any more.
func (r *Relay) Douse() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.dark = true
	for _, l := range r.lamps {
		for _, w := range l.watches {
			w.mu.Lock()
			w.err = ErrDark
			w.wake()
			w.mu.Unlock()
		}
	}
}
