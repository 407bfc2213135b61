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
	// URITemplate is a template by RFC 6570 of at most 8192 bytes, such as
	// "docs://{language}/{+name}{?version}". It begins with a scheme, or with
	// an expression that has one: "{+uri}" takes all that nothing else does.
	URITemplate string
	Name        string
	// Title is shown to people, as is Description.
	Title       string
	Description string
	// MIMEType is what all resources of the template have; empty if they differ.
	MIMEType    string
	Annotations *Annotations
	Icons       []Icon
	Meta        Meta
	// Complete suggests values for variables, by name.
	Complete map[string]Completer
	Caching  Caching
	// Replace has AddResourceTemplate replace a template with the same text, if
	// there is one, instead of failing.
	Replace bool
}

// A ResourceTemplateHandler reads a resource of a template, as a
// ResourceHandler does. vars are the values of the template's variables.
type ResourceTemplateHandler func(ctx context.Context, req *Request, uri string, vars Variables) ([]ResourceContents, error)

// Variables are the values that a URI has for the variables of a template,
// percent-decoded. One that the URI leaves out is missing. They come from the
// client: a value can be anything that the template lets through, such as
// "../.." for {+path}. Check it before it becomes part of a query or a path;
// os.Root and fs.ValidPath help with the latter.
type Variables map[string][]string

// Get is the first value of a variable, or "". Only a variable with the
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

// AddResourceTemplate offers the resources that a template describes.
//
// A URI of a resource that was added is that resource's, whatever templates it
// fits. Of the templates that a URI fits, the one with the most literal text
// serves it; among those, the first in alphabetical order.
//
// How a URI is taken apart goes a little further than RFC 6570 says how to put
// one together, because people and models write URIs too: {x} takes all up to
// the next slash, question mark or number sign, and as much as it can, {+x}
// also these, but never what a later {?y} or {#z} begins with. They need one
// character at least; other expressions may be left out. Names that {?y} does
// not have do not match.
//
// URIs of the scheme file with ".." in their paths never reach the handler.
//
// AddResourceTemplate fails if there is a template with the same text and
// description.Replace is not set, and if description is not valid. Templates
// may be added while the server is serving.
func (s *Server) AddResourceTemplate(description ResourceTemplate, handler ResourceTemplateHandler) error {
	compiled, err := description.compile()
	if err == nil && handler == nil {
		err = errors.New("the handler is nil")
	}
	if err != nil {
		return fmt.Errorf("resource template %q: %w", clip(description.URITemplate, 256), err)
	}
	added := &resourceTemplate{
		ResourceTemplate: description,
		source:           source{mimeType: description.MIMEType, caching: description.Caching, read: handler},
		compiled:         compiled,
	}
	if !s.templates.add(added, description.Replace) {
		return fmt.Errorf("resource template %q: there is one already; set Replace, or remove it first", description.URITemplate)
	}
	if len(description.Complete) > 0 {
		s.hasCompleters.Store(true)
	}
	s.listChanged("resources")
	return nil
}

// RemoveResourceTemplates takes templates away, named by their texts. Requests
// in flight go on. Templates that are not offered are ignored.
func (s *Server) RemoveResourceTemplates(uriTemplates ...string) {
	if s.templates.remove(uriTemplates) {
		s.listChanged("resources")
	}
}

func (d *ResourceTemplate) compile() (*uritemplate.Template, error) {
	compiled, err := uritemplate.Parse(d.URITemplate)
	if err != nil {
		return nil, err
	}
	names := compiled.Names()
	for _, name := range sortedKeys(d.Complete) {
		if !slices.Contains(names, name) {
			return nil, fmt.Errorf("field Complete[%q] is for no variable of the template", name)
		}
		if d.Complete[name] == nil {
			return nil, fmt.Errorf("field Complete[%q] is nil", name)
		}
	}
	if err := checkTemplateScheme(d.URITemplate); err != nil {
		return nil, err
	}
	return compiled, checkDescription(d.Name, d.MIMEType, d.Annotations, d.Icons, d.Meta)
}

// Expand makes a URI of the template, for a link to a resource. A value is a
// string, a []string or a map[string]string; what is missing is left out.
func (d *ResourceTemplate) Expand(values map[string]any) (string, error) {
	compiled, err := uritemplate.Parse(d.URITemplate)
	if err == nil {
		var uri string
		if uri, err = compiled.Expand(values); err == nil {
			return uri, checkURI(uri)
		}
	}
	return "", fmt.Errorf("resource template %q: %w", clip(d.URITemplate, 256), err)
}

// matchTemplate finds the template that serves the URI.
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
