// Command ours is the compared server that uses package mcp.
package main

import (
	"context"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/test/bench/side"
)

func main() {
	o := side.Parse()
	s := mcp.NewServer(mcp.Implementation{Name: "ours", Version: "1.0.0"}, nil)
	side.Check(mcp.AddTool(s, mcp.Tool{Name: "echo", Description: side.AboutEcho},
		func(_ context.Context, _ *mcp.Request, in side.EchoIn) (string, error) { return in.Message, nil }))
	side.Check(mcp.AddTool(s, mcp.Tool{Name: "structured", Description: side.AboutSum},
		func(_ context.Context, _ *mcp.Request, in side.SumIn) (side.SumOut, error) {
			return side.SumOut{Sum: in.A + in.B}, nil
		}))
	side.Check(mcp.AddTool(s, mcp.Tool{Name: "big", Description: side.AboutBig},
		func(_ context.Context, _ *mcp.Request, in side.BigIn) (string, error) { return side.Big(in.KB), nil }))
	for _, name := range side.Fillers(o.Tools) {
		side.Check(mcp.AddTool(s, mcp.Tool{Name: name, Description: side.AboutFill},
			func(context.Context, *mcp.Request, side.FillIn) (string, error) { return "ok", nil }))
	}
	if o.HTTP != "" {
		o.Serve(s.HTTPHandler(nil))
	}
	side.Check(s.ServeStdio(context.Background()))
}
