package program

import "strings"

// keyPaths are the types of key paths, whose first generic argument is the root.
const keyPaths = " KeyPath WritableKeyPath ReferenceWritableKeyPath PartialKeyPath "

// keyPath returns the value to which a key path leads, whose backslash is at a token. The root is the only parameter of the
// function that the key path stands for, or a type that it names.
func (w *walker) keyPath(i int) value {
	if r, ok := w.chains[i]; ok {
		return r.value
	}
	root := w.closures[i]
	if w.at(i) != `\` || w.at(i+1) != "." || len(root) != 1 || !root[0].isKnown() || w.depth > maxDepth || w.isKeyPathOperand(i) {
		return value{}
	}
	r := &result{end: i + 1}
	w.chains[i] = r // ends a cycle
	w.depth++
	*r = w.suffixes(root[0], i, i+1)
	w.depth--
	return r.value
}

// keyPathValue returns the value of a property of a value, to which the key path that begins at a token leads.
func (w *walker) keyPathValue(v value, i int) value {
	if w.at(i) == `\` {
		w.closures[i] = []value{v}
		return w.keyPath(i)
	}
	if r := w.initializer(i); w.at(r.end) == "]" && contains(keyPaths, r.value.system) && r.value.optional == 0 && len(r.value.args) == 2 {
		return r.value.args[1]
	}
	return value{}
}

// isKeyPathOperand reports whether the key path at a token is only a part of an expression. Operators may take key paths with
// another root.
func (w *walker) isKeyPathOperand(i int) bool {
	for i++; !contains(" , ) ] } ", w.at(i)) && w.at(i) != "" && !w.begins(i); i++ {
		switch text := w.at(i); {
		case text == "." || text == "?" || text == "!" || w.at(i-1) == ".":
		case (text == "[" || text == "(") && w.tight(i):
			i = w.closing[i]
		default:
			return true
		}
	}
	return false
}

// keyPathRoot returns the type of the root of a key path, which is argument n of a call, if it is the same for all declarations.
// params are the parameters for the arguments.
func (w *walker) keyPathRoot(accepting []*member, base value, a *arguments, params [][]int, n int) []value {
	var all value
	for i, m := range accepting {
		if n >= len(params[i]) || params[i][n] < 0 {
			return nil
		}
		t, ok := parseType(m.decl.Params[params[i][n]].Type)
		if !ok || t.array || len(t.args) == 0 || !contains(keyPaths, t.path[len(t.path)-1]) {
			return w.closureTypes(accepting, base, a, params, n)
		}
		root := w.declaredIn(t.args[0], m, base, w.inferred(m, a, false))
		if root.isGeneric() || i > 0 && !same(root, all) {
			return nil
		}
		all = root
	}
	return []value{all}
}

// isMapped reports whether an argument is a closure or a key path.
func (w *walker) isMapped(start int) bool { return w.at(start) == "{" || w.at(start) == `\` }

// keyPathTarget returns the generic parameter that stands for the value to which a key path of a type leads, or "".
func keyPathTarget(t *typeName, names map[string]bool) string {
	if len(t.path) == 1 && len(t.args) == 2 && contains(keyPaths, t.path[0]) && names[strings.TrimSpace(t.args[1])] {
		return strings.TrimSpace(t.args[1])
	}
	return ""
}
