package macros

// IsQuote reports whether the arguments of a macro with a name are code that a procedural macro adds to other crates.
func IsQuote(name string) bool {
	switch name {
	case "quote", "quote_spanned", "parse_quote", "parse_quote_spanned":
		return true
	}
	return false
}
