// Package schemaform treats the JSON Schema of an object as a form. It reads the parts of the
// properties that a person needs to see, and converts what a person types for a property to JSON.
package schemaform

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Property is a property of an object schema, with the parts that are shown to
// users.
type Property struct {
	Name     string `json:"-"`
	Required bool   `json:"-"`

	Type        TypeNames         `json:"type"`
	Title       string            `json:"title"`
	Description string            `json:"description"`
	Default     json.RawMessage   `json:"default"`
	Enum        []json.RawMessage `json:"enum"`
	EnumNames   []string          `json:"enumNames"`
	OneOf       []Choice          `json:"oneOf"`
	AnyOf       []Choice          `json:"anyOf"`
	Format      string            `json:"format"`
	Items       *Property         `json:"items"`

	Minimum   json.Number `json:"minimum"`
	Maximum   json.Number `json:"maximum"`
	MinLength json.Number `json:"minLength"`
	MaxLength json.Number `json:"maxLength"`
	Pattern   string      `json:"pattern"`
	Ref       string      `json:"$ref"`

	// Schema is the schema of the property. If the property is a reference, it is the schema that
	// is referred to.
	Schema json.RawMessage `json:"-"`
}

// Choice is an alternative, which is a constant of a form or the type of an argument.
type Choice struct {
	Const json.RawMessage `json:"const"`
	Title string          `json:"title"`
	Type  TypeNames       `json:"type"`
}

// TypeNames holds the names of one or more types.
type TypeNames []string

// UnmarshalJSON reads a string or a list of strings.
func (t *TypeNames) UnmarshalJSON(data []byte) error {
	if TypeOf(data) == "array" {
		return json.Unmarshal(data, (*[]string)(t))
	}
	*t = make(TypeNames, 1)
	return json.Unmarshal(data, &(*t)[0])
}

// maxRefs is the maximum length of a chain of references from a property to its schema.
const maxRefs = 16

// Properties returns the properties of an object schema in order. It omits malformed properties.
// References to definitions of the schema are followed.
func Properties(schema json.RawMessage) []Property {
	var object struct {
		Properties json.RawMessage `json:"properties"`
		Required   []string        `json:"required"`
		definitions
	}
	if json.Unmarshal(schema, &object) != nil {
		return nil
	}
	dec := json.NewDecoder(bytes.NewReader(object.Properties))
	if token, err := dec.Token(); err != nil || token != json.Delim('{') {
		return nil
	}
	var all []Property
	for dec.More() {
		token, err := dec.Token()
		name, ok := token.(string)
		var value json.RawMessage
		if err != nil || !ok || dec.Decode(&value) != nil {
			break
		}
		p := object.property(value)
		if p.Items != nil && p.Items.Ref != "" {
			*p.Items = object.property(object.resolve(p.Items.Ref))
		}
		p.Name, p.Required = name, slices.Contains(object.Required, name)
		all = append(all, p)
	}
	return all
}

// definitions are the schemas that references within a schema can refer to.
type definitions struct {
	Defs        map[string]json.RawMessage `json:"$defs"`
	Definitions map[string]json.RawMessage `json:"definitions"`
}

// resolve returns the schema that a reference refers to, or nil.
func (d *definitions) resolve(ref string) json.RawMessage {
	for prefix, defs := range map[string]map[string]json.RawMessage{"#/$defs/": d.Defs, "#/definitions/": d.Definitions} {
		if name, ok := strings.CutPrefix(ref, prefix); ok {
			return defs[strings.NewReplacer("~1", "/", "~0", "~").Replace(name)]
		}
	}
	return nil
}

// property reads a property. If its schema is a reference, the keywords next to the reference take
// precedence.
func (d *definitions) property(schema json.RawMessage) Property {
	p := Property{Schema: schema}
	_ = json.Unmarshal(schema, &p) // the schema true is allowed, too
	for range maxRefs {
		target := d.resolve(p.Ref)
		if target == nil {
			return p
		}
		next := Property{Schema: target}
		_ = json.Unmarshal(target, &next)
		ref := next.Ref
		_ = json.Unmarshal(schema, &next)
		next.Ref = ref
		p = next
	}
	return p
}

// Types returns the types that values may have, or nil if any type is allowed.
func (p *Property) Types() []string {
	types := slices.Clone(p.Type)
	for _, alternative := range slices.Concat(p.AnyOf, p.OneOf) {
		types = append(types, alternative.Type...)
	}
	if len(types) == 0 && len(p.Enum) > 0 {
		for _, value := range p.Enum {
			types = append(types, TypeOf(value))
		}
	}
	slices.Sort(types)
	return slices.Compact(types)
}

// TypeOf returns the JSON Schema type of a JSON value, or "" if value is empty. All numbers are of
// type number.
func TypeOf(value json.RawMessage) string {
	value = bytes.TrimSpace(value)
	if len(value) == 0 {
		return ""
	}
	switch value[0] {
	case '"':
		return "string"
	case '{':
		return "object"
	case '[':
		return "array"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	}
	return "number"
}

// Kind returns text for users that describes the type, or lists the values to choose from.
func (p *Property) Kind() string {
	types := slices.DeleteFunc(p.Types(), func(t string) bool { return t == "null" })
	kind := cmp.Or(strings.Join(types, " or "), "any")
	if kind == "array" && p.Items != nil && len(p.Items.Types()) == 1 {
		kind = "list of " + p.Items.Types()[0]
	}
	if options := p.Options(); len(options) > 0 && len(options) <= 12 {
		var names []string
		for _, option := range options {
			names = append(names, PlainValue(option.Const))
		}
		kind = strings.Join(names, "|")
	}
	return kind
}

// Options returns the values to choose from, or nil if there is no choice.
func (p *Property) Options() []Choice {
	var options []Choice
	for i, value := range p.Enum {
		option := Choice{Const: value}
		if i < len(p.EnumNames) {
			option.Title = p.EnumNames[i]
		}
		options = append(options, option)
	}
	for _, option := range slices.Concat(p.OneOf, p.AnyOf) {
		if option.Const != nil {
			options = append(options, option)
		}
	}
	return options
}

// PlainValue returns a string without quotes, and other JSON unchanged.
func PlainValue(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return text
	}
	return string(value)
}

// IsList reports whether the values are lists, in which case each of several words can add an
// element.
func (p *Property) IsList() bool {
	types := p.Types()
	return slices.Contains(types, "array") && !slices.Contains(types, "string")
}

// Parse returns value as JSON of the property's type. For a list, the value is one element. Parse
// fails if the value has another type.
func (p *Property) Parse(value string) (json.RawMessage, error) {
	types := p.Types()
	quoted, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	switch {
	case len(types) == 0 || len(types) == 1 && types[0] == "string":
		return quoted, nil
	case p.IsList() && !strings.HasPrefix(strings.TrimSpace(value), "["):
		if p.Items == nil {
			return quoted, nil
		}
		return p.Items.Parse(value)
	}
	if raw := json.RawMessage(strings.TrimSpace(value)); json.Valid(raw) {
		kind := TypeOf(raw)
		if slices.Contains(types, kind) || kind == "number" && slices.Contains(types, "integer") {
			return raw, nil
		}
	}
	if slices.Contains(types, "string") {
		return quoted, nil
	}
	return nil, fmt.Errorf("%q is not of type %s", value, strings.Join(types, " or "))
}
