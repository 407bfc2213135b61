// Package openapi turns the operations of an HTTP API with an OpenAPI 3.0 or 3.1 description into
// tools. It is a separate module, so that package mcp does not depend on an OpenAPI parser.
//
//	api, err := openapi.Load(description)
//	...
//	report, err := api.AddTools(server, &openapi.Options{
//		BaseURL:   "https://api.example.com/v1",
//		Authorize: openapi.Bearer(os.Getenv("API_TOKEN")),
//	})
//
// Each operation becomes a tool. The arguments are the operation's parameters and the body of its
// request, with the schemas from the description. The result is the response. By default only safe
// operations (GET) become tools. With Bearer and the other functions for credentials, each call
// fails if the credentials are empty. A program that should not start without credentials must
// check its environment itself.
//
// The model never sees or sends credentials: Options.Authorize adds them to each request, and
// parameters with credentials do not become arguments. Requests go only to BaseURL, and redirects
// to another origin are not followed. The size and duration of responses are limited.
//
// # Arguments
//
// Each parameter in the path, the query and the headers is an argument with the parameter's own
// name. The complete body of the request is one argument, "body". A JSON body is passed unchanged,
// a form as an object, and text as a string. If two parameters of an operation have the same name,
// the later one gets its location as a suffix: "id_path", "id_query", "id_header" or, for the body,
// "body_body".
//
// Parameters with credentials, cookies, and headers such as Host and Content-Type are not
// arguments. Operations that require a cookie, such a header, or a body of another kind, such as a
// file, do not become tools. Lists and objects are sent in the parameter's style, with the
// separators of the style escaped in their elements; the styles matrix and label are not supported.
//
// # Results
//
// The result is always a single text, without structured content or an output schema:
//
//   - The body of a response with a 2xx status. JSON is sent without insignificant space, after
//     Options.Shape.
//   - "HTTP 204 No Content", or another status, if the body is empty.
//   - "The response is binary (image/png) and is not shown." for a body that is neither JSON, text nor
//     XML by its Content-Type, and not UTF-8.
//   - "HTTP 404 Not Found" followed by the body on the next lines, with IsError, for all other
//     statuses, including redirects that are not followed.
//
// If no response arrives, or a request cannot be made or authorized, the result is an error, too.
// Options.MaxResponseBytes limits all bodies, including those of errors; the text states whether it
// was truncated.
//
// # Implementation
//
// The package parses descriptions with kin-openapi instead of libopenapi. A program with
// kin-openapi is a third smaller (8.4 MB instead of 12.4 MB), and kin-openapi returns schemas
// unchanged, including references. Descriptions are treated as hostile data. Other documents that
// they refer to are not loaded.
package openapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/docent-mcp/docent/mcp"
)

// maxDescription is the maximum size of a description in bytes.
const maxDescription = 32 << 20

// An API is a description of an HTTP API.
type API struct {
	doc         *openapi3.T
	components  map[string]json.RawMessage // schemas by name
	credentials map[string]bool            // parameters with credentials, as "in name" in lower case
}

// Load parses an OpenAPI 3.0 or 3.1 description in JSON or YAML. It does not load other documents,
// and returns an error if the description refers to one.
func Load(description []byte) (api *API, err error) {
	if len(description) > maxDescription {
		return nil, fmt.Errorf("openapi: the description has %d bytes; the limit is %d", len(description), maxDescription)
	}
	defer func() {
		if p := recover(); p != nil { // the parser panicked because of an unexpected description
			api, err = nil, fmt.Errorf("openapi: the description cannot be read: %v", p)
		}
	}()
	doc, err := openapi3.NewLoader().LoadFromData(description)
	if err != nil {
		return nil, fmt.Errorf("openapi: reading the description: %w", err)
	}
	if !strings.HasPrefix(doc.OpenAPI, "3.0") && !strings.HasPrefix(doc.OpenAPI, "3.1") {
		return nil, fmt.Errorf("openapi: the description has version %q; versions 3.0 and 3.1 are supported", clip(doc.OpenAPI, 32))
	}
	return &API{doc: doc, components: componentsOf(doc), credentials: credentialsOf(doc)}, nil
}

