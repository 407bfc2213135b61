package fetch

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/span"
)

// steps is a span.Tracer that lists the steps that have ended.
type steps struct{ ended []string }

func (s *steps) Start(ctx context.Context, _ span.Kind, name string, attributes []slog.Attr) (context.Context, func(error)) {
	return ctx, func(err error) { s.ended = append(s.ended, fmt.Sprint(name, attributes, err)) }
}

func TestGet_ReportsSpans(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/missing" {
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	defer server.Close()
	c := New(Options{})
	defer c.Close()
	traced := &steps{}
	ctx := span.With(t.Context(), traced)
	for _, path := range []string{"/found", "/missing"} {
		_, _ = c.Get(ctx, Request{URL: strings.Replace(server.URL, "http://", "http://user:hush@", 1) + path, Configured: true, Limit: 100})
	}
	if len(traced.ended) != 2 || !strings.Contains(traced.ended[0], "/found") || !strings.HasSuffix(traced.ended[0], "<nil>") ||
		!strings.Contains(traced.ended[1], "404") || strings.Contains(fmt.Sprint(traced.ended), "hush") {
		t.Errorf("%q", traced.ended)
	}
}
