package kiosk

// Shutter exists on Windows alone.
type Shutter struct{ Height int }

// Roll rolls.
func (Shutter) Roll() {}

// Lock is a method for Windows.
func (k *Kiosk) Lock() {}

// Sign exists twice.
func Sign() string { return "windows" }
