package mcp_test

import (
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/internal/proof"
)

type requirement struct{ revisions []string }

// requirements contains the rows of requirements.tsv by ID.
var requirements = sync.OnceValue(func() map[string]requirement {
	data, err := os.ReadFile("requirements.tsv")
	if err != nil {
		panic(err)
	}
	rows := map[string]requirement{}
	for line := range strings.Lines(string(data)) {
		fields := strings.Split(line, "\t")
		rows[fields[0]] = requirement{strings.Split(fields[1], ",")}
	}
	return rows
})

// proves declares the rows of requirements.tsv that the test proves. It proves them for the
// revisions and transports with which it exchanges messages with a server, itself or in a subtest.
// The harness records these, and "make trace" compares them with the rows.
func proves(t *testing.T, ids ...string) {
	t.Helper()
	for _, id := range ids {
		if _, ok := requirements()[id]; !ok {
			t.Errorf("requirements.tsv has no row %q", id)
		}
	}
	proof.Proves(t, ids...)
}

// ran records that the test ran with a revision on a transport, which is "pipe", "http", "sse" or
// "custom". The harness calls it for every message that a peer, web or pair sends. A test that
// writes to its own connection must call it itself.
func ran(t testing.TB, revision, transport string) {
	if slices.Contains(revisions, revision) {
		proof.Ran(t, revision, transport)
	}
}

// ranBeforeClients records that the test ends before a client connects, so that it does not depend
// on a revision or a transport.
func ranBeforeClients(t testing.TB) { proof.Ran(t, "any", "any") }

// revisionsOf runs f in a subtest for every revision of a row. Each subtest proves the row.
func revisionsOf(t *testing.T, id string, f func(t *testing.T, revision string)) {
	t.Helper()
	for _, revision := range requirements()[id].revisions {
		t.Run(revision, func(t *testing.T) {
			proves(t, id)
			f(t, revision)
		})
	}
}

// caller is a client of one revision on one transport.
type caller struct {
	testing.TB
	revision, transport string
	// ask sends a request and returns the response. members contains the members of its params.
	ask func(id, method, members string) *message
}

// everywhere runs f in a subtest for every revision of a row, on every transport of the revision.
// Each subtest proves the row.
func everywhere(t *testing.T, id string, s *mcp.Server, f func(t *testing.T, c *caller)) {
	t.Helper()
	revisionsOf(t, id, func(t *testing.T, revision string) {
		t.Run("pipe", func(t *testing.T) {
			p := connect(t, s)
			params := p.open(revision)
			f(t, &caller{t, revision, "pipe", func(id, method, members string) *message {
				t.Helper()
				return p.ask(id, method, params(members))
			}})
		})
		t.Run("http", func(t *testing.T) {
			w := host(t, s, nil).open(revision)
			f(t, &caller{t, revision, "http", func(id, method, members string) *message {
				t.Helper()
				m, _ := w.begin(id, method, members).response()
				return m
			}})
		})
		if revision == "2024-11-05" {
			t.Run("sse", func(t *testing.T) {
				p := host(t, s, nil).pair(revision, "{}")
				f(t, &caller{t, revision, "sse", func(id, method, members string) *message {
					t.Helper()
					return p.ask(id, method, "{"+members+"}")
				}})
			})
		}
	})
}

// TestMain runs the tests and writes the record to the file in the variable MCP_TRACE, if it is
// set.
func TestMain(m *testing.M) {
	if play := os.Getenv("MCP_TEST_SERVER"); play != "" {
		os.Exit(beServer(play)) // the test binary acts as a server; see client_stdio_test.go
	}
	os.Exit(proof.Run(m))
}
