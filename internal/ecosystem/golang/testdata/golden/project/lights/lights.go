// Package lights turns the lights on, on every system in its own way.
package lights

// Lamp is a lamp.
type Lamp struct{ Watts int }

// On turns the lamp on.
func (l *Lamp) On() error { return nil }
