// Docent shows the documentation of packages at the version that a project
// uses, on the command line and to coding agents over the Model Context
// Protocol.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	delayGC()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends a command that does not react to the first one
	code := run(ctx, os.Args[1:], streams{
		in: os.Stdin, out: os.Stdout, err: os.Stderr,
		inTerminal: isTerminal(os.Stdin), outTerminal: isTerminal(os.Stdout), errTerminal: isTerminal(os.Stderr),
	}, languages)
	stop()
	os.Exit(code)
}
