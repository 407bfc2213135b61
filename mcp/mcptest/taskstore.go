package mcptest

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// TestTaskStore tests an implementation of mcp.TaskStore. open returns an empty store.
// TestTaskStore calls it in each subtest.
func TestTaskStore(t *testing.T, open func(t *testing.T) mcp.TaskStore) {
	t.Run("Get returns what Put has stored", func(t *testing.T) {
		store := open(t)
		for _, rec := range []*mcp.TaskRecord{
			task("plain", ""),
			{
				ID: "full", Owner: "principal a\x00b\nc ö \xff", Status: mcp.TaskStatusInputRequired, StatusMessage: "half\r\ndone",
				Created: time.Now().Add(-time.Minute), Updated: time.Now(), TTL: time.Hour + time.Nanosecond,
				Result: []byte(` {"a" : "<b> & é", "n": 1.0}`), Error: []byte(`{"code":-1,"message":"\u0000"}`), Inputs: []byte(`{"k":{}}`),
			},
			{ID: "large", Status: mcp.TaskStatusCompleted, Created: time.Now(), Updated: time.Now(), TTL: time.Hour, Result: bytes.Repeat([]byte("7"), 1<<20)},
		} {
			put(t, store, rec)
			wantTask(t, store, rec)
		}
	})
	t.Run("Put replaces the task with the same ID", func(t *testing.T) {
		store := open(t)
		rec := task("one", "ada")
		put(t, store, rec)
		rec.Status, rec.Updated, rec.Result = mcp.TaskStatusCompleted, time.Now(), []byte(`{"content":[]}`)
		put(t, store, rec)
		wantTask(t, store, rec)
		wantList(t, store, "ada", "", 10, "one")
	})
	t.Run("changing a record after Put does not change the stored task", func(t *testing.T) {
		store := open(t)
		rec := task("one", "ada")
		put(t, store, rec)
		before := *rec
		rec.Status, rec.StatusMessage = mcp.TaskStatusFailed, "changed"
		wantTask(t, store, &before)
	})
	t.Run("Get returns ErrTaskNotFound for an unknown task", func(t *testing.T) {
		store := open(t)
		put(t, store, task("one", "ada"))
		for _, id := range []string{"", "two", "ONE", "one ", "*", strings.Repeat("x", 10_000)} {
			wantNoTask(t, store, id)
		}
	})
	t.Run("List returns the tasks of the owner in the order of their IDs", func(t *testing.T) {
		store := open(t)
		for _, id := range []string{"c", "a", "B", "ab", "b", "Z"} {
			put(t, store, task(id, "principal ada"))
		}
		put(t, store, task("bob's", "principal bob"))
		put(t, store, task("nobody's", ""))
		put(t, store, task("ad's", "principal ad"))
		wantList(t, store, "principal ada", "", 10, "B", "Z", "a", "ab", "b", "c")
		wantList(t, store, "principal ada", "", 2, "B", "Z")
		wantList(t, store, "principal ada", "Z", 3, "a", "ab", "b")
		wantList(t, store, "principal ada", "aa", 10, "ab", "b", "c")
		wantList(t, store, "principal ada", "c", 10)
		wantList(t, store, "principal bob", "", 10, "bob's")
		wantList(t, store, "", "", 10, "nobody's")
		wantList(t, store, "principal", "", 10)
	})
	t.Run("List returns whole records", func(t *testing.T) {
		store := open(t)
		rec := task("one", "ada")
		rec.Status, rec.Result = mcp.TaskStatusCompleted, []byte(`{"content":[]}`)
		put(t, store, rec)
		list, err := store.List(t.Context(), "ada", "", 1)
		if err != nil || len(list) != 1 {
			t.Fatalf("List: %d tasks, %v", len(list), err)
		}
		sameTask(t, list[0], rec)
	})
	t.Run("a task that has expired is gone", func(t *testing.T) {
		store := open(t)
		old, recent := task("old", "ada"), task("recent", "ada")
		old.Created = time.Now().Add(-time.Hour - time.Second)
		recent.Created = time.Now().Add(-time.Hour + time.Minute)
		put(t, store, old)
		put(t, store, recent)
		wantNoTask(t, store, "old")
		wantTask(t, store, recent)
		wantList(t, store, "ada", "", 10, "recent")
	})
	t.Run("a task that is extended is kept", func(t *testing.T) {
		store := open(t)
		rec := task("one", "ada")
		rec.Created = time.Now().Add(-2 * time.Hour)
		put(t, store, rec)
		rec.TTL = 3 * time.Hour
		put(t, store, rec)
		wantTask(t, store, rec)
		wantList(t, store, "ada", "", 10, "one")
	})
	t.Run("concurrent calls are safe", func(t *testing.T) {
		store := open(t)
		var wg sync.WaitGroup
		var ids []string
		for i := range 8 {
			for j := range 10 {
				ids = append(ids, fmt.Sprintf("%d-%d", i, j))
			}
			wg.Go(func() {
				for j := range 10 {
					rec := task(fmt.Sprintf("%d-%d", i, j), "ada")
					for range 3 {
						if err := store.Put(t.Context(), rec); err != nil {
							t.Error(err)
						}
					}
					if _, err := store.Get(t.Context(), rec.ID); err != nil {
						t.Error(err)
					}
					if _, err := store.List(t.Context(), "ada", "", 5); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
		slices.Sort(ids)
		wantList(t, store, "ada", "", 100, ids...)
	})
}

func task(id, owner string) *mcp.TaskRecord {
	now := time.Now()
	return &mcp.TaskRecord{ID: id, Owner: owner, Status: mcp.TaskStatusWorking, Created: now, Updated: now, TTL: time.Hour}
}

func put(t *testing.T, store mcp.TaskStore, rec *mcp.TaskRecord) {
	t.Helper()
	copied := *rec
	if err := store.Put(t.Context(), rec); err != nil {
		t.Fatalf("Put: %v", err)
	}
	sameTask(t, rec, &copied)
}

func wantTask(t *testing.T, store mcp.TaskStore, want *mcp.TaskRecord) {
	t.Helper()
	got, err := store.Get(t.Context(), want.ID)
	if err != nil || got == nil {
		t.Fatalf("Get(%q): %v, %v", want.ID, got, err)
	}
	sameTask(t, got, want)
}

// sameTask compares times as points in time, because a store may lose their location and their
// monotonic clock.
func sameTask(t *testing.T, got, want *mcp.TaskRecord) {
	t.Helper()
	switch {
	case got.ID != want.ID, got.Owner != want.Owner, got.Status != want.Status, got.StatusMessage != want.StatusMessage,
		!got.Created.Equal(want.Created), !got.Updated.Equal(want.Updated), got.TTL != want.TTL,
		!bytes.Equal(got.Result, want.Result), !bytes.Equal(got.Error, want.Error), !bytes.Equal(got.Inputs, want.Inputs),
		(got.Result == nil) != (want.Result == nil), (got.Error == nil) != (want.Error == nil), (got.Inputs == nil) != (want.Inputs == nil):
		t.Errorf("task is %.500q, want %.500q", fmt.Sprintf("%+v", *got), fmt.Sprintf("%+v", *want))
	}
}

func wantNoTask(t *testing.T, store mcp.TaskStore, id string) {
	t.Helper()
	if got, err := store.Get(t.Context(), id); !errors.Is(err, mcp.ErrTaskNotFound) {
		t.Errorf("Get(%.20q): %v, %v; want ErrTaskNotFound", id, got, err)
	}
}

func wantList(t *testing.T, store mcp.TaskStore, owner, after string, n int, want ...string) {
	t.Helper()
	list, err := store.List(t.Context(), owner, after, n)
	if err != nil {
		t.Fatalf("List: %v", err)
	}
	var got []string
	for _, rec := range list {
		got = append(got, rec.ID)
	}
	if !slices.Equal(got, want) {
		t.Errorf("List(%q, %q, %d) returns %q, want %q", owner, after, n, got, want)
	}
}
