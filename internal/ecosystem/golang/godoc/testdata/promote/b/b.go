// Package b lends its types.
package b

// Option is an option.
type Option struct{ Set bool }

// Base is embedded.
type Base struct {
	// ID counts.
	ID      int `db:"id"`
	Opts    []Option
	Fn      func(name string, o *Option) (Option, error)
	private int
}

// Name names.
//
// Deprecated: use [Base.ID].
func (b *Base) Name() string { return "" }

// With has an [Option].
func (b Base) With(o Option, ch <-chan *Option, all ...map[string]Option) (Option, error) {
	return o, nil
}

// Closer closes.
type Closer interface {
	// Close closes with [Option].
	Close(o Option) error
}

// Container contains.
type Container[T any] interface {
	At(i int) (T, bool)
	Each(func(i int, t T) bool)
}

// Box boxes.
type Box[A, B any] struct {
	First  A
	Second *B
	last   interface{ Get() A }
}

func (x *Box[P, Q]) Swap(with *Box[P, Q]) (Q, P) { panic(0) }
func (x Box[P, Q]) Option(struct {
	P P
	O Option
}, interface{ Get() (P, Option) }, map[Size]Q) {
}

// Size is a size.
type Size int
