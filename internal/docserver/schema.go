package docserver

import (
	"encoding/json"

	gojson "github.com/go-json-experiment/json"

	"github.com/docent-mcp/docent/internal/ecosystem"
)

// argument is one property of a tool's input schema.
type argument struct {
	name     string
	required bool
	schema   property
}

// property is the JSON Schema of an argument.
type property struct {
	Type        string   `json:"type"`
	Description string   `json:"description"`
	MinLength   int      `json:"minLength,omitzero"`
	MaxLength   int      `json:"maxLength,omitzero"`
	Minimum     int      `json:"minimum,omitzero"`
	Maximum     int      `json:"maximum,omitzero"`
	Enum        []string `json:"enum,omitempty"`
	Default     any      `json:"default,omitzero"`
}

// required is a text that must be given and not be empty.
func required(name, description string, maxLength int) argument {
	return argument{name, true, property{Type: "string", Description: description, MinLength: 1, MaxLength: maxLength}}
}

// choice is one of several texts.
func choice(name, description string, among []string) argument {
	return argument{name, true, property{Type: "string", Description: description, Enum: among}}
}

// text is a text that may be left out.
func text(name, description string, maxLength int) argument {
	return argument{name, false, property{Type: "string", Description: description, MaxLength: maxLength}}
}

// flag is a truth value that is true if left out.
func flag(name, description string) argument {
	return argument{name, false, property{Type: "boolean", Description: description, Default: true}}
}

// number is a whole number between bounds.
func number(name, description string, least, most, byDefault int) argument {
	return argument{name, false, property{Type: "integer", Description: description, Minimum: least, Maximum: most, Default: byDefault}}
}

// schemaOf is the input schema of a tool with these arguments, in their order.
func schemaOf(arguments ...argument) json.RawMessage {
	needed := []string{}
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
	b = append(b, `},"required":`...)
	return append(appendJSON(b, needed), `,"additionalProperties":false}`...)
}

// appendJSON appends a value that has a JSON form.
func appendJSON(b []byte, v any) []byte {
	text, err := gojson.Marshal(v)
	if err != nil {
		panic(err) // only texts, numbers and truth values come here
	}
	return append(b, text...)
}

// projectPath is the argument that names the user's project.
func projectPath(description string) argument {
	return text("projectPath", "absolute directory of the project "+description+"; by default the server's working directory if it is in a project", 4096)
}

func maxTokens() argument {
	return number("maxTokens", "about how many tokens the answer may have", 500, 200_000, 8000)
}

func packageName(l *ecosystem.Info) argument { return required("package", l.Help.Package, 1024) }
