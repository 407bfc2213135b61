package answer

import (
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// fence returns the info string of blocks of code in the package's language.
func fence(p *apidoc.Package) string {
	if p.Style.Fence != "" {
		return p.Style.Fence
	}
	return string(p.Ecosystem)
}

// comment returns the mark that begins a line comment in the package's
// language.
func comment(p *apidoc.Package) string {
	if p.Style.LineComment != "" {
		return p.Style.LineComment
	}
	return "// "
}

// rank orders the declarations of an unordered package: symbols that programs
// import and call come first, those that only the compiler uses come last.
func rank(s *apidoc.Symbol) int {
	if s.Path == "default" || s.Path == "export=" {
		return 0
	}
	switch s.Kind {
	case apidoc.Func, apidoc.Method, "function":
		return 1
	case apidoc.Class:
		return 2
	case apidoc.Const:
		return 3
	case apidoc.Var, "let", apidoc.Property:
		return 4
	case apidoc.Enum:
		return 5
	case apidoc.Namespace:
		return 6
	case apidoc.Interface:
		return 7
	}
	return 8
}

// isType reports whether values can be of the type that a symbol declares.
func isType(s *apidoc.Symbol) bool {
	switch s.Kind {
	case apidoc.Type, apidoc.Class, apidoc.Interface, apidoc.Enum, "struct", "union", "trait", "protocol", "actor", "type alias", "typealias",
		"associated type", "exception", "record":
		return true
	case apidoc.Const, apidoc.Var:
		return isMerged(s.Signature)
	}
	return false
}

// isMerged reports whether a signature declares both a type and, after it, a value of
// the same name.
func isMerged(signature string) bool {
	return strings.HasPrefix(signature, "interface ") && strings.Contains(signature, "\n")
}
