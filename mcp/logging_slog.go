package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"time"
)

// LogHandler returns a handler for slog.New that sends records with Request.Log. The data is an
// object with the record's attributes and its message as "msg". The level corresponds to the
// record's level:
//
//	slog.LevelDebug      LevelDebug
//	slog.LevelInfo       LevelInfo
//	slog.LevelInfo + 2   LevelNotice
//	slog.LevelWarn       LevelWarning
//	slog.LevelError      LevelError
//	slog.LevelError + 4  LevelCritical
//	slog.LevelError + 8  LevelAlert
//	slog.LevelError + 12 LevelEmergency
//
// Any other level corresponds to the next lower level in the table. The handler is enabled for the
// levels that the client requested.
func (r *Request) LogHandler(logger string) slog.Handler {
	return &logHandler{r: r, logger: logger}
}

type logHandler struct {
	r      *Request
	logger string
	with   []func(slog.Handler) slog.Handler // recorded calls of WithAttrs and WithGroup
}

func (h *logHandler) Enabled(_ context.Context, level slog.Level) bool {
	return h.r.wantsLog(levelOf(level))
}

// Handle encodes rec, without its time and level, with a slog.JSONHandler.
func (h *logHandler) Handle(ctx context.Context, rec slog.Record) error {
	level := levelOf(rec.Level)
	rec.Time = time.Time{}
	var b bytes.Buffer
	withLevel := false
	var encoder slog.Handler = slog.NewJSONHandler(&b, &slog.HandlerOptions{
		Level: rec.Level,
		ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
			if withLevel && a.Key == slog.LevelKey && len(groups) == 0 {
				withLevel = false
				return slog.Attr{}
			}
			return a
		},
	})
	for _, with := range h.with {
		encoder = with(encoder)
	}
	withLevel = true // the next attribute named slog.LevelKey is the record's level
	if err := encoder.Handle(ctx, rec); err != nil {
		return err
	}
	var data any = json.RawMessage(b.Bytes())
	if !jsonValue(b.Bytes()).IsValid() { // if two attributes have the same name, keep the last one
		decoder := json.NewDecoder(&b)
		decoder.UseNumber()
		if err := decoder.Decode(&data); err != nil {
			return err
		}
	}
	h.r.Log(level, h.logger, data)
	return nil
}

func (h *logHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return h.then(func(encoder slog.Handler) slog.Handler { return encoder.WithAttrs(attrs) })
}

func (h *logHandler) WithGroup(name string) slog.Handler {
	return h.then(func(encoder slog.Handler) slog.Handler { return encoder.WithGroup(name) })
}

func (h *logHandler) then(with func(slog.Handler) slog.Handler) slog.Handler {
	return &logHandler{r: h.r, logger: h.logger, with: append(slices.Clip(h.with), with)}
}

// levelOf returns the highest Level that is not higher than level.
func levelOf(level slog.Level) Level {
	switch {
	case level < slog.LevelInfo:
		return LevelDebug
	case level < slog.LevelInfo+2:
		return LevelInfo
	case level < slog.LevelWarn:
		return LevelNotice
	case level < slog.LevelError:
		return LevelWarning
	}
	return min(LevelError+Level(level-slog.LevelError)/4, LevelEmergency)
}
