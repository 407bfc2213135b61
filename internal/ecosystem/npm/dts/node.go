package dts

import (
	"iter"
	"strconv"
	"strings"
)

// Kind is the kind of a [Node].
type Kind uint8

// These are the kinds of nodes. Each comment lists the children in order;
// brackets mark optional ones, and Type means any kind from [Keyword] on.
// Text is the name unless the comment says otherwise.
const (
	None Kind = iota
	Root      // the statements of a file

	// Declarations.
	Variable  // [Type] [Initial]
	Function  // [TypeParam…] [Param…] [Type]; in JavaScript also Property… of the objects that new makes with it
	Class     // [TypeParam…] [Extends] [Implements] members
	Interface // [TypeParam…] [Extends] members
	TypeAlias // [TypeParam…] Type
	Enum      // EnumMember…
	Namespace // statements; Text is quoted if it is a module: declare module "x"
	Global    // statements of declare global

	// Imports and exports. Modules are named without quotes.
	Import          // Text is the module; ImportDefault, ImportStar, Specifier…
	ImportDefault   // Text is the local name
	ImportStar      // Text is the local name
	ImportEquals    // Text is the local name; Require or Ref
	Export          // export {…}: Text is the module, empty without from; Specifier…
	ExportStar      // Text is the module; [Name], for export * as Name; without Text: Ref, the variable that holds the module
	ExportDefault   // Ref, Expression, Literal; a declaration has FlagDefault instead
	ExportEquals    // export = or module.exports =: Ref, Expression, Object, Require, Function, Class
	ExportNamespace // export as namespace Text
	ExportAssign    // exports.Text =; children as for ExportEquals
	MemberAssign    // a.Text =; the child Name is a, others as for ExportEquals
	Specifier       // Text is the name that is declared; [Name], the name that it refers to
	Require         // Text is the module; Name in require("x").y
	Name            // only Text
	Object          // an object literal: Specifier, Method, Property, Spread…
	Spread          // ...x in an object literal: Ref, Require

	// Parts of declarations.
	Extends    // Type or Expression…
	Implements // Type…
	TypeParam  // [Type, FlagConstraint] [Type, FlagDefault]
	Param      // [Type]; Text may be a destructuring pattern
	Expression // Text is the expression; for a call that a class extends: Ref of the callee, then Ref, Expression or Literal for each argument
	Initial    // Text is the initialiser; FlagDeclare if it is in a declaration file

	// Members. Text is the name as written: x, "x", [Symbol.iterator], #x.
	Property    // [Type] [Initial]
	Method      // as Function
	Getter      // as Function
	Setter      // as Function
	Constructor // as Function; no Text
	CallSig     // as Function; no Text
	NewSig      // as Function; no Text
	IndexSig    // Param… [Type]; no Text
	EnumMember  // [Initial]

	// Types.
	Keyword      // Text is string, void, this …
	Ref          // Text is a dotted name; type arguments
	Literal      // Text is "x", 1, -1, true, null or a template
	Array        // Type
	Tuple        // Type…, TupleMember…
	TupleMember  // Text is the label; Type
	Optional     // Type: T? in a tuple
	Rest         // Type: ...T in a tuple
	Union        // Type…
	Intersection // Type…
	FuncType     // as Function; no Text
	NewType      // as Function; no Text
	Conditional  // check, extends, true, false
	Infer        // Text is the name; [Type]
	Operator     // Text is keyof, unique or readonly; Type
	Indexed      // object, index
	Mapped       // TypeParam, [Type, FlagAs] [Type]
	TypeLiteral  // members
	TypeQuery    // typeof Text; type arguments
	ImportType   // import("module").Text: Name is the module, quoted; type arguments
	Predicate    // Text is the parameter; [Type]
	Paren        // Type
)

// Flags are modifiers and other properties of a node.
type Flags uint32

// These are the flags. A mapped type has two modifiers that may be added or
// removed: FlagReadonly and FlagOptional, with the Plus or Minus of each.
const (
	FlagExport  Flags = 1 << iota
	FlagDefault       // export default, the default of a type parameter, or a parameter with a default
	FlagDeclare
	FlagAbstract
	FlagAsync
	FlagConst
	FlagLet
	FlagUsing
	FlagStatic
	FlagReadonly
	FlagPublic
	FlagPrivate
	FlagProtected
	FlagOverride
	FlagAccessor
	FlagOptional
	FlagRest
	FlagTypeOnly
	FlagIn
	FlagOut
	FlagBody       // the declaration has a body, which was skipped
	FlagConstraint // the bound of a type parameter
	FlagAs         // the name type of a mapped type
	FlagAsserts
	FlagTypeof // typeof import("x")
	FlagReadonlyPlus
	FlagReadonlyMinus
	FlagOptionalPlus
	FlagOptionalMinus
	FlagInferred // the type was inferred from the value
)

