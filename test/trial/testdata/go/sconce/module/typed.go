package sconce

import "context"

// Lens is a lamp whose signals have one type.
type Lens[T any] struct {
	relay *Relay
	name  string
}

// On gives the lamp a type. From then on Show refuses other values on it with
// a KindError, whoever shows them.
func On[T any](r *Relay, name string) *Lens[T] {
	r.Hang(name)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lamps[name].kind = func(v any) bool { _, ok := v.(T); return ok }
	return &Lens[T]{r, name}
}

// Show shows a value.
func (l *Lens[T]) Show(value T, options ...ShowOption) (int, error) {
	return l.relay.Show(l.name, value, options...)
}

// Latest returns the value that the lamp remembers, false if it has none.
func (l *Lens[T]) Latest() (value T, ok bool) {
	l.relay.mu.Lock()
	defer l.relay.mu.Unlock()
	glow := l.relay.lamps[l.name].glow
	if len(glow) == 0 {
		return value, false
	}
	value, ok = glow[len(glow)-1].Value.(T)
	return value, ok
}

// Gather waits for n values of the lamp, those that it remembers first.
func Gather[T any](ctx context.Context, l *Lens[T], n int) ([]T, error) {
	w, err := l.relay.Watch(l.name, Echo(), Queue(n, Shun))
	if err != nil {
		return nil, err
	}
	return gather[T](ctx, w, n)
}

// GatherFresh is like Gather, but what the lamp remembers does not count.
func GatherFresh[T any](ctx context.Context, l *Lens[T], n int) ([]T, error) {
	w, err := l.relay.Watch(l.name, Queue(n, Shun))
	if err != nil {
		return nil, err
	}
	return gather[T](ctx, w, n)
}

func gather[T any](ctx context.Context, w *Watch, n int) ([]T, error) {
	var values []T
	for len(values) < n {
		s, err := w.Next(ctx)
		if err != nil {
			return values, err
		}
		if v, ok := s.Value.(T); ok {
			values = append(values, v)
		}
	}
	return values, nil
}

// Mirror shows on one lamp what is shown on another from now on, changed by f;
// f drops a value by returning false.
//
// Values are mirrored by the goroutine that calls Step. Until it does, they wait in a
// Watch with the default queue.
func Mirror[A, B any](from *Lens[A], to *Lens[B], f func(A) (B, bool)) (*Mirroring, error) {
	w, err := from.relay.Watch(from.name)
	if err != nil {
		return nil, err
	}
	return &Mirroring{step: func() (bool, error) {
		queued := w.Drain()
		for _, s := range queued {
			a, _ := s.Value.(A)
			if b, ok := f(a); ok {
				if _, err := to.Show(b); err != nil {
					return false, err
				}
			}
		}
		return len(queued) > 0, nil
	}}, nil
}

// Mirroring is what Mirror began.
type Mirroring struct{ step func() (bool, error) }

// Step mirrors all that was shown since the last Step and reports whether that was
// anything, values that were dropped included.
func (m *Mirroring) Step() (bool, error) { return m.step() }
