package modules

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/python/source"
)

// exports returns the public names of a module, in the order of their
// declaration. They are the names in __all__. Without __all__ they are the
// names without a leading underscore that the module declares or, in a package,
// imports from its own distribution.
func (r *Reader) exports(m *module) []string {
	switch m.exporting {
	case 1:
		return nil
	case 2:
		return m.exported
	}
	m.exporting = 1
	end := r.collect()
	m.exported = unique(r.findExports(m))
	end()
	m.exporting = 2
	return m.exported
}

func (r *Reader) findExports(m *module) []string {
	var listed []string
	complete := false
	for _, f := range m.files() {
		if len(f.scope.all) == 0 {
			continue
		}
		names, all := r.all(f)
		listed = append(listed, names...)
		if all && (!f.makesAll() || f.stub) {
			return listed
		}
		complete = complete || all
	}
	if complete {
		return listed
	}
	for _, f := range m.files() {
		m.dynamic = m.dynamic || len(f.scope.all) > 0
		listed = r.natural(listed, f, false)
	}
	return listed
}

// makesAll reports whether functions may add names to __all__ of a file,
// because the value of __all__ is more than a list of strings.
func (f *file) makesAll() bool {
	for _, stmt := range f.scope.all {
		if _, ok := stmt.Value.Tree().Strings(); !ok {
			return true
		}
	}
	return false
}

// natural appends the public names of a file without __all__. If everything is true, it appends the
// names that "import *" binds. These include imported names, but not modules, which users do not
// import from there.
func (r *Reader) natural(names []string, f *file, everything bool) []string {
	lazy := f.scope.names["__getattr__"] != nil || f.replaced
	for _, b := range f.scope.order {
		// A name that only type checkers see is public if it is marked as public:
		// import a as a.
		if strings.HasPrefix(b.name, "_") || b.typing && !f.stub && !lazy && !(b.explicit && b.attr != "") {
			continue
		}
		if everything && !f.keeps(b) && (!b.imported || b.attr != "") || r.exportsBinding(f, b) || f.replaced && b.typing {
			names = append(names, b.name)
		}
	}
	for _, s := range f.scope.stars {
		if !s.typing || lazy || f.stub {
			names = r.namesOf(names, f, s)
		}
	}
	if lazy && !f.stub && !f.replaced {
		names = append(names, r.lazyNames(f)...)
	}
	return names
}

// exportsBinding reports whether users import a name from a file without
// __all__ that binds it.
func (r *Reader) exportsBinding(f *file, b *binding) bool {
	if !b.imported || b.explicit && (b.attr != "" || f.stub) {
		return true
	}
	if f.stub || !f.mod.pkg {
		return false
	}
	// A package exports the names that it imports from its own modules. For example, _pytest is the
	// private part of pytest. Other modules are public under their own names.
	if top := topOf(b.from); b.attr == "" || r.root(f.mod.dist, b.from) != r.root(f.mod.dist, f.mod.name) && (!strings.HasPrefix(top, "_") || !slices.Contains(f.mod.dist.Modules, top)) {
		return false
	}
	e := r.follow(b)
	return e == nil || e.external != "" || e.path != ""
}

// all evaluates __all__ of a file. complete is false if a part of it is
// unknown.
func (r *Reader) all(f *file) (names []string, complete bool) {
	complete = true
	if first := f.scope.all[0]; first.Kind != source.Assign || first.Op != "" { // __all__ is set by a call, as in __all__, __getattr__, __dir__ = attach(…)
		complete = false
		if b := f.scope.names["__all__"]; b != nil && b.imported && b.attr == "__all__" {
			if m := r.module(f.mod.dist, b.from); m != nil {
				names, complete = slices.Clone(r.exports(m)), true
			}
		}
	}
	for _, stmt := range f.scope.all {
		switch {
		case stmt.Kind == source.Assign && slices.Contains(stmt.Targets, "__all__"):
			values, ok := r.listOf(f, stmt.Value.Tree(), stmt.Line)
			if stmt.Op == "" {
				names, complete = nil, true
			}
			names = append(names, values...)
			complete = complete && ok
		case stmt.Kind == source.Block:
			more, ok := r.looped(f, names, stmt)
			if complete = complete && ok; ok {
				names = more
			}
		case stmt.Kind == source.Expr:
			var ok bool
			names, ok = r.changed(f, names, stmt)
			complete = complete && ok
		}
	}
	return names, complete
}

// listOf returns the names in a list expression at the given line. ok is false if they cannot be
// determined.
func (r *Reader) listOf(f *file, t *source.Tree, line int) (values []string, ok bool) {
	if values, ok = r.names(f, t, 0); !ok {
		if made, known := r.evaluate(f, t, line); known {
			return made, true
		}
	}
	return values, ok
}

