package main

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/docent-mcp/docent/test/bench/measure"
)

// table returns the medians of the rounds as a table in Markdown.
func table(compared []*server) string {
	var b strings.Builder
	b.WriteString("| server | CPU seconds for 10,000 requests | times " + floor + " | requests per second | 95 % of the requests within |\n|---|--:|--:|--:|--:|\n")
	for _, s := range compared {
		reference := floor
		if strings.HasSuffix(s.name, sessions) {
			reference += sessions
		}
		ratio := "–"
		if i := slices.IndexFunc(compared, func(s *server) bool { return s.name == reference }); i >= 0 {
			var ratios []float64
			for j, r := range s.rounds {
				ratios = append(ratios, r.cpu/compared[i].rounds[j].cpu)
			}
			ratio = fmt.Sprintf("%.2f", measure.Median(ratios))
		}
		fmt.Fprintf(&b, "| %s | %.2f | %s | %.0f | %.0f ms |\n", s.name,
			median(s.rounds, func(r round) float64 { return r.cpu }), ratio,
			median(s.rounds, func(r round) float64 { return r.rate }), median(s.rounds, func(r round) float64 { return r.p95 }))
	}
	return b.String()
}

func median(rounds []round, value func(round) float64) float64 {
	var values []float64
	for _, r := range rounds {
		values = append(values, value(r))
	}
	return measure.Median(values)
}

// pageOf returns the page with a table.
func pageOf(compared []*server, table string, rounds int, length time.Duration) string {
	cargoLock := ""
	if slices.ContainsFunc(compared, func(s *server) bool { return s.program == "rust" }) {
		cargoLock = "public/rust/Cargo.lock"
	}
	replacer := strings.NewReplacer(
		"TABLE", strings.TrimSpace(table), "ROUNDS", fmt.Sprint(rounds), "LENGTH", length.String(), "CPUS", fmt.Sprint(runtime.NumCPU()),
		"VERSIONS", measure.Versions(cargoLock, true), "LOAD", measure.LoadAverage(),
	)
	return replacer.Replace(page)
}

const page = `# Benchmark of MCP servers

What a request costs a server that uses Docent's library ([mcp](../mcp)), beside other libraries. ` + "`make bench-public`" + ` repeats the measurement and
writes this page.

TABLE

Medians of ROUNDS rounds of LENGTH on CPUS cores; the ratios are medians of the ratios within a round. VERSIONS.

## Method

The load is that of [benchmark-mcp-servers-v2](https://github.com/http4k/benchmark-mcp-servers-v2), with tools and a load generator of our own. Each of 50
users opens a session for every request: ` + "`initialize`" + ` of 2024-11-05, the notification, then a call of one of three tools, or the list of the tools. A
server that hands out a session id also gets a DELETE. After four sessions a user waits 50 ms.

- ` + "`search_products`" + ` asks a service over HTTP for ten of 100,000 products, and Redis for the most popular ones, at the same time.
- ` + "`get_user_cart`" + ` reads a cart in Redis, then a product from the service and the latest orders from Redis.
- ` + "`checkout`" + ` asks the service for the price, and writes a counter, an order and a score to Redis.

k6 checks every result. As in the original, notifications and DELETE are not counted as requests, but their CPU time is. The work of the tools is the same
Go code in all servers in Go; the one with rmcp does it with reqwest and redis-rs. *net/http by hand* is that work behind a handler that knows these requests
only and checks nothing: what is above it is the cost of a library. All servers run during the whole measurement, and each round loads one after the other,
in an order that changes from round to round. "sessions" means that the server opens a session for each initialize; these lines are compared with a handler
by hand that does so, too.

## Limits

- Load generator, Redis, the service and the server share the cores, so that requests per second say more about the machine than about the server. The CPU time
  is that of the server's process alone, from /proc.
- The load average was LOAD at the end of the measurement. Caches shared with other programs make all servers slower, but not all of them by the same factor; compare
  ratios, not seconds.
- CPU time is read in ticks of 10 ms, of a few seconds in a round.
`
