// Command attack attacks docent and the library with hostile input, one attack after another, and
// prints for each what was tried, the outcome, and the time and memory used. It fails if an attack
// succeeds: a secret is read, a file outside is written, more memory is used than the attack's
// bound, or goroutines remain.
//
//	go run ./test/attack [-only TEXT]
//
// `go test ./test/attack` runs the same attacks in smaller numbers. All of them run
// on the loopback network and in temporary directories.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"runtime"
	"runtime/metrics"
	"strings"
	"time"
)

// An attack targets one part of the program.
type attack struct {
	name string
	run  func(*trial) error
	mem  uint64 // limit of the additional memory, in MiB
}

// A trial is one run of an attack.
type trial struct {
	dir   string // an empty directory
	scale int    // factor for the numbers of inputs; 1 in tests

	tried   int    // number of inputs
	size    int64  // bytes of all inputs
	outcome string // the outcome
}

// input counts one input of n bytes.
func (t *trial) input(n int) {
	t.tried++
	t.size += int64(n)
}

func allAttacks() []attack {
	var all []attack
	for _, part := range [][]attack{archiveAttacks, fileAttacks, downloadAttacks, clientAttacks, proxyAttacks, serverAttacks} {
		all = append(all, part...)
	}
	return all
}

func main() {
	only := flag.String("only", "", "only attacks whose name contains this")
	scale := flag.Int("scale", 10, "how many times as many inputs as in the tests")
	flag.Parse()
	fmt.Printf("%-62s %8s %12s %9s %9s  %s\n", "attack", "inputs", "bytes", "time", "peak", "outcome")
	failed := false
	for _, a := range allAttacks() {
		if !strings.Contains(a.name, *only) {
			continue
		}
		dir, err := os.MkdirTemp("", "attack-")
		if err != nil {
			fmt.Fprintln(os.Stderr, "attack:", err)
			os.Exit(1)
		}
		line, err := a.try(dir, *scale)
		os.RemoveAll(dir)
		fmt.Println(line)
		if err != nil {
			fmt.Printf("    FAILED: %v\n", err)
			failed = true
		}
	}
	if failed {
		os.Exit(1)
	}
}

// try runs an attack and returns its line of the table.
func (a *attack) try(dir string, scale int) (line string, err error) {
	routines := runtime.NumGoroutine()
	runtime.GC()
	before, stop := heap(), make(chan struct{})
	highest := make(chan uint64)
	go func() {
		high := before
		tick := time.NewTicker(time.Millisecond)
		defer tick.Stop()
		for {
			high = max(high, heap())
			select {
			case <-tick.C:
			case <-stop:
				highest <- high
				return
			}
		}
	}()
	t := &trial{dir: dir, scale: scale}
	began := time.Now()
	err = a.run(t)
	took := time.Since(began)
	close(stop)
	peak := (<-highest - before) >> 20
	if err == nil && peak > a.mem {
		err = fmt.Errorf("it took %d MiB of memory, more than %d", peak, a.mem)
	}
	if err == nil {
		err = ended(routines)
	}
	return fmt.Sprintf("%-62s %8d %12d %8.2fs %5d MiB  %s", a.name, t.tried, t.size, took.Seconds(), peak, t.outcome), err
}

func heap() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// ended waits until the goroutines of an attack have ended.
func ended(before int) error {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	for runtime.NumGoroutine() > before {
		select {
		case <-time.After(10 * time.Millisecond):
		case <-ctx.Done():
			stacks := make([]byte, 1<<20)
			stacks = stacks[:runtime.Stack(stacks, true)]
			return fmt.Errorf("%d goroutines remain of %d:\n%s", runtime.NumGoroutine(), before, stacks)
		}
	}
	return nil
}