// changed returns the names of a list after a statement that calls one of its
// methods. ok is false if the result cannot be determined.
func (r *Reader) changed(f *file, names []string, stmt *source.Stmt) (changed []string, ok bool) {
	t := stmt.Value.Tree()
	if t.Kind != source.Call || t.X.Kind != source.Attribute || len(t.Args) != 1 {
		return names, true
	}
	switch t.X.Name {
	case "extend", "update":
		more, ok := r.listOf(f, t.Args[0], stmt.Line)
		return append(slices.Clip(names), more...), ok
	case "append", "add":
		if t.Args[0].Kind != source.String {
			return names, false
		}
		return append(slices.Clip(names), t.Args[0].Name), true
	case "remove":
		names = slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == t.Args[0].Name })
	}
	return names, true
}

// names evaluates an expression that yields a list of names. ok is false if not
// all names can be determined.
func (r *Reader) names(f *file, t *source.Tree, depth int) (values []string, ok bool) {
	if depth > maxDepth {
		return nil, false
	}
	switch t.Kind {
	case source.List, source.Tuple, source.Set:
		ok = true
		for _, e := range t.Args {
			switch {
			case e.Kind == source.String:
				values = append(values, e.Name)
			case e.Kind == source.Starred:
				inner, known := r.names(f, e.X, depth+1)
				values, ok = append(values, inner...), ok && known
			case e.Kind == source.Attribute && e.Name == "__name__":
				values = append(values, e.X.Dotted()[strings.LastIndexByte(e.X.Dotted(), '.')+1:])
			default:
				ok = false
			}
		}
		return values, ok
	case source.Dict:
		ok = true
		for i, k := range t.Keys {
			switch {
			case k == nil:
				inner, known := r.names(f, t.Args[i], depth+1)
				values, ok = append(values, inner...), ok && known
			case k.Kind == source.String:
				values = append(values, k.Name)
			default:
				ok = false
			}
		}
		return values, ok
	case source.Binary:
		a, ok1 := r.names(f, t.X, depth+1)
		b, ok2 := r.names(f, t.Args[0], depth+1)
		switch t.Name {
		case "+", "|":
			return append(slices.Clip(a), b...), ok1 && ok2
		case "-":
			return slices.DeleteFunc(a, func(n string) bool { return slices.Contains(b, n) }), ok1 && ok2
		}
	case source.Call:
		switch name := t.X.Dotted(); {
		case (name == "list" || name == "tuple" || name == "sorted" || name == "set" || name == "frozenset") && len(t.Args) > 0:
			return r.names(f, t.Args[0], depth+1)
		case (name == "list" || name == "set" || name == "tuple") && len(t.Args) == 0:
			return nil, true
		case t.X.Kind == source.Attribute && (t.X.Name == "copy" || t.X.Name == "keys") && len(t.Args) == 0:
			return r.names(f, t.X.X, depth+1)
		}
	case source.Subscript:
		if t.Text != "" && strings.HasSuffix(t.Text, "[:]") {
			return r.names(f, t.X, depth+1)
		}
	case source.Attribute:
		if t.Name == "__all__" {
			if e := r.resolve(f.scope, t.X.Dotted()); e.known() && e.path == "" {
				return slices.Clone(r.exports(e.mod)), true
			}
		}
	case source.Name:
		b := f.scope.names[t.Name]
		if t.Name == "__all__" {
			return nil, true // The expression is the previous value of __all__, as in __all__ = __all__ + [...].
		}
		if b == nil || b.used {
			return nil, false
		}
		b.used = true
		defer func() { b.used = false }()
		if b.imported && b.attr == "__all__" {
			if m := r.module(f.mod.dist, b.from); m != nil {
				return slices.Clone(r.exports(m)), true
			}
			return nil, false
		}
		if b.imported {
			if e := r.follow(b); e.known() && e.code != nil && e.code.value.Text() != "" {
				return r.names(e.code.scope.file, e.code.value.Tree(), depth+1)
			}
			return nil, false
		}
		if b.value.Text() == "" {
			return nil, false
		}
		values, ok = r.names(f, b.value.Tree(), depth+1)
		for _, stmt := range f.scope.added {
			if !slices.Contains(stmt.Targets, t.Name) {
				continue
			}
			if stmt.Kind == source.Expr {
				more, known := r.changed(f, values, stmt)
				values, ok = more, ok && known
			} else {
				more, known := r.names(f, stmt.Value.Tree(), depth+1)
				values, ok = append(values, more...), ok && known
			}
		}
		return values, ok
	}
	return nil, false
}
