// Package otel traces and measures an MCP server with OpenTelemetry. Names
// follow OpenTelemetry's semantic conventions for MCP. The package is a
// separate module, so that package mcp does not depend on OpenTelemetry.
//
//	s := mcp.NewServer(info, &mcp.ServerOptions{
//		Middleware: []mcp.Middleware{otel.New(nil)},
//	})
package otel

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	otelapi "go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"github.com/docent-mcp/docent/mcp"
)

// scope is the instrumentation scope of the spans and metrics.
const scope = "github.com/docent-mcp/docent/mcp/otel"

// Options configure New. The zero value uses OpenTelemetry's global providers.
type Options struct {
	TracerProvider trace.TracerProvider
	MeterProvider  metric.MeterProvider
	// Propagator extracts the parent span from a request's _meta. Nil means W3C trace context
	// (traceparent, tracestate) and baggage.
	Propagator propagation.TextMapPropagator
}

// New returns middleware that creates a span for each request and records the duration of requests
// and notifications, in seconds:
//
//   - mcp.server.operation.duration, for messages that the client sends,
//   - mcp.client.operation.duration, for messages that the server sends, until the response.
//
// It should be the outermost middleware. The parent of a span is the span in the request's _meta.
// The span in ctx, for example that of the HTTP request, is linked. The arguments, results and
// error messages of tools are not recorded. Names that a client can choose freely, such as the name of
// an unknown tool, are recorded in spans, not in metrics.
//
// New panics if the meter provider returns an error for a histogram. A nil options means the zero
// value.
func New(options *Options) mcp.Middleware {
	var opts Options
	if options != nil {
		opts = *options
	}
	if opts.TracerProvider == nil {
		opts.TracerProvider = otelapi.GetTracerProvider()
	}
	if opts.MeterProvider == nil {
		opts.MeterProvider = otelapi.GetMeterProvider()
	}
	if opts.Propagator == nil {
		opts.Propagator = propagation.NewCompositeTextMapPropagator(propagation.TraceContext{}, propagation.Baggage{})
	}
	meter := opts.MeterProvider.Meter(scope)
	o := &observer{
		tracer:     opts.TracerProvider.Tracer(scope),
		propagator: opts.Propagator,
		received:   histogram(meter, "mcp.server.operation.duration", "Duration of requests and notifications from clients."),
		sent:       histogram(meter, "mcp.client.operation.duration", "Duration of requests and notifications to clients."),
	}
	return o.middleware
}

func histogram(meter metric.Meter, name, description string) metric.Float64Histogram {
	h, err := meter.Float64Histogram(name, metric.WithUnit("s"), metric.WithDescription(description),
		metric.WithExplicitBucketBoundaries(.01, .02, .05, .1, .2, .5, 1, 2, 5, 10, 30, 60, 120, 300))
	if err != nil {
		panic(fmt.Sprintf("otel: %s: %v", name, err))
	}
	return h
}

type observer struct {
	tracer         trace.Tracer
	propagator     propagation.TextMapPropagator
	received, sent metric.Float64Histogram
}

func (o *observer) middleware(next mcp.MessageHandler) mcp.MessageHandler {
	return func(ctx context.Context, r mcp.Message) (res mcp.Result, err error) {
		var span trace.Span
		if !r.Notification() {
			ctx, span = o.start(ctx, r)
		}
		began := time.Now()
		returned := false
		defer func() { // deferred, so that it also runs if the handler panics or calls runtime.Goexit
			end := outcomeOf(res, err)
			if !returned {
				end = outcome{kind: "panic", text: "the handler did not return"}
			}
			if span != nil {
				end.record(span)
			}
			h := o.received
			if r.Outgoing() {
				h = o.sent
			}
			h.Record(ctx, time.Since(began).Seconds(), metric.WithAttributes(end.attributes(r)...))
		}()
		res, err = next(ctx, r)
		returned = true
		return res, err
	}
}

