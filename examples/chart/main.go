// Chart is an MCP server with a view: its tool draws a bar chart in hosts that show views (MCP
// Apps), and returns text in all others.
//
//	chart                    serves standard input and output
//	chart -http :8080        serves HTTP
package main

import (
	"context"
	_ "embed"
	"flag"
	"log"
	"math/rand/v2"
	"os/signal"
	"strconv"
	"strings"
	"syscall"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/apps"
)

const viewURI = "ui://chart/bars"

//go:embed chart.html
var page string

// data is a chart. It is the structured result of the tools, which the view draws.
type data struct {
	Title string `json:"title" jsonschema:"title of the chart,maxLength=100"`
	Bars  []bar  `json:"bars" jsonschema:"minItems=1,maxItems=40"`
}

type bar struct {
	Label string  `json:"label" jsonschema:"maxLength=30"`
	Value float64 `json:"value" jsonschema:"minimum=0"`
}

func result(d data) *mcp.CallToolResult {
	var b strings.Builder
	b.WriteString(d.Title)
	for _, bar := range d.Bars {
		b.WriteString("\n" + bar.Label + ": " + strconv.FormatFloat(bar.Value, 'f', -1, 64))
	}
	return &mcp.CallToolResult{Content: []mcp.Content{mcp.Text(b.String())}, Structured: d}
}

func show(_ context.Context, in data) (*mcp.CallToolResult, error) { return result(in), nil }

type dice struct {
	Sides int `json:"sides" jsonschema:"minimum=2,maximum=20"`
	Times int `json:"times" jsonschema:"minimum=1,maximum=10000"`
}

// roll rolls dice. The view's button calls it.
func roll(_ context.Context, in dice) (*mcp.CallToolResult, error) {
	d := data{Title: strconv.Itoa(in.Times) + " rolls", Bars: make([]bar, in.Sides)}
	for i := range d.Bars {
		d.Bars[i].Label = strconv.Itoa(i + 1)
	}
	for range in.Times {
		d.Bars[rand.IntN(in.Sides)].Value++ //nolint:gosec // nobody bets on it
	}
	return result(d), nil
}

func newServer() *mcp.Server {
	s := mcp.NewServer(mcp.Implementation{Name: "chart", Version: "1.0.0"}, nil)
	border := true
	mcp.Must(apps.Add(s, apps.View{
		URI: viewURI, Name: "bars", Title: "Bar chart", HTML: apps.WithScript(page), Metadata: apps.Metadata{PrefersBorder: &border},
	}))
	mcp.Must(mcp.AddFunc(s, apps.Link(mcp.Tool{
		Name: "show_chart", Description: "Shows a bar chart to the user.", Annotations: &mcp.ToolAnnotations{ReadOnly: true},
	}, viewURI), show))
	mcp.Must(mcp.AddFunc(s, apps.Link(mcp.Tool{
		Name: "roll", Description: "Rolls dice for the chart.", Annotations: &mcp.ToolAnnotations{ReadOnly: true},
	}, viewURI, apps.ForView), roll))
	return s
}

func main() {
	addr := flag.String("http", "", "serve HTTP on this address")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	serve := newServer().ServeStdio
	if *addr != "" {
		serve = func(ctx context.Context) error { return newServer().ListenAndServe(ctx, *addr, nil) }
	}
	if err := serve(ctx); err != nil && ctx.Err() == nil {
		log.Print(err)
	}
}