// Options configure AddTools. The zero value adds the safe operations of an API without
// credentials.
type Options struct {
	// BaseURL is the address of the API, to which the paths of operations are appended. By default,
	// it is the first server in the description. It is required with Authorize, so that a
	// description cannot determine where credentials are sent. It must not contain user information
	// or a query.
	BaseURL string
	// Authorize adds credentials to each request just before it is sent. The request's context is
	// that of the tool call, so mcp.RequestFrom identifies the caller. Nil adds no credentials. If
	// Authorize returns an error, the request is not sent, and the error becomes the tool's error.
	Authorize func(req *http.Request) error
	// Unsafe also adds all operations that change something: POST, PUT, PATCH
	// and DELETE. Use Include to select some of them.
	Unsafe bool
	// Include reports whether an operation that Unsafe allows becomes a tool; nil selects those
	// that are not deprecated. Include is also called for deprecated operations, so most
	// implementations begin with "return !op.Deprecated &&".
	//
	// Without Unsafe, Include is called only for GET. With Unsafe, only Include can exclude
	// operations that change something. An Include that selects by tag or path then selects every
	// POST, PUT, PATCH and DELETE with that tag or path, including those that a later description
	// adds. With Unsafe, the following function selects all operations that change nothing, and
	// exactly one DELETE:
	//
	//	Include: func(op openapi.Operation) bool {
	//		return !op.Deprecated && (op.Safe() || op.ID == "removePet")
	//	},
	//
	// An operation without operationId can be selected by its Method and Path.
	Include func(Operation) bool
	// Name returns the name of an operation's tool, or "" for the default one: its operationId or,
	// without one, its method and path, such as "put_pets_id". Renaming one tool therefore needs
	// only one condition:
	//
	//	Name: func(op openapi.Operation) string {
	//		if op.ID == "listPets" {
	//			return "find_pets"
	//		}
	//		return ""
	//	},
	//
	// In all names, each run of characters other than ASCII letters, digits, '-' and '_' is
	// replaced with one '_', or removed at the ends, and at most 64 characters are kept. If several
	// tools have the same name, all but the first get a number, as in "find_pets_2". Report.Added
	// contains the resulting names.
	Name func(Operation) string
	// MaxTools is the maximum number of tools that AddTools adds; default 128. If more operations
	// are selected, AddTools adds none, because models choose badly among too many tools. Use
	// Include to select fewer.
	MaxTools int
	// MaxSchemaBytes is the maximum size of a tool's input schema; default 32 KiB. From a larger
	// schema, AddTools removes first the descriptions and then the details of the body.
	MaxSchemaBytes int
	// MaxResponseBytes is the maximum size of the part of a response that the model gets; default
	// 64 KiB. The rest is omitted, and the result states this. It also limits responses with an
	// error status.
	MaxResponseBytes int
	// Shape changes the body of a successful response in JSON before it is truncated, for example
	// to omit members. If it is nil, the body is not changed. A body that is larger than 16 MiB,
	// and than MaxResponseBytes, cannot be shaped and is an error.
	Shape func(op Operation, body json.RawMessage) (json.RawMessage, error)
	// Timeout is the maximum time of a request until its response has been read; default 30
	// seconds. The tool's error then contains the limit: "no response within 30s".
	Timeout time.Duration
	// HTTPClient sends requests. The package replaces its CheckRedirect. The default is an
	// http.Client with the default transport.
	HTTPClient *http.Client
}

// An Operation is one method of one path of an API.
type Operation struct {
	ID          string // operationId; may be empty
	Method      string // such as "GET"
	Path        string // such as "/pets/{id}"
	Summary     string
	Description string
	Tags        []string
	Deprecated  bool
}

// Safe reports whether the operation has a method that makes no changes.
func (o Operation) Safe() bool { return o.Method == http.MethodGet }

// A Report lists the tools that AddTools created and the operations that it skipped.
type Report struct {
	// Added contains the names of the tools, in the order of API.Operations.
	Added []string
	// Skipped maps operations that were selected but could not become tools ("GET /pets") to the
	// reason. A reason can be, for example, that the body is a file or that the name is already in
	// use. Skipped does not contain operations that were not selected because of Include or Unsafe
	// or because they are deprecated. API.Operations returns all operations.
	Skipped map[string]string
}

// Operations returns the operations of the API with the methods GET, POST, PUT, PATCH and DELETE,
// in the order of their paths, including deprecated ones. It omits HEAD, OPTIONS, TRACE and other
// methods, which never become tools.
func (a *API) Operations() []Operation {
	var all []Operation
	for _, o := range a.operations() {
		all = append(all, o.Operation)
	}
	return all
}

// operation is an operation together with its part of the description.
type operation struct {
	Operation
	item *openapi3.PathItem
	op   *openapi3.Operation
}

// methods contains the methods that can become tools, in the order in which a report lists them.
var methods = []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete}

func (a *API) operations() []operation {
	var all []operation
	if a.doc.Paths == nil {
		return nil
	}
	for _, path := range a.doc.Paths.InMatchingOrder() {
		item := a.doc.Paths.Value(path)
		if item == nil {
			continue
		}
		for _, method := range methods {
			if op := item.GetOperation(method); op != nil {
				all = append(all, operation{Operation{
					ID: op.OperationID, Method: method, Path: path, Summary: op.Summary, Description: op.Description,
					Tags: slices.Clone(op.Tags), Deprecated: op.Deprecated,
				}, item, op})
			}
		}
	}
	slices.SortStableFunc(all, func(x, y operation) int { return strings.Compare(x.Path, y.Path) })
	return all
}

