package telemetry

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"github.com/docent-mcp/docent/internal/span"
	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/otel"
)

// Middleware returns middleware that records MCP messages. For calls, it also records the packages
// that are read and the requests to registries.
func (t *Telemetry) Middleware() []mcp.Middleware {
	steps := func(next mcp.MessageHandler) mcp.MessageHandler {
		return func(ctx context.Context, m mcp.Message) (mcp.Result, error) {
			return next(span.With(ctx, (*tracer)(t)), m)
		}
	}
	return []mcp.Middleware{otel.New(&otel.Options{TracerProvider: t.traces, MeterProvider: t.metrics}), steps}
}

// Handler records the HTTP requests that next serves. Their trace comes from the traceparent
// header.
func (t *Telemetry) Handler(next http.Handler) http.Handler {
	propagator := propagation.NewCompositeTextMapPropagator(propagation.TraceContext{}, propagation.Baggage{})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		route := routeOf(r.URL.Path)
		attributes := []attribute.KeyValue{attribute.String("http.request.method", methodOf(r.Method)), attribute.String("http.route", route)}
		ctx := propagator.Extract(r.Context(), propagation.HeaderCarrier(r.Header))
		ctx, s := t.tracer.Start(ctx, methodOf(r.Method)+" "+route, trace.WithSpanKind(trace.SpanKindServer), trace.WithAttributes(attributes...))
		status := &statusWriter{ResponseWriter: w, status: http.StatusOK}
		defer func() {
			attributes = append(attributes, attribute.Int("http.response.status_code", status.status))
			s.SetAttributes(attributes...)
			if status.status >= http.StatusInternalServerError {
				s.SetStatus(codes.Error, "")
				attributes = append(attributes, attribute.String("error.type", strconv.Itoa(status.status)))
			}
			s.End()
			t.requests.Record(ctx, time.Since(began).Seconds(), metric.WithAttributes(attributes...))
		}()
		next.ServeHTTP(status, r.WithContext(span.With(ctx, (*tracer)(t))))
	})
}

// methodOf returns method if it is known, and otherwise _OTHER.
func methodOf(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodDelete, http.MethodOptions:
		return method
	}
	return "_OTHER"
}

// routeOf returns the prefix of a known path, or "other". Otherwise, clients could create an
// unlimited number of time series.
func routeOf(path string) string {
	for _, route := range []string{"/mcp", "/sse", "/messages", "/livez", "/readyz", "/metrics", "/v1/packages", "/v1/symbols", "/v1/search", "/v1/versions", "/v1/diff", "/v1/encoded", "/v1/files", "/v1/projects", "/v1/openapi.json", "/.well-known"} {
		if rest, ok := strings.CutPrefix(path, route); ok && (rest == "" || rest[0] == '/') {
			return route
		}
	}
	return "other"
}

type statusWriter struct {
	http.ResponseWriter
	status int
	wrote  bool
}

func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *statusWriter) WriteHeader(status int) {
	if !w.wrote && status >= http.StatusOK {
		w.status, w.wrote = status, true
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *statusWriter) Write(p []byte) (int, error) {
	w.wrote = true
	return w.ResponseWriter.Write(p)
}

// tracer is the span.Tracer of a Telemetry.
type tracer Telemetry

// Start implements span.Tracer.
func (t *tracer) Start(ctx context.Context, kind span.Kind, name string, attributes []slog.Attr) (context.Context, func(error)) {
	began := time.Now()
	all := make([]attribute.KeyValue, 0, len(attributes))
	var server attribute.KeyValue
	for _, a := range attributes {
		if a.Value.String() == "" {
			continue
		}
		all = append(all, attribute.String(a.Key, strings.ToValidUTF8(a.Value.String(), "\uFFFD")))
		if a.Key == "server.address" {
			server = all[len(all)-1]
		}
	}
	options := []trace.SpanStartOption{trace.WithAttributes(all...)}
	if kind == span.Client {
		options = append(options, trace.WithSpanKind(trace.SpanKindClient))
	}
	ctx, s := t.tracer.Start(ctx, name, options...)
	return ctx, func(err error) {
		finish(s, err)
		if kind != span.Client {
			return
		}
		measured := []attribute.KeyValue{server}
		if err != nil {
			measured = append(measured, attribute.String("error.type", "_OTHER"))
		}
		t.fetches.Record(ctx, time.Since(began).Seconds(), metric.WithAttributes(measured...))
	}
}

// finish ends a span.
func finish(s trace.Span, err error) {
	if err != nil {
		s.SetStatus(codes.Error, strings.ToValidUTF8(err.Error(), "\uFFFD"))
		s.SetAttributes(attribute.String("error.type", "_OTHER"))
	}
	s.End()
}

// Queries returns a tracer that records PostgreSQL queries.
func (t *Telemetry) Queries() pgx.QueryTracer { return queries{t} }

type queries struct{ t *Telemetry }

// query is a query in progress.
type query struct {
	span      trace.Span
	began     time.Time
	operation string
}

type queryKey struct{}

// TraceQueryStart implements pgx.QueryTracer. Arguments are not recorded.
func (q queries) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	text := strings.Join(strings.Fields(data.SQL), " ")
	operation, _, _ := strings.Cut(text, " ")
	operation = strings.ToUpper(operation)
	ctx, s := q.t.tracer.Start(ctx, operation+" PostgreSQL", trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(
		attribute.String("db.system.name", "postgresql"), attribute.String("db.operation.name", operation), attribute.String("db.query.text", text)))
	return context.WithValue(ctx, queryKey{}, query{s, time.Now(), operation})
}

// TraceQueryEnd implements pgx.QueryTracer.
func (q queries) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryEndData) {
	begun, ok := ctx.Value(queryKey{}).(query)
	if !ok {
		return
	}
	attributes := []attribute.KeyValue{attribute.String("db.system.name", "postgresql"), attribute.String("db.operation.name", begun.operation)}
	if data.Err != nil {
		kind := "_OTHER"
		if answered, ok := errors.AsType[*pgconn.PgError](data.Err); ok {
			kind = answered.Code
		}
		attributes = append(attributes, attribute.String("error.type", kind))
		begun.span.SetStatus(codes.Error, kind)
	}
	begun.span.SetAttributes(attributes...)
	begun.span.End()
	q.t.queries.Record(ctx, time.Since(begun.began).Seconds(), metric.WithAttributes(attributes...))
}
