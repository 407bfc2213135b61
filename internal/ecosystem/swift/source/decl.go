// Package source reads the declarations of one Swift file: signatures without
// bodies, attributes, documentation comments and the #if that each one stands
// in. It resolves no names and decides no conditions. A declaration that cannot
// be read is left out alone and counted.
package source

// Kind is the kind of a declaration.
type Kind uint8

// The kinds of declarations.
const (
	Struct Kind = iota + 1
	Class
	Actor
	Enum
	Case // one case of an enum; a case line with several yields several
	Protocol
	AssociatedType
	TypeAlias
	Extension
	Func // functions, methods and operator functions
	Init
	Deinit
	Subscript
	Var // a property or variable, also one of let: Decl.Let
	Macro
	Operator // infix operator +++: AdditionPrecedence
	PrecedenceGroup
)

// Access is an access level. Higher levels show more.
type Access uint8

// The access levels. Unspecified means that none is written.
const (
	Unspecified Access = iota
	Private
	FilePrivate
	Internal
	Package
	Public
	Open
)

// File is what one file declares. All strings of it and its declarations are
// parts of Text, except names that had back-quotes.
type File struct {
	// Name is the name that Parse was called with.
	Name string
	Text string
	// Imports are the imports in the order of the file.
	Imports []Import
	Decls   []*Decl
	// Skipped are the declarations that could not be read, at most MaxSkipped.
	Skipped []Skip
	// Lost counts all declarations that could not be read.
	Lost int
}

// Skip is a declaration that could not be read.
type Skip struct {
	Line   int
	Reason string
}

// Import is an import declaration.
type Import struct {
	// Module is the module's name, the first part of Path: Foundation.
	Module string
	// Path is the whole dotted name: Foundation.URL.
	Path string
	// Kind is the keyword of the declaration that alone is imported, such as struct
	// or func; "" for a whole module.
	Kind       string
	Access     Access
	Attributes []Attribute
	Conditions []*Condition
	Line       int
}

// Exported reports whether the import is @_exported.
func (m *Import) Exported() bool { return findAttribute(m.Attributes, "_exported") != nil }

// Decl is one declaration.
type Decl struct {
	Kind Kind
	// Access is the access level as written before the declaration itself: that
	// of an extension does not reach its members here.
	Access Access
	// SetAccess is the access of the setter if it is written apart: private(set).
	SetAccess Access
	// Quoted is set if the name is written in back-quotes.
	Quoted bool
	// Let is set for constants.
	Let bool
	// HasParams is set if parentheses are written, also empty ones.
	HasParams bool
	// Body is set if a body or a block of accessors is written.
	Body bool
	// Failable is '?' or '!' for init? and init!, 0 else.
	Failable byte
	// Name is the name without back-quotes: a word or an operator; "init",
	// "subscript", "deinit"; the type that an extension extends, as written.
	Name       string
	Attributes []Attribute
	// Modifiers are the words before the declaration in their order, access
	// levels left out: static, mutating, nonisolated(unsafe), prefix.
	Modifiers []Modifier
	// Generics are the generic parameters; of a protocol, its primary
	// associated types.
	Generics []GenericParam
	// Where are the requirements of the where clause as written. Those of
	// generic parameters (<T: P>) are in Generics.
	Where []Requirement
	// Params are the parameters of a function, initialiser, subscript or macro, or
	// the payload of a case.
	Params []Param
	// Effects are the effects of a function or initialiser.
	Effects Effects
	// Result is the type of the result, "" if none is written.
	Result string
	// Inherits are the types after the colon of a type, extension or
	// associated type, with what is written before: "@unchecked Sendable",
	// "~Copyable".
	Inherits []string
	// Type is the written type of a property, what a typealias stands for, the
	// default of an associated type, and the precedence group of an operator.
	Type string
	// Value is the text of an expression: the initial value of a property, the
	// raw value of a case, the definition of a macro; the body of a precedence
	// group.
	Value string
	// Pattern is set for a name that a tuple pattern binds: let (a, b) = (1, 2).
	// Value is then that of the whole pattern, and Pattern the indices that lead
	// to the name: "0", "1.0".
	Pattern string
	// Accessors are the accessors of a property or subscript. A getter without the
	// word get is listed as Get.
	Accessors []Accessor
	// Members are the declarations in the body of a type or extension.
	Members []*Decl
	// Parent is the type or extension that the declaration is a member of, nil
	// for those of the file.
	Parent *Decl
	// Comment is the raw documentation comment with its markers; Doc cleans it.
	Comment string
	// Conditions are the #if clauses around the declaration, from its parent
	// inwards. All must hold.
	Conditions []*Condition
	// Line is the line of the name, from 1.
	Line int
	// Start is the offset of the first attribute or word, End that behind the
	// declaration.
	Start, End int
}

