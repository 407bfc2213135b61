package docserver

import (
	"encoding/json"
	"fmt"

	gojson "github.com/go-json-experiment/json"

	"github.com/docent-mcp/docent/internal/ecosystem"
)

// argument is one property of a tool's input schema.
type argument struct {
	name     string
	required bool
	schema   property
}

// property is the JSON Schema of an argument. Because agents load schemas in every session, schemas
// omit obvious details, such as the maximum length of strings, which inBounds checks.
type property struct {
	Type        string   `json:"type"`
	Description string   `json:"description,omitempty"`
	Minimum     int      `json:"minimum,omitzero"`
	Maximum     int      `json:"maximum,omitzero"`
	Enum        []string `json:"enum,omitempty"`
	Default     any      `json:"default,omitzero"`

	spelled ecosystem.Languages // the languages whose IDs are in Enum
	truth   bool                // whether true and false are texts of it, too
}

// required returns a text argument that is required.
func required(name, description string) argument {
	return argument{name, true, property{Type: "string", Description: description}}
}

// choice returns an optional argument with the ID of a language.
func choice(name string, among ecosystem.Languages) argument {
	return argument{name, false, property{Type: "string", Enum: among.IDs(), spelled: among}}
}

// text returns an optional text argument.
func text(name, description string) argument {
	return argument{name, false, property{Type: "string", Description: description}}
}

// flag returns an optional boolean argument, which is true by default.
func flag(name string) argument {
	return argument{name, false, property{Type: "boolean", Default: true}}
}

// number returns an optional integer argument whose value must be from minimum to maximum.
func number(name string, minimum, maximum, byDefault int) argument {
	return argument{name, false, property{Type: "integer", Minimum: minimum, Maximum: maximum, Default: byDefault}}
}

// maxText is the maximum length in bytes of a text argument.
const maxText = 4096

// inBounds returns an error if text is too long for a question.
func inBounds(texts ...string) error {
	for _, s := range texts {
		if len(s) > maxText {
			return fmt.Errorf("an argument has %d bytes, more than the limit of %d; request less at a time", len(s), maxText)
		}
	}
	return nil
}

// schemaOf returns the input schema of a tool with these arguments, in their
// order.
func schemaOf(arguments ...argument) json.RawMessage {
	var needed []string
	b := []byte(`{"type":"object","properties":{`)
	for i, a := range arguments {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(appendJSON(b, a.name), ':'), appendJSON(nil, a.schema)...)
		if a.required {
			needed = append(needed, a.name)
		}
	}
	b = append(b, '}')
	if len(needed) > 0 {
		b = appendJSON(append(b, `,"required":`...), needed)
	}
	return append(b, `,"additionalProperties":false}`...)
}

// appendJSON appends the JSON encoding of a value.
func appendJSON(b []byte, v any) []byte {
	text, err := gojson.Marshal(v)
	if err != nil {
		panic(err) // This cannot happen, because the values are strings, numbers and booleans.
	}
	return append(b, text...)
}

// projectPath returns the argument for the user's project.
func projectPath() argument { return text("projectPath", "absolute directory") }

func maxTokens() argument { return number("maxTokens", 500, 200_000, 8000) }

func packageName(l *ecosystem.Info) argument { return required("package", l.Help.Package) }
