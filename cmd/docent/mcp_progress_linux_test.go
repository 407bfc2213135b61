package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestMCPProgress_OfConnecting connects to a server that never answers.
func TestMCPProgress_OfConnecting(t *testing.T) {
	master, terminal := newPTY(t)
	cmd := exec.CommandContext(t.Context(), os.Args[0], "mcp", "tools", "--timeout", "30s", "--", "sh", "-c", "cat > "+os.DevNull)
	cmd.Env = append(os.Environ(), "DOCENT_TEST_RUN=1", "CI=", "TERM=xterm-256color", "HOME="+t.TempDir())
	cmd.Stdout, cmd.Stderr = terminal, terminal
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	terminal.Close() // so that reading ends when the process ends
	var shown strings.Builder
	var b [4096]byte
	for {
		n, err := master.Read(b[:])
		shown.Write(b[:n])
		if strings.Contains(shown.String(), "\rConnecting to the server · ") {
			break
		}
		if err != nil { // the process has ended
			t.Errorf("no progress is shown: %q", shown.String())
			break
		}
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait() // the error is ignored, because the process was killed
}
