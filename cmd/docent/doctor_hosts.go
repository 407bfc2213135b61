package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/environ"
	"github.com/docent-mcp/docent/internal/parallel"
	"github.com/docent-mcp/docent/internal/quote"
	"github.com/docent-mcp/docent/internal/rootfs"
	"github.com/docent-mcp/docent/internal/setup"
	"github.com/docent-mcp/docent/mcp"
)

// maxHook is the maximum size in bytes of the command line of a hook that is shown.
const maxHook = 400

// hostTimeout is the time limit for a host's server to start and list its tools.
const hostTimeout = 20 * time.Second

// hostFacts reports, for each host on this machine, whether its entry for docent works, whether its
// rule is from this version of docent, and which program its hook runs.
func hostFacts(ctx context.Context) []ecosystem.Fact {
	statuses := setup.Inspect(setup.Machine{OS: runtime.GOOS, Env: environ.Parse(nil)}, "")
	facts := make([][]ecosystem.Fact, len(statuses))
	parallel.Each(len(statuses), func(i int) {
		s := &statuses[i]
		facts[i] = append([]ecosystem.Fact{serverFact(ctx, s)}, fileFacts(s, "docent setup --host "+s.Host)...)
	})
	return slices.Concat(facts...)
}

// projectHostFacts is like hostFacts for the files that docent setup writes to a project, which are those in a directory or in the
// root of its repository. It does not start the servers in these files, which may come from other people.
func projectHostFacts(project string) (facts []ecosystem.Fact) {
	project, err := projectDir(project)
	if err != nil {
		return nil
	}
	m := setup.Machine{OS: runtime.GOOS, Env: environ.Parse(nil)}
	home, _ := os.UserHomeDir()
	for _, dir := range slices.Compact([]string{project, cmp.Or(rootfs.RepositoryOf(project), project)}) {
		if dir == filepath.Clean(home) {
			continue // these files are the user's
		}
		statuses := setup.Inspect(m, dir)
		for i := range statuses {
			s := &statuses[i]
			setUp := "docent setup --host " + s.Host + " --project " + dir
			if s.Path != "" {
				facts = append(facts, projectServerFact(s, setUp))
			}
			facts = append(facts, fileFacts(s, setUp)...)
		}
	}
	return facts
}

func projectServerFact(s *setup.Status, setUp string) ecosystem.Fact {
	f := ecosystem.Fact{Name: s.Title + " in the project", Value: "docent is set up in " + s.Path}
	switch {
	case s.Err != nil:
		f.Value, f.Problem = "", s.Err.Error()
	case s.Command == nil:
		f.Value = "docent is not set up in " + s.Path + "; to add it: " + setUp
	case s.Disabled:
		f.Value = "docent is disabled in " + s.Path
	default:
		if _, err := exec.LookPath(s.Command[0]); err != nil {
			f.Value, f.Problem = "", fmt.Sprintf("docent in %s cannot start: %v; to fix this: %s", s.Path, quote.Error(err), setUp)
		}
	}
	return f
}

// fileFacts reports the rule and the hook of a host. setUp is the command that writes them.
func fileFacts(s *setup.Status, setUp string) (facts []ecosystem.Fact) {
	if s.Rule != "" {
		facts = append(facts, ruleFact(s, setUp))
	}
	if s.Hook != "" {
		facts = append(facts, hookFact(s, setUp+" --hooks"))
	}
	return facts
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

func ruleFact(s *setup.Status, setUp string) ecosystem.Fact {
	f := ecosystem.Fact{Name: "its rule", Value: s.RuleState + ", in " + s.Rule}
	if s.RuleState == "out of date" {
		f.Problem = "the rule is out of date; to update it: " + setUp
	}
	return f
}

func hookFact(s *setup.Status, setUp string) ecosystem.Fact {
	f := ecosystem.Fact{Name: "its hook", Value: quote.Line(s.HookCommand, maxHook) + ", in " + s.Hook}
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
