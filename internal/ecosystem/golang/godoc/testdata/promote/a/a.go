// Package a takes members over in every way that the language has.
package a

import (
	"example.com/promote/b"
	renamed "example.com/promote/b"
	"example.com/promote/c/v2"
	. "example.com/promote/go-d"
)

// Plain embedding, by value and by pointer.
type Value struct{ b.Base }
type Pointer struct{ *b.Base }

// What an unexported type exports is promoted as well.
type hidden struct {
	// Field is promoted although its struct is hidden.
	Field  string `json:"field"`
	secret int
	inner
}
type inner struct{ Deep int }

// Method is promoted although its receiver is hidden.
func (h *hidden) Method(
	x int,
	y string,
) error {
	return nil
}
func (h hidden) unexported() {}

type Shown struct{ hidden }
type ShownPointer struct{ *hidden }

// Names at one depth exclude each other and everything below them.
type left struct{ Both, OnlyLeft int }
type right struct{ Both, OnlyRight int }

func (left) Clash()  {}
func (right) Clash() {}

type Ambiguous struct {
	left
	right
}
type Settled struct {
	left
	right
	Both string
}

func (Settled) Clash() {}

// The same type reached in two ways.
type Diamond struct {
	Value
	Pointer
}
type top struct{ b.Base }
type DeepDiamond struct {
	top
	left2
}
type left2 struct{ top }

// A field hides a method that is deeper.
type Hides struct {
	b.Base
	Name int
}

// Cycles.
type Round struct {
	*Trip
	Round1 int
}
type Trip struct {
	*Round
	Trip1 int
}
type Self struct{ *Self }

// Interfaces.
type Reader interface {
	// Read reads.
	Read(p []byte) (n int, err error)
	hidden()
}
type ReadCloser interface {
	Reader
	b.Closer
	error
	Own(b.Option) *b.Base
}
type Overlap interface {
	Reader
	interface {
		Read(p []byte) (n int, err error)
	}
	Read(p []byte) (n int, err error)
}
type Number interface {
	~int | ~float64
	String() string
}
type Generic[T any] interface {
	b.Container[T]
	Len() int
}
type WithInterface struct {
	b.Closer
	b.Container[map[string]b.Option]
}
type pair[K comparable, V any] interface{ Get(K) (V, bool) }
type Pairs[V any] interface{ pair[string, []V] }

// Generic structs, nested.
type List[T any] struct {
	Head *T
	next *List[T]
}

func (l *List[E]) Push(e E, more ...E) *List[E] { return l }
func (l List[_]) Len() int                      { return 0 }

type Ints struct{ List[int] }
type Nested[K comparable, V any] struct {
	*b.Box[[]K, map[K]V]
}
type Twice[A any] struct{ Nested[string, List[A]] }

// Aliases.
type Alias = b.Base
type AliasPointer = *b.Base
type GenericAlias[T any] = b.Box[T, T]
type ListOf[T any] = List[T]
type Literal = struct{ X, Y int }
type AliasOfAlias = Alias
type EmbedsAlias struct{ Alias }
type EmbedsPointer struct{ AliasPointer }
type EmbedsLiteral struct{ Literal }
type EmbedsGeneric struct{ GenericAlias[b.Option] }
type InterfaceAlias = interface{ M(Literal) }

// Definitions.
type Defined b.Base
type DefinedTwice Defined
type DefinedInterface b.Closer
type DefinedPointer *Shown
type DefinedGeneric[T any] List[T]
type DefinedError error

// Imports under other names.
type Renamed struct{ renamed.Base }
type Major struct{ c.C }
type Dotted struct{ D }

// Types without members.
type Slice []b.Base
type Func func(b.Base)

func (Func) Call(b.Base) {}

// Three packages deep.
type Far struct{ c.Holder }

// A method declared for an alias is one of the type behind it.
type Target struct{ Value }
type Other = Target

func (o *Other) OnAlias() {}

// Vars is a variable of a literal type.
var Vars struct {
	Feature bool
	Sub     struct{ A, B int }
}
