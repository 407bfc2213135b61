// Command everything-client is the client that the official conformance suite tests. The suite
// starts it once for each scenario, with the URL of the suite's own server as an argument and the
// name of the scenario in the environment.
//
// It has no special knowledge of the servers, and negotiates the revision as every user of the
// library does.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: everything-client URL")
		os.Exit(2)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 25*time.Second)
	err := run(ctx, os.Getenv("MCP_CONFORMANCE_SCENARIO"), os.Args[len(os.Args)-1])
	cancel()
	if err != nil {
		fmt.Fprintln(os.Stderr, "everything-client:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, scenario, url string) error {
	play := scenarios[scenario]
	if strings.HasPrefix(scenario, "auth/") {
		play = calls(call{"test-tool", map[string]any{}})
	}
	if play == nil {
		return fmt.Errorf("unknown scenario %q", scenario)
	}
	signIn, extensions, err := authorizer(scenario)
	if err != nil {
		return err
	}
	c, err := mcp.Connect(ctx, &mcp.HTTPTransport{URL: url, Authorizer: signIn}, &mcp.ClientOptions{
		Extensions: extensions,
		Info:       mcp.Implementation{Name: "docent-everything-client", Version: "1.0.0"},
		Roots: func(context.Context) ([]mcp.Root, error) {
			return []mcp.Root{{URI: "file:///project", Name: "project"}}, nil
		},
		Sample:     sample,
		ElicitForm: fillIn,
	})
	if err != nil {
		return err
	}
	return errors.Join(play(ctx, c), c.Close())
}

func sample(context.Context, *mcp.Sampling) (*mcp.SamplingResult, error) {
	return &mcp.SamplingResult{Model: "test-model", Content: []mcp.Content{mcp.Text("This is a test response")}, StopReason: "endTurn"}, nil
}

// fillIn fills in a form. It accepts confirmations and uses the form's defaults for all other
// fields.
func fillIn(_ context.Context, e *mcp.Elicitation) (mcp.ElicitationResult, error) {
	content := json.RawMessage(`{}`)
	if e.Validate(content) != nil {
		content = json.RawMessage(`{"confirmed":true}`)
	}
	return mcp.ElicitationResult{Action: mcp.ActionAccept, Content: content}, nil
}

// scenarios maps the names of scenarios to the functions that run them.
var scenarios = map[string]func(ctx context.Context, c *mcp.Client) error{
	"initialize":                          listTools,
	"request-metadata":                    listTools,
	"json-schema-ref-no-deref":            listTools,
	"tools_call":                          calls(call{"add_numbers", map[string]any{"a": 5, "b": 3}}),
	"elicitation-sep1034-client-defaults": calls(call{"test_client_elicitation_defaults", nil}),
	"sse-retry":                           calls(call{"test_reconnection", nil}),
	"sep-2322-client-request-state": calls(call{"test_mrtr_echo_state", nil}, call{"test_mrtr_no_state", nil},
		call{"test_mrtr_unrelated", nil}, call{"test_mrtr_no_result_type", nil}),
	"json-schema-2020-12-preservation":   echoSchema,
	"http-standard-headers":              useOneOfEach,
	"http-custom-headers":                callAsTold,
	"http-invalid-tool-headers":          callAll,
	"sep-2640-client-no-prefetch":        onlyListSkills,
	"sep-2640-client-verify-digest":      useSkills,
	"sep-2640-client-verify-size":        useSkills,
	"sep-2640-client-verify-frontmatter": useSkills,
}

type call struct {
	Name      string         `json:"name"`
	Arguments map[string]any `json:"arguments"`
}

// tools lists all tools.
func tools(ctx context.Context, c *mcp.Client) ([]*mcp.Tool, error) {
	var all []*mcp.Tool
	for t, err := range c.Tools(ctx) {
		if err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	return all, nil
}

func listTools(ctx context.Context, c *mcp.Client) error {
	_, err := tools(ctx, c)
	return err
}

// calls returns a scenario that lists the tools and makes the given calls.
func calls(all ...call) func(ctx context.Context, c *mcp.Client) error {
	return func(ctx context.Context, c *mcp.Client) error {
		if err := listTools(ctx, c); err != nil {
			return err
		}
		for _, one := range all {
			var args any
			if one.Arguments != nil {
				args = one.Arguments
			}
			if _, err := c.CallTool(ctx, one.Name, args, nil); err != nil {
				return err
			}
		}
		return nil
	}
}

// echoSchema sends the schema of one tool back unchanged.
func echoSchema(ctx context.Context, c *mcp.Client) error {
	all, err := tools(ctx, c)
	if err != nil {
		return err
	}
	for _, t := range all {
		if t.Name == "json_schema_2020_12_tool" {
			_, err := c.CallTool(ctx, "json_schema_echo", map[string]any{"schema": t.InputSchema}, nil)
			return err
		}
	}
	return errors.New("the server does not offer json_schema_2020_12_tool")
}

// useOneOfEach calls a tool, reads a resource and gets a prompt.
func useOneOfEach(ctx context.Context, c *mcp.Client) error {
	all, err := tools(ctx, c)
	if err != nil {
		return err
	}
	if len(all) > 0 {
		if _, err := c.CallTool(ctx, all[0].Name, struct{}{}, nil); err != nil {
			return err
		}
	}
	for r, err := range c.Resources(ctx) {
		if err != nil {
			return err
		}
		if _, err := c.ReadResource(ctx, r.URI, nil); err != nil {
			return err
		}
		break
	}
	for p, err := range c.Prompts(ctx) {
		if err != nil {
			return err
		}
		if _, err := c.GetPrompt(ctx, p.Name, nil, nil); err != nil {
			return err
		}
		break
	}
	return nil
}

// callAsTold makes the calls that the suite specifies in an environment variable.
func callAsTold(ctx context.Context, c *mcp.Client) error {
	var instructions struct {
		ToolCalls []struct {
			Name      string          `json:"name"`
			Arguments json.RawMessage `json:"arguments"`
		} `json:"toolCalls"`
	}
	if err := json.Unmarshal([]byte(os.Getenv("MCP_CONFORMANCE_CONTEXT")), &instructions); err != nil {
		return fmt.Errorf("MCP_CONFORMANCE_CONTEXT: %w", err)
	}
	if err := listTools(ctx, c); err != nil {
		return err
	}
	for _, one := range instructions.ToolCalls {
		if _, err := c.CallTool(ctx, one.Name, one.Arguments, nil); err != nil {
			return err
		}
	}
	return nil
}

// callAll calls every tool that the library lists.
func callAll(ctx context.Context, c *mcp.Client) error {
	all, err := tools(ctx, c)
	if err != nil {
		return err
	}
	for _, t := range all {
		if _, err := c.CallTool(ctx, t.Name, map[string]any{"region": "us-west1"}, nil); err != nil {
			return err
		}
	}
	return nil
}
