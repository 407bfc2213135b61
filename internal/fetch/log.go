package fetch

import (
	"context"
	"errors"
	"log/slog"
	"time"
)

type loggerKey struct{}

// WithLogger returns a context whose requests are logged, with the URL without credentials, the
// outcome and the duration. Requests that fail or are refused are logged as warnings.
func WithLogger(ctx context.Context, logger *slog.Logger) context.Context {
	return context.WithValue(ctx, loggerKey{}, logger)
}

// logRequest logs a request that ended.
func logRequest(ctx context.Context, r Request, begun time.Time, out *Response, size int64, err error) {
	logger, ok := ctx.Value(loggerKey{}).(*slog.Logger)
	if !ok {
		return
	}
	attributes := []slog.Attr{slog.String("url", Redact(r.URL)), slog.Duration("time", time.Since(begun))}
	level, outcome := slog.LevelInfo, "received"
	switch failed, isFailure := errors.AsType[*Error](err); {
	case isFailure:
		level, outcome = slog.LevelWarn, string(failed.Kind)
		if failed.Kind == Stopped || failed.Kind == NotFound {
			level = slog.LevelInfo
		}
		attributes = append(attributes, slog.String("error", failed.Error()))
	case err != nil:
		level, outcome = slog.LevelWarn, "failed"
		attributes = append(attributes, slog.String("error", err.Error()))
	case out.NotModified:
		outcome = "not modified"
	default:
		attributes = append(attributes, slog.Int64("bytes", size))
	}
	logger.LogAttrs(ctx, level, "request", append(attributes, slog.String("outcome", outcome))...)
}
