package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	metrics "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	traces "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	trace "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"

	"github.com/docent-mcp/docent/team/internal/pgtest"
)

// collector receives OTLP data.
type collector struct {
	url     string
	mu      sync.Mutex
	arrived *sync.Cond
	spans   []*trace.Span
	metrics map[string]bool
	service string
	header  string
}

func newCollector(t *testing.T) *collector {
	t.Helper()
	c := &collector{metrics: map[string]bool{}}
	c.arrived = sync.NewCond(&c.mu)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data, err := io.ReadAll(r.Body)
		if err == nil && r.Header.Get("Content-Encoding") == "gzip" {
			var unpacked *gzip.Reader
			if unpacked, err = gzip.NewReader(bytes.NewReader(data)); err == nil {
				data, err = io.ReadAll(unpacked)
			}
		}
		if err != nil || r.Header.Get("Content-Type") != "application/x-protobuf" {
			t.Errorf("%s: %s, %v", r.URL.Path, r.Header.Get("Content-Type"), err)
		}
		if err := c.take(r, data); err != nil {
			t.Error(err)
		}
		w.Header().Set("Content-Type", "application/x-protobuf")
	}))
	t.Cleanup(server.Close)
	c.url = server.URL
	return c
}

func (c *collector) take(r *http.Request, data []byte) error {
	key := r.Header.Get("Collector-Key")
	switch r.URL.Path {
	case "/v1/traces":
		var request traces.ExportTraceServiceRequest
		if err := proto.Unmarshal(data, &request); err != nil {
			return err
		}
		c.takeTraces(key, &request)
	case "/v1/metrics":
		var request metrics.ExportMetricsServiceRequest
		if err := proto.Unmarshal(data, &request); err != nil {
			return err
		}
		c.takeMetrics(key, &request)
	}
	return nil
}

func (c *collector) takeTraces(key string, request *traces.ExportTraceServiceRequest) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.header = key
	for _, resource := range request.ResourceSpans {
		c.service = value(resource.Resource.Attributes, "service.name")
		for _, scope := range resource.ScopeSpans {
			c.spans = append(c.spans, scope.Spans...)
		}
	}
	c.arrived.Broadcast()
}

func (c *collector) takeMetrics(key string, request *metrics.ExportMetricsServiceRequest) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.header = key
	for _, resource := range request.ResourceMetrics {
		for _, scope := range resource.ScopeMetrics {
			for _, m := range scope.Metrics {
				c.metrics[m.Name] = true
			}
		}
	}
	c.arrived.Broadcast()
}

