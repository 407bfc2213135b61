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

// TestMain lets the test binary stand in for docent itself: with DOCENT_TEST_RUN
// set it is the command, in a process of its own.
func TestMain(m *testing.M) {
	if os.Getenv("DOCENT_TEST_RUN") == "1" || slices.Equal(os.Args[1:], []string{apart.Command}) {
		main()
	}
	os.Setenv("DOCENT_OFFLINE", "1") // tests ask no network
	cache, err := os.MkdirTemp("", "docent-test")
	if err != nil {
		panic(err)
	}
	os.Setenv("DOCENT_CACHE", cache) // and leave the user's alone
	for _, name := range []string{"CI", "NO_COLOR", "TERM", "PAGER", "DOCENT_PAGER"} {
		os.Unsetenv(name) // these change what a terminal shows
	}
	code := m.Run()
	os.RemoveAll(cache)
	os.Exit(code)
}

// outcome is what a command did.
type outcome struct {
	code     int
	out, err string
}

// docent carries out a command line within the test's process.
func docent(args ...string) outcome {
	var out, err bytes.Buffer
	code := run(context.Background(), args, streams{in: strings.NewReader(""), out: &out, err: &err}, languages)
	return outcome{code, out.String(), err.String()}
}

// workspace makes a module with one package below its root.
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
