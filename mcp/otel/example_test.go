package otel_test

import (
	"bufio"
	"context"
	"fmt"
	"log"
	"net"

	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/otel"
)

// The middleware creates a span for each call.
func ExampleNew() {
	spans := tracetest.NewInMemoryExporter() // a real program uses an exporter that sends spans
	s := mcp.NewServer(mcp.Implementation{Name: "db", Version: "1.0.0"}, &mcp.ServerOptions{
		Middleware: []mcp.Middleware{otel.New(&otel.Options{TracerProvider: trace.NewTracerProvider(trace.WithSyncer(spans))})},
	})
	err := mcp.AddTool(s, mcp.Tool{Name: "query"}, func(context.Context, *mcp.Request, struct{}) (string, error) { return "7 rows", nil })
	if err != nil {
		log.Fatal(err)
	}
	client, server := net.Pipe()
	go s.ServeConn(context.Background(), server)
	lines := bufio.NewScanner(client)
	for _, line := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"demo","version":"1"}}}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"query"}}`,
	} {
		fmt.Fprintln(client, line)
		lines.Scan()
	}
	for _, span := range spans.GetSpans() {
		fmt.Println(span.Name)
	}
	// Output:
	// initialize
	// tools/call query
}
