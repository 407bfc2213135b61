package openapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// A caller sends the requests of all tools of an API.
type caller struct {
	opts   *Options
	base   *url.URL
	client *http.Client
}

// sameOrigin returns a copy of the client that follows redirects only within the request's origin,
// because other origins would receive the contents of the request.
func sameOrigin(client *http.Client) *http.Client {
	local := http.Client{}
	if client != nil {
		local = *client
	}
	local.CheckRedirect = func(req *http.Request, via []*http.Request) error {
		first := via[0].URL
		if len(via) > 5 || req.URL.Scheme != first.Scheme || req.URL.Host != first.Host {
			return http.ErrUseLastResponse
		}
		return nil
	}
	return &local
}

// request returns the request for arguments that satisfy the tool's schema.
func (c *call) request(ctx context.Context, arguments json.RawMessage) (*http.Request, error) {
	var values map[string]json.RawMessage
	if err := json.Unmarshal(arguments, &values); err != nil {
		return nil, fmt.Errorf("the arguments are not a JSON object: %w", err)
	}
	segments, query, header := map[string]string{}, []string{}, http.Header{}
	var body io.Reader
	for _, p := range c.params {
		value, ok := values[p.argument]
		if !ok {
			continue
		}
		fail := func(err error) (*http.Request, error) { return nil, fmt.Errorf("argument %q: %w", p.argument, err) }
		if p.in == "body" {
			encoded, err := p.encodeBody(value)
			if err != nil {
				return fail(err)
			}
			body = bytes.NewReader(encoded)
			header.Set("Content-Type", p.mediaType)
			continue
		}
		pairs, err := p.encode(value)
		if err != nil {
			return fail(err)
		}
		switch p.in {
		case "path":
			if pairs[0].value == "" {
				return fail(errors.New("a part of a path cannot be empty"))
			}
			segments[p.name] = pairs[0].value
		case "header":
			if strings.ContainsFunc(pairs[0].value, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) {
				return fail(errors.New("a header cannot contain control characters"))
			}
			header.Set(p.name, pairs[0].value)
		case "query":
			for _, pair := range pairs {
				query = append(query, pair.name+"="+pair.value)
			}
		}
	}
	address, err := c.address(segments)
	if err != nil {
		return nil, err
	}
	address.RawQuery = strings.Join(query, "&")
	req, err := http.NewRequestWithContext(ctx, c.operation.Method, address.String(), body)
	if err != nil {
		return nil, fmt.Errorf("the request cannot be created: %w", err)
	}
	req.Header = header
	req.Header.Set("Accept", "application/json, text/*;q=0.5, */*;q=0.1")
	if authorize := c.opts.Authorize; authorize != nil {
		if err := authorize(req); err != nil {
			return nil, fmt.Errorf("the request cannot be authorized: %w", err)
		}
	}
	return req, nil
}

// address returns the URL of the operation, with escaped values for the parameters in its path. It
// returns an error if a value would change the structure of the path.
func (c *call) address(values map[string]string) (*url.URL, error) {
	var path strings.Builder
	for rest, more := c.operation.Path, true; more; {
		var literal, name string
		literal, rest, more = strings.Cut(rest, "{")
		path.WriteString((&url.URL{Path: literal}).EscapedPath())
		if more {
			name, rest, _ = strings.Cut(rest, "}")
			path.WriteString(values[name])
		}
	}
	for segment := range strings.SplitSeq(path.String(), "/") {
		if plain, err := url.PathUnescape(segment); err != nil || plain == "." || plain == ".." {
			return nil, fmt.Errorf("the arguments make the path %q, which contains a dot segment", clip(path.String(), 200))
		}
	}
	address := c.base.JoinPath()
	escaped := strings.TrimSuffix(c.base.EscapedPath(), "/") + path.String()
	plain, err := url.PathUnescape(escaped)
	if err != nil || !strings.HasPrefix(path.String(), "/") {
		return nil, fmt.Errorf("the path %q of the description is malformed", clip(c.operation.Path, 200))
	}
	if address.Path, address.RawPath = plain, escaped; address.EscapedPath() != escaped {
		return nil, fmt.Errorf("the path %q of the description is malformed", clip(c.operation.Path, 200))
	}
	return address, nil
}

