package main

import (
	"fmt"

	"github.com/docent-mcp/docent/test/bench/measure"
)

// openSessions is the number of sessions that compareMemory opens.
const openSessions = 5000

// compareMemory measures the memory of servers over HTTP: after one call, with openSessions
// sessions, and at most when 64 calls are in flight after that. Each server runs alone.
func compareMemory(commands map[string][]string, calls int, out *report) error {
	echo := scenario{http: true, call: toolCall("echo", `{"message":"hello, world"}`, "")}
	fmt.Printf("\n%-40s %-8s %12s %14s %14s\n", "scenario", "server", "MiB", "KiB/session", "peak MiB")
	for _, name := range names {
		started, err := echo.start(commands[name])
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		p := started.(*httpPeer)
		idle, peak, each, err := p.memory(calls)
		p.stop()
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		sessions := "–"
		if each >= 0 {
			sessions = fmt.Sprintf("%.1f", each)
		}
		fmt.Printf("%-40s %-8s %12.1f %14s %14.1f\n", memoryScenario, name, idle, sessions, peak)
		out.memory(name, idle, sessions, peak)
	}
	return nil
}

const memoryScenario = "memory over HTTP"

// memory opens sessions, then makes calls. It returns the resident memory after one call and the peak,
// both in MiB, and KiB for each open session, or -1 if the server has no sessions.
func (p *httpPeer) memory(calls int) (idle, peak, each float64, err error) {
	const kib, mib = 1 << 10, 1 << 20
	resident, _ := measure.Memory(p.pid())
	idle = float64(resident) / mib
	each = -1
	if p.hasSessions {
		for range openSessions {
			if _, err := p.openSession(); err != nil {
				return 0, 0, 0, err
			}
		}
		after, _ := measure.Memory(p.pid())
		each = float64(after-resident) / kib / openSessions
	}
	if err := watched(p, calls, 64); err != nil {
		return 0, 0, 0, err
	}
	_, most := measure.Memory(p.pid())
	return idle, float64(most) / mib, each, nil
}
