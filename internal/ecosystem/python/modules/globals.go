package modules

import (
	"regexp"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/python/source"
	"github.com/docent-mcp/docent/internal/lazyregexp"
)

// updatesGlobals matches the beginning of a statement that binds the keys of a dictionary in the module.
var updatesGlobals = lazyregexp.New(`(?m)^[ \t]*(?:globals|vars|locals)\(\)\.update(\()`)

// maxUpdates is the maximum number of such statements of a file, and of comprehensions in them, that are evaluated.
const maxUpdates = 20

// boundKeys returns the names that statements such as globals().update({name: f(name) for name in names}) bind. ok is false if they
// cannot be determined, or if other code of the file binds computed names.
func (r *Reader) boundKeys(f *file) (names []string, ok bool) {
	found := updatesGlobals().FindAllStringSubmatchIndex(f.source, maxUpdates+1)
	if len(found) == 0 || len(found) > maxUpdates {
		return nil, false
	}
	var rest []byte // rest is the other code.
	end, loops := 0, 0
	for _, m := range found {
		t := argumentAt(f.source[m[2]:])
		eachTree(t, func(x *source.Tree) {
			if x.Kind == source.DictLoop {
				loops++ // each searches the file for code that changes its list
			}
		})
		if t == nil || loops > maxUpdates || inFunction([]byte(f.source), m[0]) {
			return nil, false
		}
		keys, known := r.keys(f, t, 1+strings.Count(f.source[:m[0]], "\n"))
		if !known {
			return nil, false
		}
		names = append(names, keys...)
		rest = append(rest, f.source[end:m[0]]...)
		end = m[2]
	}
	return names, !computesNames(append(rest, f.source[end:]...))
}

// argumentAt returns the only argument of a call, whose parentheses begin a text, or nil.
func argumentAt(text string) *source.Tree {
	depth := 0
	for _, t := range source.Tokens(text[:min(len(text), maxText)]) {
		switch t.Text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		}
		if depth == 0 {
			if call := source.Parse("f" + text[:t.Pos+len(t.Text)]); call.Kind == source.Call && len(call.Args) == 1 && call.Args[0].Kind != source.Keyword && call.Args[0].Kind != source.Starred {
				return call.Args[0]
			}
			return nil
		}
	}
	return nil
}

// keys returns the strings that may be keys of a dictionary in a statement at the given line. It does not evaluate the conditions of a
// comprehension. ok is false if there may be other keys.
func (r *Reader) keys(f *file, t *source.Tree, line int) (names []string, ok bool) {
	switch {
	case t.Kind == source.Dict:
		for i, key := range t.Keys {
			switch {
			case key == nil:
				inner, known := r.keys(f, t.Args[i], line)
				if !known {
					return nil, false
				}
				names = append(names, inner...)
			case key.Kind == source.String:
				names = append(names, key.Name)
			default:
				return nil, false
			}
		}
		return names, true
	case t.Kind != source.DictLoop || len(t.Args) != 1 || len(t.Keys) != 1:
		return nil, false
	}
	loop := t.Args[0]
	values, ok := r.elements(f, loop.Args[0])
	if !ok {
		return nil, false
	}
	list := &source.Tree{Kind: source.List}
	for _, v := range values {
		list.Args = append(list.Args, &source.Tree{Kind: source.String, Name: v})
	}
	return r.evaluate(f, &source.Tree{Kind: source.Loop, Name: "]", X: t.Keys[0], Args: []*source.Tree{{Kind: source.For, X: loop.X, Args: []*source.Tree{list}}}}, line)
}

// elements returns the strings in a list that only statements outside functions change.
func (r *Reader) elements(f *file, t *source.Tree) (values []string, ok bool) {
	literal := t
	if t.Kind == source.Attribute && t.Name == "__all__" {
		if e := r.resolve(f.scope, t.X.Dotted()); e.known() && e.path == "" {
			values = slices.Clone(r.exports(e.mod))
			others := compiled()[e.mod.name] // those of a list that code of the standard library computes
			return append(values, others...), !e.mod.dynamic || others != nil
		}
		return nil, false
	}
	if t.Kind == source.Name {
		b := f.scope.names[t.Name]
		if b == nil || b.imported || b.alt != nil || b.value == nil {
			return nil, false
		}
		literal = b.value.Tree()
		changes := 0
		for _, stmt := range f.scope.added {
			if slices.Contains(stmt.Targets, t.Name) {
				changes++
			}
		}
		expression := regexp.MustCompile(`\b` + regexp.QuoteMeta(t.Name) + `\s*(?:\[[^\]\n]*\]\s*=[^=]|\.\s*(?:add|append|extend|insert|update)\b|[|+]=)|\bglobal\s[^\n]*\b` + regexp.QuoteMeta(t.Name) + `\b`)
		if len(expression.FindAllStringIndex(f.source, changes+1)) != changes {
			return nil, false
		}
	}
	switch literal.Kind {
	case source.List, source.Tuple, source.Set, source.Dict:
		return r.names(f, t, 0)
	}
	return nil, false
}
