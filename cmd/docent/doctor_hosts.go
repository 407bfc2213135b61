package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"slices"
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

// hostFacts reports, for each host on this machine, whether its entry for docent works, whether its
// rule is from this version of docent, and which program its hook runs.
func hostFacts(ctx context.Context) []ecosystem.Fact {
	statuses := setup.Inspect(setup.Machine{OS: runtime.GOOS, Env: environ.Parse(nil)})
	facts := make([][]ecosystem.Fact, len(statuses))
	parallel.Each(len(statuses), func(i int) {
		s := &statuses[i]
		facts[i] = append(facts[i], serverFact(ctx, s))
		if s.Rule != "" {
			facts[i] = append(facts[i], ruleFact(s))
		}
		if s.Hook != "" {
			facts[i] = append(facts[i], hookFact(s))
		}
	})
	return slices.Concat(facts...)
}

func serverFact(ctx context.Context, s *setup.Status) ecosystem.Fact {
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
	return f
}

func ruleFact(s *setup.Status) ecosystem.Fact {
	f := ecosystem.Fact{Name: "its rule", Value: s.RuleState + ", in " + s.Rule}
	if s.RuleState == "out of date" {
		f.Problem = "the rule is out of date; to update it: docent setup --host " + s.Host
	}
	return f
}

func hookFact(s *setup.Status) ecosystem.Fact {
	setUp := "docent setup --hooks --host " + s.Host
	f := ecosystem.Fact{Name: "its hook", Value: s.HookCommand + ", in " + s.Hook}
	switch {
	case s.HookErr != nil:
		f.Value = ""
		f.Problem = s.HookErr.Error()
	case s.HookCommand == "":
		f.Value = "missing, in " + s.Hook + "; to add it: " + setUp
	case s.HookProgram != "":
		if _, err := exec.LookPath(s.HookProgram); err != nil {
			f.Problem = fmt.Sprintf("the hook cannot run: %v; to fix this: %s", quote.Error(err), setUp)
		}
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