// pair is an escaped name and value in a query. Parameters in a path or a header consist of only
// one pair.
type pair struct{ name, value string }

// encode returns the parameter's value in its style, escaped for its location.
func (p *param) encode(value json.RawMessage) ([]pair, error) {
	if p.mediaType != "" {
		return p.one(p.escape(string(value))), nil
	}
	v, err := decode(value)
	if err != nil {
		return nil, err
	}
	switch v := v.(type) {
	case []any:
		return p.encodeList(v)
	case map[string]any:
		return p.encodeObject(v)
	}
	return p.one(p.escape(scalar(v))), nil
}

// escape escapes text for the parameter's location. It also escapes the separators of lists.
func (p *param) escape(text string) string {
	switch p.in {
	case "query":
		return url.QueryEscape(text)
	case "path":
		return strings.ReplaceAll(url.PathEscape(text), "=", "%3D")
	}
	return text // headers are not escaped
}

// one returns the parameter with an escaped value.
func (p *param) one(value string) []pair { return []pair{{p.escape(p.name), value}} }

// join returns the parameter with all parts of a list or an object as one value. The style
// determines the separator, according to the table of styles in OpenAPI 3.1. A comma in a part is
// escaped. A part with a space or a vertical bar is refused if that is the separator, because the
// separator itself is escaped and could not be distinguished.
func (p *param) join(parts []string) ([]pair, error) {
	separator, escaped := ",", ","
	switch p.style {
	case "spaceDelimited":
		separator, escaped = " ", "%20"
	case "pipeDelimited":
		separator, escaped = "|", "%7C"
	}
	all := make([]string, 0, len(parts))
	for _, part := range parts {
		if separator != "," && strings.Contains(part, separator) {
			return nil, fmt.Errorf("%q contains %q, which separates the elements of this list", clip(part, 64), separator)
		}
		all = append(all, p.escape(part))
	}
	return p.one(strings.Join(all, escaped)), nil
}

func (p *param) encodeList(list []any) ([]pair, error) {
	texts := make([]string, 0, len(list))
	for _, v := range list {
		texts = append(texts, scalar(v))
	}
	if p.in != "query" || !p.explode {
		return p.join(texts)
	}
	var pairs []pair
	for _, text := range texts {
		pairs = append(pairs, p.one(p.escape(text))...)
	}
	return pairs, nil
}

func (p *param) encodeObject(object map[string]any) ([]pair, error) {
	var pairs []pair
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(object)) {
		switch text := scalar(object[name]); {
		case p.style == "deepObject":
			pairs = append(pairs, pair{p.escape(p.name + "[" + name + "]"), p.escape(text)})
		case p.in == "query" && p.explode:
			pairs = append(pairs, pair{p.escape(name), p.escape(text)})
		case p.explode:
			parts = append(parts, p.escape(name)+"="+p.escape(text))
		default:
			parts = append(parts, name, text)
		}
	}
	switch {
	case pairs != nil:
		return pairs, nil
	case p.explode:
		return p.one(strings.Join(parts, ",")), nil
	}
	return p.join(parts)
}

// encodeBody returns the body of a request.
func (p *param) encodeBody(value json.RawMessage) ([]byte, error) {
	switch p.mediaType {
	case "application/x-www-form-urlencoded":
		v, err := decode(value)
		if err != nil {
			return nil, err
		}
		object, ok := v.(map[string]any)
		if !ok {
			return nil, errors.New("a form must be an object")
		}
		form := url.Values{}
		for name, member := range object {
			if list, ok := member.([]any); ok {
				for _, one := range list {
					form.Add(name, scalar(one))
				}
				continue
			}
			form.Set(name, scalar(member))
		}
		return []byte(form.Encode()), nil
	case "text/plain":
		v, err := decode(value)
		if err != nil {
			return nil, err
		}
		return []byte(scalar(v)), nil
	}
	return value, nil
}

// decode decodes a value and keeps numbers unchanged.
func decode(value json.RawMessage) (any, error) {
	d := json.NewDecoder(bytes.NewReader(value))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, fmt.Errorf("it is not JSON: %w", err)
	}
	return v, nil
}

// scalar returns a value as text. A list or an object is returned as JSON.
func scalar(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case json.Number:
		return v.String()
	}
	encoded, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(encoded)
}
