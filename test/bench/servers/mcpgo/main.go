// Command mcpgo is the compared server that uses mcp-go.
package main

import (
	"context"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/docent-mcp/docent/test/bench/side"
)

func main() {
	o := side.Parse()
	s := server.NewMCPServer("mcpgo", "1.0.0")
	s.AddTool(mcp.NewTool("echo", mcp.WithDescription(side.AboutEcho), mcp.WithInputSchema[side.EchoIn]()),
		mcp.NewTypedToolHandler(func(_ context.Context, _ mcp.CallToolRequest, in side.EchoIn) (*mcp.CallToolResult, error) {
			return mcp.NewToolResultText(in.Message), nil
		}))
	s.AddTool(mcp.NewTool("structured", mcp.WithDescription(side.AboutSum), mcp.WithInputSchema[side.SumIn](), mcp.WithOutputSchema[side.SumOut]()),
		mcp.NewStructuredToolHandler(func(_ context.Context, _ mcp.CallToolRequest, in side.SumIn) (side.SumOut, error) {
			return side.SumOut{Sum: in.A + in.B}, nil
		}))
	s.AddTool(mcp.NewTool("big", mcp.WithDescription(side.AboutBig), mcp.WithInputSchema[side.BigIn]()),
		mcp.NewTypedToolHandler(func(_ context.Context, _ mcp.CallToolRequest, in side.BigIn) (*mcp.CallToolResult, error) {
			return mcp.NewToolResultText(side.Big(in.KB)), nil
		}))
	for _, name := range side.Fillers(o.Tools) {
		s.AddTool(mcp.NewTool(name, mcp.WithDescription(side.AboutFill), mcp.WithInputSchema[side.FillIn]()),
			mcp.NewTypedToolHandler(func(context.Context, mcp.CallToolRequest, side.FillIn) (*mcp.CallToolResult, error) {
				return mcp.NewToolResultText("ok"), nil
			}))
	}
	if o.HTTP != "" {
		o.Serve(server.NewStreamableHTTPServer(s, server.WithStateLess(o.Stateless)))
	}
	side.Check(server.ServeStdio(s))
}
