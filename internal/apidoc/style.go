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
	// Headings are the headings of an overview, in order, with the kinds of
	// symbols below each; DefaultHeadings if nil.
	Headings []Heading

	// SortByKind is true if the order of Package.Symbols says nothing to
	// readers, such as that of files: overviews sort symbols by Headings.
	SortByKind bool
	// FollowTypes is true if a path may lead through a value to the members of
	// its type, and signatures have the type behind a colon: program.option for
	// Command.option of "const program: Command".
	FollowTypes bool
	// Aliased is true if one declaration has many paths, because it is exported
	// again or inherited: search finds only the best of them.
	Aliased bool
	// NameInherited is true if types inherit many members: they are listed by
	// name below the type that declares them.
	NameInherited bool
	// JoinMembers is true if members without documentation stand together in one
	// block of code.
	JoinMembers bool
	// ClipOverviews is true if packages have more declarations than an overview
	// holds as a rule: it clips them to a line, then lists the rest by name.
	ClipOverviews bool
}

// Heading is a heading of an overview.
type Heading struct {
	Title string
	Kinds []Kind
}

// DefaultHeadings are the headings of an overview: what is called first, what
// exists for the compiler alone last. Kinds that no heading has stand below the
// last one.
var DefaultHeadings = []Heading{
	{"Functions", []Kind{Func, Method, "function"}},
	{"Classes", []Kind{Class}},
	{"Constants", []Kind{Const}},
	{"Variables", []Kind{Var, Property, "let"}},
	{"Enumerations", []Kind{Enum}},
	{"Namespaces", []Kind{Namespace}},
	{"Interfaces", []Kind{Interface}},
	{"Types", []Kind{Type}},
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
