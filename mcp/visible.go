package mcp

import (
	"fmt"
	"runtime/debug"
)

// shows reports whether the one who sent r may know of e.
func (g *registry[E]) shows(r *Request, e E) bool {
	return g.server.opts.Visible == nil || g.server.visible(r, g.kind, g.name(e))
}

// visible asks ServerOptions.Visible. It is called outside of handlers too,
// where a panic would end the process: what it panics over is hidden.
func (s *Server) visible(r *Request, kind, name string) (shown bool) {
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("panic in ServerOptions.Visible", "kind", kind, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			shown = false
		}
	}()
	return s.opts.Visible(r, kind, name)
}

// shown are those of entries that the one who sent r may know of.
func (g *registry[E]) shown(r *Request, entries []E) []E {
	var shown []E
	for _, e := range entries {
		if g.server.visible(r, g.kind, g.name(e)) {
			shown = append(shown, e)
		}
	}
	return shown
}

// hides reports whether there is something of that URI which the one who sent
// r may not know of.
func (s *Server) hides(r *Request, uri string) bool {
	if s.opts.Visible == nil {
		return false
	}
	if found, ok := s.resources.find(uri); ok {
		return !s.resources.shows(r, found)
	}
	if found, _ := s.matchTemplate(uri); found != nil {
		return !s.templates.shows(r, found)
	}
	return false
}
