package apidoc

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"
)

// Decl is the text of a symbol's declarations, together with its meaningful parts.
type Decl struct {
	// Text is Symbol.Signature.
	Text string
	// Parts are sorted by start position, each before the parts within it. The outermost ones
	// have the role DeclarationPart. Parts is empty if the language's reader does not understand
	// the text.
	Parts []Part
}

// Part is a meaningful range of a declaration.
type Part struct {
	Role  PartRole
	Flags PartFlags
	// Start and End are offsets in Decl.Text, in bytes.
	Start, End int
	// Parent is the index of the innermost part that contains this one, or -1 if there is none.
	Parent int
	// Target is the symbol that a ReferencePart refers to. It is nil in other parts and for names
	// that could not be resolved, unless Flags describe what they refer to.
	Target *Ref
}

// PartRole is the meaning of a part.
type PartRole uint8

const (
	// DeclarationPart is a declaration. A symbol can have several, such as overloads.
	DeclarationPart PartRole = iota + 1
	// AttributePart is an attribute, a decorator, an annotation or a struct tag.
	AttributePart
	// ModifierPart is a word such as public, static, const or mut.
	ModifierPart
	// NamePart is the name of the part that contains it: a declaration, a parameter, a type
	// parameter or a member. The name of a parameter may be a pattern.
	NamePart
	// LabelPart is the word before a parameter's name that callers write before the argument.
	LabelPart
	// ReceiverPart is the receiver of a method, with a name and a type within it.
	ReceiverPart
	// TypeParamPart is a type parameter, with a name, constraints and a default.
	TypeParamPart
	// ParamPart is a parameter, with a name, a type and a default.
	ParamPart
	// TypePart is the type of the part that contains it. For an alias, it is the type that the
	// alias refers to.
	TypePart
	// DefaultPart is the value that is used if a parameter is omitted, or the type that is used if
	// a type parameter is omitted.
	DefaultPart
	// ValuePart is the value of a constant, a variable or an enumeration case.
	ValuePart
	// ResultPart is a result of a function, with a type and an optional name.
	ResultPart
	// EffectPart is async, throws, unsafe or another effect of a call. The type that is
	// thrown is a TypePart within it.
	EffectPart
	// BasePart is a base class, an embedded type, a conformance or the trait of an
	// implementation.
	BasePart
	// ConstraintPart is a condition that a type parameter, or another type, must satisfy.
	ConstraintPart
	// MemberPart is a member that is written within the declaration, with the parts of a
	// declaration within it.
	MemberPart
	// BodyPart is a list of members with the brackets around it, if it is a part of a type.
	BodyPart
	// CommentPart is a comment.
	CommentPart
	// ReferencePart is the name of a type or another symbol, with its qualifiers and
	// without its arguments.
	ReferencePart
	// KeywordPart is the word that distinguishes types of the same kind, such as struct and
	// interface in Go.
	KeywordPart
	// UnionPart is a type that consists of alternatives, each of which is a TypePart within it.
	// Optional means that the language's empty value is also an alternative although it is not
	// written.
	UnionPart
	// TriviaPart is punctuation that does not change the meaning of a declaration, such as a
	// separator after the last element of a list, or the quotation marks of a string.
	TriviaPart
)

var partRoleNames = [...]string{
	DeclarationPart: "declaration", AttributePart: "attribute", ModifierPart: "modifier", NamePart: "name", LabelPart: "label",
	ReceiverPart: "receiver", TypeParamPart: "type parameter", ParamPart: "parameter", TypePart: "type", DefaultPart: "default",
	ValuePart: "value", ResultPart: "result", EffectPart: "effect", BasePart: "base", ConstraintPart: "constraint",
	MemberPart: "member", BodyPart: "body", CommentPart: "comment", ReferencePart: "reference",
	KeywordPart: "keyword", UnionPart: "union", TriviaPart: "trivia",
}

// String returns the name of the role, or "" if it is unknown.
func (r PartRole) String() string {
	if int(r) < len(partRoleNames) {
		return partRoleNames[r]
	}
	return ""
}

// PartFlags describe a part in more detail.
type PartFlags uint32

