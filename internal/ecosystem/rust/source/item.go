// Package source reads the items of one Rust file: its declarations without
// their bodies, attributes and doc comments. It follows no paths and expands no
// macros. What cannot be read is left out alone.
package source

// Span is a part of a text. A text has at most MaxText bytes.
type Span struct{ Start, End int32 }

func span(start, end int) Span { return Span{int32(start), int32(end)} }

// Empty reports whether nothing is in the span.
func (s Span) Empty() bool { return s.Start >= s.End }

// Of returns the part of the text.
func (s Span) Of(text string) string {
	if s.Empty() || int(s.End) > len(text) {
		return ""
	}
	return text[s.Start:s.End]
}

// ItemKind is the kind of an item.
type ItemKind uint8

// The kinds of items.
const (
	Module ItemKind = iota + 1
	Use
	ExternCrate
	Func
	Struct
	Union
	Enum
	Variant
	Field
	Trait
	TraitAlias
	Impl
	TypeAlias
	Const
	Static
	MacroRules
	MacroDecl  // pub macro name
	MacroCall  // name! { … }
	ForeignMod // extern "C" { … }
	ConstBlock // const _: () = { … }, for the items within
)

// Visibility is what stands before an item.
type Visibility uint8

// The visibilities.
const (
	Inherited Visibility = iota
	Public
	Restricted // pub(crate), pub(super), pub(in path): Item.VisPath
)

// Shape is how the fields of a struct or variant are written.
type Shape uint8

// The shapes.
const (
	Unit Shape = iota
	Tuple
	Braced
)

// Attr is an attribute or a doc comment.
type Attr struct {
	// Kind is DocOuter or DocInner for a comment, and Punct for an attribute,
	// whose Body is what its brackets hold.
	Kind  Kind
	Inner bool
	Body  Span
}

// Flags are words before an item.
type Flags uint16

// The flags.
const (
	IsConst Flags = 1 << iota
	IsAsync
	IsUnsafe
	IsExtern
	IsDefault
	IsMut
	IsAuto
	IsSafe
	IsNegative // impl !Trait
	IsGen
	HasBody   // a function or constant of a trait has a default
	Semicolon // mod name;
)

// Item is one declaration. Its spans lie in the text of the file. Large crates
// have hundreds of thousands of constants and fields, so that what these lack is in
// Parts.
type Item struct {
	Kind       ItemKind
	Vis        Visibility
	Flags      Flags
	Shape      Shape
	Start, End int32  // from the first word of the declaration
	Name       string // without r#
	Type       Span   // of a field, constant, alias; what an impl is for
	Value      Span   // of a constant; a variant's discriminant
	Attrs      []Attr
	// Parts is never nil. Items without parts share an empty one.
	*Parts
}

// Parts are the parts of an item that fields and most constants lack.
type Parts struct {
	VisPath,
	Generics,
	Params, // of a function, a macro 2.0, without parentheses
	Output, // of a function
	Bounds, // of a trait or an associated type
	Where,
	Trait, // of an impl
	ABI,
	Body Span // of macros, with their brackets
	// Items are the items of a module, impl, trait or extern block, the variants
	// of an enum, or the fields of a struct or variant.
	Items []*Item
	// Inner are attributes at the beginning of a module's body.
	Inner []Attr
	Uses  []UsePath
}

// noParts is shared by all items without parts. Nothing writes to it.
var noParts Parts

// NewItem returns an item with a name and inner attributes alone.
func NewItem(kind ItemKind, name string, inner []Attr) *Item {
	return &Item{Kind: kind, Name: name, Parts: &Parts{Inner: inner}}
}

// WithInner returns a copy of the item with other inner attributes.
func (it *Item) WithInner(inner []Attr) *Item {
	with, parts := *it, *it.Parts
	parts.Inner = inner
	with.Parts = &parts
	return &with
}

// UsePath is one name that a use brings in.
type UsePath struct {
	// Path are the names up to the imported one; the first is "" for a path that
	// begins with colons.
	Path []string
	// As is the name that is bound: "" for a glob, "_" for none.
	As   string
	Glob bool
	// Self is true for {self}, which is the module and nothing else of its name.
	Self bool
}

// File is what one file declares.
type File struct {
	Text  string
	Items []*Item
	Inner []Attr // #![…] and //! at the beginning
	// Lost counts the items that could not be read.
	Lost int
	// Count is how many items there are, those within others included.
	Count int
}

const (
	// maxDepth bounds nested modules and blocks of items.
	maxDepth = 100
	// maxUse bounds the names of one path in a use.
	maxUse = 64
	// MaxText is the size of the largest text that is read.
	MaxText = 64 << 20
	// MaxItems is how many items of one text are read.
	MaxItems = 400_000
)
