// Command ours is the server of the public comparison that uses package mcp.
package main

import (
	"context"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/test/bench/public/work"
)

func main() {
	shop := work.Open()
	s := mcp.NewServer(mcp.Implementation{Name: "ours", Version: "1.0.0"}, nil)
	work.Check(mcp.AddTool(s, mcp.Tool{Name: "search_products", Description: work.AboutSearch},
		func(ctx context.Context, _ *mcp.Request, in work.SearchIn) (work.SearchOut, error) {
			return shop.Search(ctx, in)
		}))
	work.Check(mcp.AddTool(s, mcp.Tool{Name: "get_user_cart", Description: work.AboutCart},
		func(ctx context.Context, _ *mcp.Request, in work.CartIn) (work.CartOut, error) {
			return shop.Cart(ctx, in)
		}))
	work.Check(mcp.AddTool(s, mcp.Tool{Name: "checkout", Description: work.AboutCheckout},
		func(ctx context.Context, _ *mcp.Request, in work.CheckoutIn) (work.CheckoutOut, error) {
			return shop.Checkout(ctx, in)
		}))
	shop.Serve(s.HTTPHandler(&mcp.HTTPOptions{Stateless: !shop.Sessions}))
}
