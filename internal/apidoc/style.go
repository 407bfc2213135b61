package apidoc

import "strings"

// Style says how a language writes its symbols and how answers about its
// packages differ. The zero value suits a language whose symbols stand in a good
// order and have paths with dots, like Go's.
type Style struct {
	// Name is what people call the language or its packages: "Go", "npm".
	Name string
	// Fence is the info string of blocks of code; the package's Ecosystem if
	// empty.
	Fence string
	// LineComment starts a comment that ends with the line; "// " if empty.
	LineComment string
	// Separator stands between the names of a path ("::"); "." if empty. Whoever
	// asks may write a dot in its place.
	Separator string
	// SortByKind is true if the order of Package.Symbols says nothing to
	// readers, such as that of files: overviews sort symbols by kind.
	SortByKind bool
	// FollowTypes is true if a path may lead through a value to the members of
	// its type, and signatures have the type behind a colon: program.option for
	// Command.option of "const program: Command".
	FollowTypes bool
	// Aliased is true if one declaration has many paths, because it is exported
	// again or inherited: search finds only the best of them.
	Aliased bool
	// Nested is true if members stand within the declaration of their type;
	// otherwise each is a declaration of its own that names its receiver.
	Nested bool
	// Imports is true if a qualifier before the name of a type is always that of
	// an imported package.
	Imports bool
}

// Separator is what stands between the names of a path.
func (p *Package) Separator() string {
	if p.Style.Separator != "" {
		return p.Style.Separator
	}
	return "."
}

// join makes a path of names.
func (p *Package) join(names ...string) string { return strings.Join(names, p.Separator()) }
