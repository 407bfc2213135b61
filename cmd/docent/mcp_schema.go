package main

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// property is a property of an object schema, with the parts that are shown to
// users.
type property struct {
	name     string
	required bool

	Type        typeNames         `json:"type"`
	Title       string            `json:"title"`
	Description string            `json:"description"`
	Default     json.RawMessage   `json:"default"`
	Enum        []json.RawMessage `json:"enum"`
	EnumNames   []string          `json:"enumNames"`
	OneOf       []choice          `json:"oneOf"`
	AnyOf       []choice          `json:"anyOf"`
	Format      string            `json:"format"`
	Items       *property         `json:"items"`
}

// choice is an alternative: a constant of a form, or the type of an argument.
type choice struct {
	Const json.RawMessage `json:"const"`
	Title string          `json:"title"`
	Type  typeNames       `json:"type"`
}

// typeNames is one type or several.
type typeNames []string

func (t *typeNames) UnmarshalJSON(data []byte) error {
	if typeOf(data) == "array" {
		return json.Unmarshal(data, (*[]string)(t))
	}
	*t = make(typeNames, 1)
	return json.Unmarshal(data, &(*t)[0])
}

// properties returns the properties of an object schema in their order. It
// leaves out malformed ones.
func properties(schema json.RawMessage) []property {
	var object struct {
		Properties json.RawMessage `json:"properties"`
		Required   []string        `json:"required"`
	}
	if json.Unmarshal(schema, &object) != nil {
		return nil
	}
	dec := json.NewDecoder(bytes.NewReader(object.Properties))
	if token, err := dec.Token(); err != nil || token != json.Delim('{') {
		return nil
	}
	var all []property
	for dec.More() {
		token, err := dec.Token()
		name, ok := token.(string)
		var value json.RawMessage
		if err != nil || !ok || dec.Decode(&value) != nil {
			break
		}
		var p property
		_ = json.Unmarshal(value, &p) // the schema true is allowed, too
		p.name, p.required = name, slices.Contains(object.Required, name)
		all = append(all, p)
	}
	return all
}

// types returns the types that values may have; nil for any.
func (p *property) types() []string {
	types := slices.Clone(p.Type)
	for _, alternative := range slices.Concat(p.AnyOf, p.OneOf) {
		types = append(types, alternative.Type...)
	}
	if len(types) == 0 && len(p.Enum) > 0 {
		for _, value := range p.Enum {
			types = append(types, typeOf(value))
		}
	}
	slices.Sort(types)
	return slices.Compact(types)
}

func typeOf(value json.RawMessage) string {
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

// kind returns a text for users that describes the type, or names the values to
// choose from.
func (p *property) kind() string {
	types := slices.DeleteFunc(p.types(), func(t string) bool { return t == "null" })
	kind := strings.Join(types, " or ")
	if kind == "" {
		kind = "any"
	}
	if kind == "array" && p.Items != nil && len(p.Items.types()) == 1 {
		kind = "list of " + p.Items.types()[0]
	}
	if options := p.options(); len(options) > 0 && len(options) <= 12 {
		var names []string
		for _, option := range options {
			names = append(names, plainValue(option.Const))
		}
		kind = strings.Join(names, "|")
	}
	return kind
}

// options returns the values to choose from; nil if there is no choice.
func (p *property) options() []choice {
	var options []choice
	for i, value := range p.Enum {
		option := choice{Const: value}
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

// plainValue returns a string without quotes, and other JSON unchanged.
func plainValue(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return text
	}
	return string(value)
}