// AddTools adds a tool to s for each operation that o selects. A nil o means the zero value.
// AddTools returns an error if an option is not valid, if more than MaxTools operations are
// selected, or if no tool can be added.
func (a *API) AddTools(s *mcp.Server, o *Options) (*Report, error) {
	var opts Options
	if o != nil {
		opts = *o
	}
	base, err := a.base(&opts)
	if err != nil {
		return nil, err
	}
	orDefault(&opts.MaxTools, 128)
	orDefault(&opts.MaxSchemaBytes, 32<<10)
	orDefault(&opts.MaxResponseBytes, 64<<10)
	orDefault(&opts.Timeout, 30*time.Second)
	c := &caller{opts: &opts, base: base, client: sameOrigin(opts.HTTPClient)}
	report := &Report{Skipped: map[string]string{}}
	var selected []operation
	for _, op := range a.operations() {
		switch {
		case !op.Safe() && !opts.Unsafe:
		case opts.Include != nil && !opts.Include(op.Operation):
		case opts.Include == nil && op.Deprecated:
		default:
			selected = append(selected, op)
		}
	}
	if len(selected) > opts.MaxTools {
		return nil, fmt.Errorf("openapi: %d operations are selected, but MaxTools is %d; select fewer with Include", len(selected), opts.MaxTools)
	}
	names := map[string]bool{}
	for _, op := range selected {
		skip := func(err error) { report.Skipped[op.Method+" "+op.Path] = err.Error() }
		call, err := a.newCall(op, c)
		if err != nil {
			skip(err)
			continue
		}
		t := toolOf(op, opts.Name, names)
		if err := addTool(s, t, call, opts.MaxSchemaBytes); err != nil {
			skip(err)
			continue
		}
		names[t.Name] = true
		report.Added = append(report.Added, t.Name)
	}
	if len(report.Added) == 0 {
		return report, errors.New("openapi: no operation could become a tool; see Report.Skipped and Options")
	}
	return report, nil
}

// addTool adds the tool with the most detailed schema that is not larger than max and that the
// library accepts.
func addTool(s *mcp.Server, t mcp.Tool, c *call, max int) error {
	handler := func(ctx context.Context, _ *mcp.Request, arguments json.RawMessage) (*mcp.CallToolResult, error) {
		return c.do(ctx, arguments)
	}
	err := fmt.Errorf("the schema of its arguments is larger than %d bytes", max)
	for detail := full; detail <= namesOnly; detail++ {
		schema, failed := c.schema(detail)
		if failed != nil {
			return failed
		}
		if len(schema) > max {
			continue
		}
		t.InputSchema = schema
		if err = mcp.AddTool(s, t, handler); err == nil {
			return nil
		}
		if errors.Is(err, mcp.ErrNameTaken) { // the error of package mcp suggests the option Replace, which AddTools does not have
			return fmt.Errorf("the server has a tool %q already; give this one another name with Options.Name", t.Name)
		}
	}
	return err
}

// base returns the address of the API.
func (a *API) base(o *Options) (*url.URL, error) {
	address := o.BaseURL
	if address == "" {
		if o.Authorize != nil {
			return nil, errors.New("openapi: Options.BaseURL is required with Authorize; set it to the URL that the credentials are for")
		}
		if len(a.doc.Servers) > 0 && a.doc.Servers[0] != nil {
			address = a.doc.Servers[0].URL
			for name, v := range a.doc.Servers[0].Variables {
				if v != nil {
					address = strings.ReplaceAll(address, "{"+name+"}", v.Default)
				}
			}
		}
	}
	u, err := parseBase(address)
	if err != nil {
		if o.BaseURL == "" {
			return nil, fmt.Errorf("openapi: the first server of the description %w; set Options.BaseURL", err)
		}
		return nil, fmt.Errorf("openapi: Options.BaseURL %w", err)
	}
	u.Path = strings.TrimSuffix(u.Path, "/")
	u.RawPath = strings.TrimSuffix(u.RawPath, "/")
	return u, nil
}

// parseBase returns the address of an API as a URL, or an error that describes what is wrong with
// it. The error does not contain the address, which may contain a password or a key.
func parseBase(address string) (*url.URL, error) {
	u, err := url.Parse(address)
	switch {
	case address == "":
		return nil, errors.New("is missing")
	case err != nil:
		return nil, errors.New("is not a URL")
	case u.User != nil:
		return nil, errors.New("contains user information, which is not allowed; send credentials with Options.Authorize, such as Basic")
	case u.Scheme != "https" && u.Scheme != "http" || u.Host == "":
		return nil, errors.New("is not an absolute URL with https or http, such as https://api.example.com/v1")
	case u.RawQuery != "" || u.ForceQuery:
		return nil, errors.New("contains a query, which is not allowed; add parameters to requests with Options.Authorize")
	case u.Fragment != "":
		return nil, errors.New("contains a fragment, which is not allowed")
	}
	return u, nil
}

func orDefault[T int | time.Duration](v *T, value T) {
	if *v <= 0 {
		*v = value
	}
}

// clip shortens s to at most n bytes.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}
