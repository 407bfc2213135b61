package main

import (
	"cmp"
	"fmt"
	"runtime"
	"strings"

	"github.com/docent-mcp/docent/test/bench/measure"
)

// A report collects the rows of the page.
type report struct {
	servers, clients, memories strings.Builder

	cargoLock string // of rmcp; empty if it was omitted
}

// titles maps servers and clients to their names on the page.
var titles = map[string]string{"ours": "docent/mcp", "gosdk": "go-sdk", "mcpgo": "mcp-go", "floor": "canned answers"}

func title(name string) string { return cmp.Or(titles[name], name) }

func (r *report) server(scenario, name string, rate, ratio, cpu float64) {
	fmt.Fprintf(&r.servers, "| %s | %s | %.0f | %.2f | %.1f |\n", scenario, title(name), rate, 1/ratio, cpu)
}

func (r *report) client(scenario, name string, rate float64, ratio, allocs string) {
	fmt.Fprintf(&r.clients, "| %s | %s | %.0f | %s | %s |\n", scenario, title(name), rate, cmp.Or(ratio, "–"), cmp.Or(allocs, "–"))
}

func (r *report) memory(name string, idle float64, session string, peak float64) {
	fmt.Fprintf(&r.memories, "| %s | %.1f | %s | %.1f |\n", title(name), idle, session, peak)
}

// page returns the page in Markdown.
func (r *report) page(rounds int) string {
	return strings.NewReplacer(
		"SERVERS", r.servers.String(), "CLIENTS", r.clients.String(), "MEMORIES", r.memories.String(), "SESSIONS", fmt.Sprint(openSessions), "ROUNDS", fmt.Sprint(rounds), "CPUS", fmt.Sprint(runtime.NumCPU()),
		"VERSIONS", measure.Versions(r.cargoLock, false), "LOAD", measure.LoadAverage(),
	).Replace(page)
}

const page = `# Benchmark of libraries

What calls cost servers and clients that use Docent's library ([mcp](../mcp)), beside other libraries. ` + "`make bench-peers`" + ` repeats the measurement and
writes this page. ` + "`make bench-public`" + ` compares servers whose tools do work.

## Servers

| load | server | calls per second | times docent/mcp | CPU milliseconds for 10,000 calls |
|---|---|--:|--:|--:|
SERVERS
## Clients

| load | client | calls per second | docent/mcp is faster by | allocations per call |
|---|---|--:|--:|--:|
CLIENTS
Medians of ROUNDS rounds on CPUS cores; the ratios are medians of the ratios within a round. VERSIONS.

## Memory of servers

| server | MiB after one call over HTTP | KiB for each open session | MiB at most, with the sessions and 64 calls in flight |
|---|--:|--:|--:|
MEMORIES
## Method

All servers run during the whole measurement of a load, and answer the same requests in turn. The tools do next to nothing: they repeat their
argument, add two numbers, or return a text of the given size, so that the time is that of the library. *canned answers* sends the same bytes for every request,
which shows the cost of the pipe or of net/http alone. Clients call a server without a library or, in memory, a server of their own library.

The memory is the resident memory of the server's process, which runs alone. Each of SESSIONS more ` + "`initialize`" + ` requests opens a session that stays
open; the figure includes what the garbage collector has not freed yet. *canned answers* has no sessions.

## Limits

- The program that makes the calls shares the cores with the server, so calls per second say more about the machine than about the server. The CPU time
  is that of the server's process alone, from /proc, in ticks of 10 ms.
- The load average was LOAD at the end of the measurement. Compare ratios, not calls per second.
- A tool that does work makes all differences smaller.
`
