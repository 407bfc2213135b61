package host_test

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/docent-mcp/docent/mcp"
)

// records are the lines that "make trace" reads; see proves_test.go of package
// mcp.
var records struct {
	mu    sync.Mutex
	lines strings.Builder
}

func record(fields ...string) {
	records.mu.Lock()
	defer records.mu.Unlock()
	records.lines.WriteString(strings.Join(fields, "\t") + "\n")
}

// proves declares the rows of requirements.tsv that the test fails without.
func proves(t *testing.T, ids ...string) {
	for _, id := range ids {
		record("proves", t.Name(), id)
	}
}

// everyRevision runs f in a subtest for every revision.
func everyRevision(t *testing.T, f func(t *testing.T, revision string)) {
	for _, revision := range mcp.Revisions() {
		t.Run(revision, func(t *testing.T) {
			record("ran", t.Name(), revision, "pipe")
			f(t, revision)
		})
	}
}

// writeRecords writes the record to the file that MCP_TRACE names, if it is set.
func writeRecords() error {
	path := os.Getenv("MCP_TRACE")
	if path == "" {
		return nil
	}
	if err := os.WriteFile(path, []byte(records.lines.String()), 0o666); err != nil {
		return fmt.Errorf("writing the record of the tests: %w", err)
	}
	return nil
}