// Node is a declaration, a part of a declaration, or a type.
type Node struct {
	Kind  Kind
	Flags Flags
	// Pos is the offset of the name, or of the first token if there is none.
	Pos uint32
	doc int32 // 1 + the index of its doc comment in File.docs; 0 if it has none
	// usually the name; see Kind
	Text  string
	first *Node // first child
	next  *Node // next sibling
}

// Has reports whether all of the flags are set.
func (n *Node) Has(f Flags) bool { return n.Flags&f == f }

// Children yields the direct children in order.
func (n *Node) Children() iter.Seq[*Node] {
	return func(yield func(*Node) bool) {
		for c := n.first; c != nil; c = c.next {
			if !yield(c) {
				return
			}
		}
	}
}

// All yields the direct children of the given kind.
func (n *Node) All(k Kind) iter.Seq[*Node] {
	return func(yield func(*Node) bool) {
		for c := n.first; c != nil; c = c.next {
			if c.Kind == k && !yield(c) {
				return
			}
		}
	}
}

// Child returns the first child of the given kind, or nil if there is none.
func (n *Node) Child(k Kind) *Node {
	for c := n.first; c != nil; c = c.next {
		if c.Kind == k {
			return c
		}
	}
	return nil
}

// Type returns the first child that is a type: the type of a variable or
// property, the result of a function, or the target of an alias. It returns nil
// if no child is a type.
func (n *Node) Type() *Node {
	for c := n.first; c != nil; c = c.next {
		if c.Kind >= Keyword {
			return c
		}
	}
	return nil
}

// IsMember reports whether the node is a member of a class, interface, type
// literal or enumeration.
func (n *Node) IsMember() bool { return n.Kind >= Property && n.Kind <= EnumMember }

// Name returns Text as the name of a symbol, without quotes. A computed name
// keeps its brackets unless it is a literal.
func (n *Node) Name() string { return unquoteName(n.Text) }

func unquoteName(s string) string {
	if len(s) < 2 {
		return s
	}
	if class[s[0]] == cDigit || s[0] == '.' {
		return numericName(s)
	}
	switch s[0] {
	case '"', '\'':
		return unquote(s)
	case '[':
		if in := s[1 : len(s)-1]; len(in) >= 2 && (in[0] == '"' || in[0] == '\'') && strings.IndexByte(in[1:], in[0]) == len(in)-2 {
			return unquote(in)
		} else if in != "" && class[in[0]] == cDigit && strings.Trim(in, "0123456789") == "" {
			return in
		}
	}
	return s
}

// numericName normalizes a numeric property name, so that 0x10 becomes "16".
func numericName(s string) string {
	if strings.Trim(s, "0123456789") == "" && s[0] != '0' {
		return s
	}
	plain := strings.ReplaceAll(s, "_", "")
	if plain[len(plain)-1] == 'n' {
		return plain
	}
	if n, err := strconv.ParseUint(plain, 0, 53); err == nil {
		return strconv.FormatUint(n, 10)
	}
	if f, err := strconv.ParseFloat(plain, 64); err == nil && f < 1e21 && f >= 1e-6 {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return s
}

// unquote removes the quotes of a string and resolves simple escapes.
func unquote(s string) string {
	in := s[1:]
	if in != "" && in[len(in)-1] == s[0] {
		in = in[:len(in)-1]
	}
	if strings.IndexByte(in, '\\') < 0 {
		return in
	}
	var b strings.Builder
	for i := 0; i < len(in); i++ {
		if in[i] == '\\' && i+1 < len(in) {
			i++
			switch in[i] {
			case 'n':
				b.WriteByte('\n')
				continue
			case 't':
				b.WriteByte('\t')
				continue
			}
		}
		b.WriteByte(in[i])
	}
	return b.String()
}

// Doc returns the raw doc comment directly before a declaration or member,
// including the comment markers. It returns the empty string if there is none.
func (f *File) Doc(n *Node) string {
	if n.doc == 0 {
		return ""
	}
	return f.docs[n.doc-1].text(f.Source)
}

// SetDoc gives a node the doc comment of another node of the same file.
func (n *Node) SetDoc(from *Node) { n.doc = from.doc }

// list collects the children of a node.
type list struct{ first, last *Node }

func (l *list) add(n *Node) {
	if n == nil {
		return
	}
	if l.first == nil {
		l.first = n
	} else {
		l.last.next = n
	}
	l.last = n
}
