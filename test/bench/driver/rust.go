package main

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// buildRust builds the program with rmcp's server and client in the directory that the interop
// tests use. It returns the program's path.
func buildRust() (string, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return "", err
	}
	target := cmp.Or(os.Getenv("INTEROP_RUST"), filepath.Join(cmp.Or(os.Getenv("XDG_CACHE_HOME"), filepath.Join(home, ".cache")), "docent-interop", "rust"))
	cmd := exec.Command("cargo", "build", "-q", "--release", "--locked")
	cmd.Dir = filepath.Join("..", "interop", "rust")
	cmd.Env = append(os.Environ(), "CARGO_TARGET_DIR="+target)
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("cargo build: %w\n%s", err, out)
	}
	return filepath.Join(target, "release", "rmcp-peers"), nil
}

// addRust adds the client of rmcp, connected to the server, if it could be built.
func addRust(callers []caller, rust string, server ...string) ([]caller, error) {
	if rust == "" {
		return callers, nil
	}
	cmd := exec.Command(rust, slices.Concat([]string{"measure", "2025-11-25"}, server)...)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return callers, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return callers, err
	}
	if err := cmd.Start(); err != nil {
		return callers, err
	}
	lines := bufio.NewReader(out)
	expect := func(want string) error {
		if line, err := lines.ReadString('\n'); strings.TrimSpace(line) != want {
			return fmt.Errorf("it wrote %q, not %q: %w", line, want, cmp.Or(err, errEnded))
		}
		return nil
	}
	c := caller{
		name: "rmcp",
		makes: func(n, inFlight int) error {
			if _, err := fmt.Fprintln(in, n, inFlight); err != nil {
				return err
			}
			return expect("done")
		},
		close: func() error {
			err := in.Close()
			_, _ = io.Copy(io.Discard, lines)
			return cmp.Or(err, cmd.Wait())
		},
	}
	return append(callers, c), expect("connected")
}
