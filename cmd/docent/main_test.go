package main

import (
	"bytes"
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/check/apart"
	"github.com/docent-mcp/docent/internal/filetest"
)

// TestMain allows the test binary to act as docent. If DOCENT_TEST_RUN is set, it runs the command
// in a separate process.
func TestMain(m *testing.M) {
	if os.Getenv("DOCENT_TEST_RUN") == "1" || slices.Equal(os.Args[1:], []string{apart.Command}) {
		main()
	}
	os.Setenv("DOCENT_OFFLINE", "1") // tests do not use the network
	cache, err := os.MkdirTemp("", "docent-test")
	if err != nil {
		panic(err)
	}
	os.Setenv("DOCENT_CACHE", cache) // tests do not use the cache of the user
	for _, name := range []string{"CI", "NO_COLOR", "TERM", "PAGER", "DOCENT_PAGER"} {
		os.Unsetenv(name) // these variables change the output on a terminal
	}
	code := m.Run()
	os.RemoveAll(cache)
	os.Exit(code)
}

// outcome is the result of a command.
type outcome struct {
	code     int
	out, err string
}

// docent executes a command line in the test's process.
func docent(args ...string) outcome {
	var out, err bytes.Buffer
	code := run(context.Background(), args, streams{in: strings.NewReader(""), out: &out, err: &err}, languages)
	return outcome{code, out.String(), err.String()}
}

// workspace creates a module with one package below its root.
func workspace(t *testing.T) string {
	t.Helper()
	return filetest.Dir(t, map[string]string{
		"go.mod": "module example.com/app\n\ngo 1.26\n",
		"db/db.go": `// Package db keeps rows. It is ours.
package db

import "net"

// ip is where the rows are.
var ip net.IP

// Open opens the table named name.
//
// Deprecated: Use Connect.
func Open(name string) (*Table, error) { return nil, nil }

// A Table has rows.
type Table struct {
	// Rows counts them.
	Rows int
}

// Close closes t.
func (t *Table) Close() error { return nil }
`,
	})
}
