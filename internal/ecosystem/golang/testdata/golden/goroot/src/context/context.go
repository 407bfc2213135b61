package context

// A Context ends.
type Context interface {
	// Err says why.
	Err() error
}
