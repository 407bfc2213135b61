package modules

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/lazyregexp"
)

// bundledName matches a name with a number at its end, such as X$1 or X_2. A bundler
// creates such names when several of the files that it combines declare the same name.
var bundledName = lazyregexp.New(`^([\w$]*[^\W\d_$])[$_]\d+$`)

// isBundled reports whether a bundler may have created a name.
func isBundled(name string) bool {
	last := len(name) - 1
	return last > 1 && name[last] >= '0' && name[last] <= '9' && bundledName().MatchString(name)
}

// declaredName returns the name that a symbol has in its own file.
func declaredName(t *symbol) string {
	if t.name == "default" {
		return t.decls[0].node.Name()
	}
	return t.name
}

// exportedName returns the name under which the module of a symbol exports it. If the
// module does not export the symbol, it returns the declared name without a number that
// a bundler added.
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

// numbered reports whether the path of an internal type is its name followed by a
// number.
func numbered(path, name string) bool { return isBundled(path) && strings.HasPrefix(path, name+"_") }

// renames reports whether signatures show the path of a symbol instead of another name.
// That is the case if the other name is a declared name under which the symbol is not
// exported, or a name created by a bundler.
func (o *exportSet) renames(t *symbol, name, path string) bool {
	if o.inUse[name] || strings.Contains(path, ".") || path == "export=" || path == "default" || numbered(path, declaredName(t)) {
		return false
	}
	return isBundled(name) || o.paths[t] != "" && !o.standsIn[t] && !o.several[t] && declaredName(t) == name
}

// nameOf returns the name by which users know a type.
func (w *documenter) nameOf(t *symbol) string {
	o := w.exports
	if o == nil || len(t.decls) == 0 {
		return t.name
	}
	if path := firstOf(o.paths[t], o.internals.paths[t]); path != "" && path != "export=" && path != "default" {
		return path
	}
	if o.inUse[t.name] || isBundled(t.name) {
		return w.r.exportedName(t)
	}
	return firstOf(declaredName(t), t.name) // A default export has the name of its declaration.
}

// shownName returns the name that the declaration of a symbol shows at all of the
// symbol's paths: the declared name if the symbol is exported under it, or else its first
// exported name.
func (w *documenter) shownName(t *symbol, path string) string {
	if w.exports != nil {
		if w.exports.declared[t] {
			return declaredName(t)
		}
		if first := w.exports.paths[t]; first != "" && !w.exports.standsIn[t] {
			return lastOf(first)
		}
	}
	return lastOf(path)
}

var nameWord = lazyregexp.New(`[\p{L}\p{N}_$]+`)

// knows reports whether users of the package refer to the symbol t by the given name.
func (w *documenter) knows(t *symbol, name string) bool {
	return firstOf(w.exports.paths[t], w.exports.internals.paths[t]) == name
}

// replaceName replaces a name in a signature with another name. It fails if the signature
// already contains the other name.
func replaceName(signature, name, other string) (string, bool) {
	if strings.HasPrefix(name, "import(") {
		return strings.ReplaceAll(signature, name, other), true
	}
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

var declarationHead = lazyregexp.New(`(?m)^(?:(?:abstract|class|interface|function|type|const|let|var|using|enum|namespace)\*? )+([\p{L}\p{N}_$]+)`)

// renameHead replaces the declared name at the head of each declaration in a signature
// with the exported name.
func renameHead(signature, declared, name string) string {
	if declared == name || numbered(name, declared) || name == "default" || name == "export=" || strings.ContainsFunc(name, notInName) {
		return signature
	}
	matches := declarationHead().FindAllStringSubmatchIndex(signature, -1)
	for _, m := range slices.Backward(matches) {
		if signature[m[2]:m[3]] == declared {
			signature = signature[:m[2]] + name + signature[m[3]:]
		}
	}
	return signature
}
