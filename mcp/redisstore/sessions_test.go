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
	if err := s.Append(t.Context(), "one", []mcp.SessionEvent{{Stream: 1}, {Stream: 1, Number: 1, Data: []byte(`{}`)}}, 1000); err != nil {
		t.Fatal(err)
	}
	check := func(want time.Duration) {
		t.Helper()
		keys := client.Keys(t.Context(), "{keys}:*").Val()
		if len(keys) != 4 {
			t.Errorf("keys are %q", keys)
		}
		for _, key := range keys {
			if left := client.PTTL(t.Context(), key).Val(); left < want-time.Minute || left > want {
				t.Errorf("%s expires in %v, want %v", key, left, want)
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

// The numbers of streams whose events have all been dropped are not kept.
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

func TestSessions_SubscriptionsSurviveARestart(t *testing.T) {
	server := ownServer(t, "--appendonly", "yes")
	s := openAt(t, "redis://"+server.addr, nil)
	if err := s.Create(t.Context(), &mcp.SessionRecord{ID: "one", Data: []byte(`{}`)}, time.Hour); err != nil {
		t.Fatal(err)
	}
	told, heard := make(chan struct{}, 10_000), make(chan string, 10_000)
	defer s.Watch("one", func() { told <- struct{}{} })()
	defer s.Subscribe(func(m []byte) { heard <- string(m) })()
	<-told
	server.stop()
	for len(told) > 0 {
		<-told
	}
	if err := server.start(); err != nil {
		t.Fatal(err)
	}
	<-told // when the subscription begins again
	for {
		if err := s.Publish(t.Context(), []byte("again")); err == nil && len(heard) > 0 {
			break
		}
	}
	if err := s.Append(t.Context(), "one", []mcp.SessionEvent{{Data: []byte(`{}`)}}, 1000); err != nil {
		t.Fatal(err)
	}
	<-told
}
