package teamserver

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"math"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/docent-mcp/docent/internal/apijson"
	"github.com/docent-mcp/docent/internal/docserver"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/lookup"
	"github.com/docent-mcp/docent/internal/naming"
	"github.com/docent-mcp/docent/internal/upstream"
	"github.com/docent-mcp/docent/mcp/ratelimit"
)

const (
	// maxAPIAnswer is the maximum size of a response of the HTTP API in bytes.
	maxAPIAnswer = 32 << 20
	// maxAPIParameter is the maximum size of a parameter of the HTTP API in bytes.
	maxAPIParameter = 2000
	// maxAPIHits is the maximum number of hits in a search, and defaultAPIHits is the number if the
	// client does not specify one.
	maxAPIHits, defaultAPIHits = 100, 20
)

// apiQuestion is a request to the HTTP API.
type apiQuestion struct {
	lookup.Package
	values url.Values
}

// operation is an operation of the HTTP API. Its path contains a language and a package.
type operation struct {
	name       string // name for metrics, logs and operationId
	path       string
	summary    string
	parameters []parameter // parameters in addition to those of the package
	response   string      // name of a schema in openapi.json; empty if mediaType is set
	mediaType  string      // media type of a response that is not JSON
	released   bool        // whether the package is always a release and never a package of a project
	// answer returns the value that is written as JSON, or a []byte if mediaType is set.
	answer func(context.Context, *lookup.Lookup, *apiQuestion) (any, error)
}

// parameter is a query parameter.
type parameter struct {
	name, description string
	required          bool
	kind              string // JSON Schema type; "string" if empty
}

// packageParameters contains the parameters of all operations.
var packageParameters = []parameter{
	{name: "version", description: "Version, range or tag of the package. The default is the version that the project uses, or the newest."},
	{name: "project", description: "Project whose versions to use: project:NAME for a pushed project, or a directory that the operator allows."},
	{name: "platform", description: "Platform whose files to read."},
	{name: "features", description: "Optional parts of the package to include."},
}

// operations contains the operations of the HTTP API.
var operations = []operation{
	{
		name: "getPackage", path: "/v1/packages", response: "Package",
		summary: "All documentation of a package",
		answer: func(ctx context.Context, l *lookup.Lookup, q *apiQuestion) (any, error) {
			p, err := l.Read(ctx, q.Package)
			if err != nil {
				return nil, err
			}
			return apijson.NewPackage(p), nil
		},
	},
	{
		name: "getSymbols", path: "/v1/symbols", response: "Symbols",
		summary:    "Symbols of a package",
		parameters: []parameter{{name: "symbol", description: "Paths of symbols, or patterns such as Client.*, separated by commas.", required: true}},
		answer:     symbolsAnswer,
	},
	{
		name: "search", path: "/v1/search", response: "Results",
		summary: "Symbols and sections that match a query",
		parameters: []parameter{
			{name: "query", description: "Words, or parts of names; several searches are separated by semicolons.", required: true},
			{name: "limit", description: "Maximum number of hits for each search, up to 100. The default is 20.", kind: "integer"},
		},
		answer: searchAnswer,
	},
	{
		name: "getVersions", path: "/v1/versions", response: "Versions",
		summary: "Versions of a package, as its registry lists them",
		answer: func(ctx context.Context, l *lookup.Lookup, q *apiQuestion) (any, error) {
			return l.Versions(ctx, q.Package)
		},
	},
	{
		name: "compare", path: "/v1/diff", response: "Comparison",
		summary: "Changes between two versions of a package",
		parameters: []parameter{
			{name: "to", description: "The new version; the default is the newest. The old version is the one in the path, or the one that the project uses."},
			{name: "symbol", description: "Symbols or patterns whose changes to list; the default is all."},
		},
		answer: func(ctx context.Context, l *lookup.Lookup, q *apiQuestion) (any, error) {
			c := lookup.Comparison{Old: q.Package, New: q.Package, Symbols: q.values.Get("symbol")}
			c.New.Name, c.New.Version = "", q.values.Get("to")
			return l.Compare(ctx, c)
		},
	},
	{
		name: "getEncodedPackage", path: upstream.PackagesPath, mediaType: upstream.MediaType, released: true,
		summary:    "All documentation of a package, in the format of docent's cache, for docent serve --upstream",
		parameters: []parameter{{name: "index", description: "true for the index of the package's entry points.", kind: "boolean"}},
		answer: func(ctx context.Context, l *lookup.Lookup, q *apiQuestion) (any, error) {
			read := l.Read
			if q.values.Get("index") == "true" {
				read = l.ReadIndex
			}
			p, err := read(ctx, q.Package)
			if err != nil {
				return nil, err
			}
			return upstream.Encode(p)
		},
	},
	{
		name: "getFile", path: upstream.FilesPath, mediaType: "application/octet-stream", released: true,
		summary:    "A file in a package",
		parameters: []parameter{{name: "file", description: "Path of the file in the package, as in the field file of a symbol.", required: true}},
		answer: func(ctx context.Context, l *lookup.Lookup, q *apiQuestion) (any, error) {
			data, err := l.File(ctx, q.Package, q.values.Get("file"))
			if errors.Is(err, fs.ErrNotExist) {
				err = ecosystem.Fail(ecosystem.NotFound, "%s has no file %.200q", q.Name, q.values.Get("file"))
			}
			return data, err
		},
	},
}