// newGRPCCollector returns a collector that receives OTLP over gRPC.
func newGRPCCollector(t *testing.T) *collector {
	t.Helper()
	c := &collector{metrics: map[string]bool{}}
	c.arrived = sync.NewCond(&c.mu)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer()
	traces.RegisterTraceServiceServer(server, grpcTraces{collector: c})
	metrics.RegisterMetricsServiceServer(server, grpcMetrics{collector: c})
	served := make(chan error)
	go func() { served <- server.Serve(l) }()
	t.Cleanup(func() {
		server.Stop()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	c.url = "http://" + l.Addr().String()
	return c
}

type grpcTraces struct {
	traces.UnimplementedTraceServiceServer
	*collector
}

func (c grpcTraces) Export(ctx context.Context, r *traces.ExportTraceServiceRequest) (*traces.ExportTraceServiceResponse, error) {
	c.takeTraces(strings.Join(metadata.ValueFromIncomingContext(ctx, "collector-key"), ""), r)
	return &traces.ExportTraceServiceResponse{}, nil
}

type grpcMetrics struct {
	metrics.UnimplementedMetricsServiceServer
	*collector
}

func (c grpcMetrics) Export(ctx context.Context, r *metrics.ExportMetricsServiceRequest) (*metrics.ExportMetricsServiceResponse, error) {
	c.takeMetrics(strings.Join(metadata.ValueFromIncomingContext(ctx, "collector-key"), ""), r)
	return &metrics.ExportMetricsServiceResponse{}, nil
}

func value(attributes []*common.KeyValue, key string) string {
	for _, a := range attributes {
		if a.Key == key {
			return a.Value.GetStringValue()
		}
	}
	return ""
}

func (c *collector) span(match func(*trace.Span) bool) *trace.Span {
	c.mu.Lock()
	defer c.mu.Unlock()
	for {
		if i := slices.IndexFunc(c.spans, match); i >= 0 {
			return c.spans[i]
		}
		c.arrived.Wait()
	}
}

func (c *collector) metric(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for !c.metrics[name] {
		c.arrived.Wait()
	}
}

func TestTelemetry(t *testing.T) {
	t.Run("http", func(t *testing.T) { testTelemetry(t, newCollector(t), "OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf") })
	t.Run("grpc", func(t *testing.T) { testTelemetry(t, newGRPCCollector(t), "OTEL_EXPORTER_OTLP_PROTOCOL=grpc") })
}

func testTelemetry(t *testing.T, c *collector, protocol string) {
	cmd := program(t, "--http", "127.0.0.1:0", "--stateless")
	cmd.Dir = t.TempDir()
	cmd.Env = append(
		cmd.Env, postgresVariable+"="+pgtest.Start(t).Database(t), "OTEL_EXPORTER_OTLP_ENDPOINT="+c.url, "OTEL_EXPORTER_OTLP_HEADERS=collector-key=sesame",
		protocol, "OTEL_SERVICE_NAME=docs", "OTEL_TRACES_SAMPLER=always_on", "OTEL_BSP_SCHEDULE_DELAY=20", "OTEL_METRIC_EXPORT_INTERVAL=20",
	)
	url := serve(t, cmd)
	call(t, url, "describe_go_package", map[string]any{"package": "fmt"})
	named := func(name string) func(*trace.Span) bool {
		return func(s *trace.Span) bool { return s.Name == name }
	}
	tool := c.span(named("tools/call describe_go_package"))
	request := c.span(func(s *trace.Span) bool {
		return s.Name == "POST /mcp" && bytes.Equal(s.SpanId, tool.ParentSpanId)
	})
	read := c.span(named("read package"))
	query := c.span(func(s *trace.Span) bool {
		return s.Name == "SELECT PostgreSQL" && bytes.Equal(s.TraceId, tool.TraceId) && strings.Contains(value(s.Attributes, "db.query.text"), "FROM docent_packages")
	})
	if !bytes.Equal(read.ParentSpanId, tool.SpanId) || value(read.Attributes, "docent.package") != "fmt" || value(read.Attributes, "docent.language") != "go" {
		t.Errorf("reading a package: %v", read)
	}
	if request.Kind != trace.Span_SPAN_KIND_SERVER || query.Kind != trace.Span_SPAN_KIND_CLIENT || query.EndTimeUnixNano < query.StartTimeUnixNano {
		t.Errorf("%v\n%v", request, query)
	}
	for _, name := range []string{"http.server.request.duration", "mcp.server.operation.duration", "db.client.operation.duration"} {
		c.metric(name)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.service != "docs" || c.header != "sesame" {
		t.Errorf("the service is %q, the header %q", c.service, c.header)
	}
}

func TestTelemetry_Variables(t *testing.T) {
	file := filepath.Join(t.TempDir(), "docent.toml")
	if err := os.WriteFile(file, []byte("http = \"127.0.0.1:0\""), 0o600); err != nil {
		t.Fatal(err)
	}
	for variables, want := range map[string]string{
		"OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:1":                                                                        "is valid",
		"OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:1 OTEL_EXPORTER_OTLP_PROTOCOL=grpc":                                       "is valid",
		"OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:1 OTEL_EXPORTER_OTLP_PROTOCOL=http/json":                                  "supports only grpc and http/protobuf",
		"OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:1 OTEL_EXPORTER_OTLP_TRACES_PROTOCOL=http/json":                           "supports only grpc and http/protobuf",
		"OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:1 OTEL_EXPORTER_OTLP_TRACES_PROTOCOL=http/json OTEL_TRACES_EXPORTER=none": "is valid",
		"OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:1 OTEL_EXPORTER_OTLP_PROTOCOL=http/json OTEL_SDK_DISABLED=true":           "is valid",
		"OTEL_TRACES_EXPORTER=zipkin":  "otlp and none",
		"OTEL_METRICS_EXPORTER=none":   "is valid",
		"OTEL_EXPORTER_OTLP_PROTOCOL=": "is valid",
	} {
		cmd := program(t, "config", "check", file)
		cmd.Env = append(cmd.Env, strings.Fields(variables)...)
		out, _ := cmd.CombinedOutput()
		if !strings.Contains(string(out), want) {
			t.Errorf("%s: %s, want %q", variables, out, want)
		}
	}
}

// A server whose collector is unreachable or disabled sends no data and continues to serve.
func TestTelemetry_Off(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { t.Errorf("%s was sent", r.URL.Path) }))
	t.Cleanup(server.Close)
	cmd := program(t, "--http", "127.0.0.1:0", "--stateless")
	cmd.Env = append(cmd.Env, "OTEL_SDK_DISABLED=true", "OTEL_EXPORTER_OTLP_ENDPOINT="+server.URL, "OTEL_BSP_SCHEDULE_DELAY=1", "OTEL_METRIC_EXPORT_INTERVAL=1")
	if got := call(t, serve(t, cmd), "describe_go_package", map[string]any{"package": "fmt"}); !strings.Contains(got, "Sprintf") {
		t.Error(got)
	}
}