// Attribute is an attribute: @available(macOS 12, *).
type Attribute struct {
	// Name is without @, dots included: MainActor, Swift.MainActor.
	Name string
	// Generics is the text between angle brackets, without them.
	Generics string
	// Args is the text between parentheses, without them. HasArgs tells () from
	// none.
	Args    string
	HasArgs bool
	// Conditions are the #if clauses around the attribute, beyond those of the
	// declaration.
	Conditions []*Condition
}

// Modifier is a word before a declaration: static, nonisolated(unsafe).
type Modifier struct {
	Name string
	// Arg is the text between parentheses.
	Arg string
}

// GenericParam is one generic parameter.
type GenericParam struct {
	Name string
	// Each is set for a parameter pack: each T.
	Each bool
	// Value is set for an integer parameter: let N: Int.
	Value bool
	// Bound is the text after the colon: P & Q.
	Bound string
}

// Requirement is one requirement of a where clause.
type Requirement struct {
	// Left is the constrained type, with repeat if it is written.
	Left string
	// Op is ":" or "==".
	Op    string
	Right string
}

// Param is one parameter.
type Param struct {
	Attributes []Attribute
	// Label is the argument label, "_" for none. For a subscript with one name
	// and for an unnamed element of a case it is "_".
	Label string
	// Name is the name inside, "" for an element of a case without one.
	Name string
	// Type is the type with its specifiers: inout Int, @escaping () -> Void. It
	// does not include the dots of a variadic parameter.
	Type     string
	Variadic bool
	// Default is the text of the default value.
	Default string
}

// Effects are async and throws.
type Effects struct {
	Async bool
	// Reasync is set for reasync.
	Reasync bool
	// Throws is set for throws and rethrows.
	Throws   bool
	Rethrows bool
	// Thrown is the type of typed throws.
	Thrown string
}

// AccessorKind is the kind of an accessor.
type AccessorKind uint8

// The kinds of accessors.
const (
	Get AccessorKind = iota + 1
	Set
	WillSet
	DidSet
	Read   // _read, read, yielding borrow, borrow
	Modify // _modify, modify, yielding mutate, mutate
	Address
	MutableAddress
	InitAccessor
)

// Accessor is one accessor of a property or subscript.
type Accessor struct {
	Kind AccessorKind
	// Mutating and NonMutating are the words before the accessor.
	Mutating, NonMutating bool
	Effects               Effects
	Conditions            []*Condition
}

// Condition is one clause of an #if: #if, #elseif or #else. It holds if its
// expression is true and no clause before it holds.
type Condition struct {
	// Expr is the condition, nil for #else.
	Expr *ConditionExpr
	// Text is the condition as written, "" for #else.
	Text string
	// Before is the clause before of the same #if, nil for the first.
	Before *Condition
	Line   int
}

// ConditionOp is the operation of a condition's expression.
type ConditionOp uint8

// The operations.
const (
	// Flag is a name: DEBUG; true and false, too.
	Flag ConditionOp = iota + 1
	// Test is a call: os(Linux), canImport(Foundation), swift(>=5.9). Name is
	// the name of the test, Arg what its parentheses hold.
	Test
	Not // Left
	And // Left, Right
	Or  // Left, Right
	// Unknown is what could not be read.
	Unknown
)

// ConditionExpr is an expression of a condition.
type ConditionExpr struct {
	Op          ConditionOp
	Name, Arg   string
	Left, Right *ConditionExpr
}

const (
	// MaxText is the size of the largest text that is read, in bytes.
	MaxText = 64 << 20
	// MaxSkipped bounds File.Skipped.
	MaxSkipped = 100
	// maxDepth bounds nested types, #if and conditions.
	maxDepth = 200
)

// findAttribute returns the attribute of a name, nil if there is none.
func findAttribute(all []Attribute, name string) *Attribute {
	for i := range all {
		if all[i].Name == name {
			return &all[i]
		}
	}
	return nil
}

// Attribute returns the attribute of a name, nil if there is none. The name of
// the standard library in front (Swift.MainActor) is part of the name.
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

// Static reports whether the member is one of the type: static or class.
func (d *Decl) Static() bool { return d.Has("static") || d.Kind != Class && d.Has("class") }
