package answer

import "github.com/docent-mcp/docent/internal/apidoc"

// What differs between languages in how an answer is written.

// languageName is the name that people use.
func languageName(language string) string {
	switch apidoc.Ecosystem(language) {
	case apidoc.Go:
		return "Go"
	case apidoc.NPM:
		return "npm"
	case apidoc.Python:
		return "Python"
	case apidoc.Rust:
		return "Rust"
	case apidoc.Swift:
		return "Swift"
	}
	return language
}

// codeName is the info string of a block of code.
func codeName(language string) string {
	if apidoc.Ecosystem(language) == apidoc.NPM {
		return "ts"
	}
	return language
}

func commentMark(language string) string {
	if apidoc.Ecosystem(language) == apidoc.Python {
		return "# "
	}
	return "// "
}

// sectionOf is the heading that a kind of declaration stands under.
func sectionOf(kind string) string {
	switch apidoc.Kind(kind) {
	case apidoc.Const:
		return "Constants"
	case apidoc.Var:
		return "Variables"
	case apidoc.Func:
		return "Functions"
	case apidoc.Class:
		return "Classes"
	case apidoc.Interface:
		return "Interfaces"
	case apidoc.Enum:
		return "Enumerations"
	case apidoc.Namespace:
		return "Namespaces"
	}
	return "Types"
}
