// Package telemetry sends traces and metrics of docent-team to an OpenTelemetry collector. It is
// configured by the environment variables of the OpenTelemetry specification, such as
// OTEL_EXPORTER_OTLP_ENDPOINT. The protocol is OTLP with protobuf over HTTP or gRPC.
package telemetry

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetricgrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/metric"
	metricnoop "go.opentelemetry.io/otel/metric/noop"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"
)

// scope is the instrumentation scope of spans and metrics.
const scope = "github.com/docent-mcp/docent/team"

// Telemetry records spans and metrics.
type Telemetry struct {
	traces  trace.TracerProvider
	metrics metric.MeterProvider
	tracer  trace.Tracer

	requests, fetches, queries metric.Float64Histogram
	shutdown                   []func(context.Context) error
}

// These constants are the protocols of OTLP. OTEL_EXPORTER_OTLP_PROTOCOL and the variables for each
// signal contain one of them.
const (
	overHTTP = "http/protobuf" // the default
	overGRPC = "grpc"
)

// signals returns the protocols for traces and metrics. A protocol is "" if the signal is not sent.
func signals() (traces, metrics string, err error) {
	if strings.EqualFold(os.Getenv("OTEL_SDK_DISABLED"), "true") {
		return "", "", nil
	}
	for _, signal := range []struct {
		name     string
		protocol *string
	}{{"TRACES", &traces}, {"METRICS", &metrics}} {
		endpoint := cmp.Or(os.Getenv("OTEL_EXPORTER_OTLP_"+signal.name+"_ENDPOINT"), os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT"))
		name := "OTEL_" + signal.name + "_EXPORTER"
		switch exporter := os.Getenv(name); exporter {
		case "", "otlp":
			if endpoint == "" && exporter == "" {
				continue
			}
		case "none":
			continue
		default:
			return "", "", fmt.Errorf("%s is %.50q, but docent-team supports only the exporters otlp and none", name, exporter)
		}
		protocol := cmp.Or(os.Getenv("OTEL_EXPORTER_OTLP_"+signal.name+"_PROTOCOL"), os.Getenv("OTEL_EXPORTER_OTLP_PROTOCOL"), overHTTP)
		if protocol != overHTTP && protocol != overGRPC {
			return "", "", fmt.Errorf("the protocol of OTLP is %.50q, but docent-team supports only grpc and http/protobuf; change OTEL_EXPORTER_OTLP_PROTOCOL", protocol)
		}
		*signal.protocol = protocol
	}
	return traces, metrics, nil
}

// Check returns an error if the variables require a feature that docent-team does not have.
func Check() error {
	_, _, err := signals()
	return err
}

func traceExporter(ctx context.Context, protocol string) (sdktrace.SpanExporter, error) {
	if protocol == overGRPC {
		return otlptracegrpc.New(ctx)
	}
	return otlptracehttp.New(ctx)
}

func metricExporter(ctx context.Context, protocol string) (sdkmetric.Exporter, error) {
	if protocol == overGRPC {
		return otlpmetricgrpc.New(ctx)
	}
	return otlpmetrichttp.New(ctx)
}

// New starts to send the configured signals. It returns nil if no collector is configured. Errors
// when sending are logged.
func New(ctx context.Context, version string, log *slog.Logger) (*Telemetry, error) {
	traces, metrics, err := signals()
	if err != nil || traces == "" && metrics == "" {
		return nil, err
	}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { log.Warn("OpenTelemetry", "error", err) }))
	about, err := resource.New(
		ctx, resource.WithAttributes(attribute.String("service.name", "docent-team"), attribute.String("service.version", version)),
		resource.WithTelemetrySDK(), resource.WithHost(), resource.WithFromEnv(),
	)
	if err != nil {
		return nil, fmt.Errorf("OTEL_RESOURCE_ATTRIBUTES: %w", err)
	}
	t := &Telemetry{traces: noop.NewTracerProvider(), metrics: metricnoop.NewMeterProvider()}
	if traces != "" {
		exporter, err := traceExporter(ctx, traces)
		if err != nil {
			return nil, fmt.Errorf("traces cannot be sent: %w", err)
		}
		provider := sdktrace.NewTracerProvider(sdktrace.WithBatcher(exporter), sdktrace.WithResource(about))
		t.traces, t.shutdown = provider, append(t.shutdown, provider.Shutdown)
	}
	if metrics != "" {
		exporter, err := metricExporter(ctx, metrics)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("metrics cannot be sent: %w", err), t.Close(ctx))
		}
		provider := sdkmetric.NewMeterProvider(sdkmetric.WithReader(sdkmetric.NewPeriodicReader(exporter)), sdkmetric.WithResource(about))
		t.metrics, t.shutdown = provider, append(t.shutdown, provider.Shutdown)
	}
	t.tracer = t.traces.Tracer(scope)
	meter := t.metrics.Meter(scope)
	for _, h := range []struct {
		to                *metric.Float64Histogram
		name, description string
	}{
		{&t.requests, "http.server.request.duration", "Duration of HTTP server requests."},
		{&t.fetches, "http.client.request.duration", "Duration of requests to package registries."},
		{&t.queries, "db.client.operation.duration", "Duration of queries in PostgreSQL."},
	} {
		if *h.to, err = meter.Float64Histogram(h.name, metric.WithUnit("s"), metric.WithDescription(h.description), boundaries); err != nil {
			return nil, errors.Join(err, t.Close(ctx))
		}
	}
	return t, nil
}

// boundaries contains the bucket boundaries of the semantic conventions for HTTP and databases.
var boundaries = metric.WithExplicitBucketBoundaries(.001, .005, .01, .025, .05, .075, .1, .25, .5, .75, 1, 2.5, 5, 7.5, 10)

// Close sends the remaining data, and stops.
func (t *Telemetry) Close(ctx context.Context) error {
	var errs []error
	for _, f := range t.shutdown {
		errs = append(errs, f(ctx))
	}
	return errors.Join(errs...)
}
