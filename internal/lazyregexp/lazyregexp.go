// Package lazyregexp compiles regular expressions when they are first used: to
// compile all of them takes a tenth of the time in which a command starts.
package lazyregexp

import (
	"regexp"
	"sync"
)

// New returns a function that compiles text at its first call. It panics there
// if text is no regular expression.
func New(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
