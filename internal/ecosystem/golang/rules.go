package golang

import "github.com/docent-mcp/docent/internal/apidoc"

// rules follow the promise of compatibility of Go 1: literals of structs name their fields.
var rules = apidoc.Rules{
	Type:          apidoc.Breaking,
	OptionalParam: apidoc.Breaking, // functions are values of their types
	Requirement:   apidoc.Breaking,
	Implemented:   []string{"interface"},
	Closed:        []string{"// Has unexported fields.", "// Has unexported methods."},
	Same:          [][2]string{{"interface{}", "any"}, {"rune", "int32"}, {"byte", "uint8"}},
}
