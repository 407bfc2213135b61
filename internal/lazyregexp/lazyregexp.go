// Package lazyregexp compiles regular expressions at their first use. Compiling
// all of them at the start would take a tenth of a command's startup time.
package lazyregexp

import (
	"regexp"
	"sync"
)

// New returns a function that compiles text at its first call. That call panics
// if text is not a regular expression.
func New(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
