package otel_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/baggage"
	"go.opentelemetry.io/otel/codes"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/otel"
)

// bench is an observed server with a session.
type bench struct {
	t     *testing.T
	conn  net.Conn
	lines *bufio.Scanner
	spans *tracetest.InMemoryExporter
	meter *sdkmetric.ManualReader
	inner trace.SpanContext // span of the last call to "ok"
	user  string            // user in the baggage of that call
}

func start(ctx context.Context, t *testing.T) *bench {
	b := &bench{t: t, spans: tracetest.NewInMemoryExporter(), meter: sdkmetric.NewManualReader()}
	s := mcp.NewServer(mcp.Implementation{Name: "test", Version: "1"}, &mcp.ServerOptions{Middleware: []mcp.Middleware{otel.New(&otel.Options{
		TracerProvider: sdktrace.NewTracerProvider(sdktrace.WithSyncer(b.spans)),
		MeterProvider:  sdkmetric.NewMeterProvider(sdkmetric.WithReader(b.meter)),
	})}})
	for name, f := range map[string]func(context.Context, *mcp.Request) error{
		"ok": func(ctx context.Context, _ *mcp.Request) error {
			b.inner = trace.SpanContextFromContext(ctx)
			b.user = baggage.FromContext(ctx).Member("user").Value()
			return nil
		},
		"fail":  func(context.Context, *mcp.Request) error { return errors.New("a secret text") },
		"code":  func(context.Context, *mcp.Request) error { return &mcp.Error{Code: 7, Message: "seven"} },
		"panic": func(context.Context, *mcp.Request) error { panic("boom") },
		"roots": func(ctx context.Context, r *mcp.Request) error { _, err := r.Roots(ctx); return err },
	} {
		if err := mcp.AddTool(s, mcp.Tool{Name: name}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
			return "done", f(ctx, r)
		}); err != nil {
			t.Fatal(err)
		}
	}
	near, far := net.Pipe()
	served := make(chan error, 1)
	go func() { served <- s.ServeConn(ctx, far) }()
	b.conn, b.lines = near, bufio.NewScanner(near)
	t.Cleanup(func() {
		near.Close()
		<-served
	})
	b.ask("initialize", `{"protocolVersion":"2025-11-25","capabilities":{"roots":{}},"clientInfo":{"name":"test","version":"1"}}`)
	return b
}

func (b *bench) send(line string) {
	b.t.Helper()
	if _, err := fmt.Fprintln(b.conn, line); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) receive() string {
	b.t.Helper()
	if !b.lines.Scan() {
		b.t.Fatalf("no answer: %v", b.lines.Err())
	}
	return b.lines.Text()
}

