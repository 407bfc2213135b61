// Package cargo has the name of a package that it imports.
package cargo

import "example.com/harbor/cargo"

// Inspect inspects numbers.
func Inspect(n *cargo.Numbers) error { return nil }
