package macros

import (
	"slices"
	"strings"
)

// IsQuote reports whether the arguments of a macro with a name, such as quote, parse_quote or quote_spanned, are code that a
// procedural macro adds to other crates.
func IsQuote(name string) bool { return slices.Contains(strings.Split(name, "_"), "quote") }
