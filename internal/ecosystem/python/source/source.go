// Package source reads the declarations of one Python file: what it imports, assigns and
// declares, with signatures and docstrings. It skips the bodies of functions, so it reads
// hundreds of megabytes a second. It also reads files that the interpreter would reject:
// if a statement is invalid, only that statement is lost.
//
//	bytes -> text                       encoding.go
//	text -> logical lines               scan.go
//	lines -> tree of statements         read.go, statement.go
//	text of an expression -> its tree   lex.go, expr.go, expression.go
//	parameters of a function            params.go
//	string literals                     literal.go
//	Cython -> Python                    cython.go
//
// The value of a statement is parsed when it is first needed, and only once.
package source

// These are the limits for one file. Parts beyond them are omitted, and reported as a
// Gap.
const (
	// MaxSize is the longest file that is read, in bytes.
	MaxSize = 64 << 20
	// maxNesting is the maximum nesting depth of blocks, of brackets in an expression, and
	// of strings in f-strings.
	maxNesting = 64
	// maxStatements is the maximum number of statements in a file.
	maxStatements = 200_000
	// maxGaps is the maximum number of gaps in a file.
	maxGaps = 20
)

// File contains the declarations of one file.
type File struct {
	// Doc is the docstring as a literal, including its quotes, or "" if there is none.
	Doc string
	// Text is the text that was read. The texts of statements are parts of it.
	Text string
	// Body are the statements in order.
	Body []Stmt
	// Gaps are the parts that could not be read.
	Gaps []Gap
}

// Gap is a part of a file that could not be read.
type Gap struct {
	Line int
	// Text describes the problem and the missing part, as the end of a sentence, such as "a bracket
	// is never closed, so the declaration is not read".
	Text string
}

// Kind is the kind of a statement.
type Kind uint8

// These are the kinds of statements.
const (
	Def     Kind = iota + 1 // def and async def
	Class                   // class
	Assign                  // x = 1, x: int = 1, x += [1], type X = int
	Import                  // import a.b as c
	From                    // from a import b as c
	Expr                    // an expression statement: a call, a string
	If                      // if, with elif as an If in Else
	Try                     // try; Else are the handlers
	Block                   // with, for, while or match: all or part of the body runs
	Del                     // del a, b
	Include                 // Cython's include "a.pxi"; Name is the file
	Raise                   // raise, which ends a block
)

// Stmt is one statement. Its texts are parts of the file and include comments
// and line ends; Flat joins the lines.
type Stmt struct {
	Kind Kind
	// Async is true for async def, and TypeAlias for a type statement.
	Async, TypeAlias bool
	Line             int // counted from 1
	// Name is the name of a function, class or type alias. For From, it is the module without its
	// leading dots; for a loop, it is "for"; for Expr, it is the word that leaves a block: return,
	// continue or break.
	Name string
	// Level is the number of leading dots of From.
	Level int
	// Names are the names in Import, From and Del.
	Names []Alias
	// TypeParams are the type parameters in brackets after the name.
	TypeParams string
	// Params are the parameters of a function or the bases of a class, without
	// parentheses.
	Params string
	// Returns is the annotation of a function's result.
	Returns string
	// Decorators are expressions, the outermost first.
	Decorators []*Expression
	// Doc is the docstring as a literal, including its quotes. It belongs to a function or class,
	// or is the string below an assignment.
	Doc string
	// Comment is the text of "#:" comments about an assignment.
	Comment string
	// Targets are the targets of an assignment; a = b = 1 has several.
	Targets []string
	// Annotation is the annotation of an assignment's target, or nil if there is none.
	Annotation *Expression
	// Op is the operator of an augmented assignment: "+=".
	Op string
	// Value is the assigned value, the expression of Expr, the condition of If, or
	// the part of a loop between for and the colon.
	Value Expression
	call  *Expression // Params; see Call
	// Body and Else are the nested statements. They are complete for classes and blocks. A
	// module's __getattr__ has the statements of its body, and __init__ has the assignments
	// to attributes; other functions have none. ReadBody also reads the bodies of nested
	// functions.
	Body, Else []Stmt
	// Deprecated is the first argument of a deprecation warning at the beginning
	// of a function's body.
	Deprecated string
}

// Alias is one name of an import. The Name "*" represents all names.
type Alias struct {
	Name, As string
}
