//go:build !go1.5

package lights

// Old exists with old releases only.
const Old = 1
