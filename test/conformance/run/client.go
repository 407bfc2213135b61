package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A clientPass is a run of the suite with everything-client.
type clientPass struct {
	name string
	args []string
	// scenarios are run one at a time with the revision, so that the suite also checks the exit
	// code. If there are none, args select the scenarios, which then run in parallel.
	scenarios []string
	number    int
}

var clientPasses = []clientPass{
	{"client of 2025-03-26", []string{"--spec-version", "2025-03-26"}, []string{"auth/2025-03-26-oauth-metadata-backcompat",
		"auth/2025-03-26-oauth-endpoint-fallback"}, 2},
	{"client of 2025-06-18", []string{"--spec-version", "2025-06-18"}, []string{"initialize", "tools_call", "auth/token-endpoint-auth-basic",
		"auth/token-endpoint-auth-post", "auth/token-endpoint-auth-none"}, 5},
	{"client of 2025-11-25", []string{"--spec-version", "2025-11-25"}, []string{"initialize", "tools_call", "elicitation-sep1034-client-defaults", "sse-retry",
		"json-schema-2020-12-preservation", "auth/metadata-default", "auth/metadata-var1", "auth/metadata-var2", "auth/metadata-var3", "auth/basic-cimd",
		"auth/scope-step-up", "auth/pre-registration"}, 12},
	{"client of 2026-07-28", []string{"--spec-version", "2026-07-28"}, []string{"tools_call", "request-metadata", "sep-2322-client-request-state",
		"http-standard-headers", "http-custom-headers", "http-invalid-tool-headers", "json-schema-ref-no-deref", "json-schema-2020-12-preservation",
		"auth/metadata-default", "auth/basic-cimd", "auth/scope-step-up", "auth/authorization-server-migration", "auth/iss-supported",
		"auth/iss-not-advertised", "auth/offline-access-scope", "auth/offline-access-not-supported"}, 16},
	{"client, extensions", nil, []string{"auth/client-credentials-jwt", "auth/client-credentials-basic", "auth/enterprise-managed-authorization",
		"auth/dpop", "auth/dpop-nonce", "auth/wif-jwt-bearer", "sep-2640-client-no-prefetch"}, 7},
	{"client, required of 2025-11-25", []string{"--requirements", "2025-11-25"}, nil, 25},
	{"client, required of 2026-07-28", []string{"--requirements", "2026-07-28"}, nil, 39},
	{"client, all with extensions", []string{"--suite", "all"}, nil, 48},
}

// buildClient builds the client and returns its path, which contains no spaces.
func buildClient(ctx context.Context, work string) (string, error) {
	client := filepath.Join(work, "everything-client")
	build := exec.CommandContext(ctx, "go", "build", "-o", client, "./test/conformance/everything-client")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building the client: %w\n%s", err, out)
	}
	return client, nil
}

// run runs the suite and reads its reports.
func (p *clientPass) run(ctx context.Context, node, client, out string) (*report, error) {
	r := new(report)
	if len(p.scenarios) == 0 {
		if err := p.suite(ctx, node, client, out, r); err != nil {
			return nil, err
		}
	}
	for _, scenario := range p.scenarios {
		if err := p.suite(ctx, node, client, filepath.Join(out, filepath.Base(scenario)), r, "--scenario", scenario); err != nil {
			return nil, err
		}
	}
	if r.scenarios != p.number {
		r.problems = append(r.problems, fmt.Sprintf("%d scenarios were run, not %d", r.scenarios, p.number))
	}
	return r, nil
}

// suite runs the suite once, with additional arguments.
func (p *clientPass) suite(ctx context.Context, node, client, out string, r *report, further ...string) error {
	args := []string{"test/conformance/node_modules/@modelcontextprotocol/conformance/dist/index.js", "client", "--command", client, "-o", out}
	cmd := exec.CommandContext(ctx, node, slices.Concat(args, p.args, further)...)
	log, err := cmd.CombinedOutput()
	if _, failed := errors.AsType[*exec.ExitError](err); err != nil && !failed {
		return err
	}
	if err != nil {
		r.problems = append(r.problems, fmt.Sprintf("%s: the suite failed: %s", strings.Join(further, " "), lastLines(string(log), 3)))
	}
	return filepath.WalkDir(out, func(path string, _ fs.DirEntry, err error) error {
		if err == nil && filepath.Base(path) == "checks.json" {
			err = r.read(path)
		}
		return err
	})
}
