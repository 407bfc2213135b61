package interop

import (
	"cmp"
	"os"
	"path/filepath"
	"testing"
)

// A guest is a client from another project with which our server is tested.
type guest struct {
	name    string
	command func(t *testing.T) []string
	noSSE   bool   // whether it does not support HTTP+SSE
	until   string // the newest revision that it supports; empty for the newest of all
	lacks   func(transport, revision string) lacks
}

var guests = []guest{
	{name: "Python SDK", command: python("client.py")},
	{name: "rmcp", command: rmcp("client"), noSSE: true},
}

// TestClients tests our server with clients that run in other processes.
func TestClients(t *testing.T) {
	for _, g := range guests {
		for _, transport := range []string{"stdio", "Streamable HTTP", "HTTP+SSE"} {
			for _, revision := range revisions {
				if transport == "HTTP+SSE" && (g.noSSE || revision >= "2026-07-28") {
					continue
				}
				t.Run(g.name+" "+transport+" "+revision, func(t *testing.T) {
					t.Parallel()
					command := g.command(t)
					target := []string{server, "-stdio"}
					switch transport {
					case "Streamable HTTP":
						target = []string{serveHTTP(t) + "/mcp"}
					case "HTTP+SSE":
						target = []string{serveHTTP(t) + "/sse"}
					}
					d := drive(t, command, revision, target...)
					var lacking lacks
					if g.lacks != nil {
						lacking = g.lacks(transport, revision)
					}
					exercise(t, d, d.received, revision, lacking)
				})
			}
		}
	}
}

// rmcp returns the command line of the program in the directory rust. It skips
// the test if make interop could not build it.
func rmcp(what string) func(*testing.T) []string {
	return func(t *testing.T) []string {
		t.Helper()
		program := filepath.Join(rustTarget(t), "debug", "rmcp-peers")
		if !isFile(program) {
			t.Skip("rmcp is not built: run make interop where cargo and its registry can be reached")
		}
		return []string{program, what}
	}
}

// rustTarget returns the directory in which interop/rust is built; see the run
// script.
func rustTarget(t *testing.T) string {
	t.Helper()
	if target := os.Getenv("INTEROP_RUST"); target != "" {
		return target
	}
	home, err := os.UserHomeDir()
	if err != nil {
		t.Skip("rmcp is built below the home directory, which is unknown; set INTEROP_RUST to the folder that it is built in:", err)
	}
	return filepath.Join(cmp.Or(os.Getenv("XDG_CACHE_HOME"), filepath.Join(home, ".cache")), "docent-interop", "rust")
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
