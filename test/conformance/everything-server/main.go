// Command everything-server is a server with all features that the official conformance suite
// tests, in every revision of the protocol, at one path.
//
//	everything-server -http 127.0.0.1:8080    MCP at /mcp
//	everything-server -stdio
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/docent-mcp/docent/mcp"
)

func main() {
	addr := flag.String("http", "", "serve HTTP on this address, MCP at /mcp")
	stdio := flag.Bool("stdio", false, "serve standard input and output")
	flag.Parse()
	if err := run(*addr, *stdio); err != nil {
		fmt.Fprintln(os.Stderr, "everything-server:", err)
		os.Exit(1)
	}
}

func run(addr string, stdio bool) error {
	s, err := newServer()
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	go watch(ctx, s)
	switch {
	case stdio:
		return s.ServeStdio(ctx)
	case addr != "":
		if err := s.ListenAndServe(ctx, addr, nil); !errors.Is(err, context.Canceled) {
			return err
		}
		return nil
	}
	return errors.New("specify -http ADDR or -stdio")
}

// newServer returns the server with all its tools, prompts and resources.
func newServer() (*mcp.Server, error) {
	s := mcp.NewServer(mcp.Implementation{
		Name:    "everything-server",
		Title:   "Everything",
		Version: "1.0.0",
	}, &mcp.ServerOptions{
		Instructions: "This server offers one of everything, for tests of clients and of the protocol.",
		Capabilities: mcp.ServerCapabilities{Logging: true},
	})
	return s, errors.Join(
		addContentTools(s),
		addInteractiveTools(s),
		addInputRequiredTools(s),
		addTaskTools(s),
		addChangingThings(s),
		addResources(s),
		addPrompts(s),
		addSkills(s),
	)
}
