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

// sectionOf is the heading that a declaration stands under.
func sectionOf(d *Declaration) string {
	switch d.Path {
	case "default":
		return "Default export"
	case "export=":
		return "What require and import give (export =)"
	}
	switch apidoc.Kind(d.Kind) {
	case apidoc.Const:
		return "Constants"
	case apidoc.Var, "let", apidoc.Property: // of an object that is the module
		return "Variables"
	case apidoc.Func, "function", apidoc.Method:
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

// rank orders the declarations of a package whose language orders none: what is
// imported and called first, what exists for the compiler alone last.
func rank(d *Declaration) int {
	switch sectionOf(d) {
	case "Functions":
		return 1
	case "Classes":
		return 2
	case "Constants":
		return 3
	case "Variables":
		return 4
	case "Enumerations":
		return 5
	case "Namespaces":
		return 6
	case "Interfaces":
		return 7
	case "Types":
		return 8
	}
	return 0
}
