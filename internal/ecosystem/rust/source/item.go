// Package source reads the items of one Rust file: its declarations without their bodies,
// attributes and doc comments. It does not follow paths or expand macros. If an item
// cannot be read, only that item is omitted.
package source

// Span is a part of text. Text has at most MaxText bytes.
type Span struct{ Start, End int32 }

func span(start, end int) Span { return Span{int32(start), int32(end)} }

// Empty reports whether the span is empty.
func (s Span) Empty() bool { return s.Start >= s.End }

// Text returns the part of text that the span covers, or "" if the span is empty or outside text.
func (s Span) Text(text string) string {
	if s.Empty() || int(s.End) > len(text) {
		return ""
	}
	return text[s.Start:s.End]
}

// ItemKind is the kind of an item.
type ItemKind uint8

// These are the kinds of items.
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

// Visibility is the visibility written before an item.
type Visibility uint8

// These are the visibilities.
const (
	Inherited Visibility = iota
	Public
	Restricted // pub(crate), pub(super), pub(in path): Item.VisPath
)

// Shape is the form in which the fields of a struct or variant are written.
type Shape uint8

// These are the shapes.
const (
	Unit Shape = iota
	Tuple
	Braced
)

// Attr is an attribute or a doc comment.
type Attr struct {
	// Kind is DocOuter or DocInner for a comment, and Punct for an attribute,
	// whose Body is the contents of its brackets.
	Kind  Kind
	Inner bool
	Body  Span
}

// Flags are words before an item.
type Flags uint16

// These are the flags.
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

// Item is a declaration. Its spans refer to the text of the file. Fields that most items lack are
// in Parts, because large crates contain hundreds of thousands of constants and fields.
type Item struct {
	Kind       ItemKind
	Vis        Visibility
	Flags      Flags
	Shape      Shape
	Start, End int32  // offsets; Start is the offset of the first word of the declaration
	Name       string // name without r#
	Type       Span   // type of a field, constant or alias; the type that an impl is for
	Value      Span   // value of a constant; discriminant of a variant
	Attrs      []Attr
	// Parts is never nil. Items without parts share an empty one.
	*Parts
}

// Parts are the parts of an item that fields and most constants lack.
type Parts struct {
	VisPath,
	Generics,
	Params, // the parameters of a function or a macro 2.0, without parentheses
	Output, // the result of a function
	Bounds, // the bounds of a trait or an associated type
	Where,
	Trait, // the trait of an impl
	ABI,
	Body Span // the body of a macro, with brackets, or the items of an impl that have not been read
	// Items are the items of a module, impl, trait or extern block, the variants of an enum, or the
	// fields of a struct or variant.
	Items []*Item
	// Inner are attributes at the beginning of a module's body.
	Inner []Attr
	Uses  []UsePath
}

// noParts is shared by all items without parts. It is never modified.
var noParts Parts

// NewItem returns an item that has only a name and inner attributes.
func NewItem(kind ItemKind, name string, inner []Attr) *Item {
	return &Item{Kind: kind, Name: name, Parts: &Parts{Inner: inner}}
}

// WithInner returns a copy of the item with different inner attributes.
func (it *Item) WithInner(inner []Attr) *Item {
	with, parts := *it, *it.Parts
	parts.Inner = inner
	with.Parts = &parts
	return &with
}

// UsePath is a name that a use declaration imports.
type UsePath struct {
	// Path are the names up to the imported one. The first is "" if the path
	// begins with colons.
	Path []string
	// As is the name that is bound, "" for a glob, or "_" if no name is bound.
	As   string
	Glob bool
	// Self is true for {self}, which imports only the module and not other items with the same
	// name.
	Self bool
}

// File contains the declarations of a file.
type File struct {
	Text  string
	Items []*Item
	Inner []Attr // #![…] and //! at the beginning
	// Lost counts the items that could not be read.
	Lost int
	// Count is the number of items, including nested ones.
	Count int
	cuts  []cut // where bodies were removed from Text
}

const (
	// maxDepth is the maximum nesting depth of modules and blocks.
	maxDepth = 100
	// maxUse is the maximum length of one path in a use declaration.
	maxUse = 64
	// MaxText is the maximum size in bytes of text that is read.
	MaxText = 64 << 20
	// MaxItems is the maximum number of items of one text that are read.
	MaxItems = 400_000
)
