// Command gosdk is the server of the public comparison that uses the official Go SDK.
package main

import (
	"context"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/docent-mcp/docent/test/bench/public/work"
)

func tool[In, Out any](s *mcp.Server, name, description string, f func(context.Context, In) (Out, error)) {
	mcp.AddTool(s, &mcp.Tool{Name: name, Description: description},
		func(ctx context.Context, _ *mcp.CallToolRequest, in In) (*mcp.CallToolResult, Out, error) {
			out, err := f(ctx, in)
			return nil, out, err
		})
}

func main() {
	shop := work.Open()
	s := mcp.NewServer(&mcp.Implementation{Name: "gosdk", Version: "1.0.0"}, nil)
	tool(s, "search_products", work.AboutSearch, shop.Search)
	tool(s, "get_user_cart", work.AboutCart, shop.Cart)
	tool(s, "checkout", work.AboutCheckout, shop.Checkout)
	shop.Serve(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s },
		&mcp.StreamableHTTPOptions{Stateless: !shop.Sessions, JSONResponse: true}))
}
