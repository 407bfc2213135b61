//go:build !windows

package kiosk

// Sign exists twice.
func Sign() string { return "" }

// Awning is not for Windows.
func Awning() {}
