package redisstore_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/mcptest"
	"github.com/docent-mcp/docent/mcp/redisstore"
)

func TestSessionStore(t *testing.T) {
	mcptest.TestSessionStore(t, func(t *testing.T) mcp.SessionStore { return open(t, nil) })
}

func TestSessions_Bound(t *testing.T) {
	s := open(t, &redisstore.Options{MaxSessions: 3})
	add := func(id string, ttl time.Duration) error {
		return s.Create(t.Context(), &mcp.SessionRecord{ID: id, Data: []byte(`{}`)}, ttl)
	}
	for i := range 3 {
		if err := add(fmt.Sprint(i), time.Hour); err != nil {
			t.Fatal(err)
		}
	}
	if err := add("more", time.Hour); !errors.Is(err, mcp.ErrTooManySessions) {
		t.Errorf("Create: %v, want ErrTooManySessions", err)
	}
	if err := s.Delete(t.Context(), "1"); err != nil {
		t.Fatal(err)
	}
	if err := add("short", time.Millisecond); err != nil {
		t.Errorf("after a session was deleted: %v", err)
	}
	for end := time.Now().Add(10 * time.Second); add("more", time.Hour) != nil; {
		if time.Now().After(end) {
			t.Fatal("a session that has expired takes room")
		}
	}
}

func TestSessions_EveryKeyExpires(t *testing.T) {
	s := open(t, &redisstore.Options{Prefix: "keys"})
	o, _ := redis.ParseURL(redisURL(t))
	client := redis.NewClient(o)
	defer client.Close()
	rec := &mcp.SessionRecord{ID: "one", Data: []byte(`{}`)}
	if err := s.Create(t.Context(), rec, time.Hour); err != nil {
		t.Fatal(err)
	}
	if err := s.Append(t.Context(), "one", []mcp.SessionEvent{{Stream: 1}, {Stream: 1, Number: 1, Data: []byte(`{}`)}, {Number: 1, Source: "a", Data: []byte(`{}`)}}, 1000); err != nil {
		t.Fatal(err)
	}
	check := func(want time.Duration) {
		t.Helper()
		keys := client.Keys(t.Context(), "{keys}:*").Val()
		if len(keys) != 5 {
			t.Errorf("keys are %q", keys)
		}
		for _, key := range keys {
			if ttl := client.PTTL(t.Context(), key).Val(); ttl < want-time.Minute || ttl > want {
				t.Errorf("%s expires in %v, want %v", key, ttl, want)
			}
		}
	}
	check(time.Hour)
	if _, err := s.Load(t.Context(), "one", 2*time.Hour); err != nil {
		t.Fatal(err)
	}
	if err := s.Update(t.Context(), rec); err != nil {
		t.Fatal(err)
	}
	check(2 * time.Hour)
	if err := s.Delete(t.Context(), "one"); err != nil {
		t.Fatal(err)
	}
	if keys := client.Keys(t.Context(), "{keys}:*").Val(); len(keys) != 0 {
		t.Errorf("after Delete there is %q", keys)
	}
}

// The numbers of streams are removed when all their events have been dropped.
func TestSessions_StreamsThatEndedAreForgotten(t *testing.T) {
	s := open(t, &redisstore.Options{Prefix: "streams"})
	o, _ := redis.ParseURL(redisURL(t))
	client := redis.NewClient(o)
	defer client.Close()
	if err := s.Create(t.Context(), &mcp.SessionRecord{ID: "one", Data: []byte(`{}`)}, time.Hour); err != nil {
		t.Fatal(err)
	}
	for i := range 1000 {
		events := []mcp.SessionEvent{{Stream: int64(i + 1)}, {Stream: int64(i + 1), Number: 1, Last: true, Data: make([]byte, 100)}}
		if err := s.Append(t.Context(), "one", events, 1000); err != nil {
			t.Fatal(err)
		}
	}
	if n := client.HLen(t.Context(), "{streams}:session:one:streams").Val(); n > 11 {
		t.Errorf("the numbers of %d streams are kept", n)
	}
	if n := client.XLen(t.Context(), "{streams}:session:one:events").Val(); n > 22 {
		t.Errorf("%d events are kept", n)
	}
}

