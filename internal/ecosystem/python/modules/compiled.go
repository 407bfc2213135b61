package modules

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/docent-mcp/docent/internal/apidoc"
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

// nameOfBuiltin returns the name that a builtin class has in its module.
func nameOfBuiltin(name string) string {
	if name == "EnvironmentError" || name == "IOError" {
		return "OSError"
	}
	return name
}

// BuiltinMembers returns the names of the public members of a builtin class in any version of Python, or nil if they are
// unknown.
func BuiltinMembers(class string) []string {
	class = nameOfBuiltin(class)
	members := compiled()["builtins."+class]
	if members == nil && plainBases[class] && builtins[class] && class != "object" {
		return []string{"add_note", "args", "with_traceback"} // an exception
	}
	return members
}

// Builtins returns the builtin classes with the names of their members.
var Builtins = sync.OnceValue(func() *apidoc.Package {
	out := &apidoc.Package{Name: "builtins", AllNames: true}
	for class, names := range compiled() {
		if class, ok := strings.CutPrefix(class, "builtins."); ok {
			s := apidoc.Symbol{Path: class, Kind: apidoc.Class, Signature: "class " + class, Closed: true}
			s.Members = namesOnly(class, names)
			out.Symbols = append(out.Symbols, s)
		}
	}
	return out
})

// namesOnly returns members about which only the names are known.
func namesOnly(path string, names []string) (members []apidoc.Symbol) {
	for _, name := range names {
		members = append(members, apidoc.Symbol{Path: path + "." + name, Kind: apidoc.Name, Signature: name})
	}
	return members
}
