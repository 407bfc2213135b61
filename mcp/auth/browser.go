package auth

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
)

// OpenBrowser opens the page for a sign-in, as OpenPage does. It also writes the URL to standard
// error, because the browser may not open. If it does not open, OpenBrowser returns no error.
func OpenBrowser(ctx context.Context, page string) error {
	u, err := endpoint(page)
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "To sign in, open this page in a browser on this machine:\n\n  %s\n\n", u)
	_ = OpenPage(ctx, page) // ignore the error, because the user can open the URL that was written
	return nil
}

// OpenPage opens a page in the user's browser, such as one that the user has agreed to visit (see
// mcp.ClientOptions.ElicitURL). It starts no shell and does not wait for the browser. The page's
// URL must use https or have a loopback host.
func OpenPage(ctx context.Context, page string) error {
	u, err := endpoint(page)
	if err != nil {
		return err
	}
	name, args := browserCommand(runtime.GOOS, u.String())
	cmd := exec.CommandContext(context.WithoutCancel(ctx), name, args...)
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() { _ = cmd.Wait() }()
	return nil
}

// browserCommand returns the program that opens pages on an operating system. The page is passed as
// one argument without a shell (security best practices: OAuth URL Validation).
func browserCommand(system, page string) (name string, args []string) {
	switch system {
	case "darwin":
		return "open", []string{page}
	case "windows":
		return "rundll32", []string{"url.dll,FileProtocolHandler", page}
	}
	return "xdg-open", []string{page}
}
