package auth_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/docent-mcp/docent/mcp/auth"
)

func record(fields ...string) { auth.Record(fields...) }

// proves declares the rows of requirements.tsv that the test fails without.
func proves(t *testing.T, ids ...string) {
	for _, id := range ids {
		record("proves", t.Name(), id)
	}
}

// everyRevision runs f in a subtest for every revision that has authorization.
func everyRevision(t *testing.T, f func(t *testing.T, revision string)) {
	for _, revision := range []string{"2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"} {
		t.Run(revision, func(t *testing.T) {
			record("ran", t.Name(), revision, "http")
			f(t, revision)
		})
	}
}

func TestMain(m *testing.M) {
	if address := os.Getenv("TEST_OPENER"); address != "" {
		if err := opener(address); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	if dir := os.Getenv("TEST_REFRESH"); dir != "" {
		if err := refresher(dir, os.Getenv("TEST_SERVER"), os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	code := m.Run()
	if path := os.Getenv("MCP_TRACE"); path != "" {
		if err := os.WriteFile(path, []byte(auth.Recorded()), 0o666); err != nil {
			fmt.Fprintln(os.Stderr, "writing the record of the tests:", err)
			code = max(code, 1)
		}
	}
	os.Exit(code)
}
