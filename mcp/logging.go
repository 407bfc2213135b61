package mcp

import (
	"github.com/docent-mcp/docent/mcp/internal/jsonrpc"
	"github.com/docent-mcp/docent/mcp/internal/wire"
)

// A Level is the severity of a log message (specification: Logging). Higher
// is more severe.
type Level int32

// The levels, as syslog has them.
const (
	LevelDebug Level = iota + 1
	LevelInfo
	LevelNotice
	LevelWarning
	LevelError
	LevelCritical
	LevelAlert
	LevelEmergency
)

var levelNames = [...]string{"", "debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}

// String is the level's name in the protocol.
func (l Level) String() string {
	if l < LevelDebug || l > LevelEmergency {
		return ""
	}
	return levelNames[l]
}

// parseLevel is the level of that name, or 0.
func parseLevel(name string) Level {
	for l := LevelDebug; l <= LevelEmergency; l++ {
		if levelNames[l] == name {
			return l
		}
	}
	return 0
}

// Log sends a message to the client's log: data is any value that encodes as
// JSON, logger names where it comes from and may be empty. It does nothing
// unless ServerCapabilities.Logging is on and the client wants messages of that
// level: on 2026-07-28 those that it asks for with the request, before those
// of the session's level, which is LevelInfo until the client sets another
// (over HTTP with HTTPOptions.Stateless it cannot).
// What is sent can be read by the client's user and model. Secrets are left
// out as far as ServerOptions.IsSecret knows them. Of more messages than
// Limits.MaxNotifications the later ones are dropped.
func (r *Request) Log(level Level, logger string, data any) {
	if !r.wantsLog(level) {
		return
	}
	r.mu.Lock()
	drop := !r.mayNotify() || !r.mayReport(&r.reporting().logs)
	r.mu.Unlock()
	if drop {
		return
	}
	value, err := encode(data)
	if err == nil {
		value, err = redact(value, r.server.opts.IsSecret)
	}
	if err != nil {
		return
	}
	b := append([]byte(nil), `{"jsonrpc":"2.0","method":"notifications/message","params":{`...)
	b = wire.Field(b, "level", level.String())
	b = wire.Optional(b, "logger", logger)
	b = wire.Raw(b, "data", value)
	b = append(r.appendRelated(b), '}', '}')
	r.notify(b)
}

// wantsLog reports whether messages of that level are sent to the client.
func (r *Request) wantsLog(level Level) bool {
	return r.server.opts.Capabilities.Logging && level.String() != "" && level >= r.logLevel()
}

// logLevel is the least level that the client wants.
func (r *Request) logLevel() Level {
	if r.session != nil {
		return Level(r.session.level.Load())
	}
	name, _ := jsonrpc.String(r.meta.logLevel)
	if level := parseLevel(name); level != 0 {
		return level
	}
	return LevelEmergency + 1
}

// setLevel answers logging/setLevel of the legacy revisions. Without a session
// there is nothing to keep the level in, so the method is refused instead of
// answered without effect. The capability stays declared, because what
// Request.Log sends needs it: messages of LevelInfo and above.
func (s *Server) setLevel(r *Request) (Result, error) {
	if r.session.passing {
		return nil, errorf(CodeMethodNotFound, "Method not found: logging/setLevel needs a session, and this server keeps none; it sends messages of level info and above")
	}
	var p struct {
		Level string `json:"level"`
	}
	if decodeOptional(r.params.all, &p) != nil || parseLevel(p.Level) == 0 {
		return nil, errorf(CodeInvalidParams, "Invalid params of logging/setLevel: level must be one of debug, info, notice, warning, error, critical, alert, emergency")
	}
	r.session.level.Store(int32(parseLevel(p.Level)))
	return emptyResult{}, nil
}
