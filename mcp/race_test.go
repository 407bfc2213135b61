//go:build race

package mcp_test

// raceDetector reports whether the race detector, which also allocates, is on.
const raceDetector = true
