package npm

import (
	"github.com/docent-mcp/docent/internal/apidoc"
)

// rules follow TypeScript's type system. Programs implement interfaces as often as they
// receive their values, so an additional required member is only risky.
var rules = apidoc.Rules{
	Type:        apidoc.Breaking,
	Requirement: apidoc.Risky,
	EnumValue:   apidoc.Risky,
	Interchangeable: [][]apidoc.Kind{
		{apidoc.Interface, apidoc.Type}, {apidoc.Function, apidoc.Const, apidoc.Let, apidoc.Var},
		{apidoc.Method, apidoc.Property, apidoc.Accessor},
	},
	Words: map[string]apidoc.WordRule{
		"readonly":  {Added: apidoc.Breaking, Assigned: true},
		"abstract":  {Added: apidoc.Breaking},
		"static":    {Added: apidoc.Breaking, Removed: apidoc.Breaking},
		"protected": {Added: apidoc.Breaking},
		"private":   {Added: apidoc.Breaking},
	},
	Same:  map[string]string{"ReadonlyArray": "readonly Array"},
	Any:   []string{"any", "unknown"},
	Never: []string{"never"},

	Structural:    true,
	CaretVersions: true,
}
