package redisstore

import (
	"context"
	_ "embed"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

// The messages of Publish are entries of a Redis stream. Subscribers can therefore receive messages
// that they missed while their connection was lost or while Redis was restarting with its data. A
// channel notifies them of new entries.
func (s *Store) busKeys() []string { return []string{s.prefix + "bus", s.prefix + "bus:bytes"} }

// Limits for the stored messages.
const (
	maxMessages     = 10_000
	maxMessageBytes = 64 << 20
	messageTTL      = time.Hour
)

// readAtOnce is the maximum number of messages read by one call.
const readAtOnce = 100

var (
	//go:embed bus_publish.lua
	publishText   string
	publishScript = redis.NewScript(publishText)
)

// Publish implements mcp.Bus.
func (s *Store) Publish(ctx context.Context, message []byte) error {
	ctx, cancel := s.bound(ctx)
	defer cancel()
	keys := s.busKeys()
	if err := publishScript.Run(ctx, s.client, keys, keys[0], message, maxMessages, maxMessageBytes, messageTTL.Milliseconds()).Err(); err != nil {
		return failed("publishing", err)
	}
	return nil
}

// Subscribe implements mcp.Bus.
func (s *Store) Subscribe(f func(message []byte)) (stop func()) {
	r := &reader{store: s, f: f, wake: make(chan struct{}, 1), stopped: make(chan struct{})}
	leave := s.bus.subscribe(s.busKeys()[0], &subscriber{message: func(string) { r.wakeUp() }, begin: r.wakeUp, closed: r.stop})
	go r.run()
	return func() {
		leave()
		r.stop()
	}
}

// reader reads the messages of Publish for a subscriber.
type reader struct {
	store   *Store
	f       func(message []byte)
	wake    chan struct{} // receives a value when there may be new messages
	once    sync.Once
	stopped chan struct{}
	last    string // ID of the last message; empty until begin has succeeded
}

func (r *reader) wakeUp() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

func (r *reader) stop() { r.once.Do(func() { close(r.stopped) }) }

// readRetry is how long a reader waits after an error.
const readRetry = 500 * time.Millisecond

func (r *reader) run() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		<-r.stopped
		cancel()
	}()
	for {
		var retry <-chan time.Time
		if !r.read(ctx) {
			retry = time.After(readRetry)
		}
		select {
		case <-r.wake:
		case <-retry:
		case <-r.stopped:
			return
		}
	}
}

// read delivers the messages that were added since the last call. It reports whether it has read
// all of them.
func (r *reader) read(ctx context.Context) bool {
	if r.last == "" {
		return r.begin(ctx)
	}
	for {
		entries, err := r.entries(ctx)
		if err != nil {
			return false
		}
		for _, entry := range entries {
			select {
			case <-r.stopped:
				return true
			default:
			}
			r.last = entry.ID
			if message, ok := entry.Values["m"].(string); ok {
				r.f([]byte(message))
			}
		}
		if len(entries) < readAtOnce {
			return true
		}
	}
}

// begin skips the messages that already exist.
func (r *reader) begin(ctx context.Context) bool {
	ctx, cancel := r.store.bound(ctx)
	defer cancel()
	newest, err := r.store.client.XRevRangeN(ctx, r.store.busKeys()[0], "+", "-", 1).Result()
	if err != nil {
		return false
	}
	if r.last = "0-0"; len(newest) > 0 {
		r.last = newest[0].ID
	}
	return true
}

func (r *reader) entries(ctx context.Context) ([]redis.XMessage, error) {
	ctx, cancel := r.store.bound(ctx)
	defer cancel()
	return r.store.client.XRangeN(ctx, r.store.busKeys()[0], following(r.last), "+", readAtOnce).Result()
}

// following returns the smallest ID greater than id.
func following(id string) string {
	before, after, _ := strings.Cut(id, "-")
	n, _ := strconv.ParseUint(after, 10, 64)
	return before + "-" + strconv.FormatUint(n+1, 10)
}