func (b *bench) ask(method, params string) string {
	b.t.Helper()
	b.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`, method, params))
	return b.receive()
}

// span returns the only span with the given name.
func (b *bench) span(name string) tracetest.SpanStub {
	b.t.Helper()
	var names []string
	for _, span := range b.spans.GetSpans() {
		if span.Name == name {
			return span
		}
		names = append(names, span.Name)
	}
	b.t.Fatalf("no span %q among %q", name, names)
	return tracetest.SpanStub{}
}

func show(attributes []attribute.KeyValue) string {
	set := attribute.NewSet(attributes...)
	return set.Encoded(attribute.DefaultEncoder())
}

func TestARequestHasASpanThatSaysHowItEnded(t *testing.T) {
	tests := []struct {
		method, params, name, want string
		status                     codes.Code
		text                       string
	}{
		{"ping", `{}`, "ping", "mcp.method.name=ping,mcp.protocol.version=2025-11-25", codes.Unset, ""},
		{"tools/call", `{"name":"ok"}`, "tools/call ok", "gen_ai.tool.name=ok,mcp.method.name=tools/call,mcp.protocol.version=2025-11-25", codes.Unset, ""},
		{"tools/call", `{"name":"fail"}`, "tools/call fail", "error.type=tool_error,gen_ai.tool.name=fail,mcp.method.name=tools/call,mcp.protocol.version=2025-11-25", codes.Error, ""},
		{"tools/call", `{"name":"code"}`, "tools/call code", "error.type=7,gen_ai.tool.name=code,mcp.method.name=tools/call,mcp.protocol.version=2025-11-25,rpc.response.status_code=7", codes.Error, "seven"},
		{"tools/call", `{"name":"panic"}`, "tools/call panic", "error.type=panic,gen_ai.tool.name=panic,mcp.method.name=tools/call,mcp.protocol.version=2025-11-25", codes.Error, "the handler did not return"},
		{"tools/call", `{"name":"absent"}`, "tools/call absent", "error.type=-32602,gen_ai.tool.name=absent,mcp.method.name=tools/call,mcp.protocol.version=2025-11-25,rpc.response.status_code=-32602", codes.Error, "Unknown tool: absent"},
		{"resources/read", `{"uri":"a:b"}`, "resources/read", "error.type=-32601,mcp.method.name=resources/read,mcp.protocol.version=2025-11-25,mcp.resource.uri=a:b,rpc.response.status_code=-32601", codes.Error, "Method not found"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := start(t.Context(), t)
			b.ask(tt.method, tt.params)
			span := b.span(tt.name)
			if got := show(span.Attributes); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if span.Status.Code != tt.status || !strings.HasPrefix(span.Status.Description, tt.text) || tt.text == "" && span.Status.Description != "" {
				t.Errorf("status %v", span.Status)
			}
			if span.SpanKind != trace.SpanKindServer {
				t.Errorf("kind %v", span.SpanKind)
			}
		})
	}
}

const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

func TestASpanContinuesTheTraceThatTheRequestNames(t *testing.T) {
	b := start(t.Context(), t)
	b.ask("tools/call", `{"name":"ok","_meta":{"traceparent":"`+traceparent+`","tracestate":"vendor=x","baggage":"user=ada"}}`)
	span := b.span("tools/call ok")
	if got := span.Parent; got.TraceID().String() != "0af7651916cd43dd8448eb211c80319c" || got.SpanID().String() != "b7ad6b7169203331" || got.TraceState().String() != "vendor=x" || !got.IsRemote() {
		t.Errorf("the span's parent is %+v", got)
	}
	if !b.inner.Equal(span.SpanContext) {
		t.Error("the handler is not in the span")
	}
	if b.user != "ada" {
		t.Errorf("the handler sees user %q in the baggage", b.user)
	}
}

func TestABrokenTraceContextIsIgnored(t *testing.T) {
	for _, broken := range []string{`"traceparent":"nonsense"`, `"traceparent":7`, `"traceparent":{"a":1}`, `"traceparent":"00-00000000000000000000000000000000-b7ad6b7169203331-01"`,
		`"traceparent":"` + strings.Repeat("0", 10_000) + `"`, `"baggage":"=;=,"`} {
		b := start(t.Context(), t)
		b.ask("tools/call", `{"name":"ok","_meta":{`+broken+`}}`)
		if span := b.span("tools/call ok"); span.Parent.IsValid() {
			t.Errorf("%.60s: the span's parent is %+v", broken, span.Parent)
		}
	}
}

func TestTheSpanAroundTheConnectionIsLinked(t *testing.T) {
	ctx, outer := sdktrace.NewTracerProvider().Tracer("test").Start(t.Context(), "outer")
	b := start(ctx, t)
	b.ask("tools/call", `{"name":"ok","_meta":{"traceparent":"`+traceparent+`"}}`)
	b.ask("ping", `{}`)
	if links := b.span("tools/call ok").Links; len(links) != 1 || !links[0].SpanContext.Equal(outer.SpanContext()) {
		t.Errorf("links: %+v", links)
	}
	if span := b.span("ping"); !span.Parent.Equal(outer.SpanContext()) || len(span.Links) != 0 {
		t.Errorf("without a trace of its own: parent %+v, links %+v", span.Parent, span.Links)
	}
}

func TestARequestToTheClientHasASpanInsideTheHandlers(t *testing.T) {
	b := start(t.Context(), t)
	response := b.ask("tools/call", `{"name":"roots"}`)
	if !strings.Contains(response, `"method":"roots/list"`) {
		t.Fatalf("got %s", response)
	}
	b.send(`{"jsonrpc":"2.0","id":1,"result":{"roots":[]}}`)
	b.receive()
	inner, outer := b.span("roots/list"), b.span("tools/call roots")
	if inner.SpanKind != trace.SpanKindClient || !inner.Parent.Equal(outer.SpanContext) {
		t.Errorf("kind %v, parent %+v", inner.SpanKind, inner.Parent)
	}
}

func TestDurationsAreMeasured(t *testing.T) {
	b := start(t.Context(), t)
	b.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	b.send(`{"jsonrpc":"2.0","method":"notifications/made/up"}`)
	b.ask("tools/call", `{"name":"ok"}`)
	b.ask("tools/call", `{"name":"ok"}`)
	b.ask("tools/call", `{"name":"made-up"}`)
	b.ask("made/up", `{}`)
	b.ask("tools/call", `{"name":"roots"}`)
	b.send(`{"jsonrpc":"2.0","id":1,"result":{"roots":[]}}`)
	b.receive()
	var all metricdata.ResourceMetrics
	if err := b.meter.Collect(t.Context(), &all); err != nil {
		t.Fatal(err)
	}
	got := map[string]uint64{}
	for _, scope := range all.ScopeMetrics {
		for _, m := range scope.Metrics {
			if m.Unit != "s" {
				t.Errorf("%s has unit %q", m.Name, m.Unit)
			}
			for _, point := range m.Data.(metricdata.Histogram[float64]).DataPoints {
				got[m.Name+" "+point.Attributes.Encoded(attribute.DefaultEncoder())] = point.Count
			}
		}
	}
	const version = ",mcp.protocol.version=2025-11-25"
	for key, want := range map[string]uint64{
		"mcp.server.operation.duration mcp.method.name=initialize" + version:                                                        1,
		"mcp.server.operation.duration mcp.method.name=notifications/initialized" + version:                                         1,
		"mcp.server.operation.duration mcp.method.name=_OTHER" + version:                                                            1,
		"mcp.server.operation.duration error.type=-32601,mcp.method.name=_OTHER" + version + ",rpc.response.status_code=-32601":     1,
		"mcp.server.operation.duration gen_ai.tool.name=ok,mcp.method.name=tools/call" + version:                                    2,
		"mcp.server.operation.duration error.type=-32602,mcp.method.name=tools/call" + version + ",rpc.response.status_code=-32602": 1,
		"mcp.server.operation.duration gen_ai.tool.name=roots,mcp.method.name=tools/call" + version:                                 1,
		"mcp.client.operation.duration mcp.method.name=roots/list" + version:                                                        1,
	} {
		if got[key] != want {
			t.Errorf("%d of %s, want %d", got[key], key, want)
		}
		delete(got, key)
	}
	if len(got) > 0 {
		t.Errorf("more than wanted: %v", got)
	}
}

func TestTheZeroValueTakesTheGlobalProviders(t *testing.T) {
	next := func(context.Context, *mcp.Request) (mcp.Result, error) { return mcp.RawResult("{}"), nil }
	s := mcp.NewServer(mcp.Implementation{Name: "test", Version: "1"}, &mcp.ServerOptions{Middleware: []mcp.Middleware{otel.New(nil)}})
	if err := s.Handle("example/method", next); err != nil {
		t.Fatal(err)
	}
}
