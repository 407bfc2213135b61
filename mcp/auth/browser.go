package auth

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
)

// OpenBrowser opens a page in the user's browser. It also writes the URL to standard error, in case
// the browser does not open. It does not start a shell. The page's URL must use https, or a
// loopback host.
func OpenBrowser(ctx context.Context, page string) error {
	u, err := endpoint(page)
	if err != nil {
		return err
	}
	page = u.String()
	fmt.Fprintf(os.Stderr, "To sign in, open this page in a browser on this machine:\n\n  %s\n\n", page)
	name, args := browserCommand(runtime.GOOS, page)
	cmd := exec.CommandContext(context.WithoutCancel(ctx), name, args...)
	if cmd.Start() == nil {
		go func() { _ = cmd.Wait() }()
	}
	return nil
}

// browserCommand returns the program that opens pages on an operating system.
// The page is one argument, which no shell reads (security best practices:
// OAuth URL Validation).
func browserCommand(system, page string) (name string, args []string) {
	switch system {
	case "darwin":
		return "open", []string{page}
	case "windows":
		return "rundll32", []string{"url.dll,FileProtocolHandler", page}
	}
	return "xdg-open", []string{page}
}
