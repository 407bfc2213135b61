// Package side contains the code that the compared servers share: the command line and the types of
// the tools.
//
//	SERVER [-tools N] [-stateless] stdio
//	SERVER [-tools N] [-stateless] http ADDR    (MCP at http://ADDR/mcp)
package side

import (
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
)

// Options contains the options on the command line.
type Options struct {
	Tools     int  // total number of tools
	Stateless bool // whether to serve only revision 2026-07-28, for libraries with an option for this
	HTTP      string
}

// Parse parses the command line. It exits on an error.
func Parse() *Options {
	o := new(Options)
	flag.IntVar(&o.Tools, "tools", 3, "how many tools to offer: echo, structured, big and fillers")
	flag.BoolVar(&o.Stateless, "stateless", false, "HTTP: serve 2026-07-28 without sessions")
	flag.Parse()
	switch {
	case flag.Arg(0) == "http" && flag.Arg(1) != "":
		o.HTTP = flag.Arg(1)
	case flag.Arg(0) != "stdio":
		fmt.Fprintln(os.Stderr, "usage: [-tools N] [-stateless] stdio | http ADDR")
		os.Exit(2)
	}
	return o
}

// Serve serves h at /mcp until the process is interrupted.
func (o *Options) Serve(h http.Handler) {
	term := make(chan os.Signal, 1)
	signal.Notify(term, syscall.SIGTERM, os.Interrupt)
	go func() {
		<-term
		os.Exit(0)
	}()
	mux := http.NewServeMux()
	mux.Handle("/mcp", h)
	Check(http.ListenAndServe(o.HTTP, mux))
}

// Check exits on an error.
func Check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

type (
	// EchoIn are the arguments of echo.
	EchoIn struct {
		Message string `json:"message" jsonschema:"the text to send back"`
	}
	// SumIn are the arguments of structured.
	SumIn struct {
		A int `json:"a" jsonschema:"first addend"`
		B int `json:"b" jsonschema:"second addend"`
	}
	// SumOut is the result of structured.
	SumOut struct {
		Sum int `json:"sum" jsonschema:"a plus b"`
	}
	// BigIn are the arguments of big.
	BigIn struct {
		KB int `json:"kb" jsonschema:"KiB of text to return"`
	}
	// FillIn are the arguments of the tools that fill up a list.
	FillIn struct {
		Path      string   `json:"path" jsonschema:"file or folder to work on"`
		Recursive bool     `json:"recursive,omitempty" jsonschema:"descend into folders"`
		Limit     int      `json:"limit,omitempty" jsonschema:"most entries to return"`
		Tags      []string `json:"tags,omitempty" jsonschema:"only entries with these tags"`
	}
)

var text = sync.OnceValue(func() string {
	line := strings.Repeat("abcdefghij", 8)[:79] + "\n"
	return strings.Repeat(line, 2<<20/80+1)
})

// Big returns kb KiB of text without allocating memory, at most 2 MiB.
func Big(kb int) string { return text()[:min(max(kb, 0)<<10, 2<<20)] }

// Fillers returns the names of additional tools, so that there are n tools together with echo,
// structured and big.
func Fillers(n int) []string {
	var names []string
	for i := 3; i < n; i++ {
		names = append(names, fmt.Sprintf("tool_%03d", i))
	}
	return names
}

// Descriptions of the tools.
const (
	AboutEcho = "Sends the message back"
	AboutSum  = "Adds two integers"
	AboutBig  = "Returns that many KiB of text"
	AboutFill = "Filler tool that looks at files below a path"
)
