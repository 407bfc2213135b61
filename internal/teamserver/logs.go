package teamserver

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/docent-mcp/docent/internal/docserver"
)

// A logFile is a log with one JSON object per line. It can be reopened after the file has been
// moved.
type logFile struct {
	name string

	mu   sync.Mutex
	file *os.File
}

// openLog opens a file for appending. An empty name means that there is no log.
func openLog(name string) (*logFile, error) {
	l := &logFile{name: name}
	return l, l.reopen()
}

func (l *logFile) reopen() error {
	if l.name == "" {
		return nil
	}
	f, err := os.OpenFile(l.name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("the log cannot be opened: %w", err)
	}
	l.mu.Lock()
	old := l.file
	l.file = f
	l.mu.Unlock()
	if old != nil {
		return old.Close()
	}
	return nil
}

// Write implements io.Writer.
func (l *logFile) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.file.Write(p)
}

func (l *logFile) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file != nil {
		l.file.Close()
	}
}

// logger returns a logger that writes to the file, or nil if there is no log.
func (l *logFile) logger() *slog.Logger {
	if l.name == "" {
		return nil
	}
	return slog.New(slog.NewJSONHandler(io.Writer(l), nil))
}

// note collects data about a request for the access log.
type note struct {
	principal *Principal
	client    string // address of the client
}

type noteKey struct{}

// observed returns a handler that counts and logs the requests that next serves.
func (s *Server) observed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		begun := time.Now()
		n := &note{principal: anonymous, client: clientAddress(r, s.options.TrustedProxies)}
		counted := &countedResponse{ResponseWriter: w}
		s.meter.requests.Add(1)
		defer func() {
			s.meter.requests.Add(-1)
			status := max(counted.status, http.StatusOK)
			s.meter.response(status)
			if s.access == nil {
				return
			}
			s.access.LogAttrs(
				context.WithoutCancel(r.Context()), slog.LevelInfo, "request",
				slog.String("client", n.client), slog.String("principal", n.principal.ID), slog.String("name", n.principal.Name),
				slog.String("method", r.Method), slog.String("path", r.URL.Path[:min(len(r.URL.Path), maxLogged)]), slog.String("proto", r.Proto),
				slog.Int("status", status), slog.Int64("bytes", counted.bytes), slog.Duration("time", time.Since(begun)),
			)
		}()
		next.ServeHTTP(counted, r.WithContext(context.WithValue(r.Context(), noteKey{}, n)))
	})
}

// maxLogged is the maximum length in bytes of a path in the access log.
const maxLogged = 200

// countedResponse counts the bytes of a response.
type countedResponse struct {
	http.ResponseWriter
	status int
	bytes  int64
}

func (c *countedResponse) Unwrap() http.ResponseWriter { return c.ResponseWriter }

func (c *countedResponse) WriteHeader(status int) {
	if c.status == 0 && status >= http.StatusOK {
		c.status = status
	}
	c.ResponseWriter.WriteHeader(status)
}

func (c *countedResponse) Write(p []byte) (int, error) {
	n, err := c.ResponseWriter.Write(p)
	c.bytes += int64(n)
	return n, err
}

// audited contains the parts of a call that the audit log contains.
var audited = []string{"package", "version", "newVersion", "language", "project"}

// observe counts a call of a tool, and logs which principal requested which package.
func (s *Server) observe(ctx context.Context, c docserver.Call) {
	s.meter.call(c)
	if s.audit == nil {
		return
	}
	p := principalFrom(ctx)
	attributes := []slog.Attr{slog.String("principal", p.ID), slog.String("name", p.Name)}
	if n, ok := ctx.Value(noteKey{}).(*note); ok {
		attributes = append(attributes, slog.String("client", n.client))
	}
	attributes = append(attributes, slog.String("tool", c.Tool))
	for _, a := range c.About {
		if slices.Contains(audited, a.Key) {
			attributes = append(attributes, a)
		}
	}
	attributes = append(attributes, slog.String("outcome", c.Outcome))
	s.audit.LogAttrs(ctx, slog.LevelInfo, "call", attributes...)
}
