// Package web shows the documentation of a project's packages in a browser: a page for
// the project, for each package and for each symbol, rendered on the server and usable
// without scripts.
//
// Every page has a permanent address, which contains the language, the package, its version
// and the path of a symbol: /go/net/http@go1.26.8/Client.Do. The same address with .md
// is the text that models get, and with .json the documentation as data.
//
// Documentation is other people's text. Its HTML is sanitized, the Content-Security-Policy
// allows no script but the site's own, and a page requests nothing from another host.
package web

import (
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"net/http"
	"strings"
	"sync"

	"github.com/docent-mcp/docent/internal/depgraph"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/lookup"
	"github.com/docent-mcp/docent/internal/naming"
)

//go:embed assets templates
var files embed.FS

// Site is the documentation of one project. It is an http.Handler and is safe for concurrent use.
type Site struct {
	lookup    *lookup.Lookup
	project   string // or "" for a site without a project
	remote    bool
	version   string
	templates *template.Template
	encode    func(io.Writer, any) error
	graph     refreshed[[]depgraph.Language]
	own       refreshed[map[string][]packageRow] // by language

	mu     sync.Mutex
	recent []*packageView   // the most recent is last
	opened []openedFile     // the most recent is last
	places map[string]place // locations of packages by language and name
}

// Options configure a Site.
type Options struct {
	// Lookup reads packages.
	Lookup *lookup.Lookup
	// Project is the absolute directory of the project. If it is empty, the site shows any package,
	// by default at its newest version, and its start page has a field for the name of a package.
	Project string
	// Remote allows requests that name other hosts than this machine. The server then decides which
	// hosts are allowed, and who may see the pages.
	Remote bool
	// Version is docent's own version.
	Version string
	// Encode writes JSON.
	Encode func(io.Writer, any) error
}

// New returns the site of a project.
func New(o Options) (*Site, error) {
	s := &Site{lookup: o.Lookup, project: o.Project, remote: o.Remote, version: o.Version, encode: o.Encode}
	all, err := template.New("").Funcs(template.FuncMap{"plural": plural, "count": count, "inc": func(n int) int { return n + 1 }, "asset": assetHref}).ParseFS(files, "templates/*.html")
	if err != nil {
		return nil, fmt.Errorf("parse the templates of the pages: %w", err)
	}
	s.templates = all
	return s, nil
}

// policy is the Content-Security-Policy of every page. It allows only the site's own files.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

// ServeHTTP answers requests for pages. It refuses requests that come from other sites and, unless
// Options.Remote is true, those for a host other than this machine.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-cache")
	h.Set("Vary", "Accept-Encoding")
	if acceptsGzip(r) {
		c := &compressed{ResponseWriter: w}
		defer c.end()
		w = c
	}
	refused := Refused
	if s.remote {
		refused = func(r *http.Request) string { return refusedFrom(r, "http", "https") }
	}
	if why := refused(r); why != "" {
		http.Error(w, why, http.StatusForbidden)
		return
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		h.Set("Allow", "GET, HEAD")
		http.Error(w, "The pages are read-only: use GET.", http.StatusMethodNotAllowed)
		return
	}
	path := r.URL.EscapedPath()
	switch {
	case path == "/":
		s.serveHome(w, r)
	case path == searchPath:
		s.serveSearch(w, r)
	case path == versionPath:
		s.serveVersion(w, r)
	case path == openPath:
		s.serveOpen(w, r)
	case strings.HasPrefix(path, assetPath):
		s.serveAsset(w, r, strings.TrimPrefix(path, assetPath))
	default:
		a, ok := parseAddress(path)
		if !ok {
			s.fail(w, r, ecosystem.Fail(ecosystem.NotFound, "there is no page %.200q", path).WithNext("the start page lists the packages"))
			return
		}
		s.serveAddress(w, r, a)
	}
}

const (
	searchPath = "/-/search"
	assetPath  = "/-/assets/"
)

// serveAsset serves one of the site's own files. Browsers keep it for good if the address contains
// the hash of the file.
func (s *Site) serveAsset(w http.ResponseWriter, r *http.Request, name string) {
	if r.URL.RawQuery != "" && assetHref(name) == r.URL.RequestURI() {
		w.Header().Set("Cache-Control", "private, max-age=31536000, immutable")
	}
	ServeAsset(w, r, files, name)
}

// assetHref returns the address of one of the site's own files, with the hash of the file.
func assetHref(name string) string {
	if hash, ok := assetHashes()[name]; ok {
		return assetPath + name + "?" + hash
	}
	return assetPath + name
}

