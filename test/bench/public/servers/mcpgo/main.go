// Command mcpgo is the server of the public comparison that uses mcp-go.
package main

import (
	"context"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/docent-mcp/docent/test/bench/public/work"
)

func tool[In, Out any](s *server.MCPServer, name, description string, f func(context.Context, In) (Out, error)) {
	s.AddTool(mcp.NewTool(name, mcp.WithDescription(description), mcp.WithInputSchema[In](), mcp.WithOutputSchema[Out]()),
		mcp.NewStructuredToolHandler(func(ctx context.Context, _ mcp.CallToolRequest, in In) (Out, error) { return f(ctx, in) }))
}

func main() {
	shop := work.Open()
	s := server.NewMCPServer("mcpgo", "1.0.0")
	tool(s, "search_products", work.AboutSearch, shop.Search)
	tool(s, "get_user_cart", work.AboutCart, shop.Cart)
	tool(s, "checkout", work.AboutCheckout, shop.Checkout)
	shop.Serve(server.NewStreamableHTTPServer(s, server.WithStateLess(!shop.Sessions)))
}
