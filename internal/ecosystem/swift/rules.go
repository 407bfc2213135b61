package swift

import (
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// rules describe which changes break source code. Only source code matters, because packages are
// built together with the programs that use them.
var rules = apidoc.Rules{
	Type:          apidoc.Breaking,
	OptionalParam: apidoc.Risky, // a function is also a value, whose type is its signature
	EnumValue:     apidoc.Breaking,
	Requirement:   apidoc.Breaking,
	Self:          "Self",
	// Programs can read both, but not assign them.
	Same:            map[string]string{"let": "get"},
	Interchangeable: [][]apidoc.Kind{{apidoc.Const, apidoc.Var}},
	Words: map[string]apidoc.WordRule{
		"get":               {Added: apidoc.Breaking}, // there is no setter any more
		"?":                 {Added: apidoc.Breaking, Removed: apidoc.Risky},
		"required":          {Added: apidoc.Breaking, Removed: apidoc.Risky},
		"nonisolated":       {Removed: apidoc.Breaking},
		"available":         {Added: apidoc.Risky}, // programs for older systems, or those for some platforms
		"open":              {Removed: apidoc.Breaking},
		"final":             {Added: apidoc.Breaking},
		"static":            {Added: apidoc.Breaking, Removed: apidoc.Breaking},
		"class":             {Added: apidoc.Breaking, Removed: apidoc.Breaking},
		"mutating":          {Added: apidoc.Breaking},
		"indirect":          {},
		"async":             {Added: apidoc.Breaking, Removed: apidoc.Risky},
		"throws":            {Added: apidoc.Breaking, Removed: apidoc.Risky},
		"rethrows":          {Added: apidoc.Risky, Removed: apidoc.Risky},
		"MainActor":         {Added: apidoc.Breaking, Removed: apidoc.Risky},
		"discardableResult": {Removed: apidoc.Risky},
		"Sendable":          {Added: apidoc.Risky, Removed: apidoc.Risky},
	},
	WordName: wordName,
}

// wordName returns the name of an attribute or modifier without arguments: available for
// @available(iOS 13, *), nonisolated for nonisolated(unsafe).
func wordName(text string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(text, "@"), "(")
	return strings.TrimSpace(name)
}
