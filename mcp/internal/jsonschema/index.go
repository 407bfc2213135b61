package jsonschema

import (
	"net/url"
	"strconv"
	"strings"
)

// resource is a schema with its own URI, which is a document or a subschema with $id.
type resource struct {
	uri          *url.URL // absolute and without a fragment
	root         *value
	dialect      dialect
	anchors      map[string]*value
	dynamic      map[string]*value // those of anchors that are dynamic; "" for $recursiveAnchor
	dynamicNodes map[string]*node
}

// place is the location of a schema.
type place struct {
	res  *resource
	spot *spot
}

// rootURI is the base URI of a schema without $id. It does not occur in messages.
var rootURI = &url.URL{Scheme: "schema", Host: "root", Path: "/"}

// load parses a document, indexes its schemas, and returns it as a resource. name is the prefix of
// the locations in errors.
func (c *compiler) load(text []byte, uri *url.URL, name string) (*resource, error) {
	loc := &spot{text: name + "#"}
	if len(text) > c.opts.MaxSchemaSize {
		return nil, loc.fail("", "it has "+strconv.Itoa(len(text))+" bytes, which is more than the limit of "+
			strconv.Itoa(c.opts.MaxSchemaSize))
	}
	root, err := parseValue(text, c.opts.MaxSchemaDepth)
	if err != nil {
		return nil, loc.fail("", err.Error())
	}
	d, err := c.dialectNamed(c.opts.Dialect, loc)
	if err != nil {
		return nil, err
	}
	res := &resource{uri: uri, root: root, dialect: d}
	c.resources[uri.String()] = res
	return res, c.index(root, res, loc)
}

