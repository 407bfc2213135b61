package auth

import (
	"bufio"
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"
)

// callbackPath is the path of the default RedirectURL.
const callbackPath = "/callback"

// redirect is the place to which the browser is redirected.
type redirect struct {
	c        *OAuthClient
	url      *url.URL
	fixed    bool         // whether url is OAuthClient.RedirectURL
	listener net.Listener // nil with OAuthClient.Receive
}

// openRedirect returns the redirect of a sign-in. It starts to listen, unless
// OAuthClient.Receive replaces the listener.
func (c *OAuthClient) openRedirect() (*redirect, error) {
	r := &redirect{c: c, url: &url.URL{Scheme: "http", Host: "127.0.0.1", Path: callbackPath}}
	if c.RedirectURL != "" {
		u, err := endpoint(c.RedirectURL)
		if err != nil {
			return nil, fmt.Errorf("OAuthClient.RedirectURL: %w", err)
		}
		r.url, r.fixed = u, true
	}
	if c.Receive != nil {
		return r, nil
	}
	if r.url.Scheme != "http" {
		return nil, fmt.Errorf("OAuthClient.RedirectURL %s is not on this machine, so OAuthClient.Receive is required", r.url)
	}
	port := r.url.Port()
	if port == "" && r.fixed {
		port = "80"
	}
	return r, r.listen(port)
}

const (
	// The search for a free port begins between firstPort and lastPort, which common operating
	// systems do not use for outgoing connections. A client is registered with its port, which must
	// be free again at the next sign-in.
	firstPort, lastPort = 10240, 32767
	// triedPorts is the number of these ports that are tried. After that, any free port is used.
	triedPorts = 8
)

// listen listens on a port. An empty port means any free one.
func (r *redirect) listen(port string) error {
	host := r.url.Hostname()
	if host == "localhost" {
		host = "127.0.0.1"
	}
	var ports []string
	if port == "" {
		for range triedPorts {
			ports = append(ports, strconv.Itoa(firstPort+rand.IntN(lastPort-firstPort+1))) //nolint:gosec // the port of a sign-in is no secret
		}
	}
	ports = append(ports, port)
	var config net.ListenConfig
	var l net.Listener
	var err error
	for _, port := range ports {
		if l, err = config.Listen(context.Background(), "tcp", net.JoinHostPort(host, port)); err == nil {
			break
		}
	}
	if err != nil {
		return err
	}
	r.close()
	r.listener = l
	if !r.fixed {
		_, port, _ := net.SplitHostPort(l.Addr().String())
		r.url.Host = net.JoinHostPort(r.url.Hostname(), port)
	}
	return nil
}

func (r *redirect) address() string { return r.url.String() }

// adopt changes the redirect to the URL that a client was registered with, and reports whether that
// succeeded.
func (r *redirect) adopt(address string) bool {
	u, err := url.Parse(address)
	switch {
	case address == r.address():
		return true
	case err != nil || r.fixed || u.Path != r.url.Path || u.Scheme != "http" || !isLoopback(u.Hostname()):
		return false
	case r.listener == nil || u.Port() == r.url.Port():
		r.url = u
		return true
	}
	before := r.url
	r.url = u
	if r.listen(u.Port()) != nil {
		r.url = before
		return false
	}
	return true
}

func (r *redirect) close() {
	if r.listener != nil {
		r.listener.Close()
	}
}

// receive shows the page to the user and returns the parameters of the authorization response.
func (r *redirect) receive(ctx context.Context, page, state string) (url.Values, error) {
	if r.c.Receive != nil {
		text, err := r.c.Receive(ctx, page)
		if err != nil {
			return nil, err
		}
		return answerIn(text)
	}
	open := r.c.Browser
	if open == nil {
		open = OpenBrowser
	}
	answers := make(chan url.Values, 1)
	server := &http.Server{
		Handler:           r.handler(state, answers),
		ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 5 * time.Second, WriteTimeout: 5 * time.Second,
		MaxHeaderBytes: 32 << 10,
	}
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = server.Serve(r.listener) // Serve returns after Shutdown
	}()
	defer func() {
		// The browser must receive its response before the port is closed.
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
		defer cancel()
		if server.Shutdown(ending) != nil {
			server.Close()
		}
		<-served
	}()
	if err := open(ctx, page); err != nil {
		return nil, fmt.Errorf("opening the browser: %w", err)
	}
	select {
	case answer := <-answers:
		return answer, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// handler returns a handler that sends the parameters of one request with the given state to
// answers. It refuses all other requests.
func (r *redirect) handler(state string, answers chan<- url.Values) http.Handler {
	var once sync.Once
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		h := w.Header()
		h.Set("Content-Type", "text/html; charset=utf-8")
		h.Set("Content-Security-Policy", "default-src 'none'")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-store")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Connection", "close")
		if req.Host != r.url.Host || req.URL.Path != r.url.Path || req.Method != http.MethodGet {
			w.WriteHeader(http.StatusNotFound)
			fmt.Fprint(w, "<title>Not found</title><p>There is nothing here.")
			return
		}
		answer := req.URL.Query()
		if subtle.ConstantTimeCompare([]byte(answer.Get("state")), []byte(state)) != 1 {
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprint(w, "<title>Not expected</title><p>This response does not belong to the sign-in in progress. It was ignored.")
			return
		}
		first := false
		once.Do(func() { first = true })
		if !first {
			w.WriteHeader(http.StatusGone)
			return
		}
		if answer.Get("error") != "" {
			fmt.Fprint(w, "<title>Not signed in</title><p>You are not signed in. The program that opened this page shows the reason; you can close this page.")
		} else {
			fmt.Fprint(w, "<title>Thank you</title><p>The program that opened this page continues. You can close this page.")
		}
		answers <- answer
	})
}

// maxPasted is the maximum size in bytes of an answer that can be pasted.
const maxPasted = 16 << 10

// answerIn returns the parameters of the URL to which the browser was
// redirected.
func answerIn(text string) (url.Values, error) {
	text = strings.TrimSpace(text)
	if len(text) > maxPasted {
		return nil, fmt.Errorf("the answer is larger than %d bytes", maxPasted)
	}
	if i := strings.IndexByte(text, '?'); i >= 0 {
		text = text[i+1:]
	}
	text, _, _ = strings.Cut(text, "#")
	answer, err := url.ParseQuery(text)
	if err != nil || !answer.Has("state") {
		return nil, errors.New("the answer is not the URL that the browser was redirected to, which contains the parameters code and state")
	}
	return answer, nil
}

// Paste returns a function for OAuthClient.Receive, for machines without a browser.
// It writes the page's URL to out. The user opens it in a browser elsewhere,
// and pastes the final URL of the browser into in.
func Paste(in io.Reader, out io.Writer) func(ctx context.Context, page string) (string, error) {
	lines := bufio.NewReader(io.LimitReader(in, maxPasted))
	return func(ctx context.Context, page string) (string, error) {
		_, err := fmt.Fprintf(out, "Open this page in a browser and sign in:\n\n  %s\n\nThe browser then tries to open a page on this machine. Copy that page's address and paste it here:\n", page)
		if err != nil {
			return "", err
		}
		type line struct {
			text string
			err  error
		}
		read := make(chan line, 1)
		go func() {
			text, err := lines.ReadString('\n')
			if text != "" && errors.Is(err, io.EOF) {
				err = nil
			}
			read <- line{text, err}
		}()
		select {
		case got := <-read:
			if errors.Is(got.err, io.EOF) {
				return "", errors.New("nothing was pasted")
			}
			return got.text, got.err
		case <-ctx.Done():
			return "", context.Cause(ctx)
		}
	}
}
