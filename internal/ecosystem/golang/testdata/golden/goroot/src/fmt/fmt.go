package fmt

// Stringer is a type with a text.
type Stringer interface {
	String() string
}
