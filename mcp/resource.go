package mcp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/docent-mcp/docent/mcp/internal/jsonrpc"
	"github.com/docent-mcp/docent/mcp/internal/revision"
	"github.com/docent-mcp/docent/mcp/internal/wire"
)

// Resource describes a resource, which is data at a URI that a client can read.
type Resource struct {
	// URI follows RFC 3986 and has at most 8192 bytes. Use the scheme https only for resources that
	// the client can fetch from the web.
	URI  string
	Name string
	// Title and Description are shown to people.
	Title       string
	Description string
	MIMEType    string
	Size        int64 // size in bytes of the contents; 0 means unknown
	Annotations *Annotations
	Icons       []Icon
	Meta        Meta
	Caching     Caching
}

// A ResourceHandler reads a resource. It returns the contents in one or more parts, for example one
// for each file of a directory. A part without a URI gets the resource's URI and MIME type. A nil
// slice means ErrResourceNotFound; an empty slice that is not nil means an empty resource. An
// *Error that the handler returns becomes the response's error. For any other error, and for a
// panic, the client gets an internal error without details.
type ResourceHandler func(ctx context.Context, req *Request, uri string) ([]ResourceContents, error)

// Caching tells clients of revision 2026-07-28 how long they may cache contents, and whether users
// may share the cached copy. The zero value allows no caching.
type Caching struct {
	// TTL is how long the contents may be cached.
	TTL time.Duration
	// Public allows shared caches to return the contents to other users.
	Public bool
}

// ErrResourceNotFound is returned by a handler, wrapped or not, if there is no
// resource with the URI.
var ErrResourceNotFound = errors.New("resource not found")

// resource is a registered resource.
type resource struct {
	Resource
	source
}

// source reads the contents of a resource, or of all resources that match a template.
type source struct {
	mimeType  string
	caching   Caching
	read      ResourceTemplateHandler
	offReader atomic.Int32
	answers   answerSize
}

// reading is the resource for a resources/read request.
type reading struct {
	*source
	uri  string
	vars Variables // the template's variables, if source belongs to a template
}

func resourceURI(e *resource) string { return e.URI }

// AddResource adds a resource to the server. It returns an error if res is not valid, or if the URI
// is already in use and options do not include Replace. Resources can be added while the server is
// running. Subscriptions to a resource that is replaced continue; call ResourceUpdated if the
// contents have changed.
func (s *Server) AddResource(res Resource, handler ResourceHandler, options ...AddOption) error {
	err := res.check()
	if err == nil && handler == nil {
		err = errors.New("the handler is nil")
	}
	if err != nil {
		return fmt.Errorf("resource %q: %w", res.URI, err)
	}
	added := &resource{Resource: res, source: source{mimeType: res.MIMEType, caching: res.Caching}}
	added.read = func(ctx context.Context, r *Request, uri string, _ Variables) ([]ResourceContents, error) {
		return handler(ctx, r, uri)
	}
	if err := s.resources.add(added, "URI", options); err != nil {
		return fmt.Errorf("resource %q: %w", res.URI, err)
	}
	s.listChanged("resources")
	return nil
}

// RemoveResources removes resources. It ignores unknown URIs. Requests in flight continue.
func (s *Server) RemoveResources(uris ...string) {
	if s.resources.remove(uris) {
		s.listChanged("resources")
	}
}

func (res *Resource) check() error {
	if err := checkURI(res.URI); err != nil {
		return err
	}
	if res.Size < 0 {
		return errors.New("the size is negative")
	}
	return checkDescription(res.Name, res.MIMEType, res.Annotations, res.Icons, res.Meta)
}

// checkDescription returns an error if a field that both resources and templates have is not valid.
func checkDescription(name, mimeType string, a *Annotations, icons []Icon, meta Meta) error {
	if err := checkName(name); err != nil {
		return err
	}
	if mimeType != "" {
		if err := checkMIMEType(mimeType); err != nil {
			return err
		}
	}
	if err := checkAnnotations(a); err != nil {
		return err
	}
	if err := checkIcons(icons); err != nil {
		return err
	}
	return checkMeta(meta)
}