// start starts the span of r and returns it with a context that contains it.
func (o *observer) start(ctx context.Context, r mcp.Message) (context.Context, trace.Span) {
	name, about := r.Method(), subject(r)
	attributes := []attribute.KeyValue{attribute.String("mcp.method.name", r.Method())}
	if about.Valid() {
		attributes = append(attributes, about)
		name += " " + about.Value.AsString()
	}
	if r.Method() == "resources/read" {
		attributes = append(attributes, attribute.String("mcp.resource.uri", r.Name()))
	}
	if revision := r.Revision(); revision != "" {
		attributes = append(attributes, attribute.String("mcp.protocol.version", revision))
	}
	opts := []trace.SpanStartOption{trace.WithAttributes(attributes...), trace.WithSpanKind(trace.SpanKindServer)}
	if r.Outgoing() {
		opts = append(opts, trace.WithSpanKind(trace.SpanKindClient))
	} else {
		ambient := trace.SpanContextFromContext(ctx)
		ctx = o.propagator.Extract(ctx, meta(r.Meta()))
		if ambient.IsValid() && !trace.SpanContextFromContext(ctx).Equal(ambient) {
			opts = append(opts, trace.WithLinks(trace.Link{SpanContext: ambient}))
		}
	}
	return o.tracer.Start(ctx, name, opts...)
}

// subject returns an attribute with the tool or prompt of r.
func subject(r mcp.Message) attribute.KeyValue {
	switch r.Method() {
	case "tools/call":
		return attribute.String("gen_ai.tool.name", r.Name())
	case "prompts/get":
		return attribute.String("gen_ai.prompt.name", r.Name())
	}
	return attribute.KeyValue{}
}

// outcome is the outcome of a request.
type outcome struct {
	kind string // value of error.type; empty if there is no error
	text string // status description of the span
	code int    // code of a JSON-RPC error
}

func outcomeOf(res mcp.Result, err error) outcome {
	if failed, ok := errors.AsType[*mcp.Error](err); ok {
		return outcome{strconv.Itoa(failed.Code), failed.Message, failed.Code}
	}
	if err != nil && !errors.Is(err, mcp.ErrInputRequired) {
		return outcome{kind: "_OTHER", text: err.Error()}
	}
	if tool, ok := res.(*mcp.CallToolResult); ok && tool.IsError {
		return outcome{kind: "tool_error"}
	}
	return outcome{}
}

// record sets the status of the span and ends it.
func (end outcome) record(span trace.Span) {
	if end.kind != "" {
		span.SetStatus(codes.Error, end.text)
		span.SetAttributes(attribute.String("error.type", end.kind))
	}
	if end.code != 0 {
		span.SetAttributes(attribute.String("rpc.response.status_code", strconv.Itoa(end.code)))
	}
	span.End()
}

// attributes returns the attributes for metrics. Each has a limited number of values.
func (end outcome) attributes(r mcp.Message) []attribute.KeyValue {
	method := r.Method()
	if end.code == mcp.CodeMethodNotFound || r.Notification() && !notifications[method] {
		method = "_OTHER"
	}
	attributes := []attribute.KeyValue{attribute.String("mcp.method.name", method)}
	if about := subject(r); about.Valid() && end.code != mcp.CodeInvalidParams {
		attributes = append(attributes, about)
	}
	if revision := r.Revision(); revision != "" {
		attributes = append(attributes, attribute.String("mcp.protocol.version", revision))
	}
	if end.kind != "" {
		attributes = append(attributes, attribute.String("error.type", end.kind))
	}
	if end.code != 0 {
		attributes = append(attributes, attribute.String("rpc.response.status_code", strconv.Itoa(end.code)))
	}
	return attributes
}

// notifications are the notifications that the protocol defines.
var notifications = map[string]bool{
	"notifications/cancelled":                  true,
	"notifications/elicitation/complete":       true,
	"notifications/initialized":                true,
	"notifications/message":                    true,
	"notifications/progress":                   true,
	"notifications/prompts/list_changed":       true,
	"notifications/resources/list_changed":     true,
	"notifications/resources/updated":          true,
	"notifications/roots/list_changed":         true,
	"notifications/subscriptions/acknowledged": true,
	"notifications/tasks":                      true,
	"notifications/tasks/status":               true,
	"notifications/tools/list_changed":         true,
}

// meta is the _meta of a request as a propagation.TextMapCarrier.
type meta map[string]json.RawMessage

// maxCarried is the maximum length in bytes of a member of _meta. Longer members are ignored.
const maxCarried = 8 << 10

// Get returns the string with the given key, or "".
func (m meta) Get(key string) string {
	var text string
	if raw := m[key]; len(raw) == 0 || len(raw) > maxCarried || json.Unmarshal(raw, &text) != nil {
		return ""
	}
	return text
}

// Set does nothing, because middleware only reads _meta.
func (meta) Set(string, string) {}

// Keys returns the names of all members.
func (m meta) Keys() []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	return keys
}
