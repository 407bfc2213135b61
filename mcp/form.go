package mcp

import (
	"errors"
	"fmt"
	"strings"

	"github.com/docent-mcp/docent/mcp/internal/jsonrpc"
	"github.com/docent-mcp/docent/mcp/internal/revision"
	"github.com/docent-mcp/docent/mcp/internal/wire"
)

// appendForm appends the schema of a form, converted for rev. It returns an
// error for a part that a form cannot have (specification: Elicitation,
// Requested Schema): forms are flat, and their fields are strings, numbers,
// booleans and choices.
func appendForm(b, schema []byte, rev revision.Revision) ([]byte, error) {
	schema = compact(schema)
	if !isObjectSchema(schema) {
		return nil, errors.New(`elicitation: Schema must be a JSON Schema with "type": "object"`)
	}
	b = append(b, '{')
	found := false
	o := jsonrpc.ReadObject(schema)
	for o.Next() {
		switch name := string(o.Name); name {
		case "type", "required", "$schema", "title", "description":
			b = wire.Raw(b, name, o.Value)
		case "additionalProperties": // every form implies this keyword
		case "properties":
			found = true
			if o.Value[0] != '{' {
				return nil, errors.New("elicitation: properties must be an object")
			}
			b = append(wire.Name(b, "properties"), '{')
			fields := jsonrpc.ReadObject(o.Value)
			for fields.Next() {
				b = append(wire.String(wire.Comma(b), string(fields.Name)), ':')
				var err error
				if b, err = appendFormField(b, fields.Value, rev); err != nil {
					return nil, fmt.Errorf("elicitation: field %q: %w", fields.Name, err)
				}
			}
			b = append(b, '}')
		default:
			return nil, fmt.Errorf("elicitation: a form's schema cannot have %q", name)
		}
	}
	if !found {
		b = append(wire.Name(b, "properties"), "{}"...)
	}
	return append(b, '}'), nil
}

// formWords contains the keywords that a field of each type may have, separated by spaces.
var formWords = map[string]string{
	"string":  "type title description minLength maxLength format pattern default enum enumNames oneOf",
	"number":  "type title description minimum maximum default",
	"integer": "type title description minimum maximum default",
	"boolean": "type title description default",
	"array":   "type title description minItems maxItems default items uniqueItems",
}

func appendFormField(b, field []byte, rev revision.Revision) ([]byte, error) {
	kind, _ := jsonrpc.String(member(field, "type"))
	words := formWords[kind]
	switch {
	case words == "":
		return nil, fmt.Errorf("the type must be string, number, integer, boolean or array, not %s", clip(string(member(field, "type")), 64))
	case kind == "array" && !rev.HasFormChoices():
		return nil, errors.New("this client's protocol revision does not support multiple choice")
	}
	b = append(b, '{')
	o := jsonrpc.ReadObject(field)
	for o.Next() {
		name := string(o.Name)
		switch {
		case !strings.Contains(" "+words+" ", " "+name+" "):
			return nil, fmt.Errorf("a field of type %s cannot have %q", kind, name)
		case name == "oneOf":
			values, titles, err := formChoices(o.Value)
			if err != nil {
				return nil, err
			}
			if rev.HasFormChoices() {
				b = wire.Raw(b, name, o.Value)
				continue
			}
			b = wire.Raw(b, "enum", values)
			b = wire.Raw(b, "enumNames", titles)
		case name == "items":
			if !isFormItems(o.Value) {
				return nil, errors.New("items must be a choice: strings with enum, or anyOf of const and title")
			}
			b = wire.Raw(b, name, o.Value)
		case name == "pattern" || name == "uniqueItems":
			// Forms do not support this keyword, so it is not sent. The answer is validated against
			// it nevertheless.
		default:
			b = wire.Raw(b, name, o.Value)
		}
	}
	return append(b, '}'), nil
}

// formChoices returns the values and titles in list, a JSON array of objects
// with const and title. Both results are JSON arrays.
func formChoices(list []byte) (values, titles []byte, err error) {
	var choices []struct {
		Const *string `json:"const"`
		Title *string `json:"title"`
	}
	if err := decode(list, &choices); err != nil || len(choices) == 0 {
		return nil, nil, errors.New("oneOf must list objects with const and title")
	}
	values, titles = []byte{'['}, []byte{'['}
	for _, c := range choices {
		if c.Const == nil || c.Title == nil {
			return nil, nil, errors.New("oneOf must list objects with const and title")
		}
		values = wire.String(wire.Comma(values), *c.Const)
		titles = wire.String(wire.Comma(titles), *c.Title)
	}
	return append(values, ']'), append(titles, ']'), nil
}

func isFormItems(items []byte) bool {
	if anyOf := member(items, "anyOf"); anyOf != nil {
		_, _, err := formChoices(anyOf)
		return err == nil
	}
	var plain struct {
		Type string   `json:"type"`
		Enum []string `json:"enum"`
	}
	return decode(items, &plain) == nil && plain.Type == "string" && len(plain.Enum) > 0
}
