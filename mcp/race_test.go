//go:build race

package mcp_test

// raceDetector reports whether the race detector is enabled. It allocates additional memory.
const raceDetector = true
