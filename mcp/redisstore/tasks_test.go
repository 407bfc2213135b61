package redisstore_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/mcptest"
	"github.com/docent-mcp/docent/mcp/redisstore"
)

func TestTaskStore(t *testing.T) {
	mcptest.TestTaskStore(t, func(t *testing.T) mcp.TaskStore { return open(t, nil) })
}

func TestTasks_Bounds(t *testing.T) {
	now := time.Now()
	n := 0
	record := func(id string, status mcp.TaskStatus, size int) *mcp.TaskRecord {
		n++
		return &mcp.TaskRecord{ID: id, Owner: "ada", Status: status, Created: now, Updated: now.Add(time.Duration(n) * time.Second), TTL: time.Hour, Result: make([]byte, size)}
	}
	has := func(s *redisstore.Store, id string) bool {
		_, err := s.Get(t.Context(), id)
		return err == nil
	}
	t.Run("the tasks that ended first go", func(t *testing.T) {
		s := open(t, &redisstore.Options{MaxTasks: 32})
		for i := range 33 {
			status := mcp.TaskStatusCompleted
			if i%2 == 0 {
				status = mcp.TaskStatusWorking
			}
			if err := s.Put(t.Context(), record(fmt.Sprint(i), status, 0)); err != nil {
				t.Fatal(err)
			}
		}
		if has(s, "1") || has(s, "3") || has(s, "5") || !has(s, "0") || !has(s, "7") || !has(s, "32") {
			t.Error("want the tasks 1, 3 and 5 deleted, and no others")
		}
		list, err := s.List(t.Context(), "ada", "", 100)
		if err != nil || len(list) != 30 {
			t.Errorf("List returns %d tasks, %v; want 30", len(list), err)
		}
	})
	t.Run("a new task is refused when all run, and a change is not", func(t *testing.T) {
		s := open(t, &redisstore.Options{MaxTasks: 3})
		for i := range 3 {
			if err := s.Put(t.Context(), record(fmt.Sprint(i), mcp.TaskStatusWorking, 0)); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Put(t.Context(), record("more", mcp.TaskStatusWorking, 0)); !errors.Is(err, redisstore.ErrFull) {
			t.Errorf("Put: %v, want ErrFull", err)
		}
		if err := s.Put(t.Context(), record("1", mcp.TaskStatusCompleted, 0)); err != nil {
			t.Error(err)
		}
		if err := s.Put(t.Context(), record("more", mcp.TaskStatusWorking, 0)); err != nil || has(s, "1") {
			t.Errorf("%v; want room where a task has ended", err)
		}
	})
	t.Run("bytes count", func(t *testing.T) {
		s := open(t, &redisstore.Options{MaxTaskBytes: 100_000})
		for i := range 5 {
			if err := s.Put(t.Context(), record(fmt.Sprint(i), mcp.TaskStatusCompleted, 30_000)); err != nil {
				t.Fatal(err)
			}
		}
		if has(s, "0") || has(s, "1") || !has(s, "4") {
			t.Error("want the first tasks deleted")
		}
		for range 100 { // replacing a task releases its memory
			if err := s.Put(t.Context(), record("4", mcp.TaskStatusCompleted, 30_000)); err != nil {
				t.Fatal(err)
			}
		}
		if !has(s, "3") {
			t.Error("replacing a task deletes another")
		}
	})
}

func TestTasks_NothingIsLeftAfterExpiry(t *testing.T) {
	s := open(t, &redisstore.Options{Prefix: "expiry"})
	o, _ := redis.ParseURL(redisURL(t))
	client := redis.NewClient(o)
	defer client.Close()
	put := func(id string, ttl time.Duration) {
		if err := s.Put(t.Context(), &mcp.TaskRecord{ID: id, Status: mcp.TaskStatusCompleted, Created: time.Now(), Updated: time.Now(), TTL: ttl}); err != nil {
			t.Fatal(err)
		}
	}
	put("long", time.Hour)
	put("short", -time.Second)
	put("other", time.Minute) // also deletes expired tasks
	if n := client.HLen(t.Context(), "{expiry}:tasks").Val(); n != 2 {
		t.Errorf("%d tasks are kept, want 2", n)
	}
	keys := client.Keys(t.Context(), "{expiry}:*").Val()
	if len(keys) != 5 {
		t.Errorf("keys are %q", keys)
	}
	for _, key := range keys {
		if left := client.PTTL(t.Context(), key).Val(); left < 59*time.Minute || left > time.Hour+2*time.Second {
			t.Errorf("%s expires in %v, want an hour", key, left)
		}
	}
}

func TestTasks_ForeignRecords(t *testing.T) {
	s := open(t, &redisstore.Options{Prefix: "foreign"})
	o, _ := redis.ParseURL(redisURL(t))
	client := redis.NewClient(o)
	defer client.Close()
	for _, value := range []string{"", "{}", "x\n", "{}\nmore", `{"result":5}` + "\nfour", `{"result":-1}` + "\n", `{"result":9223372036854775807,"error":9}` + "\n"} {
		client.HSet(t.Context(), "{foreign}:tasks", "one", value)
		_, err := s.Get(t.Context(), "one")
		if err == nil || errors.Is(err, mcp.ErrTaskNotFound) || !strings.Contains(err.Error(), "not written by this version") {
			t.Errorf("Get of %q: %v", value, err)
		}
	}
	client.Del(t.Context(), "{foreign}:tasks")
	client.Set(t.Context(), "{foreign}:tasks", "a string", 0)
	if _, err := s.Get(t.Context(), "one"); err == nil || errors.Is(err, mcp.ErrTaskNotFound) {
		t.Errorf("Get with a key of another type: %v", err)
	}
}
