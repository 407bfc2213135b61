package ecosystem

import (
	"context"
	"iter"
	"path"
	"path/filepath"
	"slices"
)

// A SourceReader is a Language that reads which names the source files of a program use of
// packages.
type SourceReader interface {
	// IsSource reports whether a file of this name is source code of the language.
	IsSource(name string) bool
	// SnippetName is the name of a source file of the language for code without a file.
	SnippetName() string
	// Uses returns what a source file uses of packages, in the order of the file. It
	// leaves out what it cannot decide: names that are computed, hidden by local ones, or
	// declared by the project itself. A file with syntax errors is read as far as that is
	// possible.
	Uses(f *SourceFile) ([]Use, []SyntaxError)
}

// An OwnFinder is a SourceReader in whose language a program can import its own files by
// names that do not show where they are.
type OwnFinder interface {
	// IsOwn reports whether a project, of which paths are all files relative to its
	// directory, may have a package itself.
	IsOwn(pkg string, paths iter.Seq[string]) bool
}

// SourceFile is one source file of a program.
type SourceFile struct {
	// Name is the path of the file relative to Dir, with forward slashes. It need not
	// exist.
	Name string
	// Dir is the absolute path of the project's directory, "" if there is none.
	Dir  string
	Text []byte
}

// Dirs returns the absolute paths of the directories from the file's own up to the
// project's, none if there is no project.
func (f *SourceFile) Dirs() iter.Seq[string] {
	return func(yield func(string) bool) {
		if f.Dir == "" {
			return
		}
		for dir := path.Dir(f.Name); yield(filepath.Join(f.Dir, filepath.FromSlash(dir))) && dir != "." && dir != "/"; {
			dir = path.Dir(dir)
		}
	}
}

// Position is a place in a source file. Line and Column count from 1; Column counts bytes.
type Position struct {
	Line   int `json:"line"`
	Column int `json:"column"`
}

// SyntaxError is a place that is not valid source code.
type SyntaxError struct {
	Position
	Message string
}

// Use is one place in a source file that uses a package.
type Use struct {
	Position
	// Package is the name of the package, as in a Query.
	Package string
	// Path is the path of the symbol in the package. It is empty for the import of the
	// package itself.
	Path string
	// Module is the package that the use means if Path is not that of a symbol but the name
	// of a package; empty if it cannot be one.
	Module string
	// Text is the use as the file writes it: "http.Foo".
	Text string
	// Import is true if the use is an import of the package or of the symbol.
	Import bool
	// Type is true if the name must be that of a type.
	Type bool
	// Args are the arguments if the use is a call whose arguments are checked, or else
	// nil.
	Args *Args
	// Fields are the fields that a literal of a type gives by name.
	Fields []Field
}

// SortUses sorts uses by their places.
func SortUses(uses []Use) {
	slices.SortStableFunc(uses, func(a, b Use) int {
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return a.Column - b.Column
	})
}

// Args are the arguments of a call.
type Args struct {
	// Positional is the number of arguments without names.
	Positional int
	// Named are the arguments that are passed by name.
	Named []Field
	// Labels are the labels of all arguments in a language in which they are part of the
	// call, "" for an argument without one.
	Labels []string
	// Spread is true if an argument stands for any number of others, and NamedSpread if
	// one stands for any number of arguments with names.
	Spread, NamedSpread bool
}

// Field is the name of an argument or of a field in a literal.
type Field struct {
	Position
	Name string
}

// A TypeChecker is a SourceReader that knows the types of expressions.
type TypeChecker interface {
	SourceReader
	// Types returns the types of the project in dir. They are those of the moment at which
	// a package is first looked at, so that they serve one check. ctx is that of all calls.
	Types(ctx context.Context, dir string) (Types, error)
}

// Types are the types of the packages of a project and of those that it imports. They are
// safe for concurrent use.
type Types interface {
	// Uses returns the uses in source files of one directory that types are needed for:
	// members of values, and everything that the types decide to be wrong. A file about
	// which nothing is certain has none.
	Uses(files []*SourceFile) map[*SourceFile][]TypedUse
}

// TypedUse is a use with what the types say of it.
type TypedUse struct {
	Use
	Fault Fault
	// Message says what is wrong with arguments or a type, without the name of what is
	// used.
	Message string
}

// Fault is what the types decide to be wrong with a use.
type Fault int

const (
	// NoFault is nothing.
	NoFault Fault = iota
	// AbsentFault is a member that the type does not have.
	AbsentFault
	// UnexportedFault is a member that the type has for its own package alone.
	UnexportedFault
	// ArgumentsFault is a call with too few or too many arguments.
	ArgumentsFault
	// FieldsFault is a field of a literal that the type does not have: Use.Fields has it.
	FieldsFault
	// TypeFault is a value of a type that does not fit.
	TypeFault
)
