package npm

import (
	"regexp"
	"sync"
)

// pattern is a regular expression that is compiled when it is first used: to
// compile all of them takes a tenth of the time in which a command starts.
func pattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
