package host_test

import (
	"context"
	"fmt"
	"log"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/host"
)

func Example() {
	servers, err := host.ParseConfig([]byte(`{"mcpServers": {
		"files": {"command": "files-server", "args": ["--root", "${ROOT}"]},
		"issues": {"url": "https://mcp.example.com/mcp", "disabled": true}
	}}`))
	if err != nil {
		log.Fatal(err)
	}
	h := host.New(nil)
	for _, config := range servers {
		// No variable is set, so this server is broken. The other servers are not affected.
		if err := h.AddConfig(config, func(string) (string, bool) { return "", false }); err != nil {
			log.Fatal(err)
		}
	}
	greeter := mcp.NewServer(mcp.Implementation{Name: "greeter", Version: "1.0"}, nil)
	type input struct {
		Name string `json:"name"`
	}
	if err := mcp.AddTool(greeter, mcp.Tool{Name: "greet"}, func(_ context.Context, _ *mcp.Request, in input) (string, error) {
		return "Hello, " + in.Name, nil
	}); err != nil {
		log.Fatal(err)
	}
	if err := h.Add("greeter", &mcp.ServerTransport{Server: greeter}); err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	if err := h.Ready(ctx); err != nil {
		log.Fatal(err)
	}
	for _, s := range h.Servers() {
		fmt.Println(s.Name, s.State, s.Err)
	}
	for _, tool := range h.Tools() {
		fmt.Println(tool.Name)
	}
	res, err := h.CallTool(ctx, "greeter__greet", input{"Ada"}, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.Content[0].(*mcp.TextContent).Text)
	if err := h.Close(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// files broken the configuration of server "files" uses variables that are not set: ROOT
	// greeter connected <nil>
	// greeter__greet
	// Hello, Ada
}
