package mcp

import (
	"github.com/docent-mcp/docent/mcp/internal/jsonrpc"
)

// A Level is the severity of a log message (specification: Logging). Higher
// levels are more severe. The zero Level is not a valid level.
type Level int32

// The levels are those of syslog.
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

// String returns the level's name in the protocol.
func (l Level) String() string {
	if l < LevelDebug || l > LevelEmergency {
		return ""
	}
	return levelNames[l]
}

// parseLevel returns the level with the given name, or 0.
func parseLevel(name string) Level {
	for l := LevelDebug; l <= LevelEmergency; l++ {
		if levelNames[l] == name {
			return l
		}
	}
	return 0
}

// Log sends a log message to the client. The client's user and model may read it. data is any value
// that can be encoded as JSON. Members with secret names are redacted (see ServerOptions.IsSecret).
// logger is the name of the source and may be empty. For package slog, see LogHandler.
//
// Log does nothing unless ServerCapabilities.Logging is set and level is at least the client's
// level. In revision 2026-07-28, that is the level in the request. In other revisions, it is the
// level that the client has set for the session, which is initially LevelInfo. Messages beyond
// Limits.MaxNotificationRate are dropped.
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
	b := r.logMessage(level, logger, data)
	if b == nil {
		return
	}
	b = append(r.appendRelated(b), '}', '}')
	r.notify(b)
}

// wantsLog reports whether messages of the given level are sent to the client.
func (r *Request) wantsLog(level Level) bool {
	return r.server.opts.Capabilities.Logging && level.String() != "" && level >= r.logLevel()
}

// logLevel returns the client's log level.
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

// setLevel answers logging/setLevel in the revisions with sessions. Without a session, the level
// cannot be stored, so the method is refused. The capability is declared nevertheless, because
// messages of LevelInfo and above are sent.
func (s *Server) setLevel(r *Request) (Result, error) {
	if r.session.sessionless {
		return nil, errorf(CodeMethodNotFound, "Method not found: logging/setLevel needs a session, and this server keeps none; it sends messages of level info and above")
	}
	var p struct {
		Level string `json:"level"`
	}
	if decodeOptional(r.params.all, &p) != nil || parseLevel(p.Level) == 0 {
		return nil, errorf(CodeInvalidParams, "Invalid params of logging/setLevel: level must be one of debug, info, notice, warning, error, critical, alert, emergency")
	}
	err := r.session.changed(&r.ctx, func() error {
		r.session.level.Store(int32(parseLevel(p.Level)))
		return nil
	})
	if err != nil {
		return nil, err
	}
	return emptyResult{}, nil
}
