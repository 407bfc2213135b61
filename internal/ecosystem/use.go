package ecosystem

import (
	"context"
	"iter"
	"path"
	"path/filepath"
	"slices"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// A SourceReader is a Language that can find the uses of packages in the source files of a
// program.
type SourceReader interface {
	// IsSource reports whether a file with this name contains source code of the language.
	IsSource(name string) bool
	// SnippetName is the file name for code that does not come from a file.
	SnippetName() string
	// Uses returns the uses of packages in a source file, in the order of the file. It
	// omits names that cannot be resolved because they are computed, shadowed by local
	// names, or declared by the project itself. A file with syntax errors is read as far
	// as possible.
	Uses(f *SourceFile) ([]Use, []SyntaxError)
}

// An OwnFinder is a SourceReader for a language in which the names of imports do not show
// whether a program imports its own files.
type OwnFinder interface {
	// Own returns a function that reports whether a package may belong to the project in dir. paths are the
	// paths of all files of the project, relative to dir.
	Own(dir string, paths iter.Seq[string]) func(pkg string) bool
}

// A DeprecationReader is a SourceReader for a language whose compiler accepts deprecated names in some code.
type DeprecationReader interface {
	// AcceptsDeprecated returns a function that reports whether the compiler does not warn about deprecated names in a line of a
	// source file, for example because the line is in a declaration that is deprecated itself.
	AcceptsDeprecated(f *SourceFile) func(line int) bool
}

// A ProgramReader is a SourceReader that also reads the packages of a program, including the names that
// only the program itself can use.
type ProgramReader interface {
	// Program returns the program in a directory. It reads each package at most once.
	Program(ctx context.Context, dir string) Program
}

// Program reads the packages of a program. It is safe for concurrent use.
type Program interface {
	// Package returns the package that f imports under the given name or, if name is empty, the
	// package that consists of f. The result has no documentation.
	Package(ctx context.Context, f *SourceFile, name string) (*apidoc.Package, error)
	// Builtins returns the builtin types whose members are known.
	Builtins() *apidoc.Package
}

// SourceFile is one source file of a program.
type SourceFile struct {
	// Name is the path of the file relative to Dir, with forward slashes. The file does not have to
	// exist.
	Name string
	// Dir is the absolute path of the project's directory, or "" if there is none.
	Dir  string
	Text []byte
	// Members is whether a type check returns the uses of members that exist, for a comparison of versions, instead of
	// only counting them.
	Members bool
}

// Dirs returns the absolute paths of the directories from the file's own directory up to
// the project's directory, or none if there is no project.
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
	// Package is the name of the package, as in a Query. If Own is true, it is a package of a Program.
	Package string
	Own     bool
	// Path is the path of the symbol in the package. It is empty for the import of the
	// package itself.
	Path string
	// Module is the package to which the use refers if Path is the name of a package and
	// not of a symbol. It is empty if Path cannot be the name of a package.
	Module string
	// Text is the use as it is written in the file, such as "http.Foo".
	Text string
	// Import is true if the use is an import of the package or of the symbol.
	Import bool
	// Whole is true if Text is the name that the file gives to the whole package, such as x in
	// import x from "m". The package decides what it gets: its default export, or all its symbols.
	Whole bool
	// Type is true if the name must be the name of a type.
	Type bool
	// Args are the arguments of a call whose arguments are checked, or nil if the use is
	// not such a call.
	Args *Args
	// Fields are the named fields in a composite literal.
	Fields []Field
	// Value is the value that the first of Steps belongs to.
	Value Value
	// Steps are members of values: the first one belongs to the value of the use, and each other one
	// to the value of the step before it.
	Steps []Step
	// Known is the number of the first steps that belong to the value of a variable, which another
	// use contains.
	Known int
	// Awaited is true if Value is Result and the program waits for that result.
	Awaited bool
}

// Value specifies which value a use of a symbol represents.
type Value uint8

const (
	// Itself is the symbol itself, such as a namespace or a variable.
	Itself Value = iota
	// Result is the result of a function.
	Result
	// Instance is a value whose type is the symbol.
	Instance
	// Derived is a value of a class of the program that inherits from the symbol and from no other
	// class.
	Derived
)

// Step is the use of a member of a value.
type Step struct {
	Position
	// Name is the name of the member, and Text the expression that ends with it, as it is written
	// in the file.
	Name, Text string
	// Called is true if the value of the step is the result of the member, which is a function.
	Called bool
	// Awaited is true if the program waits for the result of the member, as a call of an async function
	// requires.
	Awaited bool
	// Args are the arguments of that call. They are nil if they are not checked.
	Args *Args
}

// An Extender is a SourceReader for a language in which programs and packages can add members to
// the types of other packages.
type Extender interface {
	// Extends returns a function for the project in dir. The function reports whether the project, the
	// file f, or a package that they use may add a member to a type of a package, or to a global type
	// from which it is derived. f may differ from the file on disk. The function is not safe for
	// concurrent use.
	Extends(ctx context.Context, dir string) func(f *SourceFile, pkg, member string) bool
}

// A NameFinder is a SourceReader for a language in which programs can use names that the declarations of a package lack.
type NameFinder interface {
	// FindNames returns a function for the project in dir. The function reports whether a package may have a name that its
	// documentation lacks, for code in the file f. It is not safe for concurrent use.
	FindNames(ctx context.Context, dir string) func(f *SourceFile, pkg, name string) bool
}

// An Assigner is a SourceReader for a language in which code can add members to values while it runs.
type Assigner interface {
	// MayAssign reports for each of the given members whether values may have it although their type
	// does not declare it, because of code of the project in dir or of an installed package. It may
	// read all of that code.
	MayAssign(ctx context.Context, dir string, members []Member) []bool
}

