package auth_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/docent-mcp/docent/mcp/internal/proof"
)

// proves declares the rows of requirements.tsv that the test proves.
func proves(t *testing.T, ids ...string) { proof.Proves(t, ids...) }

// everyRevision runs f in a subtest for every revision that has authorization.
func everyRevision(t *testing.T, f func(t *testing.T, revision string)) {
	for _, revision := range []string{"2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"} {
		t.Run(revision, func(t *testing.T) {
			proof.Ran(t, revision, "http")
			f(t, revision)
		})
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
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
	os.Exit(proof.Run(m))
}
