package mcptest

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// TestSessionStore tests an implementation of mcp.SessionStore. open returns an empty store that
// shares no data with other stores. TestSessionStore calls it in each subtest.
func TestSessionStore(t *testing.T, open func(t *testing.T) mcp.SessionStore) {
	t.Run("Load returns what Create has stored", func(t *testing.T) {
		store := open(t)
		rec := create(t, store, "one", ` {"a": "<é>", "n": 1.0}`)
		create(t, store, "two", `{}`)
		wantSession(t, store, rec)
	})
	t.Run("Load returns ErrSessionNotFound for an unknown session", func(t *testing.T) {
		store := open(t)
		create(t, store, "one", `{}`)
		for _, id := range []string{"", "two", "ONE", "*", strings.Repeat("x", 10_000)} {
			wantNoSession(t, store, id)
		}
	})
	t.Run("Update replaces the data of the version that it names", func(t *testing.T) {
		store := open(t)
		rec := create(t, store, "one", `{"n":1}`)
		older := *rec
		rec.Data = []byte(`{"n":2}`)
		if err := store.Update(t.Context(), rec); err != nil {
			t.Fatal(err)
		}
		if rec.Version == older.Version {
			t.Error("Update does not set a new version")
		}
		wantSession(t, store, rec)
		older.Data = []byte(`{"n":3}`)
		if err := store.Update(t.Context(), &older); !errors.Is(err, mcp.ErrSessionChanged) {
			t.Errorf("Update of an older version: %v, want ErrSessionChanged", err)
		}
		wantSession(t, store, rec)
		if err := store.Update(t.Context(), &mcp.SessionRecord{ID: "two", Version: 1, Data: []byte(`{}`)}); !errors.Is(err, mcp.ErrSessionNotFound) {
			t.Errorf("Update of an unknown session: %v, want ErrSessionNotFound", err)
		}
	})
	t.Run("no concurrent update is lost", func(t *testing.T) {
		store := open(t)
		create(t, store, "one", `0`)
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				for range 10 {
					for {
						rec, err := store.Load(t.Context(), "one", 0)
						if err != nil {
							t.Error(err)
							return
						}
						n, err := strconv.Atoi(string(rec.Data))
						if err != nil {
							t.Error(err)
							return
						}
						rec.Data = []byte(fmt.Sprint(n + 1))
						if err = store.Update(t.Context(), rec); err == nil {
							break
						}
						if !errors.Is(err, mcp.ErrSessionChanged) {
							t.Error(err)
							return
						}
					}
				}
			})
		}
		wg.Wait()
		if rec, err := store.Load(t.Context(), "one", 0); err != nil || string(rec.Data) != "40" {
			t.Errorf("after 40 updates: %v, %v", rec, err)
		}
	})
	t.Run("Delete deletes a session and its events", func(t *testing.T) {
		store := open(t)
		create(t, store, "one", `{}`)
		create(t, store, "two", `{}`)
		appendEvents(t, store, "one", 1000, event(0, 1, "a"))
		appendEvents(t, store, "two", 1000, event(0, 1, "b"))
		for range 2 {
			if err := store.Delete(t.Context(), "one"); err != nil {
				t.Fatal(err)
			}
		}
		wantNoSession(t, store, "one")
		wantEvents(t, store, "one", 0)
		wantEvents(t, store, "two", 0, "0.1 b")
		create(t, store, "one", `{}`)
		wantEvents(t, store, "one", 0)
	})
	t.Run("a session ends when nobody loads it", func(t *testing.T) {
		store := open(t)
		short := 50 * time.Millisecond
		for _, id := range []string{"left", "looked at", "used"} {
			if err := store.Create(t.Context(), &mcp.SessionRecord{ID: id, Data: []byte(`{}`)}, short); err != nil {
				t.Fatal(err)
			}
			appendEvents(t, store, id, 1000, event(0, 1, "a"))
		}
		load := func(id string, ttl time.Duration) error {
			_, err := store.Load(t.Context(), id, ttl)
			return err
		}
		if err := load("used", time.Hour); err != nil {
			t.Fatal(err)
		}
		for end := time.Now().Add(10 * time.Second); ; {
			remaining, lookedAt := load("left", 0), load("looked at", 0)
			if errors.Is(remaining, mcp.ErrSessionNotFound) && errors.Is(lookedAt, mcp.ErrSessionNotFound) {
				break
			}
			if time.Now().After(end) {
				t.Fatalf("after the ttl: %v, %v", remaining, lookedAt)
			}
		}
		wantEvents(t, store, "left", 0)
		if err := load("used", 0); err != nil {
			t.Errorf("a session that was extended: %v", err)
		}
		wantEvents(t, store, "used", 0, "0.1 a")
	})
	t.Run("Events returns the events after a position, in order", func(t *testing.T) {
		store := open(t)
		create(t, store, "one", `{}`)
		wantEvents(t, store, "one", 0)
		appendEvents(t, store, "one", 1000, event(7, 0, ""), event(0, 1, "a"), event(7, 1, `{"b": "é\n<"}`))
		last := event(7, 2, "")
		last.Last = true
		appendEvents(t, store, "one", 1000, event(1<<52, 0, ""), event(0, 2, "a"), last)
		list := wantEvents(t, store, "one", 0, "7.0 ", "0.1 a", `7.1 {"b": "é\n<"}`, "4503599627370496.0 ", "0.2 a", "7.2 last ")
		for i, e := range list {
			if i > 0 && e.Position <= list[i-1].Position || e.Position < 1 {
				t.Errorf("position %d is followed by %d", list[max(i-1, 0)].Position, e.Position)
			}
			if (e.Data == nil) != (len(e.Data) == 0) {
				t.Error("an event without data was returned with data")
			}
		}
		wantEvents(t, store, "one", list[3].Position, "0.2 a", "7.2 last ")
		wantEvents(t, store, "one", list[5].Position)
		wantEvents(t, store, "one", 1<<53)
	})
	t.Run("an event that is appended again is ignored", func(t *testing.T) {
		store := open(t)
		create(t, store, "one", `{}`)
		appendEvents(t, store, "one", 1000, event(7, 0, ""), event(7, 1, "a"))
		appendEvents(t, store, "one", 1000, event(7, 0, ""), event(7, 1, "a"), event(7, 2, "b"), event(8, 1, "c"))
		wantEvents(t, store, "one", 0, "7.0 ", "7.1 a", "7.2 b", "8.1 c")
	})
	t.Run("an event of stream 0 that its source appends again is ignored", func(t *testing.T) {
		store := open(t)
		create(t, store, "one", `{}`)
		from := func(source string, number int64, data string) mcp.SessionEvent {
			e := event(0, number, data)
			e.Source = source
			return e
		}
		appendEvents(t, store, "one", 1000, from("a", 1, "a1"), from("b", 1, "b1"))
		appendEvents(t, store, "one", 1000, from("a", 1, "a1"), from("a", 2, "a2"), from("b", 2, "b2"))
		appendEvents(t, store, "one", 1000, from("b", 1, "b1"), from("b", 2, "b2"), from("b", 3, "b3"))
		wantEvents(t, store, "one", 0, "0.1 a1", "0.1 b1", "0.2 a2", "0.2 b2", "0.3 b3")
	})
	t.Run("the oldest events are dropped at the limit of bytes", func(t *testing.T) {
		store := open(t)
		create(t, store, "one", `{}`)
		for i := range 10 {
			appendEvents(t, store, "one", 35, event(1, int64(i), strings.Repeat(fmt.Sprint(i), 10)))
		}
		wantEvents(t, store, "one", 0, "1.7 7777777777", "1.8 8888888888", "1.9 9999999999")
		appendEvents(t, store, "one", 35, event(2, 1, strings.Repeat("x", 100)))
		wantEvents(t, store, "one", 0, "2.1 "+strings.Repeat("x", 100))
	})
	t.Run("events of stream 0 and of other streams have limits of their own", func(t *testing.T) {
		store := open(t)
		create(t, store, "one", `{}`)
		data := func(i int) string { return strings.Repeat(fmt.Sprint(i), 10) }
		appendEvents(t, store, "one", 35, event(0, 1, data(1)), event(0, 2, data(2)))
		for i := range 6 {
			appendEvents(t, store, "one", 35, event(1, int64(i), data(i)))
		}
		wantEvents(t, store, "one", 0, "0.1 "+data(1), "0.2 "+data(2), "1.3 "+data(3), "1.4 "+data(4), "1.5 "+data(5))
		appendEvents(t, store, "one", 35, event(0, 3, data(3)), event(0, 4, data(4)))
		wantEvents(t, store, "one", 0, "0.2 "+data(2), "1.3 "+data(3), "1.4 "+data(4), "1.5 "+data(5), "0.3 "+data(3), "0.4 "+data(4))
		appendEvents(t, store, "one", 35, event(0, 5, strings.Repeat("x", 100)))
		wantEvents(t, store, "one", 0, "1.3 "+data(3), "1.4 "+data(4), "1.5 "+data(5), "0.5 "+strings.Repeat("x", 100))
	})
	t.Run("Append to an unknown session returns ErrSessionNotFound", func(t *testing.T) {
		store := open(t)
		if err := store.Append(t.Context(), "one", []mcp.SessionEvent{event(0, 1, "a")}, 1000); !errors.Is(err, mcp.ErrSessionNotFound) {
			t.Errorf("Append: %v", err)
		}
		create(t, store, "one", `{}`)
		wantEvents(t, store, "one", 0)
	})
	t.Run("Watch reports events until it is stopped", func(t *testing.T) {
		store := open(t)
		create(t, store, "one", `{}`)
		create(t, store, "two", `{}`)
		one, two := make(chan struct{}, 1000), make(chan struct{}, 1000)
		stopOne := store.Watch("one", func() { one <- struct{}{} })
		stopTwo := store.Watch("two", func() { two <- struct{}{} })
		defer stopTwo()
		wait(t, one)
		wait(t, two)
		appendEvents(t, store, "one", 1000, event(0, 1, "a"))
		wait(t, one)
		appendEvents(t, store, "two", 1000, event(0, 1, "a"))
		wait(t, two)
		stopOne()
		drain(one)
		appendEvents(t, store, "one", 1000, event(0, 2, "b"))
		appendEvents(t, store, "two", 1000, event(0, 2, "b"))
		wait(t, two)
		if len(one) > 0 {
			t.Error("a watcher that was stopped is called")
		}
	})
	t.Run("Publish reaches every subscriber, in order", func(t *testing.T) { testBus(t, open(t)) })
}

