// Package c is at a path that does not end in its name.
package c

import bb "example.com/promote/b"

// C is C.
type C struct{ OfC int }

// Holder holds.
type Holder struct{ bb.Base }

// Give gives.
func (Holder) Give(C) bb.Option { return bb.Option{} }
