package main

import (
	"bufio"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/check/apart"
)

// TestMain allows tests to start the test binary as docent-team.
func TestMain(m *testing.M) {
	if address := os.Getenv(replicaVariable); address != "" && !slices.Equal(os.Args[1:], []string{apart.Command}) {
		go serveProbe(address)
	}
	if os.Getenv("DOCENT_TEST_RUN") == "1" || slices.Equal(os.Args[1:], []string{apart.Command}) {
		main()
	}
	os.Exit(m.Run())
}

// program returns a docent-team command with its own cache and without network access.
func program(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], args...)
	cmd.Env = append(os.Environ(), "DOCENT_TEST_RUN=1", "DOCENT_OFFLINE=1", "DOCENT_CACHE="+t.TempDir())
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	return cmd
}

var listening = regexp.MustCompile(`listening on (https?://\S+)/mcp`)

// serve starts the command and returns the URL of the server and the lines that it logs. The server
// ends with the test, which fails if the command fails.
func serve(t *testing.T, cmd *exec.Cmd) (url string) {
	t.Helper()
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(stderr)
	var log strings.Builder
	for url == "" && lines.Scan() {
		log.WriteString(lines.Text() + "\n")
		if match := listening.FindStringSubmatch(lines.Text()); match != nil {
			url = match[1]
		}
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		_, _ = io.Copy(&log, stderr)
		if t.Failed() {
			t.Logf("the log of the server: %s", log.String())
		}
		if err := cmd.Wait(); err != nil && t.Context().Err() == nil {
			t.Errorf("docent-team: %v\n%s", err, log.String())
		}
	})
	if url == "" {
		t.Fatalf("the server has not started:\n%s", log.String())
	}
	return url
}

func TestServe_AnswersFromTheConfiguration(t *testing.T) {
	file := filepath.Join(t.TempDir(), "docent.toml")
	if err := os.WriteFile(file, []byte("http = \"127.0.0.1:0\"\nstateless = true\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	url := serve(t, program(t, "--config", file))
	response, err := http.Get(url + "/readyz")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		t.Errorf("/readyz: %s", response.Status)
	}
}

func TestRun_NeedsAnAddress(t *testing.T) {
	out, err := program(t).CombinedOutput()
	exit, ok := errors.AsType[*exec.ExitError](err)
	if !ok || exit.ExitCode() != 2 || !strings.Contains(string(out), "--http") {
		t.Errorf("%v: %s", err, out)
	}
}

func TestConfig_Check(t *testing.T) {
	checkConfigs(t, "", map[string]string{
		"http = \"127.0.0.1:0\"":  "is valid: 1 settings",
		"http = \"0.0.0.0:8443\"": "needs authentication",
		"htp = \"x\"":             `no setting "htp"`,
	})
}

// checkConfigs expects the values of want in the output for the configuration files that consist of
// start and a key of want. The output must not contain the password hush.
func checkConfigs(t *testing.T, start string, want map[string]string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "docent.toml")
	for text, want := range want {
		if err := os.WriteFile(file, []byte(start+text), 0o600); err != nil {
			t.Fatal(err)
		}
		out, _ := program(t, "config", "check", file).CombinedOutput()
		if !strings.Contains(string(out), want) || strings.Contains(string(out), "hush") {
			t.Errorf("%s: %s, want %q", text, out, want)
		}
	}
}
