package mcp

import (
	"fmt"
	"runtime/debug"
)

// An Entry is an entry in one of the server's lists: a *Tool, *Prompt,
// *Resource or *ResourceTemplate. It must not be modified.
type Entry interface{ isEntry() }

func (*Tool) isEntry()             {}
func (*Prompt) isEntry()           {}
func (*Resource) isEntry()         {}
func (*ResourceTemplate) isEntry() {}

func (t *tool) entry() Entry             { return &t.Tool }
func (p *prompt) entry() Entry           { return &p.Prompt }
func (e *resource) entry() Entry         { return &e.Resource }
func (e *resourceTemplate) entry() Entry { return &e.ResourceTemplate }

// shows reports whether the client that sent r is allowed to see e.
func (s *Server) shows(r *Request, e listed) bool {
	return s.opts.Visible == nil || s.visible(r, e.entry())
}

// visible returns the result of ServerOptions.Visible. It is also called outside of handlers, where
// a panic would end the process. If Visible panics, the entry is hidden.
func (s *Server) visible(r *Request, e Entry) (shown bool) {
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("panic in ServerOptions.Visible", "entry", fmt.Sprintf("%T", e), "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			shown = false
		}
	}()
	return s.opts.Visible(r, e)
}

// shown returns the entries that the sender of r may see.
func (g *registry[E]) shown(r *Request, entries []E) []E {
	var shown []E
	for _, e := range entries {
		if g.server.shows(r, e) {
			shown = append(shown, e)
		}
	}
	return shown
}

// hides reports whether the URI is that of a resource that is hidden from the client that sent r.
func (s *Server) hides(r *Request, uri string) bool {
	if s.opts.Visible == nil {
		return false
	}
	if found, ok := s.resources.find(uri); ok {
		return !s.shows(r, found)
	}
	if found, _ := s.matchTemplate(uri); found != nil {
		return !s.shows(r, found)
	}
	return false
}
