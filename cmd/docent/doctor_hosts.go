package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/environ"
	"github.com/docent-mcp/docent/internal/parallel"
	"github.com/docent-mcp/docent/internal/quote"
	"github.com/docent-mcp/docent/internal/setup"
	"github.com/docent-mcp/docent/mcp"
)

// hostTimeout is the time limit for a host's server to start and list its tools.
const hostTimeout = 20 * time.Second

// hostFacts reports, for each host on this machine, whether its entry for docent works and whether
// its rule is from this version of docent.
func hostFacts(ctx context.Context) []ecosystem.Fact {
	statuses := setup.Inspect(setup.Machine{OS: runtime.GOOS, Env: environ.Parse(nil)})
	facts := make([]ecosystem.Fact, len(statuses))
	parallel.Each(len(statuses), func(i int) { facts[i] = hostFact(ctx, &statuses[i]) })
	return facts
}

func hostFact(ctx context.Context, s *setup.Status) ecosystem.Fact {
	f := ecosystem.Fact{Name: s.Title, Value: "docent is not set up in " + s.Path}
	setUp := "docent setup --host " + s.Host
	switch {
	case s.Err != nil:
		f.Problem = s.Err.Error()
		return f
	case s.Command == nil:
		f.Value += "; to add it: " + setUp
		return f
	case s.Disabled:
		f.Value = "docent is disabled in " + s.Path
		return f
	}
	tools, err := listTools(ctx, s)
	if err != nil {
		f.Value = ""
		f.Problem = fmt.Sprintf("docent in %s does not start: %v; to fix this: %s", s.Path, err, setUp)
		return f
	}
	f.Value = fmt.Sprintf("docent in %s responds, with %s", s.Path, quote.Count(tools, "tool"))
	if s.Rule == "" {
		return f
	}
	f.Value += "; rule in " + s.Rule + " is " + s.RuleState
	if s.RuleState == "out of date" {
		f.Problem = "the rule is out of date; to update it: " + setUp
	}
	return f
}

// listTools starts the server of an entry and returns the number of its tools.
func listTools(ctx context.Context, s *setup.Status) (int, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, hostTimeout, errors.New("it did not respond in time"))
	defer cancel()
	c, err := mcp.Connect(ctx, &mcp.CommandTransport{Command: s.Command[0], Args: s.Command[1:], Env: s.Env}, &mcp.ClientOptions{
		Info:    mcp.Implementation{Name: "docent", Version: version(), Title: "Docent"},
		Timeout: hostTimeout,
		Logger:  discard,
	})
	if err != nil {
		return 0, err
	}
	defer c.Close()
	tools := 0
	for _, err := range c.Tools(ctx) {
		if err != nil {
			return 0, err
		}
		tools++
	}
	return tools, nil
}
