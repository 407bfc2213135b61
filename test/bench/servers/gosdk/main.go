// Command gosdk is the compared server that uses the official Go SDK.
package main

import (
	"context"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/docent-mcp/docent/test/bench/side"
)

func text(s string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: s}}}
}

func main() {
	o := side.Parse()
	s := mcp.NewServer(&mcp.Implementation{Name: "gosdk", Version: "1.0.0"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: "echo", Description: side.AboutEcho},
		func(_ context.Context, _ *mcp.CallToolRequest, in side.EchoIn) (*mcp.CallToolResult, any, error) {
			return text(in.Message), nil, nil
		})
	mcp.AddTool(s, &mcp.Tool{Name: "structured", Description: side.AboutSum},
		func(_ context.Context, _ *mcp.CallToolRequest, in side.SumIn) (*mcp.CallToolResult, side.SumOut, error) {
			return nil, side.SumOut{Sum: in.A + in.B}, nil
		})
	mcp.AddTool(s, &mcp.Tool{Name: "big", Description: side.AboutBig},
		func(_ context.Context, _ *mcp.CallToolRequest, in side.BigIn) (*mcp.CallToolResult, any, error) {
			return text(side.Big(in.KB)), nil, nil
		})
	for _, name := range side.Fillers(o.Tools) {
		mcp.AddTool(s, &mcp.Tool{Name: name, Description: side.AboutFill},
			func(context.Context, *mcp.CallToolRequest, side.FillIn) (*mcp.CallToolResult, any, error) {
				return text("ok"), nil, nil
			})
	}
	if o.HTTP != "" {
		o.Serve(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s },
			&mcp.StreamableHTTPOptions{Stateless: o.Stateless}))
	}
	side.Check(s.Run(context.Background(), &mcp.StdioTransport{}))
}
