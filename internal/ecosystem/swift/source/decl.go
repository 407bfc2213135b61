// Package source reads the declarations of one Swift file: signatures without
// bodies, attributes, documentation comments and the enclosing #if conditions. It
// does not resolve names or evaluate conditions. If a declaration cannot be read,
// only that declaration is omitted, and it is counted.
package source

import "slices"

// Kind is the kind of a declaration.
type Kind uint8

// These are the kinds of declarations.
const (
	Struct Kind = iota + 1
	Class
	Actor
	Enum
	Case // one case of an enum; a case line with several cases yields several declarations
	Protocol
	AssociatedType
	TypeAlias
	Extension
	Func // functions, methods and operator functions
	Init
	Deinit
	Subscript
	Var // a property or variable; also a constant, see Decl.Let
	Macro
	Operator // declares an operator, as in infix operator +++: AdditionPrecedence
	PrecedenceGroup
)

// Access is an access level. Higher levels are visible in more places.
type Access uint8

// These are the access levels. Unspecified means that no level is written.
const (
	Unspecified Access = iota
	Private
	FilePrivate
	Internal
	Package
	Public
	Open
)

// File contains the declarations of one file. All strings in it are parts of
// Text, except for names that were written in back-quotes.
type File struct {
	// Name is the name passed to Parse.
	Name string
	Text string
	// Imports are the imports in the order of the file.
	Imports []Import
	Decls   []*Decl
	// Skipped contains the declarations that could not be read, up to MaxSkipped.
	Skipped []Skip
	// Lost is the number of all declarations that could not be read.
	Lost int
}

// Skip is a declaration that could not be read.
type Skip struct {
	Line   int
	Reason string
}

// Import is an import declaration.
type Import struct {
	// Module is the module's name, which is the first part of Path, such as Foundation.
	Module string
	// Path is the whole dotted name, such as Foundation.URL.
	Path string
	// Kind is the keyword of the declaration if only one declaration is imported,
	// such as struct or func, or "" if the whole module is imported.
	Kind       string
	Access     Access
	Attributes []Attribute
	Conditions []*Condition
	Line       int
	Start      int // offset of Path
}

// Exported reports whether the import is @_exported.
func (m *Import) Exported() bool { return findAttribute(m.Attributes, "_exported") != nil }

// Decl is one declaration.
type Decl struct {
	Kind Kind
	// Access is the access level written before the declaration itself. The access
	// level of an extension is not applied to its members here.
	Access Access
	// SetAccess is the access level of the setter if it is written separately, as
	// in private(set).
	SetAccess Access
	// Quoted is true if the name is written in back-quotes.
	Quoted bool
	// Let is true for constants.
	Let bool
	// HasParams is true if parentheses are written, even if they are empty.
	HasParams bool
	// Body is true if a body or a block of accessors is written.
	Body bool
	// Failable is '?' or '!' for init? and init!, otherwise 0.
	Failable byte
	// Name is the name without back-quotes: a word or an operator, "init",
	// "subscript" or "deinit", or the type that an extension extends, as written.
	Name       string
	Attributes []Attribute
	// Modifiers are the keywords before the declaration, in their order and
	// without access levels, such as static, mutating, nonisolated(unsafe) and
	// prefix.
	Modifiers []Modifier
	// Generics are the generic parameters or, for a protocol, the primary
	// associated types.
	Generics []GenericParam
	// Where contains the requirements in the where clause, as written.
	// Requirements of generic parameters, such as <T: P>, are in Generics.
	Where []Requirement
	// Params are the parameters of a function, initialiser, subscript or macro, or
	// the payload of a case.
	Params []Param
	// Effects are the effects of a function or initialiser.
	Effects Effects
	// Result is the type of the result, or "" if none is written.
	Result string
	// Inherits are the types after the colon of a type, extension or associated
	// type, with their prefixes, as in "@unchecked Sendable" and "~Copyable".
	Inherits []string
	// Type is the written type of a property, the type that a typealias represents, the default of
	// an associated type, or the precedence group of an operator.
	Type string
	// Value is the text of an expression: the initial value of a property, the
	// raw value of a case, or the definition of a macro. For a precedence group,
	// it is the text of the body.
	Value string
	// Pattern is set for a name that is bound by a tuple pattern, as in let (a,
	// b) = (1, 2). Value is then the value of the whole pattern, and Pattern contains the path of
	// indices to the name, such as "0" or "1.0".
	Pattern string
	// Accessors are the accessors of a property or subscript. A getter without the
	// word get is listed as Get.
	Accessors []Accessor
	// Members are the declarations in the body of a type or extension.
	Members []*Decl
	// Parent is the type or extension of which the declaration is a member, or
	// nil for a declaration outside types.
	Parent *Decl
	// Comment is the raw documentation comment with its markers; Doc cleans it.
	Comment string
	// Conditions are the #if clauses around the declaration within its parent,
	// with the outermost first. All of them must hold.
	Conditions []*Condition
	// Line is the line of the name, counted from 1.
	Line int
	// Start is the offset of the first attribute or keyword, and End the offset
	// after the declaration.
	Start, End int
}

