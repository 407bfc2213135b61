package openapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// detail determines how detailed schemas are. Schemas that are too large, or that the library does
// not accept, get less detailed.
type detail int

const (
	full        detail = iota
	undescribed        // without descriptions, examples, patterns and formats
	namesOnly          // only the names of parameters and body members, whose values may be anything
)

// maxSchemaDepth is the maximum nesting depth of a schema.
const maxSchemaDepth = 100

// schemas converts OpenAPI schemas to JSON Schema, and collects the schemas that they refer to.
type schemas struct {
	old    bool                       // whether the description uses OpenAPI 3.0
	all    map[string]json.RawMessage // components of the description by name
	detail detail
	defs   map[string]any // converted components by name
}

const (
	componentRef = "#/components/schemas/"
	defsRef      = "#/$defs/"
)

// convert returns the schema as JSON Schema 2020-12.
func (s *schemas) convert(raw json.RawMessage) (any, error) {
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return nil, fmt.Errorf("a schema cannot be read: %w", err)
	}
	return s.value(v, 0)
}

// value converts a schema.
func (s *schemas) value(v any, depth int) (any, error) {
	if depth > maxSchemaDepth {
		return nil, fmt.Errorf("a schema is nested more than %d levels deep", maxSchemaDepth)
	}
	object, ok := v.(map[string]any)
	if !ok {
		if b, isBool := v.(bool); isBool {
			return b, nil
		}
		return true, nil
	}
	out := map[string]any{}
	for _, key := range slices.Sorted(maps.Keys(object)) {
		if err := s.keyword(out, key, object[key], depth); err != nil {
			return nil, err
		}
	}
	s.dropReadOnly(object, out)
	if s.detail == full {
		sayDefault(object, out)
	}
	if s.old {
		modernize(object, out)
	}
	return out, nil
}

// keyword converts one keyword of a schema, or omits it.
func (s *schemas) keyword(out map[string]any, key string, v any, depth int) error {
	switch key {
	case "$ref":
		name, _ := v.(string)
		return s.ref(out, name, depth)
	case "properties", "patternProperties", "$defs", "dependentSchemas":
		members, _ := v.(map[string]any)
		converted := map[string]any{}
		for name, member := range members {
			one, err := s.value(member, depth+1)
			if err != nil {
				return err
			}
			converted[name] = one
		}
		out[key] = converted
	case "items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames",
		"unevaluatedItems", "unevaluatedProperties":
		one, err := s.value(v, depth+1)
		out[key] = one
		return err
	case "allOf", "anyOf", "oneOf", "prefixItems":
		list, _ := v.([]any)
		converted := []any{}
		for _, member := range list {
			one, err := s.value(member, depth+1)
			if err != nil {
				return err
			}
			converted = append(converted, one)
		}
		if len(converted) > 0 {
			out[key] = converted
		}
	case "description":
		if text, ok := v.(string); ok && s.detail == full && text != "" {
			out[key] = clean(text, maxDescribedIn)
		}
	case "title", "examples", "pattern", "format":
		if s.detail == full {
			out[key] = v
		}
	case "type", "enum", "const", "required", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
		"minLength", "maxLength", "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties",
		"dependentRequired", "minContains", "maxContains":
		out[key] = v
	}
	return nil
}

// ref converts a reference to a component, and the component itself.
func (s *schemas) ref(out map[string]any, ref string, depth int) error {
	path, ok := strings.CutPrefix(ref, componentRef)
	if !ok {
		return nil // this is not a reference to a component, so any value is allowed
	}
	name, _, _ := strings.Cut(path, "/")
	raw, known := s.all[unescaped(name)]
	if !known {
		return nil
	}
	out["$ref"] = defsRef + path
	if _, done := s.defs[unescaped(name)]; done {
		return nil
	}
	s.defs[unescaped(name)] = true // set now, because the component may refer to itself
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return fmt.Errorf("schema %q cannot be read: %w", clip(name, 64), err)
	}
	converted, err := s.value(v, depth+1)
	s.defs[unescaped(name)] = converted
	return err
}

// unescaped decodes a name in a JSON Pointer.
func unescaped(name string) string {
	return strings.NewReplacer("~1", "/", "~0", "~").Replace(name)
}

// sayDefault adds the default to the description. It omits the keyword, because package mcp would
// insert the default, and the API may handle a missing value differently.
func sayDefault(object, out map[string]any) {
	value, ok := object["default"]
	encoded, err := json.Marshal(value)
	if !ok || err != nil || len(encoded) > 100 || out["$ref"] != nil {
		return
	}
	description, _ := out["description"].(string)
	out["description"] = strings.TrimSpace(description + " Default: " + string(encoded))
}

// dropReadOnly removes properties that occur only in responses.
func (s *schemas) dropReadOnly(object, out map[string]any) {
	properties, _ := object["properties"].(map[string]any)
	converted, _ := out["properties"].(map[string]any)
	required, _ := object["required"].([]any)
	for name, member := range properties {
		if one, ok := member.(map[string]any); ok && one["readOnly"] == true {
			delete(converted, name)
			required = slices.DeleteFunc(slices.Clone(required), func(v any) bool { return v == name })
		}
	}
	if delete(out, "required"); len(required) > 0 {
		out["required"] = required
	}
}

// modernize converts keywords whose form in OpenAPI 3.0 differs from JSON Schema 2020-12.
func modernize(object, out map[string]any) {
	for keyword, bound := range map[string]string{"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"} {
		if exclusive, ok := object[keyword].(bool); ok {
			if delete(out, keyword); exclusive && out[bound] != nil {
				out[keyword] = out[bound]
				delete(out, bound)
			}
		}
	}
	if object["nullable"] != true {
		return
	}
	if name, ok := out["type"].(string); ok {
		out["type"] = []any{name, "null"}
	}
	if list, ok := out["enum"].([]any); ok && !slices.Contains(list, nil) {
		out["enum"] = append(slices.Clone(list), nil)
	}
}

// withoutDetails returns a schema that contains only the names of the value's members.
func withoutDetails(schema any) any {
	object, _ := schema.(map[string]any)
	properties, _ := object["properties"].(map[string]any)
	if len(properties) == 0 {
		return map[string]any{}
	}
	names := map[string]any{}
	for name := range properties {
		names[name] = map[string]any{}
	}
	out := map[string]any{"type": "object", "properties": names}
	if required := object["required"]; required != nil {
		out["required"] = required
	}
	return out
}

// schema returns the input schema of the call's tool.
func (c *call) schema(d detail) (json.RawMessage, error) {
	s := &schemas{old: strings.HasPrefix(c.api.doc.OpenAPI, "3.0"), all: c.api.components, detail: d, defs: map[string]any{}}
	properties, required := map[string]any{}, []string{}
	for _, p := range c.params {
		schema, err := s.convert(p.schema)
		if err != nil {
			return nil, fmt.Errorf("parameter %q: %w", clip(p.name, 64), err)
		}
		if d == namesOnly {
			schema = withoutDetails(schema)
		}
		if object, ok := schema.(map[string]any); ok && d == full {
			if text := clean(p.description, maxDescribedIn); text != "" {
				object["description"] = text
			}
		}
		properties[p.argument] = schema
		if p.required {
			required = append(required, p.argument)
		}
	}
	out := map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		out["required"] = required
	}
	if d != namesOnly && len(s.defs) > 0 {
		out["$defs"] = s.defs
	}
	encoded, err := json.Marshal(out)
	if err != nil {
		return nil, errors.New("its schema cannot be encoded")
	}
	return encoded, nil
}
