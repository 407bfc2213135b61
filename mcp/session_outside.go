package mcp

import (
	"context"
	"errors"

	"github.com/docent-mcp/docent/mcp/internal/wire"
)

// AskInSession is like Ask, for questions that belong to no request, such as
// the questions of another server that a gateway forwards. r may have ended. It
// fails without a session. Over HTTP a client is asked on the stream that it
// has opened for messages of the server; without such a stream the question
// waits until Limits.AskTimeout.
func (r *Request) AskInSession(ctx context.Context, questions ...Question) error {
	if r.session == nil || r.session.sessionless {
		return errors.New("this client has no session in which it could be asked")
	}
	if err := r.checkQuestions(questions); err != nil {
		return err
	}
	return r.askByRequest(ctx, sessionSink{r.session}, questions)
}

// LogInSession is like Log, for messages that belong to no request; r may have
// ended. Limits.MaxNotificationRate does not apply. It does nothing without a
// session.
func (r *Request) LogInSession(level Level, logger string, data any) {
	if r.session == nil || !r.wantsLog(level) {
		return
	}
	if line := r.logMessage(level, logger, data); line != nil {
		r.server.push(r.session, append(line, '}', '}'))
	}
}

// logMessage returns a log message without its last two braces; nil if data
// cannot be encoded.
func (r *Request) logMessage(level Level, logger string, data any) []byte {
	value, err := encode(data)
	if err == nil {
		value, err = redact(value, r.server.opts.IsSecret)
	}
	if err != nil {
		return nil
	}
	b := append([]byte(nil), `{"jsonrpc":"2.0","method":"notifications/message","params":{`...)
	b = wire.Field(b, "level", level.String())
	b = wire.Optional(b, "logger", logger)
	return wire.Raw(b, "data", value)
}

// sessionSink sends messages that belong to no request.
type sessionSink struct{ s *session }

func (k sessionSink) notify(line []byte) { k.s.push(line) }
func (k sessionSink) push(line []byte)   { k.s.push(line) }

func (k sessionSink) send(ctx context.Context, line []byte) bool {
	k.s.push(line)
	return ctx.Err() == nil
}

func (k sessionSink) beginSession(*session) *session { return nil }
func (k sessionSink) handOver()                      {}
func (k sessionSink) connection() any                { return nil }
func (k sessionSink) ending() bool                   { return false }
