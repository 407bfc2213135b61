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

// property is the JSON Schema of an argument. Every byte is paid in every session
// of an agent: what goes without saying is left out, such as the longest text,
// which inBounds checks.
type property struct {
	Type        string   `json:"type"`
	Description string   `json:"description,omitempty"`
	Minimum     int      `json:"minimum,omitzero"`
	Maximum     int      `json:"maximum,omitzero"`
	Enum        []string `json:"enum,omitempty"`
	Default     any      `json:"default,omitzero"`

	spelled ecosystem.Languages // those that Enum has the IDs of
}

// required returns a text that must be given.
func required(name, description string) argument {
	return argument{name, true, property{Type: "string", Description: description}}
}

// choice returns the ID of a language, which may be left out.
func choice(name string, among ecosystem.Languages) argument {
	return argument{name, false, property{Type: "string", Enum: among.IDs(), spelled: among}}
}

// text returns a text that may be left out.
func text(name, description string) argument {
	return argument{name, false, property{Type: "string", Description: description}}
}

// flag returns a truth value that is true if left out.
func flag(name string) argument {
	return argument{name, false, property{Type: "boolean", Default: true}}
}

// number returns a whole number between bounds.
func number(name string, least, most, byDefault int) argument {
	return argument{name, false, property{Type: "integer", Minimum: least, Maximum: most, Default: byDefault}}
}

// maxText is how many bytes a text argument has at most.
const maxText = 4096

// inBounds refuses texts that are too long for a question.
func inBounds(texts ...string) error {
	for _, s := range texts {
		if len(s) > maxText {
			return fmt.Errorf("an argument of %d bytes is too long for a question (%d at most): ask for less at a time", len(s), maxText)
		}
	}
	return nil
}

// schemaOf returns the input schema of a tool with these arguments, in their
// order.
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

// projectPath returns the argument that names the user's project.
func projectPath() argument { return text("projectPath", "absolute directory of the project") }

func maxTokens() argument { return number("maxTokens", 500, 200_000, 8000) }

func packageName(l *ecosystem.Info) argument { return required("package", l.Help.Package) }
