package openapi_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/openapi"
)

// TestJudge creates tools from all descriptions below the directory in the variable OPENAPI_JUDGE,
// and logs the result for each. For example, it can be a node_modules directory of packages that
// contain descriptions of public APIs. It fails if a description with a supported version cannot be
// read or takes more than a minute; the reader of the log decides whether enough operations became
// tools.
func TestJudge(t *testing.T) {
	dir := os.Getenv("OPENAPI_JUDGE")
	if dir == "" {
		t.Skip("OPENAPI_JUDGE is not set, and this test reads the descriptions in it; to run it, set it to a directory of OpenAPI descriptions")
	}
	operations, added, skipped, read := 0, 0, 0, 0
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		switch filepath.Ext(path) {
		case ".json", ".yaml", ".yml":
		default:
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if head := string(data[:min(len(data), 2000)]); !strings.Contains(head, `"openapi": "3.`) && !strings.Contains(head, `"openapi":"3.`) && !strings.HasPrefix(head, "openapi: ") {
			return nil
		}
		start := time.Now()
		api, err := openapi.Load(data)
		if err != nil {
			t.Logf("%s: %v", path, err)
			return nil
		}
		read++
		s := mcp.NewServer(mcp.Implementation{Name: "judge", Version: "1"}, nil)
		report, err := api.AddTools(s, &openapi.Options{BaseURL: "http://127.0.0.1:1", Unsafe: true, MaxTools: 10_000})
		took := time.Since(start).Round(time.Millisecond)
		n := len(api.Operations())
		t.Logf("%s: %d operations, %d tools, %d skipped, %d KiB, %v, %v", path, n, len(report.Added), len(report.Skipped), len(data)>>10, took, err)
		for operation, reason := range report.Skipped {
			t.Logf("    %s: %s", operation, reason)
		}
		if took > time.Minute {
			t.Errorf("%s took %v", path, took)
		}
		operations, added, skipped = operations+n, added+len(report.Added), skipped+len(report.Skipped)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d descriptions: %d operations, %d tools, %d skipped", read, operations, added, skipped)
}
