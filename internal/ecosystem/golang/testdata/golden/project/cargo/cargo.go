// Package cargo stacks containers of any kind.
package cargo

import (
	"iter"

	"example.com/harbor/signal"
)

// Item is what a stack holds.
type Item interface {
	~string | ~[]byte
}

// Stack is a stack of items.
type Stack[K comparable, V any] struct {
	Top   *Layer[K, V]
	Index map[K][]V
	Pair[K, V]
	count int
}

// Layer is one layer of a Stack.
type Layer[K comparable, V any] struct {
	Key   K
	Value V
	Next  *Layer[K, V]
}

// Pair is embedded in Stack.
type Pair[A, B any] struct {
	First  A
	Second B
}

// Swap returns the pair in the other order.
func (p Pair[X, Y]) Swap() Pair[Y, X] { return Pair[Y, X]{p.Second, p.First} }

// Set changes both.
func (p *Pair[A, _]) Set(first A) {}

// New returns an empty stack.
func New[K comparable, V any](sizes ...int) *Stack[K, V] { return nil }

// Push adds a value.
func (s *Stack[K, V]) Push(key K, value V) (old V, ok bool) { return old, false }

// All yields the items.
func (s *Stack[K, V]) All() iter.Seq2[K, V] { return nil }

// Map applies a function to all values.
func Map[S ~[]E, E, R any](list S, f func(E) R) []R { return nil }

// Sum adds numbers.
func Sum[T signal.Number](first T, rest ...T) (total T) { return first }

// Join uses a constraint that is written in place.
func Join[T interface{ ~string | ~[]byte }](parts ...T) T { return parts[0] }

// Numbers is a stack of integers by their names.
type Numbers struct {
	Stack[string, int]
}

// Strings is an instance as a defined type.
type Strings Stack[string, []string]

// Named is an alias of an instance.
type Named = Pair[string, signal.Flag]

// Row is an alias with a type parameter.
type Row[T any] = []Pair[T, *T]

// Tree refers to itself in its constraint.
type Tree[T interface{ Compare(T) int }] struct {
	Left, Right *Tree[T]
}

// Func is a generic function type.
type Func[In, Out any] func(In) (Out, error)

// Call calls it.
func (f Func[In, Out]) Call(in In) (Out, error) { return f(in) }
