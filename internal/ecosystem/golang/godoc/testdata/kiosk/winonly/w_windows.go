// Package winonly needs Windows.
package winonly

func F() {}