// While Redis restarts with its data, Watch and Subscribe continue, and no messages are lost.
func TestSessions_SubscriptionsSurviveARestart(t *testing.T) {
	server := ownServer(t, "--appendonly", "yes", "--appendfsync", "always")
	s, other := openAt(t, "redis://"+server.addr, nil), openAt(t, "redis://"+server.addr, nil)
	if err := s.Create(t.Context(), &mcp.SessionRecord{ID: "one", Data: []byte(`{}`)}, time.Hour); err != nil {
		t.Fatal(err)
	}
	appended, heard := make(chan struct{}, 10_000), make(chan string, 10_000)
	defer s.Watch("one", func() { appended <- struct{}{} })()
	defer s.Subscribe(func(m []byte) { heard <- string(m) })()
	publish := func(m string) {
		t.Helper()
		for end := time.Now().Add(10 * time.Second); ; {
			err := other.Publish(t.Context(), []byte(m))
			if err == nil {
				return
			}
			if time.Now().After(end) {
				t.Fatal(err)
			}
		}
	}
	begun := false
	for !begun {
		publish("begin")
		select {
		case <-heard:
			begun = true
		case <-time.After(10 * time.Millisecond):
		}
	}
	publish("before")
	for range 2 {
		server.stop()
		if err := server.start(); err != nil {
			t.Fatal(err)
		}
		publish("after") // before s has reconnected
	}
	for _, want := range []string{"before", "after", "after"} {
		got := "begin"
		for got == "begin" {
			got = receive(t, heard)
		}
		if got != want {
			t.Errorf("message %q, want %q", got, want)
		}
	}
	publish("last")
	if got := receive(t, heard); got != "last" {
		t.Errorf("message %q, want the last one", got)
	}
	for i := range 3 {
		for len(appended) > 0 {
			<-appended
		}
		if err := s.Append(t.Context(), "one", []mcp.SessionEvent{{Number: int64(i + 1), Data: []byte(`{}`)}}, 1000); err != nil {
			t.Fatal(err)
		}
		receive(t, appended)
	}
}

func receive[T any](t *testing.T, c <-chan T) (got T) {
	t.Helper()
	select {
	case got = <-c:
	case <-time.After(10 * time.Second):
		t.Fatal("nothing has come for 10 seconds")
	}
	return got
}

// A message that is published while the subscribers' connections are interrupted must not be lost.
func TestBus_ConnectionIsCut(t *testing.T) {
	server := ownServer(t)
	s, other := openAt(t, "redis://"+server.addr, nil), openAt(t, "redis://"+server.addr, nil)
	o, _ := redis.ParseURL("redis://" + server.addr)
	client := redis.NewClient(o)
	defer client.Close()
	heard := make(chan string, 1000)
	defer s.Subscribe(func(m []byte) { heard <- string(m) })()
	for begun := false; !begun; {
		if err := other.Publish(t.Context(), []byte("begin")); err != nil {
			t.Fatal(err)
		}
		select {
		case <-heard:
			begun = true
		case <-time.After(10 * time.Millisecond):
		}
	}
	for i := range 20 {
		if err := client.ClientKillByFilter(t.Context(), "TYPE", "pubsub").Err(); err != nil {
			t.Fatal(err)
		}
		want := fmt.Sprint(i)
		if err := other.Publish(t.Context(), []byte(want)); err != nil {
			t.Fatal(err)
		}
		got := "begin"
		for got == "begin" {
			got = receive(t, heard)
		}
		if got != want {
			t.Fatalf("message %q, want %q", got, want)
		}
	}
}

// The number of stored messages is limited, and they expire.
func TestBus_Bounds(t *testing.T) {
	s := open(t, &redisstore.Options{Prefix: "bounds"})
	o, _ := redis.ParseURL(redisURL(t))
	client := redis.NewClient(o)
	defer client.Close()
	large := make([]byte, 8<<20)
	for range 12 {
		if err := s.Publish(t.Context(), large); err != nil {
			t.Fatal(err)
		}
	}
	if n := client.XLen(t.Context(), "{bounds}:bus").Val(); n != 8 {
		t.Errorf("%d messages of 8 MiB are kept", n)
	}
	if n, _ := client.Get(t.Context(), "{bounds}:bus:bytes").Int(); n != 8*len(large) {
		t.Errorf("their size is recorded as %d", n)
	}
	for _, key := range []string{"{bounds}:bus", "{bounds}:bus:bytes"} {
		if ttl := client.PTTL(t.Context(), key).Val(); ttl < 59*time.Minute || ttl > time.Hour {
			t.Errorf("%s expires in %v", key, ttl)
		}
	}
}