// index records the schema v and its subschemas, with their URIs and anchors.
func (c *compiler) index(v *value, res *resource, loc *spot) error {
	if c.places[v].res != nil {
		return nil
	}
	switch v.kind {
	case kindBool:
	case kindObject:
		var err error
		if res, err = c.identify(v, res, loc); err != nil {
			return err
		}
	default:
		return loc.fail("", "a schema must be an object or a boolean, not "+show(v))
	}
	if len(c.places) >= c.opts.MaxSubschemas {
		return loc.fail("", "there are more than "+strconv.Itoa(c.opts.MaxSubschemas)+" subschemas")
	}
	c.places[v] = place{res, loc}
	c.order = append(c.order, v)
	if v.kind == kindObject && res.dialect.draft == draft7 && v.get("$ref") != nil {
		return nil // keywords next to $ref are ignored
	}
	for i, key := range v.keys {
		if key != "$defs" && res.dialect.vocab&vocabApplicator == 0 {
			continue
		}
		sub := v.items[i]
		if res.dialect.draft.lacks(key) && !shapes[key].fits(sub) {
			continue
		}
		var err error
		switch shapes[key] {
		case shapeSchema:
			err = c.indexSchema(sub, res, loc, key)
		case shapeSchemas:
			err = c.indexList(sub, res, loc, key)
		case shapeMap:
			err = c.indexMap(sub, res, loc, key)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// shape describes which parts of a keyword's value are subschemas.
type shape uint8

const (
	shapeNone    shape = iota
	shapeSchema        // the value is a subschema, or for items also a list of subschemas
	shapeSchemas       // the value is a list of subschemas
	shapeMap           // the value is an object of subschemas, or for dependencies also of lists of names
)

var shapes = map[string]shape{
	"additionalProperties": shapeSchema, "additionalItems": shapeSchema, "items": shapeSchema,
	"contains": shapeSchema, "propertyNames": shapeSchema, "not": shapeSchema, "if": shapeSchema,
	"then": shapeSchema, "else": shapeSchema, "unevaluatedItems": shapeSchema,
	"unevaluatedProperties": shapeSchema, "contentSchema": shapeSchema,
	"allOf": shapeSchemas, "anyOf": shapeSchemas, "oneOf": shapeSchemas, "prefixItems": shapeSchemas,
	"properties": shapeMap, "patternProperties": shapeMap, "$defs": shapeMap, "definitions": shapeMap,
	"dependentSchemas": shapeMap, "dependencies": shapeMap,
}

// lacks reports whether a keyword was introduced in a later draft. References can still point to
// schemas in such a keyword, which is common for $defs in draft-07.
func (d draft) lacks(key string) bool {
	switch key {
	case "prefixItems":
		return d != draft2020
	case "$defs", "dependentSchemas", "unevaluatedItems", "unevaluatedProperties", "contentSchema":
		return d == draft7
	}
	return false
}

// fits reports whether v has the shape.
func (s shape) fits(v *value) bool {
	switch s {
	case shapeSchemas:
		return v.kind == kindArray && len(v.items) > 0
	case shapeMap:
		return v.kind == kindObject
	}
	return v.kind == kindObject || v.kind == kindBool
}

func (c *compiler) indexSchema(v *value, res *resource, loc *spot, key string) error {
	if key == "items" && v.kind == kindArray {
		if res.dialect.draft == draft2020 {
			return loc.fail(key, "it must be a schema; a list of schemas is written as prefixItems")
		}
		return c.indexList(v, res, loc, key)
	}
	return c.index(v, res, loc.in(key))
}

func (c *compiler) indexList(v *value, res *resource, loc *spot, key string) error {
	if v.kind != kindArray || len(v.items) == 0 && key != "items" {
		return loc.fail(key, "it must be a list of at least one schema, not "+show(v))
	}
	for i, item := range v.items {
		if err := c.index(item, res, loc.entry(key, strconv.Itoa(i))); err != nil {
			return err
		}
	}
	return nil
}

func (c *compiler) indexMap(v *value, res *resource, loc *spot, key string) error {
	if v.kind != kindObject {
		return loc.fail(key, "it must be an object of schemas, not "+show(v))
	}
	for i, item := range v.items {
		if key == "dependencies" && item.kind == kindArray {
			continue
		}
		if err := c.index(item, res, loc.entry(key, v.keys[i])); err != nil {
			return err
		}
	}
	return nil
}

// identify reads $id, $schema and the anchors of v. It returns the resource of v, which is a new one if v has
// an $id.
func (c *compiler) identify(v *value, res *resource, loc *spot) (*resource, error) {
	d := res.dialect
	id := v.get("$id")
	if s := v.get("$schema"); s != nil && (v == res.root || id != nil) {
		if s.kind != kindString {
			return nil, loc.fail("$schema", "it must be a string, not "+show(s))
		}
		var err error
		if d, err = c.dialectNamed(s.str, loc); err != nil {
			return nil, err
		}
	}
	if v == res.root {
		res.dialect = d
	}
	if id != nil && (d.draft != draft7 || v.get("$ref") == nil) {
		if id.kind != kindString {
			return nil, loc.fail("$id", "it must be a string, not "+show(id))
		}
		var err error
		if res, err = c.nameResource(v, id.str, res, d, loc); err != nil {
			return nil, err
		}
	}
	return res, res.readAnchors(v, loc)
}

// nameResource applies an $id, which is a URI reference. In draft-07, it can have a fragment, which
// is an anchor.
func (c *compiler) nameResource(v *value, id string, res *resource, d dialect, loc *spot) (*resource, error) {
	text, fragment, _ := strings.Cut(id, "#")
	if fragment != "" && d.draft != draft7 {
		return nil, loc.fail("$id", "it must not have a fragment; use $anchor")
	}
	if text != "" {
		u, err := url.Parse(text)
		if err != nil {
			return nil, loc.fail("$id", quote(id)+" is not a URI reference")
		}
		u = res.uri.ResolveReference(u)
		if v == res.root {
			res.uri = u
		} else {
			res = &resource{uri: u, root: v, dialect: d}
		}
		key := u.String()
		if old := c.resources[key]; old != nil && old.root != v {
			return nil, loc.fail("$id", quote(id)+" is also the $id of another schema")
		}
		c.resources[key] = res
	}
	if fragment != "" {
		return res, res.addAnchor(fragment, v, false, loc, "$id")
	}
	return res, nil
}

func (r *resource) readAnchors(v *value, loc *spot) error {
	if r.dialect.draft == draft7 {
		return nil
	}
	if a := v.get("$recursiveAnchor"); a != nil && a.isTrue() && v == r.root && r.dialect.draft == draft2019 {
		r.dynamic = map[string]*value{"": v}
	}
	for _, key := range [...]string{"$anchor", "$dynamicAnchor"} {
		dynamic := key == "$dynamicAnchor"
		a := v.get(key)
		if a == nil || dynamic && r.dialect.draft != draft2020 {
			continue
		}
		if a.kind != kindString || !isAnchorName(a.str) {
			return loc.fail(key, show(a)+" is not a name of letters, digits, '-', '_' and '.'")
		}
		if err := r.addAnchor(a.str, v, dynamic, loc, key); err != nil {
			return err
		}
	}
	return nil
}

func (r *resource) addAnchor(name string, v *value, dynamic bool, loc *spot, keyword string) error {
	if old := r.anchors[name]; old != nil && old != v {
		return loc.fail(keyword, "the anchor "+quote(name)+" is used twice")
	}
	if r.anchors == nil {
		r.anchors = map[string]*value{}
	}
	r.anchors[name] = v
	if dynamic {
		if r.dynamic == nil {
			r.dynamic = map[string]*value{}
		}
		r.dynamic[name] = v
	}
	return nil
}

func isAnchorName(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case isLetter(c), c == '_':
		case i > 0 && (isDigit(c) || c == '-' || c == '.'):
		default:
			return false
		}
	}
	return s != ""
}
