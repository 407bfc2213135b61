//go:build race

package mcp_test

// raceDetector says that the race detector is on, which allocates too.
const raceDetector = true