const (
	// Optional marks parameters, members and type parameters that may be omitted, patterns with
	// default values, and unions with an alternative that is not written.
	Optional PartFlags = 1 << iota
	// Variadic marks a parameter that takes any number of arguments.
	Variadic
	// KeywordOnly marks a parameter that can only be passed by its name. With Variadic, it takes
	// all keyword arguments that no other parameter takes.
	KeywordOnly
	// PositionalOnly marks a parameter that cannot be passed by its name, in a language in which
	// other parameters can.
	PositionalOnly
	// Pattern marks a name that is a pattern, which binds several names.
	Pattern
	// Shared marks a parameter whose type is written after the next parameter, such as a in (a, b
	// int).
	Shared
	// Self marks the parameter that is the value on which a method is called, and a reference to
	// the type of that value.
	Self
	// Local marks a reference to a type parameter, or to another name that is introduced by the
	// declaration or by one that contains it.
	Local
	// Unknown marks a parameter that represents any number of unknown parameters, and a value that
	// is not written.
	Unknown
	// Builtin marks a reference to a part of the language, or of a library that programs can use
	// without an import.
	Builtin
	// Outer marks a reference to a type whose members belong to the declared value or to the result
	// of a function. It marks the type itself or an alternative of a union, but not an argument of
	// a generic type or the element of an array. It is only used in languages in which paths lead
	// through values.
	Outer
	// OnType marks the declaration of a member that belongs to a type rather than to its values.
	OnType
	// Named marks a type that consists of Outer references and their arguments only, so it has only
	// the members of the types that it refers to.
	Named
	// Computed marks the type of an alias that the compiler computes from its type parameters, such
	// as a conditional type.
	Computed
	// Alternative marks the body of a type that is one of several alternatives of a union.
	Alternative
	// Implemented marks the declaration of a type that programs implement, such as an interface.
	Implemented
	// Closed marks the declaration of a type if programs cannot write all its fields, implement it
	// or match all its values.
	Closed
	// Provided marks the declaration of a member that implementers of its type may omit.
	Provided
	// Elidable marks a type parameter that declarations may omit without changing their meaning.
	Elidable
	// Redundant marks an attribute that only repeats the name of its field.
	Redundant
)

var partFlagNames = [...]string{"optional", "variadic", "keyword-only", "positional-only", "pattern", "shared", "self", "local", "unknown", "builtin", "outer", "on type", "named", "computed", "alternative", "implemented", "closed", "provided", "elidable", "redundant"}

// String returns the names of the flags, separated by spaces.
func (f PartFlags) String() string {
	var names []string
	for i, name := range partFlagNames {
		if f&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, " ")
}

// PartText returns the text of part i.
func (d *Decl) PartText(i int) string { return d.Text[d.Parts[i].Start:d.Parts[i].End] }

// Within yields the indices of the parts with a given role that are directly within parent. A
// parent of -1 represents the whole text, and a role of 0 for all roles.
func (d *Decl) Within(parent int, role PartRole) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := parent + 1; i < len(d.Parts); i++ {
			p := &d.Parts[i]
			if p.Parent < parent {
				return
			}
			if p.Parent == parent && (role == 0 || p.Role == role) && !yield(i) {
				return
			}
		}
	}
}

// Members yields the indices of the members within part i, including those in its bodies and in the
// bodies of alternative types.
func (d *Decl) Members(i int) iter.Seq[int] {
	return func(yield func(int) bool) {
		var more func(i int) bool
		more = func(i int) bool {
			for k := range d.Within(i, 0) {
				within := d.Parts[k].Role == BodyPart || d.Parts[k].Role == UnionPart || d.Parts[k].Role == TypePart && d.Parts[i].Role == UnionPart
				if d.Parts[k].Role == MemberPart && !yield(k) || within && !more(k) {
					return false
				}
			}
			return true
		}
		more(i)
	}
}

// Child returns the index of the first part with a given role directly within parent, or -1 if
// there is none.
func (d *Decl) Child(parent int, role PartRole) int {
	for i := range d.Within(parent, role) {
		return i
	}
	return -1
}

// ChildText returns the text of the first part with a given role directly within parent, or "" if
// there is none.
func (d *Decl) ChildText(parent int, role PartRole) string {
	if i := d.Child(parent, role); i >= 0 {
		return d.PartText(i)
	}
	return ""
}

// TypeOf returns the index of the type of a parameter, result or member, or -1 if it has none. The
// type may be written after a later name.
func (d *Decl) TypeOf(i int) int {
	for d.Parts[i].Flags&Shared != 0 {
		next := i + 1
		for next < len(d.Parts) && (d.Parts[next].Parent != d.Parts[i].Parent || d.Parts[next].Role != d.Parts[i].Role) {
			next++
		}
		if next == len(d.Parts) {
			return -1
		}
		i = next
	}
	return d.Child(i, TypePart)
}

// References yields the indices of all references within part i, at any depth.
func (d *Decl) References(i int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for k := i + 1; k < len(d.Parts) && (i < 0 || d.Parts[k].Start < d.Parts[i].End); k++ {
			if d.Parts[k].Role == ReferencePart && (i < 0 || d.Parts[k].End <= d.Parts[i].End) && !yield(k) {
				return
			}
		}
	}
}

