package openapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// A call converts the arguments of an operation's tool to a request.
type call struct {
	*caller
	api       *API
	operation operation
	params    []param // parameters, followed by the body if there is one
}

// param is an argument of a tool: a parameter, or the body of the request.
type param struct {
	argument    string // name of the argument
	name        string // name of the parameter
	in          string // "path", "query", "header" or "body"
	style       string
	explode     bool
	required    bool
	mediaType   string // media type of the body, or of a parameter with a media type
	description string
	schema      json.RawMessage
}

// credentialsOf returns the parameters that contain credentials.
func credentialsOf(doc *openapi3.T) map[string]bool {
	found := map[string]bool{"header authorization": true, "header proxy-authorization": true}
	if doc.Components == nil {
		return found
	}
	for _, scheme := range doc.Components.SecuritySchemes {
		if scheme != nil && scheme.Value != nil && scheme.Value.Type == "apiKey" {
			found[strings.ToLower(scheme.Value.In+" "+scheme.Value.Name)] = true
		}
	}
	return found
}

// fixedHeaders contains the headers that the library and net/http set, which the model must not
// set.
var fixedHeaders = []string{"accept", "accept-encoding", "connection", "content-length", "content-type", "cookie", "expect", "forwarded", "host",
	"keep-alive", "te", "trailer", "transfer-encoding", "upgrade", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"}

// newCall returns the call to an operation, or an error that explains why a tool cannot make it.
func (a *API) newCall(op operation, by *caller) (*call, error) {
	c := &call{caller: by, api: a, operation: op}
	all := slices.Clone(op.op.Parameters)
	for _, shared := range op.item.Parameters {
		if shared != nil && shared.Value != nil && op.op.Parameters.GetByInAndName(shared.Value.In, shared.Value.Name) == nil {
			all = append(all, shared)
		}
	}
	for _, ref := range all {
		if ref == nil || ref.Value == nil {
			return nil, errors.New("the description of a parameter is missing")
		}
		if err := c.addParameter(ref.Value); err != nil {
			return nil, fmt.Errorf("parameter %q: %w", clip(ref.Value.Name, 64), err)
		}
	}
	for _, part := range strings.Split(op.Path, "{")[1:] {
		name, _, closed := strings.Cut(part, "}")
		if !closed || !slices.ContainsFunc(c.params, func(p param) bool { return p.in == "path" && p.name == name }) {
			return nil, fmt.Errorf("its path contains {%s}, which no parameter describes", clip(name, 64))
		}
	}
	if body := op.op.RequestBody; body != nil && body.Value != nil {
		if err := c.addBody(body.Value); err != nil {
			return nil, err
		}
	}
	c.nameArguments()
	return c, nil
}

func (c *call) addParameter(p *openapi3.Parameter) error {
	low := strings.ToLower(p.Name)
	dropped := ""
	switch {
	case c.api.credentials[p.In+" "+low]:
		return nil // Options.Authorize adds this parameter
	case p.In == "cookie":
		dropped = "it is a cookie"
	case p.In == "header" && (slices.Contains(fixedHeaders, low) || !isToken(p.Name)):
		dropped = "it is a header that the model may not set"
	case p.In != "path" && p.In != "query" && p.In != "header":
		dropped = fmt.Sprintf("its location %q is unknown", clip(p.In, 32))
	}
	if dropped != "" {
		if p.Required {
			return errors.New("it is required, but " + dropped)
		}
		return nil
	}
	one := param{name: p.Name, in: p.In, style: p.Style, required: p.Required || p.In == "path", description: p.Description}
	if one.style == "" {
		one.style = map[string]string{"path": "simple", "query": "form", "header": "simple"}[p.In]
	}
	one.explode = one.style == "form"
	if p.Explode != nil {
		one.explode = *p.Explode
	}
	if !slices.Contains(styles[p.In], one.style) {
		return fmt.Errorf("its style %q is not supported", clip(one.style, 32))
	}
	schema := p.Schema
	if schema == nil {
		mediaType, content := jsonContent(p.Content)
		if content == nil && len(p.Content) > 0 {
			return errors.New("its content is not JSON")
		}
		if content != nil {
			one.mediaType, schema = mediaType, content.Schema
		}
	}
	return c.add(one, schema)
}

// styles contains the supported styles of parameters, by location.
var styles = map[string][]string{
	"path": {"simple"}, "header": {"simple"}, "query": {"form", "spaceDelimited", "pipeDelimited", "deepObject"},
}

func (c *call) addBody(body *openapi3.RequestBody) error {
	one := param{name: "body", in: "body", required: body.Required, description: body.Description}
	mediaType, content := jsonContent(body.Content)
	for _, other := range []string{"application/x-www-form-urlencoded", "text/plain"} {
		if content == nil && body.Content[other] != nil {
			mediaType, content = other, body.Content[other]
		}
	}
	switch {
	case content != nil:
		one.mediaType = mediaType
		return c.add(one, content.Schema)
	case body.Required:
		return errors.New("its body is neither JSON nor a form nor text")
	}
	return nil
}

// jsonContent returns the JSON content and its media type.
func jsonContent(all openapi3.Content) (string, *openapi3.MediaType) {
	if content := all["application/json"]; content != nil {
		return "application/json", content
	}
	names := make([]string, 0, len(all))
	for name := range all {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		mediaType, _, err := mime.ParseMediaType(name)
		if err == nil && (mediaType == "application/json" || strings.HasSuffix(mediaType, "+json")) && all[name] != nil {
			return mediaType, all[name]
		}
	}
	return "", nil
}

func (c *call) add(p param, schema *openapi3.SchemaRef) error {
	p.schema = json.RawMessage("{}")
	if schema != nil {
		encoded, err := json.Marshal(schema)
		if err != nil {
			return errors.New("its schema cannot be encoded as JSON")
		}
		p.schema = encoded
	}
	c.params = append(c.params, p)
	return nil
}

// nameArguments sets the names of the arguments for the parameters. An argument has the parameter's
// name or, if another parameter has the same name, its name and location.
func (c *call) nameArguments() {
	taken := map[string]bool{}
	for i := range c.params {
		p := &c.params[i]
		p.argument = p.name
		for taken[p.argument] {
			p.argument += "_" + p.in
		}
		taken[p.argument] = true
	}
}

// componentsOf returns the named schemas of a description.
func componentsOf(doc *openapi3.T) map[string]json.RawMessage {
	all := map[string]json.RawMessage{}
	if doc.Components == nil {
		return all
	}
	for name, schema := range doc.Components.Schemas {
		if encoded, err := json.Marshal(schema); err == nil {
			all[name] = encoded
		}
	}
	return all
}

// isToken reports whether name may be the name of a header.
func isToken(name string) bool {
	return name != "" && http.CanonicalHeaderKey(name) != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return r <= ' ' || r >= 0x7f || strings.ContainsRune(`"(),/:;<=>?@[\]{}`, r)
	})
}
