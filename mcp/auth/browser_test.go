package auth_test

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/mcp/auth"
)

func TestPagesAreOpenedWithoutAShell(t *testing.T) {
	proves(t, "sec.oauth-url.no-shell", "sec.oauth-url.reject", "sec.oauth-url.schemes", "sec.oauth-url.platform-open")
	anyRevision(t)
	shells := []string{"sh", "bash", "cmd", "cmd.exe", "powershell", "pwsh"}
	for _, system := range []string{"linux", "darwin", "windows", "freebsd", "netbsd", "openbsd", "dragonfly", "solaris", "illumos", "aix", "android", "ios", "plan9", "js", ""} {
		for _, page := range []string{"https://as.example.com/authorize?a=b&c=$(touch x)&d=%26calc", "https://as.example.com/authorize", "http://127.0.0.1:8080/"} {
			name, args := auth.BrowserCommand(system, page)
			if slices.Contains(shells, name) || slices.Contains(args, "-c") || slices.Contains(args, "/c") {
				t.Errorf("%s: %s %q", system, name, args)
			}
			if n := len(args); n == 0 || args[n-1] != page || strings.Contains(strings.Join(args[:n-1], " "), page) {
				t.Errorf("%s: the page is not one argument: %q", system, args)
			}
		}
	}
	for _, address := range []string{"javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "file://as.example.com/x", "javascript://as.example.com/%0aalert(1)", "data://as.example.com/x", "vbscript://as.example.com/x", "smb://as.example.com/x", "vbscript:x", "http://as.example.com/", "http://as.example.localhost/", "http://0.0.0.0/", "http://10.0.0.1/", "view-source:https://as.example.com/", "-a", "calc.exe", "\\\\host\\share", "ms-settings:x", ""} {
		if err := auth.OpenBrowser(t.Context(), address); err == nil {
			t.Errorf("%q is opened", address)
		}
	}
}

// TestTheBrowserGetsThePageAsOneArgument replaces the system's opener with a test program that
// reports its arguments and its parent process.
func TestTheBrowserGetsThePageAsOneArgument(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux opens pages with xdg-open, which this test replaces, and has /proc, which it reads; to run it, use Linux")
	}
	proves(t, "sec.oauth-url.no-shell", "sec.oauth-url.platform-open")
	anyRevision(t)
	dir := t.TempDir()
	self, err := os.Executable()
	must(t, err)
	must(t, os.Symlink(self, filepath.Join(dir, "xdg-open")))
	short, err := os.MkdirTemp("", "told") //nolint:usetesting // a path that is short enough for a socket
	must(t, err)
	defer os.RemoveAll(short)
	listener, err := net.Listen("unix", filepath.Join(short, "s"))
	must(t, err)
	defer listener.Close()
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv("TEST_OPENER", listener.Addr().String())
	for _, page := range []string{"https://as.example.com/authorize?a=b&c=$(touch+x)&d=%26calc;e='%22", "http://127.0.0.1:8080/?x=|y", "https://as.example.com/-a?`x`"} {
		must(t, auth.OpenBrowser(t.Context(), page))
		conn, err := listener.Accept()
		must(t, err)
		text, err := io.ReadAll(conn)
		must(t, err)
		if want := fmt.Sprintf("%d %q", os.Getpid(), []string{page}); string(text) != want {
			t.Errorf("%s: the opener was started by %s, want %s", page, text, want)
		}
	}
}

// opener acts as xdg-open. It reports to a test that listens at address.
func opener(address string) error {
	conn, err := net.Dial("unix", address)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(conn, "%d %q", os.Getppid(), os.Args[1:])
	return errors.Join(err, conn.Close())
}
