package rust

import (
	"strings"
	"unicode"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// rules follow cargo's rules of semantic versioning.
var rules = apidoc.Rules{
	Type:          apidoc.Breaking,
	OptionalParam: apidoc.Breaking,
	Field:         apidoc.Breaking,
	EnumValue:     apidoc.Breaking,
	Requirement:   apidoc.Breaking,
	Self:          "Self",
	CaretVersions: true,
	Words: map[string]apidoc.WordRule{
		"const":          {Removed: apidoc.Breaking},
		"unsafe":         {Added: apidoc.Breaking},
		"async":          {Added: apidoc.Breaking, Removed: apidoc.Breaking},
		"extern":         {Added: apidoc.Breaking, Removed: apidoc.Breaking},
		"mut":            {Removed: apidoc.Breaking},
		"auto":           {Added: apidoc.Breaking, Removed: apidoc.Breaking},
		"non_exhaustive": {Added: apidoc.Breaking},
		"repr":           {Added: apidoc.Risky, Removed: apidoc.Risky},
	},
	WordName: wordName,
}

// wordName returns the first name of an attribute or modifier: repr for #[repr(C)], extern for
// extern "C".
func wordName(text string) string {
	text = strings.TrimLeft(text, "#![ ")
	if i := strings.IndexFunc(text, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }); i >= 0 {
		text = text[:i]
	}
	return text
}
