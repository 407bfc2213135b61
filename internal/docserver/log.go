package docserver

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"github.com/docent-mcp/docent/internal/answer"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/fetch"
	"github.com/docent-mcp/docent/internal/naming"
	"github.com/docent-mcp/docent/internal/quote"
	"github.com/docent-mcp/docent/mcp"
)

// maxLogged is the maximum length of each text of a client in a log, in bytes.
const maxLogged = 200

// question is the input of a tool, for the log.
type question interface {
	// logged returns the subject of a call for the log: names and words, but no contents of
	// answers.
	logged() []slog.Attr
}

func (in describeInput) logged() []slog.Attr {
	return texts("package", in.Package, "symbol", in.Symbol, "source", in.Source, "version", in.Version, "project", in.ProjectPath)
}

func (in docInput) logged() []slog.Attr {
	return texts("package", in.Package, "section", in.Section, "query", in.Query, "version", in.Version, "project", in.ProjectPath)
}

func (in searchInput) logged() []slog.Attr {
	return texts("package", in.Package, "query", in.Query, "language", in.Language, "project", in.ProjectPath)
}

// texts returns attributes for pairs of a key and a string, without empty strings.
func texts(pairs ...string) (attributes []slog.Attr) {
	for pair := range slices.Chunk(pairs, 2) {
		if text := quote.Line(pair[1], maxLogged); text != "" {
			attributes = append(attributes, slog.String(pair[0], text))
		}
	}
	return attributes
}

// A Call is a tool call that has ended.
type Call struct {
	Tool    string
	Outcome string // "answered", or why there is no answer
	Took    time.Duration
	Bytes   int // size of the answer in bytes
	// About are the names and words of the question, shortened.
	About []slog.Attr
}

// log wraps the function that answers calls to a tool, so that each call is logged, and
// so are the requests to registries that it causes.
func log[In question](s *server, tool string, handle func(context.Context, *mcp.Request, In) (*answer.Answer, error)) func(context.Context, *mcp.Request, In) (*answer.Answer, error) {
	return func(ctx context.Context, req *mcp.Request, in In) (*answer.Answer, error) {
		begun := time.Now()
		a, err := handle(fetch.WithLogger(ctx, s.log), req, in)
		level, result := outcome(ctx, err)
		call := Call{Tool: tool, Outcome: result, Took: time.Since(begun), About: in.logged()}
		if err == nil {
			call.Bytes = len(a.Text)
		}
		if s.observe != nil {
			s.observe(ctx, call)
		}
		attributes := append([]slog.Attr{slog.String("tool", tool)}, call.About...)
		attributes = append(attributes, slog.String("outcome", result), slog.Duration("time", call.Took))
		if client := req.Client(); client.Name != "" {
			attributes = append(attributes, texts("client", client.Name+" "+client.Version)...)
		}
		switch {
		case err != nil:
			attributes = append(attributes, slog.String("error", quote.Line(err.Error(), quote.Max)))
		default:
			attributes = append(attributes, slog.Int("bytes", call.Bytes))
		}
		s.log.LogAttrs(ctx, level, "call", attributes...)
		return a, err
	}
}

// outcome returns the outcome of a call and the level at which it is logged. A question without an
// answer does not require operators to act.
func outcome(ctx context.Context, err error) (slog.Level, string) {
	if err == nil {
		return slog.LevelInfo, "answered"
	}
	switch {
	case ctx.Err() != nil:
		return slog.LevelInfo, "canceled"
	case errors.Is(err, mcp.ErrInputRequired):
		return slog.LevelInfo, "client asked for its roots"
	}
	if _, ok := errors.AsType[*naming.NoSymbolError](err); ok {
		return slog.LevelInfo, "no symbol"
	}
	if e, ok := errors.AsType[*ecosystem.Error](err); ok {
		switch e.Reason {
		case ecosystem.Unreadable, ecosystem.Unreachable, ecosystem.Refused:
			return slog.LevelWarn, string(e.Reason)
		}
		return slog.LevelInfo, string(e.Reason)
	}
	return slog.LevelError, "failed"
}
