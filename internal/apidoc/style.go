package apidoc

import "strings"

// Style describes how a language writes its symbols, and how answers about its
// packages differ. The zero value suits a language with dotted paths whose
// symbols are in a useful order, like Go.
type Style struct {
	// Name is what people call the language or its packages: "Go", "npm".
	Name string
	// Fence is the info string of blocks of code; the package's Ecosystem if
	// empty.
	Fence string
	// LineComment starts a comment that ends with the line; "// " if empty.
	LineComment string
	// Separator separates the names of a path ("::"); "." if empty. Queries may
	// use a dot instead.
	Separator string
	// KindOrder are the kinds of symbols in the order in which overviews show them, if the
	// order of Package.Symbols is arbitrary, such as that of files. Kinds of one group keep
	// that order, and other kinds come last.
	KindOrder [][]Kind
	// Weights say how often users look for symbols of a kind, compared with others; 1 if a
	// kind has none.
	Weights map[Kind]float32
	// FollowTypes is true if a path may lead through a value to the members of its
	// type, and signatures have types after a colon: program.option for
	// Command.option with "const program: Command".
	FollowTypes bool
	// Defaults are the paths of the symbols that an import of the whole package binds, if
	// the language has such symbols.
	Defaults []Default
	// Aliased is true if one declaration has many paths, by re-export or
	// inheritance: search returns only the best of them.
	Aliased bool
	// Nested is true if members are written within the declaration of their
	// type; otherwise each is a declaration that names its receiver.
	Nested bool
	// Indented is true if members are indented below a colon, without braces;
	// Nested is then true, too.
	Indented bool
	// Imports is true if a qualifier before the name of a type is always the name
	// of an imported package.
	Imports bool
	// Syntax understands the declarations; nil if the language has none.
	Syntax Syntax
	// Rules say which changes of declarations break programs.
	Rules Rules
	// Import is the statement that imports a symbol, with the placeholders {package},
	// {local} for Package.LocalName, and {name} for the first name of the symbol's path.
	Import string
}

// Default is a symbol that an import of the whole package binds.
type Default struct {
	// Path is its path.
	Path string
	// Title says what it is: "the default export".
	Title string
}

// ImportOf returns the statement that imports the symbol at a path, empty if the language
// has no such statement.
func (p *Package) ImportOf(path string) string {
	name := p.components(path)[0]
	name, _ = CutLabels(name)
	if p.IsDefault(name) {
		return ""
	}
	return strings.NewReplacer("{package}", p.Name, "{local}", p.LocalName, "{name}", name).Replace(p.Style.Import)
}

// Separator returns the text that separates the names of a path.
func (p *Package) Separator() string {
	if p.Style.Separator != "" {
		return p.Style.Separator
	}
	return "."
}

// join joins names to a path.
func (p *Package) join(names ...string) string { return strings.Join(names, p.Separator()) }
