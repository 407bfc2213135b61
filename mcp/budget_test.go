package mcp_test

import (
	"bytes"
	"io"
	"runtime"
	"testing"
)

// TestMemory_OfASmallCall measures the memory used by one
// call, from reading its line to writing its answer, with all the usual checks.
func TestMemory_OfASmallCall(t *testing.T) {
	if raceDetector {
		t.Skip("memory cannot be measured with the race detector, which allocates memory itself; run without -race")
	}
	const maxAllocations, maxBytes = 12, 2 << 10
	for name, line := range map[string]string{"text": echoCall, "structured": sumCall, "modern": modernCall} {
		t.Run(name, func(t *testing.T) {
			p := dial(sumServer(t))
			p.openSession(t, "2025-11-25")
			request, answer := []byte(line+"\n"), make([]byte, 4096)
			call := func() {
				if _, err := p.in.Write(request); err != nil {
					t.Error(err)
				}
				n, err := p.out.Read(answer)
				if err != nil || answer[n-1] != '\n' || !bytes.Contains(answer[:n], []byte(`"content"`)) {
					t.Errorf("%s: %v", answer[:n], err)
				}
			}
			for range 100 {
				call()
			}
			const runs = 1000
			allocations := testing.AllocsPerRun(runs, call)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			for range runs {
				call()
			}
			runtime.ReadMemStats(&after)
			size := (after.TotalAlloc - before.TotalAlloc) / runs
			t.Logf("%v allocations, %d bytes", allocations, size)
			if allocations > maxAllocations || size > maxBytes {
				t.Errorf("a call costs %v allocations of %d and %d bytes of %d", allocations, maxAllocations, size, maxBytes)
			}
			p.in.Close()
			go io.Copy(io.Discard, p.out)
			must(t, <-p.served)
		})
	}
}
