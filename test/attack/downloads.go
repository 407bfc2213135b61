package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/docent-mcp/docent/internal/cachedir"
	"github.com/docent-mcp/docent/internal/fetch"
)

var downloadAttacks = []attack{
	{"downloads: a checksum that fails in one of two answers", checksums, 32},
	{"downloads: HTTP servers that break the protocol", brokenRegistries, 128},
	{"downloads: redirects to other hosts, with credentials", redirectedDownloads, 32},
}

// newFetcher returns a client like those of languages, but with short delays.
func newFetcher() *fetch.Client {
	return fetch.New(fetch.Options{Stall: 300 * time.Millisecond, Attempts: 2, Proxy: func(*http.Request) (*url.URL, error) { return nil, nil }})
}

// checksums downloads a file from a server whose first two responses are each genuine or faulty, in
// every combination. Only the genuine file must be accepted and cached.
func checksums(t *trial) error {
	genuine := bytes.Repeat([]byte("genuine "), 1000)
	sum := sha256.Sum256(genuine)
	check := fetch.Check{AnyOf: []fetch.Digest{{Algorithm: "sha256", Sum: sum[:]}}}
	answers := map[string]func(w http.ResponseWriter){
		"genuine": func(w http.ResponseWriter) { _, _ = w.Write(genuine) },
		"altered": func(w http.ResponseWriter) { _, _ = w.Write(append(bytes.Clone(genuine[:7999]), 'X')) },
		"short":   func(w http.ResponseWriter) { _, _ = w.Write(genuine[:4000]) },
		"long":    func(w http.ResponseWriter) { _, _ = w.Write(append(bytes.Clone(genuine), "more"...)) },
		"cut off": func(w http.ResponseWriter) {
			w.Header().Set("Content-Length", "8000")
			_, _ = w.Write(genuine[:4000])
			panic(http.ErrAbortHandler)
		},
		"busy": func(w http.ResponseWriter) {
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(http.StatusServiceUnavailable)
		},
		"unchanged": func(w http.ResponseWriter) { w.WriteHeader(http.StatusNotModified) },
		"a part": func(w http.ResponseWriter) {
			w.Header().Set("Content-Range", "bytes 4000-7999/8000")
			w.WriteHeader(http.StatusPartialContent)
			_, _ = w.Write(genuine[4000:])
		},
		"compressed": func(w http.ResponseWriter) {
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = w.Write(gzipBytes(genuine))
		},
	}
	c := newFetcher()
	defer c.Close()
	accepted := 0
	for first, one := range answers {
		for second, two := range answers {
			var requests atomic.Int64
			s := listen(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				if requests.Add(1) == 1 {
					one(w)
				} else {
					two(w)
				}
			}))
			cache := cachedir.New(filepath.Join(t.dir, first, second), cachedir.Options{})
			for range 3 { // The user repeats the query.
				t.input(len(genuine))
				f, err := cache.Fetch(context.Background(), "file", func(w *os.File) error {
					return c.Save(context.Background(), fetch.Request{URL: "http://" + s.Addr, Configured: true, Limit: 10_000}, w, check)
				})
				if err != nil {
					if files := cache.List("."); len(files) > 1 { // Only the locks may remain.
						s.Close()
						return fmt.Errorf("%s, then %s: %q is kept", first, second, files)
					}
					continue
				}
				data, err := io.ReadAll(f)
				f.Close()
				if err != nil || !bytes.Equal(data, genuine) {
					s.Close()
					return fmt.Errorf("%s, then %s: %d other bytes were taken: %w", first, second, len(data), err)
				}
				accepted++
			}
			s.Close()
		}
	}
	t.outcome = fmt.Sprintf("%d of %d taken, all of them genuine", accepted, t.tried)
	if accepted == 0 {
		return errors.New("the genuine file was never taken")
	}
	return nil
}

// brokenRegistries downloads from each broken server.
func brokenRegistries(t *trial) error {
	const limit = 1 << 20
	read := 0
	for name, answer := range broken {
		s, err := serveTCP(answer, false)
		if err != nil {
			return err
		}
		c := newFetcher()
		for _, part := range []string{"", "bytes=0-99"} {
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
			t.input(len(answer))
			got, err := c.Get(ctx, fetch.Request{URL: "http://" + s.l.Addr().String(), Configured: true, Limit: limit, Range: part})
			over := ctx.Err() != nil
			cancel()
			switch {
			case over:
				err = errors.New("it does not end")
			case err != nil:
				continue
			case len(got.Body) > limit:
				err = fmt.Errorf("%d bytes were read", len(got.Body))
			}
			if err != nil {
				c.Close()
				s.close()
				return fmt.Errorf("%s: %w", name, err)
			}
			read++
		}
		c.Close()
		s.close()
	}
	t.outcome = fmt.Sprintf("each ended, %d in a body within the limit", read)
	return nil
}

// redirectedDownloads makes a server redirect through other hosts, which must not see the
// credentials.
func redirectedDownloads(t *trial) error {
	var seen atomic.Int64
	var back string
	other := listen(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "" || r.URL.User != nil {
			seen.Add(1)
		}
		if r.URL.Path == "/back" {
			http.Redirect(w, r, back, http.StatusFound)
			return
		}
		_, _ = io.WriteString(w, "text")
	}))
	defer other.Close()
	c := newFetcher()
	defer c.Close()
	for _, status := range []int{301, 302, 303, 307, 308} {
		for _, target := range []string{"http://" + other.Addr + "/x", "//" + other.Addr + "/x", "http://user:secret@" + other.Addr + "/x", "http://" + other.Addr + "/back", "HTTP://" + other.Addr + "/x", "http:/" + other.Addr, "http://127.0.0.1:0/", `http:\\` + other.Addr, "http://" + other.Addr + ":80/"} {
			front := listen(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Location", target)
				w.WriteHeader(status)
			}))
			back = "http://" + front.Addr + "/again"
			t.input(len(target))
			_, err := c.Get(context.Background(), fetch.Request{URL: "http://" + front.Addr, Configured: true, Authorization: "Bearer secret"})
			front.Close()
			if err != nil && strings.Contains(err.Error(), "secret") {
				return fmt.Errorf("the error has the secret: %w", err)
			}
		}
	}
	if n := seen.Load(); n > 0 {
		return fmt.Errorf("the other host saw credentials %d times", n)
	}
	t.outcome = "no other host saw credentials"
	return nil
}
