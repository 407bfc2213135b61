// Package schemaform reads the JSON Schema of an object as a form: its properties with
// what a person needs to see, and the JSON of what a person types for one.
package schemaform

import (
	"bytes"
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

	// Schema is the schema of the property, with what Ref refers to in its place.
	Schema json.RawMessage `json:"-"`
}

// Choice is an alternative: a constant of a form, or the type of an argument.
type Choice struct {
	Const json.RawMessage `json:"const"`
	Title string          `json:"title"`
	Type  TypeNames       `json:"type"`
}

// TypeNames is one type or several.
type TypeNames []string

// UnmarshalJSON reads a string or a list of strings.
func (t *TypeNames) UnmarshalJSON(data []byte) error {
	if TypeOf(data) == "array" {
		return json.Unmarshal(data, (*[]string)(t))
	}
	*t = make(TypeNames, 1)
	return json.Unmarshal(data, &(*t)[0])
}

// maxRefs bounds how many references lead from a property to its schema.
const maxRefs = 16

// Properties returns the properties of an object schema in their order. It
// leaves out malformed ones. A reference to a definition of the schema is followed.
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

// definitions are the schemas that references of a schema can name.
type definitions struct {
	Defs        map[string]json.RawMessage `json:"$defs"`
	Definitions map[string]json.RawMessage `json:"definitions"`
}

// resolve returns the schema that a reference names, or nil.
func (d *definitions) resolve(ref string) json.RawMessage {
	for prefix, defs := range map[string]map[string]json.RawMessage{"#/$defs/": d.Defs, "#/definitions/": d.Definitions} {
		if name, ok := strings.CutPrefix(ref, prefix); ok {
			return defs[strings.NewReplacer("~1", "/", "~0", "~").Replace(name)]
		}
	}
	return nil
}

// property reads a property. If its schema is a reference, what stands beside the
// reference takes precedence.
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

// Types returns the types that values may have; nil for any.
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

// TypeOf returns the type that JSON Schema has for a JSON value, "" for an empty one.
// Numbers are of type number.
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

// Kind returns a text for users that describes the type, or names the values to
// choose from.
func (p *Property) Kind() string {
	types := slices.DeleteFunc(p.Types(), func(t string) bool { return t == "null" })
	kind := strings.Join(types, " or ")
	if kind == "" {
		kind = "any"
	}
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

// Options returns the values to choose from; nil if there is no choice.
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

// IsList reports whether the values are lists, so that each of several words
// can add an element.
func (p *Property) IsList() bool {
	types := p.Types()
	return slices.Contains(types, "array") && !slices.Contains(types, "string")
}

// Parse returns value as JSON of the property's type. For a list, the value is
// one element. It is an error if the value has another type.
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
