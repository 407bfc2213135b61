package auth_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/mcp/auth"
)

func TestPagesAreOpenedWithoutAShell(t *testing.T) {
	proves(t, "sec.oauth-url.no-shell", "sec.oauth-url.reject", "sec.oauth-url.schemes", "sec.oauth-url.platform-open")
	anyRevision(t)
	const page = "https://as.example.com/authorize?a=b&c=$(touch x)&d=%26calc"
	shells := []string{"sh", "bash", "cmd", "cmd.exe", "powershell", "pwsh"}
	for _, system := range []string{"linux", "darwin", "windows", "freebsd"} {
		name, args := auth.BrowserCommand(system, page)
		if slices.Contains(shells, name) || slices.Contains(args, "-c") || slices.Contains(args, "/c") {
			t.Errorf("%s: %s %q", system, name, args)
		}
		if n := len(args); n == 0 || args[n-1] != page || strings.Contains(strings.Join(args[:n-1], " "), page) {
			t.Errorf("%s: the page is not one argument: %q", system, args)
		}
	}
	for _, address := range []string{"javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "vbscript:x", "http://as.example.com/", "-a", "calc.exe", "\\\\host\\share", "ms-settings:x", ""} {
		if err := auth.OpenBrowser(t.Context(), address); err == nil {
			t.Errorf("%q is opened", address)
		}
	}
}
