package mcp

import (
	"bytes"
	"testing"
	"testing/synctest"
)

// slowly is an io.Writer whose Write blocks until it is released.
type slowly struct {
	bytes.Buffer
	letGo chan struct{}
}

func (w *slowly) Write(b []byte) (int, error) {
	<-w.letGo
	return w.Buffer.Write(b)
}

func TestWhatIsOfferedIsAlwaysFlushedBySomebody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		to := &slowly{letGo: make(chan struct{})}
		w := newWriter(to, 1000, func(error) {})
		offer := func(line string) {
			if added, flush := w.offer([]byte(line)); !added {
				t.Errorf("%q was not taken", line)
			} else if flush {
				go w.flush()
			}
		}
		for _, line := range []string{"while nobody writes", "while the first is written", "after both"} {
			offer(line)
			synctest.Wait()
			if line != "while nobody writes" {
				close(to.letGo)
				synctest.Wait()
				to.letGo = make(chan struct{})
			}
		}
		if got := to.String(); got != "while nobody writes\nwhile the first is written\nafter both\n" {
			t.Errorf("written: %q", got)
		}
	})
}

func TestARequestThatHasNotBegunWaitsAgainIfOthersTookItsRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		to := &slowly{letGo: make(chan struct{})}
		w := newWriter(to, 1000, func(error) {})
		a := admission{opts: &ServerOptions{Limits: Limits{MaxConcurrent: 10, MaxWaiting: 10}}, out: w, answerBytes: 100}
		a.opts.setDefaults()
		begun, first, second, later := new(ticket), new(ticket), new(ticket), new(ticket)
		for _, t1 := range []*ticket{begun, first, second} {
			if a.admit(t1) != served {
				t.Error("a request waits though nothing was written")
			}
		}
		w.add(make([]byte, 299))
		go w.flush()
		synctest.Wait()
		w.add(make([]byte, 299)) // the first 300 bytes are being written
		if a.admit(later) != waits {
			t.Error("a request does not wait though three answers and 300 bytes leave no room")
		}
		// There is room for two responses.
		if !a.postpone(second) || a.postpone(first) || a.postpone(begun) {
			t.Error("not just one request waits again")
		}
		if a.next() != nil {
			t.Error("a request is served without room")
		}
		begun.answerBytes = 100
		a.release(begun)
		if next := a.next(); next != second || a.next() != nil {
			t.Error("the room of one answer was not given to the request that had been admitted first")
		}
		close(to.letGo)
		synctest.Wait()
		if a.next() != later {
			t.Error("a request waits though everything is written")
		}
	})
}