// Member is a member of a value that its type does not declare.
type Member struct {
	// Package is the module or distribution of the type, and Name the name of the member.
	Package, Name string
	// Own is true if the type belongs to the program.
	Own bool
	// Root is the directory with the code of the program, which may consist of several projects. If it is empty, the program is the
	// project.
	Root string
	// Value specifies what is known about the value: that it is the result of the type itself, an
	// instance of the type or of a type that is derived from it, or of a type that the project
	// derives from it.
	Value Value
	// Type is the name of the type, or "" if any type may have the member: only code that handles the type and those that
	// are derived from it gives values the member.
	Type string
	// Module is true if the member is a name of the module itself. MayAssign then searches the project alone, because
	// the names that packages add to others are unlikely to be absent from their documentation.
	Module bool
	// Overrides is true if the member is a method that the type declares. MayAssign then reports whether a type
	// that is derived from it may override it.
	Overrides bool
	// Adds is true if the member is a method that adds members with computed names. MayAssign then reports whether code
	// uses the method.
	Adds bool
}

// A MemberChecker is a Program that determines the types of values.
type MemberChecker interface {
	// Members checks the members of values and types in a source file, and all calls except those of imported names,
	// which are uses. It returns nil if the file cannot be checked.
	Members(ctx context.Context, f *SourceFile) *MemberUses
}

// MemberUses is the result of a check of the members of values in one source file.
type MemberUses struct {
	// Absent are the members that no possible type of the value has, and Wrong the calls whose arguments no
	// declaration accepts.
	Absent []AbsentMember
	Wrong  []WrongCall
	// Deprecated are the uses of deprecated methods.
	Deprecated []DeprecatedMember
	// Decided is the number of members that were checked. Undecided is the number of members of values about whose
	// types something is known, but not whether they have the member.
	Decided, Undecided int
}

// AbsentMember is the use of a member that no possible type of the value has.
type AbsentMember struct {
	Position
	// Text is the expression as the file contains it, and Name the name of the member.
	Text, Name string
	// Owners are the types.
	Owners []Owner
	// Near contains similar names that the types have, best first.
	Near []string
	// Unless contains the methods that returned the value, if derived types may override them with others.
	Unless []Member
}

// Owner is a type that does not have a member. Path is the path of the type in its package.
type Owner struct {
	Member
	Path string
}

// WrongCall is a call whose arguments no declaration of the callee accepts.
type WrongCall struct {
	Position
	// Text is the callee as the file contains it, and Path its path in its package.
	Text, Package, Path string
	Own                 bool // whether the package belongs to the program
	// Problem is the reason, in the form of [Args.Mismatch].
	Problem string
	// Near contains the parameters whose names resemble that of an unknown argument, best first.
	Near []string
	// Declaration is a declaration of the callee.
	Declaration string
	// Unless contains the method if a derived type may override it with a declaration that accepts the arguments.
	Unless []Member
}

// DeprecatedMember is the use of a method whose declaration advises against it.
type DeprecatedMember struct {
	Position
	Text, Package, Path string
	Own                 bool
	Notice              string
}

// SortUses sorts uses by their positions.
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
	// Labels are the labels of all arguments, or "" for an argument without one, in a
	// language in which labels are part of a call.
	Labels []string
	// Spread is true if an argument represents any number of arguments, and NamedSpread if an
	// argument represents any number of named arguments.
	Spread, NamedSpread bool
}

// Field is the name of an argument or of a field in a literal.
type Field struct {
	Position
	Name string
}

// A TypeChecker is a SourceReader that can determine the types of expressions.
type TypeChecker interface {
	SourceReader
	// Types returns the types of the project in dir. A package is not read again after its
	// first use, so the types should be used for one check only. ctx applies to all later
	// calls, too. If the types implement io.Closer, the caller must close them after the check, so
	// that the next check can reuse what they have read. Types returns types together with a *PartialError if
	// they leave out something that the user can make available.
	Types(ctx context.Context, dir string) (Types, error)
}

// PartialError is the error of types that leave out some uses.
type PartialError struct {
	// Reason says what is left out, why, and what to do. It has no final full stop.
	Reason string
}

func (e *PartialError) Error() string { return e.Reason }

// Types are the types of the packages of a project and of those that it imports. They are
// safe for concurrent use.
type Types interface {
	// Uses returns the uses in source files of one directory for which types are needed:
	// members of values, and all uses that are wrong according to the types. The result
	// contains no entry for a file about which nothing is certain.
	Uses(files []*SourceFile) map[*SourceFile][]TypedUse
}

// TypedUse is a use together with the results of the type check.
type TypedUse struct {
	Use
	Fault Fault
	// Message describes what is wrong with arguments or a type. It does not contain the name of the
	// used symbol. For a member that no package has, it is the whole message, and Package is empty.
	Message string
	// Declaration is the declaration that does not accept the arguments, for symbols that the documentation may lack.
	Declaration string
	// Near contains names that are similar to that of such a member, best first.
	Near []string
	// Present is the number of uses that the entry represents if it only counts members that exist, or 0.
	Present int
}

// Fault is the kind of a mistake that the types reveal.
type Fault int

const (
	// NoFault means that there is no mistake.
	NoFault Fault = iota
	// AbsentFault is a member that the type does not have.
	AbsentFault
	// UnexportedFault is a member of the type that only its own package can use.
	UnexportedFault
	// ArgumentsFault is a call with too few or too many arguments.
	ArgumentsFault
	// FieldsFault is a field of a literal that the type does not have. The field is in Use.Fields.
	FieldsFault
	// TypeFault is a value whose type does not fit.
	TypeFault
	// UndeclaredFault is the import of a package that other parts of the project use, but on which the
	// part with the file does not depend. Message is the whole message.
	UndeclaredFault
)
