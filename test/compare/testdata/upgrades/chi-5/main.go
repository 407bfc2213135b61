// Command shop serves pages on chi 4.
package main

import (
	"net/http"
	"time"

	"github.com/go-chi/chi"
	"github.com/go-chi/chi/middleware"
)

func main() {
	r := chi.NewRouter()
	r.Use(middleware.RequestID, middleware.RealIP, middleware.Logger, middleware.Recoverer)
	r.Use(middleware.Timeout(time.Second))
	r.Use(middleware.Compress(5))
	r.Get("/{id}", func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte(chi.URLParam(r, "id")))
	})
	r.Mount("/debug", middleware.Profiler())
	r.Route("/users", users)
	sub := middleware.Throttle(10)
	r.With(sub).Post("/", func(http.ResponseWriter, *http.Request) {})
	http.Handle("/", chi.ServerBaseContext(nil, r))
	_ = chi.Chain(sub).Handler(r)
	_ = chi.NewMux()
}

func users(r chi.Router) {
	r.Use(middleware.SetHeader("A", "b"))
	r.Use(middleware.NewCompressor(5).Handler)
	r.Use(middleware.RedirectSlashes)
	r.Get("/", func(_ http.ResponseWriter, r *http.Request) {
		c := chi.RouteContext(r.Context())
		_ = c.RoutePattern()
		c.Reset()
		var formatter middleware.LogFormatter = &middleware.DefaultLogFormatter{}
		formatter.NewLogEntry(r).Write(200, 1, nil, 0, nil)
	})
}