// all returns the parameters of the operation, including those of the package.
func (o *operation) all() []parameter {
	return slices.DeleteFunc(slices.Concat(o.parameters, packageParameters), func(p parameter) bool { return o.released && p.name == "project" })
}

// apiSymbols is the response to a request for symbols.
type apiSymbols struct {
	Symbols []*apijson.PackageSymbol `json:"symbols"`
	// Problems contains sentences about names that do not exist.
	Problems []string `json:"problems,omitempty"`
}

func symbolsAnswer(ctx context.Context, l *lookup.Lookup, q *apiQuestion) (any, error) {
	targets, problems, err := l.Select(ctx, lookup.Description{Package: q.Package, Symbols: q.values.Get("symbol")})
	if err != nil {
		return nil, err
	}
	a := apiSymbols{Symbols: []*apijson.PackageSymbol{}}
	for _, t := range targets {
		if t.Symbol != nil {
			a.Symbols = append(a.Symbols, apijson.NewPackageSymbol(t.Package, t.Symbol, t.Notice))
		}
	}
	for _, p := range problems {
		a.Problems = append(a.Problems, p.Error())
	}
	return a, nil
}

// apiResults is the response to a search.
type apiResults struct {
	Results []lookup.Results `json:"results"` // one element for each search in the query
}

func searchAnswer(ctx context.Context, l *lookup.Lookup, q *apiQuestion) (any, error) {
	limit := defaultAPIHits
	if text := q.values.Get("limit"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > maxAPIHits {
			return nil, ecosystem.Fail(ecosystem.Invalid, "the limit %.20q is not a number from 1 to %d", text, maxAPIHits)
		}
		limit = n
	}
	matches, err := l.Matches(ctx, lookup.Search{Package: q.Package, Query: q.values.Get("query"), Limit: limit})
	if err != nil {
		return nil, err
	}
	results, _ := lookup.NewResults(matches)
	return apiResults{results}, nil
}

// addAPI adds the HTTP API, which provides documentation as JSON to programs that do not use MCP.
func (s *Server) addAPI(mux *http.ServeMux, all *endpoints) {
	screen := s.options.HTTP.Screen
	rates := ratelimit.NewLimiter(&ratelimit.Options{PerSecond: s.options.Rate})
	for i := range operations {
		o := &operations[i]
		mux.Handle("GET "+o.path+"/{language}/{package...}", screen(s.authenticate.protect(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			s.answerAPI(w, r, all, rates, o)
		}))))
	}
	mux.Handle("GET /v1/openapi.json", screen(s.authenticate.protect(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, openAPI(s.options.Documentation.Version))
	}))))
}

