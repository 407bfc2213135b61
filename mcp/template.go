package mcp

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/docent-mcp/docent/mcp/internal/revision"
	"github.com/docent-mcp/docent/mcp/internal/uritemplate"
	"github.com/docent-mcp/docent/mcp/internal/wire"
)

// ResourceTemplate describes resources whose URIs follow a template.
type ResourceTemplate struct {
	// URITemplate is an RFC 6570 template of at most 8192 bytes, such as
	// "docs://{language}/{+name}{?version}". It begins with a scheme, or with an expression that
	// matches one. For example, "{+uri}" matches any URI.
	URITemplate string
	Name        string
	// Title and Description are shown to people.
	Title       string
	Description string
	// MIMEType is the MIME type of all resources that match the template. It is empty if they have
	// different types.
	MIMEType    string
	Annotations *Annotations
	Icons       []Icon
	Meta        Meta
	// Complete contains a Completer for each variable that has suggestions, by the name of the
	// variable.
	Complete map[string]Completer
	Caching  Caching
}

// A ResourceTemplateHandler reads a resource whose URI matches a template; see ResourceHandler.
// vars contains the values of the template's variables.
type ResourceTemplateHandler func(ctx context.Context, req *Request, uri string, vars Variables) ([]ResourceContents, error)

// Variables contains the percent-decoded values of a template's variables. A variable that is not
// in the URI is missing. Values come from the client and can be any text that the template matches,
// such as "../.." for {+path}, so check them before you use them in a query or a path. os.Root and
// fs.ValidPath help with paths.
type Variables map[string][]string

// Get returns the first value of a variable, or "". Only a variable with the
// explode modifier, as in {/path*}, can have more than one.
func (v Variables) Get(name string) string {
	if values := v[name]; len(values) > 0 {
		return values[0]
	}
	return ""
}

// resourceTemplate is a registered template.
type resourceTemplate struct {
	ResourceTemplate
	source
	compiled *uritemplate.Template
}

func templateText(e *resourceTemplate) string { return e.URITemplate }

// AddResourceTemplate adds a template for resources.
//
// A resource with exactly the requested URI takes precedence over templates. If several templates
// match, the one with the most literal text is used. If that is the same, the first one in
// alphabetical order is used.
//
// Matching accepts more URIs than RFC 6570 generates, because people and models also write URIs.
// {x} matches as many characters as possible up to the next slash, question mark or number sign.
// {+x} also matches these, but not the beginning of a later {?y} or {#z}. Both match at least one
// character. Other expressions may match the empty string. A query with names that {?y} does not
// list does not match.
//
// URIs with the scheme file and ".." in their paths never reach the handler.
//
// AddResourceTemplate returns an error if t is not valid, or if a template with the same text
// exists and options do not include Replace. Templates can be added while the server is running.
func (s *Server) AddResourceTemplate(t ResourceTemplate, handler ResourceTemplateHandler, options ...AddOption) error {
	compiled, err := t.compile()
	if err == nil && handler == nil {
		err = errors.New("the handler is nil")
	}
	if err != nil {
		return fmt.Errorf("resource template %q: %w", clip(t.URITemplate, 256), err)
	}
	added := &resourceTemplate{
		ResourceTemplate: t,
		source:           source{mimeType: t.MIMEType, caching: t.Caching, read: handler},
		compiled:         compiled,
	}
	if err := s.templates.add(added, "URI template", options); err != nil {
		return fmt.Errorf("resource template %q: %w", t.URITemplate, err)
	}
	if len(t.Complete) > 0 {
		s.hasCompleters.Store(true)
	}
	s.listChanged("resources")
	return nil
}

// RemoveResourceTemplates removes the templates with the given values of URITemplate. It ignores
// unknown templates. Requests in flight continue.
func (s *Server) RemoveResourceTemplates(uriTemplates ...string) {
	if s.templates.remove(uriTemplates) {
		s.listChanged("resources")
	}
}

func (t *ResourceTemplate) compile() (*uritemplate.Template, error) {
	compiled, err := uritemplate.Parse(t.URITemplate)
	if err != nil {
		return nil, err
	}
	names := compiled.Names()
	for _, name := range sortedKeys(t.Complete) {
		if !slices.Contains(names, name) {
			return nil, fmt.Errorf("field Complete[%q] does not name a variable of the template", name)
		}
		if t.Complete[name] == nil {
			return nil, fmt.Errorf("field Complete[%q] is nil", name)
		}
	}
	if err := checkTemplateScheme(t.URITemplate); err != nil {
		return nil, err
	}
	return compiled, checkDescription(t.Name, t.MIMEType, t.Annotations, t.Icons, t.Meta)
}

// A TemplateVariable is a variable of a URI template.
type TemplateVariable struct {
	Name string
	// Exploded is true if the variable has the explode modifier, as in {/path*}. Each element of a
	// list then becomes a separate value.
	Exploded bool
}

// Variables returns the variables of the template in the order of their first occurrence.
func (t *ResourceTemplate) Variables() ([]TemplateVariable, error) {
	compiled, err := uritemplate.Parse(t.URITemplate)
	if err != nil {
		return nil, fmt.Errorf("resource template %q: %w", clip(t.URITemplate, 256), err)
	}
	var all []TemplateVariable
	for _, name := range compiled.Names() {
		all = append(all, TemplateVariable{Name: name, Exploded: compiled.Exploded(name)})
	}
	return all, nil
}

// Expand returns the URI for the given values of the variables, for example for a link to a
// resource. A value is a string, a []string or a map[string]string. A variable without a value
// expands to the empty string.
func (t *ResourceTemplate) Expand(values map[string]any) (string, error) {
	compiled, err := uritemplate.Parse(t.URITemplate)
	if err == nil {
		var uri string
		if uri, err = compiled.Expand(values); err == nil {
			return uri, checkURI(uri)
		}
	}
	return "", fmt.Errorf("resource template %q: %w", clip(t.URITemplate, 256), err)
}

// Match reports whether a URI matches the template, and returns the values of the template's
// variables. AddResourceTemplate describes the rules.
func (t *ResourceTemplate) Match(uri string) (Variables, bool) {
	compiled, err := uritemplate.Parse(t.URITemplate)
	if err != nil {
		return nil, false
	}
	return compiled.Match(uri)
}

// matchTemplate returns the template for the URI, and the values of its variables. The template is
// nil if none matches.
func (s *Server) matchTemplate(uri string) (*resourceTemplate, Variables) {
	var best *resourceTemplate
	var values Variables
	for _, e := range s.templates.state().sorted {
		if best != nil && e.compiled.Literals() <= best.compiled.Literals() {
			continue
		}
		if vars, ok := e.compiled.Match(uri); ok {
			best, values = e, vars
		}
	}
	return best, values
}

func (e *resourceTemplate) append(b []byte, rev revision.Revision) []byte {
	b = append(b, '{')
	b = wire.Field(b, "uriTemplate", e.URITemplate)
	b = wire.Field(b, "name", e.Name)
	b = appendDescription(b, e.Title, e.Description, e.MIMEType, rev)
	return appendResourceEnd(b, e.Annotations, e.Icons, e.Meta, rev)
}
