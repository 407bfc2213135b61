package mcp

import (
	"bytes"
	"testing"
	"testing/synctest"
)

// slowly is a Write that waits until it is let go.
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
