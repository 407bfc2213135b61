// Package proof records which rows of requirements.tsv a test proves, and the revisions and
// transports with which it ran. The command "make trace" uses the record.
package proof

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

var (
	mu    sync.Mutex
	lines = map[string]bool{}
)

func record(fields ...string) {
	mu.Lock()
	defer mu.Unlock()
	lines[strings.Join(fields, "\t")] = true
}

// Proves records that the test fails if one of the given rows is violated.
func Proves(t testing.TB, ids ...string) {
	for _, id := range ids {
		record("proves", t.Name(), id)
	}
}

// Ran records that the test ran with a revision on a transport, which is "pipe", "http", "sse" or
// "custom".
func Ran(t testing.TB, revision, transport string) { record("ran", t.Name(), revision, transport) }

// Run runs the tests. If the variable MCP_TRACE contains a path, Run writes the record to a file with
// this path and the name of the test binary, such as path.auth.test, because go test runs several
// packages at the same time. It returns the exit code for TestMain.
func Run(m *testing.M) int {
	code := m.Run()
	if path := os.Getenv("MCP_TRACE"); path != "" {
		text := strings.Join(slices.Sorted(maps.Keys(lines)), "\n") + "\n"
		if err := os.WriteFile(path+"."+filepath.Base(os.Args[0]), []byte(text), 0o600); err != nil { //nolint:gosec // the path is the developer's
			fmt.Fprintln(os.Stderr, "writing the record of the tests:", err)
			code = max(code, 1)
		}
	}
	return code
}
