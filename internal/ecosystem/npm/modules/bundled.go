package modules

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/lazyregexp"
)

// A bundler that joins files gives a name that several of them declare a number: X$1
// and X_2.
var bundledName = lazyregexp.New(`^([\w$]*[^\W\d_$])[$_]\d+$`)

// isBundled reports whether a bundler may have made a name.
func isBundled(name string) bool {
	last := len(name) - 1
	return last > 1 && name[last] >= '0' && name[last] <= '9' && bundledName().MatchString(name)
}

// declaredName is the name that a symbol has in its own file.
func declaredName(t *symbol) string {
	if t.name == "default" {
		return t.decls[0].node.Name()
	}
	return t.name
}

// exportedName returns the name under which the module of a symbol exports it. If there
// is none, it is the name of the declaration, without what a bundler added.
func (r *Reader) exportedName(t *symbol) string {
	for _, s := range t.decls[0].scope.mod.scope.exports.order {
		if s.name != "default" && !isBundled(s.name) && r.target(s) == t {
			return s.name
		}
	}
	name := declaredName(t)
	if m := bundledName().FindStringSubmatch(name); m != nil {
		return m[1]
	}
	return name
}

// renames reports whether signatures show a symbol by its path in place of a name: one
// of its declaration, under which it is not exported, or one that a bundler made.
func (o *exportSet) renames(t *symbol, name, path string) bool {
	if o.taken[name] || path == "export=" || path == "default" {
		return false
	}
	return isBundled(name) || o.paths[t] != "" && !o.standsIn[t] && declaredName(t) == name
}

// nameOf returns the name that users know a type by.
func (w *documenter) nameOf(t *symbol) string {
	o := w.exports
	if o == nil || len(t.decls) == 0 {
		return t.name
	}
	if path := firstOf(o.paths[t], o.internals.paths[t]); path != "" && path != "export=" && path != "default" {
		return path
	}
	if o.taken[t.name] || isBundled(t.name) {
		return w.r.exportedName(t)
	}
	return t.name
}

var nameWord = lazyregexp.New(`[\w$]+`)

// replaceName replaces a name in a signature. It fails if the signature has the other
// name too.
func replaceName(signature, name, other string) (string, bool) {
	if slices.Contains(nameWord().FindAllString(signature, -1), other) {
		return signature, false
	}
	return nameWord().ReplaceAllStringFunc(signature, func(word string) string {
		if word == name {
			return other
		}
		return word
	}), true
}

var declarationHead = lazyregexp.New(`(?m)^(?:(?:abstract|class|interface|function|type|const|let|var|using|enum|namespace)\*? )+([\w$]+)`)

// renameHead gives the declarations of a signature the name under which they are exported.
func renameHead(signature, declared, name string) string {
	numbered := isBundled(name) && strings.HasPrefix(name, declared+"_") // by internal
	if declared == name || numbered || name == "default" || name == "export=" || strings.ContainsFunc(name, notInName) {
		return signature
	}
	at := declarationHead().FindAllStringSubmatchIndex(signature, -1)
	for _, m := range slices.Backward(at) {
		if signature[m[2]:m[3]] == declared {
			signature = signature[:m[2]] + name + signature[m[3]:]
		}
	}
	return signature
}