// Attribute is an attribute, such as @available(macOS 12, *).
type Attribute struct {
	// Name is the name without @. It may contain dots, as in Swift.MainActor.
	Name string
	// Generics is the text between the angle brackets.
	Generics string
	// Args is the text between the parentheses. HasArgs distinguishes empty
	// parentheses from none.
	Args    string
	HasArgs bool
	// Conditions are the #if clauses around the attribute, within those around
	// the declaration.
	Conditions []*Condition
}

// Modifier is a keyword before a declaration, such as static or nonisolated(unsafe).
type Modifier struct {
	Name string
	// Arg is the text between the parentheses.
	Arg string
}

// GenericParam is one generic parameter.
type GenericParam struct {
	Name string
	// Each is true for a parameter pack, as in each T.
	Each bool
	// Value is true for an integer parameter, as in let N: Int.
	Value bool
	// Bound is the text after the colon, such as P & Q.
	Bound string
}

// Requirement is one requirement of a where clause.
type Requirement struct {
	// Left is the constrained type, with the keyword repeat if it is written.
	Left string
	// Op is ":" or "==".
	Op    string
	Right string
}

// Param is one parameter.
type Param struct {
	Attributes []Attribute
	// Label is the argument label, or "_" if there is none. It is also "_" for a
	// subscript parameter with one name and for an unnamed element of a case.
	Label string
	// Name is the name inside the function. It is "" for an element of a case
	// without a name.
	Name string
	// Type is the type with its specifiers, such as inout Int or @escaping () ->
	// Void. It does not include the dots of a variadic parameter.
	Type     string
	Variadic bool
	// Default is the text of the default value.
	Default string
}

// Effects are effects such as async and throws.
type Effects struct {
	Async bool
	// Reasync is true for reasync.
	Reasync bool
	// Throws is true for throws and rethrows.
	Throws   bool
	Rethrows bool
	// Thrown is the type in a typed throws clause.
	Thrown string
}

// AccessorKind is the kind of an accessor.
type AccessorKind uint8

// These are the kinds of accessors.
const (
	Get AccessorKind = iota + 1
	Set
	WillSet
	DidSet
	Read   // written _read, read, yielding borrow or borrow
	Modify // written _modify, modify, yielding mutate or mutate
	Address
	MutableAddress
	InitAccessor
)

// Accessor is one accessor of a property or subscript.
type Accessor struct {
	Kind AccessorKind
	// Mutating and NonMutating report whether these keywords precede the accessor.
	Mutating, NonMutating bool
	Effects               Effects
	Conditions            []*Condition
}

// Condition is one clause of an #if: #if, #elseif or #else. It holds if its
// expression is true and no earlier clause of the same #if holds.
type Condition struct {
	// Expr is the condition, or nil for #else.
	Expr *ConditionExpr
	// Text is the condition as written, or "" for #else.
	Text string
	// Before is the previous clause of the same #if, or nil for the first one.
	Before *Condition
	Line   int
}

// ConditionOp is the operation of a condition expression.
type ConditionOp uint8

// These are the operations.
const (
	// Flag is a name, such as DEBUG. true and false are also flags.
	Flag ConditionOp = iota + 1
	// Test is a call, such as os(Linux), canImport(Foundation) or swift(>=5.9).
	// Name is the name of the test, and Arg is the text in its parentheses.
	Test
	Not // Not negates Left.
	And // And holds if Left and Right hold.
	Or  // Or holds if Left or Right holds.
	// Unknown is an expression that cannot be parsed.
	Unknown
)

// ConditionExpr is an expression of a condition.
type ConditionExpr struct {
	Op          ConditionOp
	Name, Arg   string
	Left, Right *ConditionExpr
}

const (
	// MaxText is the maximum size of text that is read, in bytes.
	MaxText = 64 << 20
	// MaxSkipped is the maximum length of File.Skipped.
	MaxSkipped = 100
	// maxDepth is the maximum nesting of types, #if and conditions.
	maxDepth = 200
)

// findAttribute returns the attribute with the given name, or nil if there is none.
func findAttribute(all []Attribute, name string) *Attribute {
	for i := range all {
		if all[i].Name == name {
			return &all[i]
		}
	}
	return nil
}

// Attribute returns the attribute with the given name, or nil if there is none. A prefix, as in
// Swift.MainActor, is part of the name.
func (d *Decl) Attribute(name string) *Attribute { return findAttribute(d.Attributes, name) }

// Has reports whether a modifier is written before the declaration.
func (d *Decl) Has(modifier string) bool {
	for i := range d.Modifiers {
		if d.Modifiers[i].Name == modifier {
			return true
		}
	}
	return false
}

// HasLabel reports whether a parameter has an argument label.
func (d *Decl) HasLabel(label string) bool {
	return slices.ContainsFunc(d.Params, func(p Param) bool { return p.Label == label })
}

// Static reports whether the member belongs to the type itself, because it is
// declared static or class.
func (d *Decl) Static() bool { return d.Has("static") || d.Kind != Class && d.Has("class") }