// findSource returns the source for r, which is the resource with the URI or otherwise the best
// matching template. It returns nil if there is none.
func (s *Server) findSource(r *Request) *reading {
	uri, ok := jsonrpc.String(r.params.uri)
	if !ok || checkURI(uri) != nil {
		return nil
	}
	if found, ok := s.resources.find(uri); ok {
		if !s.shows(r, found) {
			return nil
		}
		return &reading{source: &found.source, uri: uri}
	}
	if found, vars := s.matchTemplate(uri); found != nil && s.shows(r, found) {
		return &reading{source: &found.source, uri: uri, vars: vars}
	}
	return nil
}

// readResource answers resources/read (specification: Resources, Reading
// Resources).
func (s *Server) readResource(ctx context.Context, r *Request) (Result, error) {
	uri, ok := jsonrpc.String(r.params.uri)
	if !ok {
		return nil, errorf(CodeInvalidParams, "Invalid params of resources/read: uri must be a string")
	}
	if err := checkURI(uri); err != nil {
		return nil, errorf(CodeInvalidParams, "Invalid params of resources/read: uri: %v", err)
	}
	found, ok := r.target.(*reading)
	if !ok {
		return nil, errResourceNotFound(r.rev, uri)
	}
	contents, err := found.read(ctx, r, uri, found.vars)
	if errors.Is(err, ErrResourceNotFound) || err == nil && contents == nil {
		return nil, errResourceNotFound(r.rev, uri)
	}
	if err != nil {
		return nil, err
	}
	res := &ResourceResult{Contents: make([]ResourceContents, len(contents)), Caching: found.caching}
	for i, c := range contents {
		c.URI = cmp.Or(c.URI, uri)
		if c.URI == uri && c.MIMEType == "" {
			c.MIMEType = found.mimeType
		}
		if err := checkURI(c.URI); err != nil {
			return nil, fmt.Errorf("resource %q: contents %d: %w", uri, i, err)
		}
		res.Contents[i] = c
	}
	return res, nil
}

func errResourceNotFound(rev revision.Revision, uri string) *Error {
	data := wire.Field(open(), "uri", uri)
	return &Error{Code: rev.ResourceNotFound(), Message: "Resource not found", Data: append(data, '}')}
}

// ResourceResult is the result of resources/read that middleware receives.
type ResourceResult struct {
	Contents []ResourceContents
	Caching  Caching
	Meta     Meta
}

func (res *ResourceResult) resultMeta() Meta { return res.Meta }

func (res *ResourceResult) appendMembers(b []byte, rev revision.Revision) []byte {
	b = append(wire.Name(b, "contents"), '[')
	for i := range res.Contents {
		b = res.Contents[i].append(wire.Comma(b), rev)
	}
	b = append(b, ']')
	if rev.HasResultType() {
		b = res.Caching.append(b)
	}
	return b
}

// append appends the caching hints of revision 2026-07-28.
func (c Caching) append(b []byte) []byte {
	b = strconv.AppendInt(wire.Name(b, "ttlMs"), max(c.TTL.Milliseconds(), 0), 10)
	if c.Public {
		return wire.Field(b, "cacheScope", "public")
	}
	return wire.Field(b, "cacheScope", "private")
}

func (e *resource) append(b []byte, rev revision.Revision) []byte {
	b = append(b, '{')
	b = wire.Field(b, "uri", e.URI)
	b = wire.Field(b, "name", e.Name)
	b = appendDescription(b, e.Title, e.Description, e.MIMEType, rev)
	if e.Size > 0 {
		b = wire.Int(b, "size", e.Size)
	}
	return appendResourceEnd(b, e.Annotations, e.Icons, e.Meta, rev)
}

func appendDescription(b []byte, title, description, mimeType string, rev revision.Revision) []byte {
	if rev.HasTitle() {
		b = wire.Optional(b, "title", title)
	}
	b = wire.Optional(b, "description", description)
	return wire.Optional(b, "mimeType", mimeType)
}

// appendResourceEnd appends the last members of resources and templates, and closes the object.
func appendResourceEnd(b []byte, a *Annotations, icons []Icon, meta Meta, rev revision.Revision) []byte {
	b = appendAnnotations(b, a, rev)
	b = appendIcons(b, icons, rev)
	if rev.HasTitle() {
		b = appendMeta(b, meta)
	}
	return append(b, '}')
}
