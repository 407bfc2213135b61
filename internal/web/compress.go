package web

import (
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"sync"
)

// compressed is a response that is compressed with gzip if its media type is one of a text.
type compressed struct {
	http.ResponseWriter
	begun bool
	gzip  *gzip.Writer // nil for a response that is not compressed
}

// gzipWriters are writers at the level that takes the least time, because the browser is usually on
// the same machine.
var gzipWriters = sync.Pool{New: func() any {
	w, _ := gzip.NewWriterLevel(io.Discard, gzip.BestSpeed) // The level is valid, so there is no error.
	return w
}}

// acceptsGzip reports whether the client of a request understands gzip.
func acceptsGzip(r *http.Request) bool {
	for _, values := range r.Header.Values("Accept-Encoding") {
		for coding := range strings.SplitSeq(values, ",") {
			name, weight, weighted := strings.Cut(coding, ";")
			if strings.EqualFold(strings.TrimSpace(name), "gzip") {
				return !weighted || strings.Trim(strings.TrimSpace(weight), "q=0.") != ""
			}
		}
	}
	return false
}

// begin decides whether the response is compressed.
func (c *compressed) begin(status int) {
	if c.begun {
		return
	}
	c.begun = true
	h := c.Header()
	kind := h.Get("Content-Type")
	if h.Get("Content-Encoding") != "" || status == http.StatusNoContent || status == http.StatusNotModified ||
		!strings.HasPrefix(kind, "text/") && !strings.HasPrefix(kind, "application/json") && !strings.HasPrefix(kind, "image/svg+xml") {
		return
	}
	h.Set("Content-Encoding", "gzip")
	h.Del("Content-Length")
	c.gzip = gzipWriters.Get().(*gzip.Writer)
	c.gzip.Reset(c.ResponseWriter)
}

func (c *compressed) WriteHeader(status int) {
	c.begin(status)
	c.ResponseWriter.WriteHeader(status)
}

func (c *compressed) Write(data []byte) (int, error) {
	c.begin(http.StatusOK)
	if c.gzip == nil {
		return c.ResponseWriter.Write(data)
	}
	return c.gzip.Write(data)
}

// FlushError sends what has been written to the client.
func (c *compressed) FlushError() error {
	if c.gzip != nil {
		if err := c.gzip.Flush(); err != nil {
			return err
		}
	}
	return http.NewResponseController(c.ResponseWriter).Flush()
}

// end ends the response.
func (c *compressed) end() {
	if c.gzip != nil {
		_ = c.gzip.Close() // it fails if the client has gone
		c.gzip.Reset(io.Discard)
		gzipWriters.Put(c.gzip)
	}
}
