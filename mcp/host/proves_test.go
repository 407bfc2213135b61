package host_test

import (
	"testing"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/internal/proof"
)

// proves declares the rows of requirements.tsv that the test proves.
func proves(t *testing.T, ids ...string) { proof.Proves(t, ids...) }

// everyRevision runs f in a subtest for every revision.
func everyRevision(t *testing.T, f func(t *testing.T, revision string)) {
	for _, revision := range mcp.Revisions() {
		t.Run(revision, func(t *testing.T) {
			proof.Ran(t, revision, "pipe")
			f(t, revision)
		})
	}
}