// Check returns an error if a part is not within its parent, overlaps the part before it, or cuts a
// character in half. It is used to test readers.
func (d *Decl) Check() error {
	ends := map[int]int{-1: 0} // ends contains, for each part, the end of the last part within it.
	for i, p := range d.Parts {
		start, end := 0, len(d.Text)
		if p.Parent >= 0 {
			if p.Parent >= i {
				return fmt.Errorf("part %d of %q has the parent %d", i, d.Text, p.Parent)
			}
			start, end = d.Parts[p.Parent].Start, d.Parts[p.Parent].End
		} else if p.Role != DeclarationPart {
			return fmt.Errorf("part %d of %q is outside a declaration", i, d.Text)
		}
		switch {
		case p.Start < max(start, ends[p.Parent]) || p.End > end || p.Start > p.End:
			return fmt.Errorf("part %d (%s) of %q is at %d:%d", i, p.Role, d.Text, p.Start, p.End)
		case p.Role.String() == "":
			return fmt.Errorf("part %d of %q has the role %d", i, d.Text, p.Role)
		case !boundary(d.Text, p.Start) || !boundary(d.Text, p.End):
			return fmt.Errorf("part %d (%s) of %q cuts a character in half", i, p.Role, d.Text)
		case i > 0 && p.Start < d.Parts[i-1].Start:
			return fmt.Errorf("part %d (%s) of %q starts before part %d", i, p.Role, d.Text, i-1)
		}
		ends[p.Parent] = p.End
	}
	return nil
}

func boundary(s string, i int) bool { return i == len(s) || utf8.RuneStart(s[i]) }

// Parts collects the parts of a declaration in their order.
type Parts struct {
	list []Part
	open []int // the open parts, outermost first
}

// Open begins a part at an offset. Parts that are added before Close are within it.
func (b *Parts) Open(role PartRole, start int, flags ...PartFlags) {
	b.open = append(b.open, b.add(role, start, start, flags))
}

// Close ends the part that was opened last, and adds flags to it.
func (b *Parts) Close(end int, flags ...PartFlags) {
	last := len(b.open) - 1
	p := &b.list[b.open[last]]
	p.End = end
	for _, f := range flags {
		p.Flags |= f
	}
	b.open = b.open[:last]
}

// Wrap begins a part that contains all parts except the first n, which must be closed.
func (b *Parts) Wrap(n int, role PartRole, start int) {
	p := Part{Role: role, Start: start, End: start, Parent: b.parent()}
	b.list = slices.Insert(b.list, n, p)
	for i := n + 1; i < len(b.list); i++ {
		if parent := &b.list[i].Parent; *parent >= n {
			*parent++
		} else {
			*parent = n
		}
	}
	b.open = append(b.open, n)
}

// parent returns the index of the part that was opened last, or -1 if no part is open.
func (b *Parts) parent() int {
	if n := len(b.open); n > 0 {
		return b.open[n-1]
	}
	return -1
}

// Leaf adds a part that does not contain other parts.
func (b *Parts) Leaf(role PartRole, start, end int, flags ...PartFlags) {
	b.add(role, start, end, flags)
}

// Len returns the number of parts so far.
func (b *Parts) Len() int { return len(b.list) }

// Flag adds flags to the parts with a given role except the first n parts.
func (b *Parts) Flag(n int, role PartRole, flags PartFlags) {
	for i := range b.list[n:] {
		if b.list[n+i].Role == role {
			b.list[n+i].Flags |= flags
		}
	}
}

// Unflag removes flags from all parts except the first n.
func (b *Parts) Unflag(n int, flags PartFlags) {
	for i := range b.list[n:] {
		b.list[n+i].Flags &^= flags
	}
}

func (b *Parts) add(role PartRole, start, end int, flags []PartFlags) int {
	p := Part{Role: role, Start: start, End: end, Parent: b.parent()}
	for _, f := range flags {
		p.Flags |= f
	}
	b.list = append(b.list, p)
	return len(b.list) - 1
}

// List returns the parts. It closes parts that are still open at the given offset.
func (b *Parts) List(end int) []Part {
	for len(b.open) > 0 {
		b.Close(end)
	}
	return b.list
}

// Syntax parses the declarations of one language. It is safe for concurrent use.
type Syntax interface {
	// Parts returns the parts of Symbol.Signature. The Target of references is nil. It returns no
	// parts for text that it does not understand. The time that it takes is proportional to the
	// length of the text.
	Parts(s *Symbol) []Part
}

// Decl returns a symbol's declarations, split into their parts. References do not have a Target;
// naming.Resolver finds it.
func (p *Package) Decl(s *Symbol) Decl {
	d := Decl{Text: s.Signature}
	if p.Style.Syntax != nil {
		d.Parts = p.Style.Syntax.Parts(s)
	}
	return d
}

// Flags returns the flags of the first declaration of a symbol.
func (p *Package) Flags(s *Symbol) (flags PartFlags) {
	d := p.Decl(s)
	if i := d.Child(-1, DeclarationPart); i >= 0 {
		flags = d.Parts[i].Flags
	}
	return flags
}

// DeclaredName returns the name in a symbol's declaration, which can differ from the name in its
// path: "axios" for "const axios: AxiosStatic" at default. It is empty if the declaration does not
// contain a name.
func (p *Package) DeclaredName(s *Symbol) string {
	d := p.Decl(s)
	return d.ChildText(d.Child(-1, DeclarationPart), NamePart)
}
