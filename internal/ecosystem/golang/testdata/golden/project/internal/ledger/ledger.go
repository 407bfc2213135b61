// Package ledger is internal.
package ledger

// Crane is a crane on the quay.
type Crane struct {
	// Load is in tonnes.
	Load int
}

// Lift lifts a container.
func (c *Crane) Lift(weight int) error { return nil }

// Entry is a line of the ledger.
type Entry struct {
	// Number is unique.
	Number int
}

// Key is for this module only.
type Key struct{}

// Sign is for this module only: others cannot make a Key.
func (e Entry) Sign(Key) {}

// Text returns the entry as text.
func (e Entry) Text() string { return "" }