// assetHashes are the hashes of the site's own files, by name.
var assetHashes = sync.OnceValue(func() map[string]string {
	hashes := map[string]string{}
	entries, _ := fs.ReadDir(files, "assets") // embedded
	for _, entry := range entries {
		data, _ := fs.ReadFile(files, "assets/"+entry.Name())
		hash := sha256.Sum256(data)
		hashes[entry.Name()] = hex.EncodeToString(hash[:8])
	}
	return hashes
})

// Assets returns a file system whose directory assets contains the files that docent's other pages
// share: style.css, theme.js, copy.js and icon.svg.
func Assets() fs.FS { return files }

// ServeAsset serves a file of the directory assets.
func ServeAsset(w http.ResponseWriter, r *http.Request, from fs.FS, name string) {
	data, err := fs.ReadFile(from, "assets/"+name)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	kind := map[string]string{".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}[name[strings.LastIndexByte(name, '.'):]]
	w.Header().Set("Content-Type", cmp.Or(kind, "application/octet-stream"))
	_, _ = w.Write(data)
}

// page is the data of a page.
type page struct {
	// Title is shown in the browser's tab.
	Title string
	// Trail is the breadcrumb trail from the start page to this page.
	Trail []link
	// Scope is the package that the page's search is limited to, or nil for the project.
	Scope *scope
	// Query is the text in the search field.
	Query string
	// Contents are the headings of the page.
	Contents []heading
	// Version is docent's own version.
	Version string
	// NoProject is true if the site does not belong to a project.
	NoProject bool
	// Started is true if the head of the page has been written.
	Started bool
	// Body is passed to the template of the page.
	Body any
}

// link is a link with its text.
type link struct{ Text, Href string }

// heading is a heading of the page.
type heading struct {
	Text, ID string
	Count    int
}

// scope is a package to search in.
type scope struct {
	Name  string // for people
	Value string // the address of the package
}

// render writes a page with a template.
func (s *Site) render(w http.ResponseWriter, status int, name string, p *page) {
	text, err := s.execute(name, p)
	if err != nil {
		http.Error(w, "The page cannot be written: "+err.Error(), http.StatusInternalServerError)
		return
	}
	if p.Started {
		_, _ = w.Write([]byte(text))
		return
	}
	writePage(w, status, text)
}

// maxDivisor is the maximum number by which a page that is too large divides its limits.
const maxDivisor = 256

// renderWithin writes a page whose compressed HTML has at most maxPage bytes. newPage returns the
// page with its limits divided by divisor.
func (s *Site) renderWithin(w http.ResponseWriter, name string, newPage func(divisor int) *page) {
	for divisor := 1; ; divisor *= 2 {
		text, err := s.execute(name, newPage(divisor))
		if err != nil {
			http.Error(w, "The page cannot be written: "+err.Error(), http.StatusInternalServerError)
			return
		}
		if divisor == maxDivisor || packed(text) <= maxPage {
			writePage(w, http.StatusOK, text)
			return
		}
	}
}

// execute returns the HTML of a page.
func (s *Site) execute(name string, p *page) (string, error) {
	p.Version, p.NoProject = s.version, s.project == ""
	var b strings.Builder
	err := s.templates.ExecuteTemplate(&b, name, p)
	return b.String(), err
}

// start writes the head of a page, so that the browser loads the style sheet and shows the search
// field while the rest is prepared. The page must not fail afterwards.
func (s *Site) start(w http.ResponseWriter, p *page) {
	text, err := s.execute("head", p)
	if err != nil {
		return // render reports it
	}
	writePage(w, http.StatusOK, text)
	p.Started = true
	_ = http.NewResponseController(w).Flush() // not every writer can
}

// writePage writes the HTML of a page.
func writePage(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text))
}

// failure is the body of a page about an error.
type failure struct {
	Text string
	Near []link
}

// fail writes a page about an error.
func (s *Site) fail(w http.ResponseWriter, r *http.Request, err error) {
	if r.Context().Err() != nil {
		return // nobody reads the page
	}
	status := http.StatusInternalServerError
	if failed, ok := errors.AsType[*ecosystem.Error](err); ok {
		switch failed.Reason {
		case ecosystem.NotFound, ecosystem.NoneExported:
			status = http.StatusNotFound
		case ecosystem.Invalid:
			status = http.StatusBadRequest
		case ecosystem.Refused:
			status = http.StatusForbidden
		case ecosystem.Unreachable:
			status = http.StatusBadGateway
		}
	}
	_, missing := errors.AsType[*naming.NoSymbolError](err)
	if _, unmatched := errors.AsType[*naming.NoMatchError](err); missing || unmatched {
		status = http.StatusNotFound
	}
	s.render(w, status, "error.html", &page{Title: http.StatusText(status), Body: failure{Text: clean(err.Error())}})
}
