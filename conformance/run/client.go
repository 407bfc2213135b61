package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
)

// A clientPass is the scenarios of one revision for everything-client, each in a
// process of its own. The scenarios about authorization are not among them.
type clientPass struct {
	name, revision string
	scenarios      []string
}

var clientPasses = []clientPass{
	{"client of 2025-06-18", "2025-06-18", []string{"initialize", "tools_call"}},
	{"client of 2025-11-25", "2025-11-25", []string{"initialize", "tools_call", "elicitation-sep1034-client-defaults", "sse-retry",
		"json-schema-2020-12-preservation"}},
	{"client of 2026-07-28", "2026-07-28", []string{"tools_call", "request-metadata", "sep-2322-client-request-state", "http-standard-headers",
		"http-custom-headers", "http-invalid-tool-headers", "json-schema-ref-no-deref", "json-schema-2020-12-preservation"}},
}

// buildClient builds the client and returns its path, which has no spaces.
func buildClient(ctx context.Context, work string) (string, error) {
	client := filepath.Join(work, "everything-client")
	build := exec.CommandContext(ctx, "go", "build", "-o", client, "./conformance/everything-client")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building the client: %w\n%s", err, out)
	}
	return client, nil
}

// run runs the scenarios one after the other.
func (p *clientPass) run(ctx context.Context, node, client, out string) (*report, error) {
	r := new(report)
	for _, scenario := range p.scenarios {
		folder := filepath.Join(out, scenario)
		cmd := exec.CommandContext(ctx, node, "conformance/node_modules/@modelcontextprotocol/conformance/dist/index.js", "client",
			"--command", client, "--scenario", scenario, "--spec-version", p.revision, "-o", folder)
		log, err := cmd.CombinedOutput()
		if _, failed := errors.AsType[*exec.ExitError](err); err != nil && !failed {
			return nil, err
		}
		if err != nil {
			r.problems = append(r.problems, fmt.Sprintf("%s: the suite failed: %s", scenario, lastLines(string(log), 3)))
		}
		files, _ := filepath.Glob(filepath.Join(folder, "*", "checks.json"))
		if len(files) != 1 {
			r.problems = append(r.problems, fmt.Sprintf("%s: %d reports: %s", scenario, len(files), strings.Join(files, " ")))
		}
		for _, file := range files {
			if err := r.read(file); err != nil {
				return nil, err
			}
		}
	}
	return r, nil
}
