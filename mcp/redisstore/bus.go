package redisstore

import (
	"context"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

// bus is one connection for all subscriptions of a Store. If it is lost, go-redis reconnects and
// subscribes to all channels again.
type bus struct {
	client redis.UniversalClient

	mu          sync.Mutex
	conn        *redis.PubSub // nil before the first subscriber
	closed      bool
	subscribers map[string]map[*subscriber]struct{} // subscribers by channel
	dirty       map[string]bool                     // channels that update must check
	wake        chan struct{}                       // receives a value when dirty has changed
}

// A subscriber receives the messages of a channel.
type subscriber struct {
	message func(message string)
	begin   func() // called when messages may have been missed
	closed  func() // called when the Store is closed; may be nil
}

func newBus(client redis.UniversalClient) *bus {
	return &bus{client: client, subscribers: map[string]map[*subscriber]struct{}{}, dirty: map[string]bool{}, wake: make(chan struct{}, 1)}
}

// subscribe calls s.message for each message of a channel until stop is called. It calls s.begin at
// the beginning, and again whenever the connection has been lost and restored.
func (b *bus) subscribe(channel string, s *subscriber) (stop func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		if s.closed != nil {
			s.closed()
		}
		return func() {}
	}
	if b.conn == nil {
		b.conn = b.client.Subscribe(context.Background())
		go b.receive(b.conn.ChannelWithSubscriptions())
		go b.update(b.conn)
	}
	if b.subscribers[channel] == nil {
		b.subscribers[channel] = map[*subscriber]struct{}{}
	}
	b.subscribers[channel][s] = struct{}{}
	b.changed(channel)
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.subscribers[channel], s)
		if len(b.subscribers[channel]) == 0 {
			delete(b.subscribers, channel)
			b.changed(channel)
		}
	}
}

// changed makes update check a channel. The caller must hold mu.
func (b *bus) changed(channel string) {
	if b.closed {
		return
	}
	b.dirty[channel] = true
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

// update subscribes to the channels with subscribers and unsubscribes from all others.
func (b *bus) update(conn *redis.PubSub) {
	current := map[string]bool{}
	for range b.wake {
		var added, removed []string
		var again []func()
		b.mu.Lock()
		for channel := range b.dirty {
			active := b.subscribers[channel] != nil
			switch {
			case active && current[channel]:
				again = append(again, b.beginners(channel)...)
			case active:
				current[channel] = true
				added = append(added, channel)
			case current[channel]:
				delete(current, channel)
				removed = append(removed, channel)
			}
		}
		clear(b.dirty)
		b.mu.Unlock()
		for _, begin := range again {
			begin()
		}
		// Errors are ignored, because conn remembers the channels and subscribes to them after it
		// has reconnected.
		ctx, cancel := context.WithTimeout(context.Background(), updateTimeout)
		if len(added) > 0 {
			_ = conn.Subscribe(ctx, added...)
		}
		if len(removed) > 0 {
			_ = conn.Unsubscribe(ctx, removed...)
		}
		cancel()
	}
}

const updateTimeout = 10 * time.Second

// receive passes on messages until the connection is closed.
func (b *bus) receive(messages <-chan any) {
	for m := range messages {
		switch m := m.(type) {
		case *redis.Message:
			b.mu.Lock()
			var functions []func(string)
			for s := range b.subscribers[m.Channel] {
				functions = append(functions, s.message)
			}
			b.mu.Unlock()
			for _, f := range functions {
				f(m.Payload)
			}
		case *redis.Subscription:
			if m.Kind == "subscribe" {
				b.mu.Lock()
				functions := b.beginners(m.Channel)
				b.mu.Unlock()
				for _, f := range functions {
					f()
				}
			}
		}
	}
}

// beginners returns the begin functions of a channel's subscribers. The caller
// must hold mu.
func (b *bus) beginners(channel string) []func() {
	var functions []func()
	for s := range b.subscribers[channel] {
		functions = append(functions, s.begin)
	}
	return functions
}

// close ends all subscriptions.
func (b *bus) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return
	}
	b.closed = true
	for _, all := range b.subscribers {
		for s := range all {
			if s.closed != nil {
				s.closed()
			}
		}
	}
	clear(b.subscribers)
	close(b.wake)
	if b.conn != nil {
		_ = b.conn.Close()
	}
}
