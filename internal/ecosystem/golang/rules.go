package golang

import "github.com/docent-mcp/docent/internal/apidoc"

// rules follow Go 1's compatibility promise, which assumes that struct literals name their fields.
var rules = apidoc.Rules{
	Type:          apidoc.Breaking,
	OptionalParam: apidoc.Breaking, // a function is also a value, whose type is its signature
	Requirement:   apidoc.Breaking,
	Same:          map[string]string{"interface{}": "any", "rune": "int32", "byte": "uint8"},
}
