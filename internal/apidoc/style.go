package apidoc

import (
	"slices"
	"strings"
)

// Style describes how a language writes its symbols, and how answers about its packages differ. The
// zero value is suitable for a language such as Go, with dotted paths and symbols that are in a
// useful order.
type Style struct {
	// Name is the usual name of the language or its packages, such as "Go" or "npm".
	Name string
	// Fence is the info string of code blocks. If it is empty, the package's Ecosystem is used.
	Fence string
	// LineComment starts a comment that ends with the line. If it is empty, "// " is used.
	LineComment string
	// Separator separates the names of a path, such as "::". If it is empty, "." is used. Queries
	// may always use a dot.
	Separator string
	// Spellings returns the paths that a path may represent as people write it in the language: as a
	// call, with type arguments, or with punctuation around the name. The simplest comes last. It is
	// nil if the language has only one notation.
	Spellings func(path string) []string
	// KindOrder contains the kinds of symbols in the order in which overviews show them, if the
	// order of Package.Symbols is arbitrary, such as that of files. Symbols whose kinds are in one
	// group keep their order, and other kinds come last.
	KindOrder [][]Kind
	// Weights specify how often users look for symbols of a kind, compared with others. The default
	// is 1.
	Weights map[Kind]float32
	// FollowTypes is true if a path may lead through a value to the members of its type:
	// program.option represents Command.option with "const program: Command".
	FollowTypes bool
	// Defaults contains the paths of the symbols that an import of the whole package binds, if the
	// language has such symbols.
	Defaults []Default
	// Aliased is true if one declaration has many paths, because of re-exports or inheritance. A
	// search returns only the best of them.
	Aliased bool
	// Nested is true if members are written within the declaration of their type. Otherwise, each
	// member is a separate declaration with its receiver.
	Nested bool
	// Indented is true if members are indented below a colon, without braces. Nested is then also
	// true.
	Indented bool
	// Receivers is true if functions may declare the value on which they are called as a parameter that calls leave out.
	Receivers bool
	// Imports is true if a qualifier before the name of a type is always the name
	// of an imported package.
	Imports bool
	// Boolean is the name of the type of truth values.
	Boolean string
	// Syntax parses the declarations. It is nil if the language does not have a parser for them.
	Syntax Syntax
	// Rules specify which changes to declarations break programs.
	Rules Rules
	// Import is the statement that imports a symbol, with the placeholders {package}, {local} for
	// Package.LocalName, and {name} for the first name in the symbol's path.
	Import string
}

// Default is a symbol that an import of the whole package binds.
type Default struct {
	// Path is its path.
	Path string
	// Title describes the symbol, such as "the default export".
	Title string
}

// ImportOf returns the statement that imports the symbol at a path, or "" if the language has no
// such statement.
func (p *Package) ImportOf(path string) string {
	name := p.Components(path)[0]
	name, _ = CutLabels(name)
	if p.IsDefault(name) {
		return ""
	}
	return strings.NewReplacer("{package}", p.Name, "{local}", p.LocalName, "{name}", name).Replace(p.Style.Import)
}

// Defaults returns the symbols that an import of the whole package binds.
func (p *Package) Defaults() []*Symbol {
	if len(p.Style.Defaults) == 0 {
		return nil
	}
	var found []*Symbol
	for i := range p.Symbols {
		if s := &p.Symbols[i]; p.IsDefault(s.Path) {
			found = append(found, s)
		}
	}
	return found
}

// IsDefault reports whether the symbol at a path is one that an import of the whole package binds.
func (p *Package) IsDefault(path string) bool {
	return slices.ContainsFunc(p.Style.Defaults, func(d Default) bool { return d.Path == path })
}