func testBus(t *testing.T, bus mcp.Bus) {
	one, two := make(chan string, 10_000), make(chan string, 10_000)
	stopOne := bus.Subscribe(func(m []byte) { one <- string(m) })
	stopTwo := bus.Subscribe(func(m []byte) { two <- string(m) })
	defer stopTwo()
	publish := func(m string) {
		t.Helper()
		if err := bus.Publish(t.Context(), []byte(m)); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []chan string{one, two} { // a subscription can take a moment to start
		for begun := false; !begun; {
			publish("begin")
			select {
			case <-c:
				begun = true
			default:
			}
		}
	}
	var want []string
	for i := range 100 {
		want = append(want, fmt.Sprintf("%d \x00\xff\n%s", i, strings.Repeat("x", i*100)))
		publish(want[i])
	}
	for _, c := range []chan string{one, two} {
		var got []string
		for len(got) < len(want) {
			if m := wait(t, c); m != "begin" {
				got = append(got, m)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("messages are %.200q", got)
		}
	}
	// All subscribers must receive messages in the same order, even if they are published at the
	// same time.
	var group sync.WaitGroup
	const publishers, each = 4, 25
	failures := make(chan error, publishers*each)
	for p := range publishers {
		group.Go(func() {
			for i := range each {
				if err := bus.Publish(t.Context(), fmt.Appendf(nil, "%d/%d", p, i)); err != nil {
					failures <- err
				}
			}
		})
	}
	group.Wait()
	if len(failures) > 0 {
		t.Fatal(<-failures)
	}
	var orders [2][]string
	for k, c := range []chan string{one, two} {
		for range publishers * each {
			orders[k] = append(orders[k], wait(t, c))
		}
	}
	if !slices.Equal(orders[0], orders[1]) {
		t.Errorf("the subscribers get the messages in different orders: %.300q and %.300q", orders[0], orders[1])
	}
	stopOne()
	drain(one)
	publish("late")
	if m := wait(t, two); m != "late" || len(one) > 0 {
		t.Errorf("after one subscriber has stopped, it gets %d messages, and the other %q", len(one), m)
	}
}

func wait[T any](t *testing.T, c <-chan T) (got T) {
	t.Helper()
	select {
	case got = <-c:
	case <-time.After(10 * time.Second):
		t.Fatal("nothing was received within 10 seconds")
	}
	return got
}

func drain[T any](c <-chan T) {
	for len(c) > 0 {
		<-c
	}
}

func create(t *testing.T, store mcp.SessionStore, id, data string) *mcp.SessionRecord {
	t.Helper()
	rec := &mcp.SessionRecord{ID: id, Data: []byte(data)}
	if err := store.Create(t.Context(), rec, time.Hour); err != nil {
		t.Fatalf("Create: %v", err)
	}
	if rec.Version == 0 {
		t.Error("Create does not set a version")
	}
	return rec
}

func event(stream, number int64, data string) mcp.SessionEvent {
	e := mcp.SessionEvent{Stream: stream, Number: number}
	if data != "" {
		e.Data = []byte(data)
	}
	return e
}

func appendEvents(t *testing.T, store mcp.SessionStore, id string, maxBytes int, events ...mcp.SessionEvent) {
	t.Helper()
	if err := store.Append(t.Context(), id, events, maxBytes); err != nil {
		t.Fatalf("Append: %v", err)
	}
}

func wantSession(t *testing.T, store mcp.SessionStore, want *mcp.SessionRecord) {
	t.Helper()
	got, err := store.Load(t.Context(), want.ID, time.Hour)
	if err != nil {
		t.Fatalf("Load(%q): %v", want.ID, err)
	}
	if got.ID != want.ID || got.Version != want.Version || string(got.Data) != string(want.Data) {
		t.Errorf("session is %q %d %s, want %q %d %s", got.ID, got.Version, string(got.Data), want.ID, want.Version, string(want.Data))
	}
}

func wantNoSession(t *testing.T, store mcp.SessionStore, id string) {
	t.Helper()
	if got, err := store.Load(t.Context(), id, time.Hour); !errors.Is(err, mcp.ErrSessionNotFound) {
		t.Errorf("Load(%.20q): %v, %v; want ErrSessionNotFound", id, got, err)
	}
}

// wantEvents compares the stored events with want, in the form "STREAM.NUMBER DATA", and returns
// them.
func wantEvents(t *testing.T, store mcp.SessionStore, id string, after int64, want ...string) []mcp.SessionEvent {
	t.Helper()
	list, err := store.Events(t.Context(), id, after)
	if err != nil {
		t.Fatalf("Events: %v", err)
	}
	var got []string
	for _, e := range list {
		last := ""
		if e.Last {
			last = "last "
		}
		got = append(got, fmt.Sprintf("%d.%d %s%s", e.Stream, e.Number, last, string(e.Data)))
	}
	if !slices.Equal(got, want) {
		t.Fatalf("Events(%q, %d) returns %.500q, want %.500q", id, after, got, want)
	}
	return list
}