// answerAPI answers a request within the limits of its principal.
func (s *Server) answerAPI(w http.ResponseWriter, r *http.Request, all *endpoints, rates *ratelimit.Limiter, o *operation) {
	principal := principalFrom(r.Context())
	if s.remote {
		leave, ok := s.admit(w, r, rates)
		if !ok {
			return
		}
		defer leave()
	}
	begun := time.Now()
	data, err := s.dataFor(r, all.endpoint(principal).lookup, o)
	call := docserver.Call{
		Tool: o.name, Outcome: "answered", Took: time.Since(begun), Bytes: len(data),
		About: []slog.Attr{slog.String("package", clip(r.PathValue("package"))), slog.String("version", clip(r.URL.Query().Get("version"))), slog.String("language", clip(r.PathValue("language"))), slog.String("project", clip(r.URL.Query().Get("project")))},
	}
	status, reason := statusOf(err)
	if err != nil {
		call.Outcome = reason
	}
	s.observe(r.Context(), call)
	if err != nil {
		writeFailure(w, status, err)
		return
	}
	w.Header().Set("Content-Type", cmp.Or(o.mediaType, "application/json"))
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	_, _ = w.Write(data)
}

// dataFor returns the JSON for the response to a request.
func (s *Server) dataFor(r *http.Request, l *lookup.Lookup, o *operation) ([]byte, error) {
	values := r.URL.Query()
	for _, p := range o.all() {
		switch list := values[p.name]; {
		case len(list) > 1:
			return nil, ecosystem.Fail(ecosystem.Invalid, "the parameter %s occurs %d times", p.name, len(list))
		case p.required && values.Get(p.name) == "":
			return nil, ecosystem.Fail(ecosystem.Invalid, "the parameter %s is missing", p.name)
		case len(values.Get(p.name)) > maxAPIParameter:
			return nil, ecosystem.Fail(ecosystem.Invalid, "the parameter %s is longer than %d bytes", p.name, maxAPIParameter)
		}
	}
	q := &apiQuestion{values: values, Package: lookup.Package{
		Language: r.PathValue("language"), Name: r.PathValue("package"),
		Version: values.Get("version"), Platform: values.Get("platform"), Features: values.Get("features"),
	}}
	if q.Name == "" || len(q.Name) > maxAPIParameter {
		return nil, ecosystem.Fail(ecosystem.Invalid, "the path must end with the name of a package, which may have at most %d bytes", maxAPIParameter)
	}
	if ecosystem.IsDirectory(q.Name) {
		return nil, ecosystem.Fail(ecosystem.Refused, "%.100q is a directory, not the name of a package", q.Name)
	}
	var err error
	if !o.released {
		if q.Project, err = s.apiProject(r.Context(), values.Get("project")); err != nil {
			return nil, err
		}
	}
	answer, err := o.answer(r.Context(), l, q)
	if err != nil {
		return nil, err
	}
	data, encoded := answer.([]byte)
	if !encoded {
		data, err = json.Marshal(answer)
	}
	if err == nil && len(data) > maxAPIAnswer {
		err = ecosystem.Fail(ecosystem.Unreadable, "the answer is larger than %d MiB", maxAPIAnswer>>20).WithNext("request symbols from the package, or search it")
	}
	return data, err
}

// apiProject returns the directory of the project in a request, or "".
func (s *Server) apiProject(ctx context.Context, name string) (string, error) {
	switch {
	case name == "":
		return "", nil
	case s.remote:
		return s.projects().resolve(ctx, name)
	case !filepath.IsAbs(name):
		return "", ecosystem.Fail(ecosystem.Invalid, "the project %.200q is not an absolute path", name)
	}
	return name, nil
}

// statusOf returns the status of the response to a failed request, and the reason for the logs.
func statusOf(err error) (status int, reason string) {
	if _, ok := errors.AsType[*naming.NoSymbolError](err); ok {
		return http.StatusNotFound, "no symbol"
	}
	failed, ok := errors.AsType[*ecosystem.Error](err)
	if !ok {
		return http.StatusInternalServerError, "failed"
	}
	switch failed.Reason {
	case ecosystem.Invalid:
		status = http.StatusBadRequest
	case ecosystem.Refused:
		status = http.StatusForbidden
	case ecosystem.Unreachable:
		status = http.StatusBadGateway
	case ecosystem.Unreadable:
		status = http.StatusUnprocessableEntity
	default:
		status = http.StatusNotFound
	}
	return status, string(failed.Reason)
}

// tooMany refuses a request that exceeds the limits of its principal.
func tooMany(w http.ResponseWriter, wait time.Duration, text string) {
	w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(wait.Seconds()))))
	writeProblem(w, http.StatusTooManyRequests, text)
}

// clip shortens text for logs.
func clip(s string) string { return s[:min(len(s), maxLogged)] }
