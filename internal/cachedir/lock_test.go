package cachedir

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/docent-mcp/docent/internal/memory"
)

// fetcher is another process that fetches a file.
func fetcher(t *testing.T, c *Cache, url string) (cmd *exec.Cmd, out *bytes.Buffer) {
	t.Helper()
	cmd = exec.CommandContext(t.Context(), os.Args[0])
	cmd.Dir, cmd.Env = c.dir, append(os.Environ(), "TEST_FETCH="+url)
	out = new(bytes.Buffer)
	cmd.Stderr = out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, out
}

func wantFetched(t *testing.T, cmd *exec.Cmd, out *bytes.Buffer, want string) {
	t.Helper()
	if err := cmd.Wait(); err != nil || out.String() != want {
		t.Errorf("a process got %.60q, %v", out, err)
	}
}

func TestTwentyProcessesDownloadOnce(t *testing.T) {
	c := New(t.TempDir(), Options{})
	text := strings.Repeat("text ", 100_000)
	var requests atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		requests.Add(1)
		w.Write([]byte(text))
	}))
	defer server.Close()
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			cmd, out := fetcher(t, c, server.URL)
			wantFetched(t, cmd, out, text)
		})
	}
	all.Wait()
	if n := requests.Load(); n != 1 {
		t.Errorf("downloaded %d times", n)
	}
}

// answers returns a server that signals when it receives a request, and responds when it is allowed
// to.
func answers(t *testing.T, text string) (url string, requested chan struct{}, may chan struct{}) {
	t.Helper()
	requested, may = make(chan struct{}, 100), make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Write([]byte(text[:1]))
		_ = http.NewResponseController(w).Flush()
		requested <- struct{}{}
		select {
		case <-may:
			w.Write([]byte(text[1:]))
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(server.Close)
	return server.URL, requested, may
}

func TestAnotherTakesOverWhenTheHolderIsKilled(t *testing.T) {
	c := New(t.TempDir(), Options{})
	url, requested, may := answers(t, "text")
	first, _ := fetcher(t, c, url)
	<-requested
	others := map[*exec.Cmd]*bytes.Buffer{}
	for range 5 {
		cmd, out := fetcher(t, c, url)
		others[cmd] = out
	}
	if err := first.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = first.Wait()
	<-requested // One of the other callers sent the request.
	close(may)
	for cmd, out := range others {
		wantFetched(t, cmd, out, "text")
	}
	if len(requested) != 0 {
		t.Errorf("%d more than one took over", len(requested))
	}
}

func TestAWaiterGoesOnWhenTheHolderTakesTooLong(t *testing.T) {
	dir := t.TempDir()
	holder := New(dir, Options{})
	unlock, err := holder.Lock(t.Context(), some)
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	f, err := New(dir, Options{Wait: time.Nanosecond}).Fetch(t.Context(), some, content("text"))
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	wantFile(t, holder, some, "text")
}

func TestAWaiterThatIsCancelledStops(t *testing.T) {
	c := New(t.TempDir(), Options{Wait: time.Hour})
	unlock, err := c.Lock(t.Context(), some)
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	ctx, cancel := context.WithCancel(t.Context())
	stopped := make(chan error)
	go func() {
		_, err := c.Fetch(ctx, some, func(*os.File) error {
			t.Error("it was fetched")
			return nil
		})
		stopped <- err
	}()
	cancel()
	if err := <-stopped; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestALockExcludesUntilItIsUnlocked(t *testing.T) {
	c := New(t.TempDir(), Options{Wait: time.Hour})
	free := func(name string) bool {
		f := c.lockFile(name)
		defer f.Close()
		locked, err := tryLock(f)
		if err != nil {
			t.Fatal(err)
		}
		return locked
	}
	unlock, err := c.Lock(t.Context(), some)
	if err != nil {
		t.Fatal(err)
	}
	if free(some) || !free("npm/other") {
		t.Errorf("its own name is free: %v, another is: %v", free(some), free("npm/other"))
	}
	unlock()
	if !free(some) {
		t.Error("it is locked still")
	}
}

// TestLock_WithinABudget checks that a task that waits for a lock does not count toward the memory budget,
// so that the holder of the lock can resume after a download.
func TestLock_WithinABudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, b := New(t.TempDir(), Options{Wait: time.Hour}), memory.New(0) // one task at a time
		lock := func(ctx context.Context) func() {
			unlock, err := c.Lock(ctx, "file")
			if err != nil {
				t.Error(err)
			}
			return unlock
		}
		downloaded, begun := make(chan struct{}), time.Now()
		var tasks sync.WaitGroup
		tasks.Go(func() {
			_ = b.Do(t.Context(), func(ctx context.Context) error {
				defer lock(ctx)()
				defer memory.Idle(ctx)()
				<-downloaded
				return nil
			})
		})
		synctest.Wait()
		tasks.Go(func() {
			_ = b.Do(t.Context(), func(ctx context.Context) error {
				lock(ctx)()
				return nil
			})
		})
		synctest.Wait()
		close(downloaded)
		tasks.Wait()
		if took := time.Since(begun); took > time.Minute {
			t.Errorf("the tasks waited for each other for %s", took)
		}
	})
}
