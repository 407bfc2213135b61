package modules

import (
	_ "embed"
	"strings"
	"sync"
)

// compiledNames contains, for compiled modules of the standard library and builtin classes, the names of all
// versions of Python and all platforms. test/check/compiled.py writes it.
//
//go:embed compiled.txt
var compiledNames string

var compiled = sync.OnceValue(func() map[string][]string {
	all := map[string][]string{}
	for line := range strings.Lines(compiledNames) {
		words := strings.Fields(line)
		all[words[0]] = words[1:]
	}
	return all
})

// Compiled returns the names that a compiled module of the standard library has in any version of Python, or
// nil if they are unknown.
func Compiled(module string) []string { return compiled()[module] }
