package teamserver

import (
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/docent-mcp/docent/internal/docserver"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/lookup"
	"github.com/docent-mcp/docent/internal/web"
	"github.com/docent-mcp/docent/mcp/ratelimit"
)

// newSite returns the web pages for people who may see what l reads. The pages show packages but no
// projects.
func (s *Server) newSite(l *lookup.Lookup) (*web.Site, error) {
	return web.New(web.Options{
		Lookup: l, Remote: s.remote, Version: s.options.Documentation.Version,
		Encode: func(w io.Writer, v any) error { return json.NewEncoder(w).Encode(v) },
	})
}

// withPages returns a handler that serves the pages of docent web and passes all other requests to
// next.
func (s *Server) withPages(next http.Handler, all *endpoints) http.Handler {
	rates := ratelimit.NewLimiter(&ratelimit.Options{PerSecond: s.options.Rate})
	pages := s.options.HTTP.Screen(s.authenticate.protectPages(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.servePage(w, r, all, rates)
	})))
	languages := s.options.Documentation.Store.Languages()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if isPage(r.URL.Path, languages) {
			pages.ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// isPage reports whether path is the path of a page. This is the start page, or a path that begins
// with the name of a language or with the prefix of pages that do not concern a package.
func isPage(path string, languages ecosystem.Languages) bool {
	first, _, below := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	return path == "/" || below && (first == "-" || languages.Find(first) != nil)
}

// servePage serves a page within the limits of its principal.
func (s *Server) servePage(w http.ResponseWriter, r *http.Request, all *endpoints, rates *ratelimit.Limiter) {
	principal := principalFrom(r.Context())
	site := all.endpoint(principal).pages
	if web.IsAsset(r.URL.Path) {
		site.ServeHTTP(w, r)
		return
	}
	if s.remote {
		leave, ok := s.admit(w, r, rates)
		if !ok {
			return
		}
		defer leave()
	}
	begun := time.Now()
	counted := &countedResponse{ResponseWriter: w}
	site.ServeHTTP(counted, r)
	question := web.QuestionOf(r)
	call := docserver.Call{
		Tool: "page", Outcome: "answered", Took: time.Since(begun), Bytes: int(counted.bytes),
		About: []slog.Attr{slog.String("package", clip(question.Package)), slog.String("version", clip(question.Version)), slog.String("language", clip(question.Language))},
	}
	if counted.status >= http.StatusBadRequest {
		call.Outcome = strings.ToLower(http.StatusText(counted.status))
	}
	s.observe(r.Context(), call)
}

// admit waits until a request may be processed, and returns a function that must be called
// afterwards. ok is false if admit has already sent a response or the client has disconnected.
func (s *Server) admit(w http.ResponseWriter, r *http.Request, rates *ratelimit.Limiter) (leave func(), ok bool) {
	principal := principalFrom(r.Context()).ID
	if wait := rates.Wait(principal); wait > 0 {
		tooMany(w, wait, "too many requests; send fewer per second")
		return nil, false
	}
	switch err := s.queue.enter(r.Context(), principal); {
	case errors.Is(err, errQueueFull):
		tooMany(w, time.Second, "too many of your requests are waiting; send this one again after some of them have finished")
		return nil, false
	case err != nil:
		return nil, false
	}
	return func() { s.queue.leave(principal) }, true
}

// protectPages is like protect, for pages that browsers open. A browser cannot send a key as
// a bearer token, but can ask the user for a password. Therefore, a key or token is also accepted
// as the password of HTTP Basic authentication with any user name.
func (a *authenticator) protectPages(next http.Handler) http.Handler {
	protected := a.protect(next)
	if a.keys == nil && a.guard == nil {
		return protected
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, password, ok := r.BasicAuth(); ok && len(r.Header.Values("Authorization")) == 1 {
			r = r.Clone(r.Context())
			r.Header.Set("Authorization", "Bearer "+password)
		}
		protected.ServeHTTP(&passwordChallenge{w}, r)
	})
}

// passwordChallenge makes a browser ask for a password when a request is refused.
type passwordChallenge struct{ http.ResponseWriter }

func (c *passwordChallenge) Unwrap() http.ResponseWriter { return c.ResponseWriter }

func (c *passwordChallenge) WriteHeader(status int) {
	if status == http.StatusUnauthorized {
		c.Header().Add("WWW-Authenticate", `Basic realm="docent: a key as the password", charset="UTF-8"`)
	}
	c.ResponseWriter.WriteHeader(status)
}
