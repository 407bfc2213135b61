package mcp

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"

	"github.com/docent-mcp/docent/mcp/internal/revision"
	"github.com/docent-mcp/docent/mcp/internal/wire"
)

// AddExtension declares that the server supports an extension of the protocol. Its id has a prefix
// like the keys of _meta, such as "com.example/maps". settings must be encoded as a JSON object;
// nil means {}. They are sent to clients of revision 2025-06-18 and later. Add the methods of the
// extension with Handle.
func (s *Server) AddExtension(id string, settings any) error {
	if _, name, _ := strings.Cut(id, "/"); name == "" || checkMetaKey(id) != nil {
		return fmt.Errorf("extension %q: the id must follow the rules for keys of _meta and have a prefix, as in com.example/maps", id)
	}
	value := []byte("{}")
	if settings != nil {
		var err error
		if value, err = encode(settings); err != nil {
			return fmt.Errorf("extension %q: settings: %w", id, err)
		}
		if value[0] != '{' {
			return fmt.Errorf("extension %q: settings must be an object, not %s", id, clip(string(value), 32))
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, exists := s.extensions[id]; exists {
		return fmt.Errorf("extension %q is already declared; declare it once, with all its settings", id)
	}
	s.extensions[id] = value
	return nil
}

// ClientExtension returns the settings with which the client declared an
// extension, and whether it did.
func (r *Request) ClientExtension(id string) (settings json.RawMessage, declared bool) {
	settings, declared = r.ClientCapabilities().Extensions[id]
	return settings, declared
}

// MissingExtension returns the error for a request that needs an extension that
// the client has not declared.
func MissingExtension(id string) *Error {
	data := append(wire.Name([]byte(`{"requiredCapabilities":{"extensions":{`), id), "{}}}}"...)
	return &Error{Code: CodeMissingCapability, Message: "Missing required client capability", Data: data}
}

// Handle adds a method that the protocol does not define, such as one defined
// by an extension. The handler serves requests with that method in every
// revision, and usually returns a RawResult. It cannot serve notifications or
// methods of the protocol; use Middleware for those.
func (s *Server) Handle(method string, h Handler) error {
	switch {
	case h == nil:
		return fmt.Errorf("method %q: the handler is nil", method)
	case method == "" || strings.ContainsFunc(method, unicode.IsControl):
		return fmt.Errorf("method %q: a method's name must not be empty or contain control characters", method)
	case strings.HasPrefix(method, "rpc."):
		return fmt.Errorf("method %q: JSON-RPC reserves names that begin with \"rpc.\"", method)
	case isNotification(method) && !revision.Defines(method):
		return fmt.Errorf("method %q is a notification; handle it with ServerOptions.Middleware", method)
	case revision.Defines(method):
		return fmt.Errorf("method %q belongs to the protocol; wrap it with ServerOptions.Middleware", method)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	methods := map[string]Handler{method: h}
	for name, other := range *s.methods.Load() {
		if name == method {
			return fmt.Errorf("method %q already has a handler; give this one another name", method)
		}
		methods[name] = other
	}
	s.methods.Store(&methods)
	return nil
}

// appendExtensions appends the declared extensions, if there are any.
func (s *Server) appendExtensions(b []byte, rev revision.Revision) []byte {
	if !rev.HasTitle() { // older revisions do not allow additional capabilities
		return b
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	declared := len(s.extensions)
	tasks := s.hasTasks.Load() && rev.TasksAreExtension()
	if declared == 0 && !tasks {
		return b
	}
	b = append(wire.Name(b, "extensions"), '{')
	if _, declared := s.extensions[tasksExtension]; tasks && !declared {
		b = wire.Raw(b, tasksExtension, []byte("{}"))
	}
	for _, id := range sortedKeys(s.extensions) {
		b = wire.Raw(b, id, s.extensions[id])
	}
	return append(b, '}')
}
