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

This page compares the cost of a request in servers that use Docent's library ([mcp](../mcp)) and other libraries. ` + "`make bench-public`" + ` repeats the measurement and
writes this page.

TABLE

Medians of ROUNDS rounds of LENGTH on CPUS cores; the ratios are medians of the ratios within a round. VERSIONS.

## Method

The load is the same as in [benchmark-mcp-servers-v2](https://github.com/http4k/benchmark-mcp-servers-v2), with our own tools and load generator. Each of 50
users opens a session for every request: ` + "`initialize`" + ` with revision 2024-11-05, the notification, and then a call of one of three tools, or a request for the list of tools. A
server that assigns a session ID also receives a DELETE request. After four sessions, a user waits 50 ms.

- ` + "`search_products`" + ` requests ten of 100,000 products from an HTTP service, and at the same time the most popular products from Redis.
- ` + "`get_user_cart`" + ` reads a cart from Redis, and then a product from the service and the latest orders from Redis.
- ` + "`checkout`" + ` requests the price from the service, and writes a counter, an order and a score to Redis.

k6 checks every result. As in the original, notifications and DELETE do not count as requests, but their CPU time counts. The tools use the same
Go code in all servers in Go; the server with rmcp uses reqwest and redis-rs. *net/http by hand* is the same code behind a handler that supports only these
requests and checks nothing; the difference from it is the cost of a library. All servers run during the whole measurement. Each round measures one server after another,
in an order that changes from round to round. "sessions" means that the server opens a session for each initialize request; these lines are compared with a handler
by hand that also opens sessions.

## Limits

- The load generator, Redis, the service and the server share the cores, so the number of requests per second depends more on the machine than on the server. The CPU time
  is that of the server's process only, from /proc.
- The load average was LOAD at the end of the measurement. Other programs that use the same CPU caches make all servers slower, but not all by the same factor. Compare
  ratios, not seconds.
- The resolution of the CPU time is 10 ms; a round uses a few seconds.
`
