package jsonschema

import (
	"net/url"
	"strconv"
	"strings"
)

// resolve returns the schema that a reference in res refers to, and its resource.
func (c *compiler) resolve(ref *value, res *resource, loc *spot, keyword string) (*value, *resource, error) {
	if ref.kind != kindString {
		return nil, nil, loc.fail(keyword, "it must be a string, not "+show(ref))
	}
	text, fragment, _ := strings.Cut(ref.str, "#")
	if text != "" {
		u, err := url.Parse(text)
		if err != nil {
			return nil, nil, loc.fail(keyword, quote(ref.str)+" is not a URI reference")
		}
		if res, err = c.resourceAt(res.uri.ResolveReference(u), ref.str, loc, keyword); err != nil {
			return nil, nil, err
		}
	}
	if f, err := url.PathUnescape(fragment); err == nil {
		fragment = f
	}
	v := res.root
	switch {
	case fragment == "":
	case fragment[0] == '/':
		return c.walk(res, fragment, loc, keyword, ref.str)
	default:
		v = res.anchors[fragment]
	}
	if v == nil {
		return nil, nil, loc.fail(keyword, quote(ref.str)+" refers to an anchor that does not exist")
	}
	return v, res, nil
}

// resourceAt returns the resource with the URI u. If necessary, it loads it from Options.Resources
// or the metaschemas.
func (c *compiler) resourceAt(u *url.URL, written string, loc *spot, keyword string) (*resource, error) {
	uri := u.String()
	if res := c.resources[uri]; res != nil {
		return res, nil
	}
	text := c.opts.Resources[uri]
	if text == nil {
		text = builtinSchema(uri)
	}
	if text == nil {
		return nil, loc.fail(keyword, quote(written)+
			" is not part of this schema, and other schemas are never fetched; put it under $defs")
	}
	return c.load(text, u, uri)
}

// walk returns the value at a JSON Pointer in a resource, and the value's own resource. If the
// value is not part of a keyword with subschemas, walk indexes it as a schema.
func (c *compiler) walk(res *resource, pointer string, loc *spot, keyword, written string) (*value, *resource, error) {
	v := res.root
	found := c.places[v].spot
	for token := range strings.SplitSeq(pointer[1:], "/") {
		token = unescapePointer(token)
		var next *value
		switch v.kind {
		case kindObject:
			next = v.get(token)
		case kindArray:
			if i, err := strconv.Atoi(token); err == nil && i >= 0 && i < len(v.items) {
				next = v.items[i]
			}
		}
		if next == nil {
			return nil, nil, loc.fail(keyword, quote(written)+" refers to a location that does not exist")
		}
		v = next
		if p, ok := c.places[v]; ok {
			res, found = p.res, p.spot
		} else {
			found = found.in(token)
		}
	}
	if err := c.index(v, res, found); err != nil {
		return nil, nil, err
	}
	return v, c.places[v].res, nil
}
