package modules

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/python/source"
)

// A module with a function __getattr__ imports some of its names only when they are used. The
// origins of these names are in tables of the module, in the function itself, or in a call to
// lazy_loader.

// lazy returns the entity that __getattr__ of a file returns for a name, or nil if it is
// unknown.
func (r *Reader) lazy(f *file, name string) *entity {
	target, ok := r.lazyTable(f)[name]
	if !ok {
		return nil
	}
	m := r.module(f.mod.dist, target.module)
	if m == nil {
		return &entity{external: target.module + "." + target.attr}
	}
	if target.attr == "" {
		return &entity{mod: m}
	}
	if e := r.lookup(m, target.attr, f.stub); e != nil {
		return e
	}
	if below := r.module(f.mod.dist, target.module+"."+target.attr); below != nil {
		return &entity{mod: below}
	}
	return nil
}

// maxMentioned is the maximum number of strings in __getattr__ that may name modules.
const maxMentioned = 100

// lazyMentioned looks for a name in the modules next to or below a module that the module's
// __getattr__ mentions. It handles deprecated modules whose __all__ re-exports the names of a
// private module. It returns nil if there is none.
func (r *Reader) lazyMentioned(m *module, name string) *entity {
	if len(m.code.scope.all) == 0 || !slices.Contains(r.exports(m), name) {
		return nil
	}
	for _, text := range mentioned(m.code.lazy, nil) {
		for _, full := range [...]string{parentOf(m.name) + "." + text, m.name + "." + text, text} {
			other := r.moduleIn(m.dist, strings.TrimPrefix(full, "."))
			if other == nil || other == m || !r.related(other, m) {
				continue
			}
			if e := r.lookup(other, name, false); e.known() && e.path != "" {
				return e
			}
		}
	}
	return nil
}

// mentioned adds the strings in the expressions of a body that look like dotted names.
func mentioned(body []source.Stmt, texts []string) []string {
	var walk func(t *source.Tree)
	walk = func(t *source.Tree) {
		if t == nil || len(texts) > maxMentioned {
			return
		}
		if t.Kind == source.String && isDotted(t.Name) && !slices.Contains(texts, t.Name) {
			texts = append(texts, t.Name)
		}
		walk(t.X)
		for _, a := range t.Args {
			walk(a)
		}
	}
	for i := range body {
		if body[i].Value.Text() != "" {
			walk(body[i].Value.Tree())
		}
		texts = mentioned(body[i].Else, mentioned(body[i].Body, texts))
	}
	return texts
}

// lazyNames returns the public names that __getattr__ of a file provides.
func (r *Reader) lazyNames(f *file) []string {
	var names []string
	for name := range r.lazyTable(f) {
		if !strings.HasPrefix(name, "_") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

type lazyTarget struct{ module, attr string }

// lazyTable returns the origins of the names that __getattr__ of a file
// provides.
func (r *Reader) lazyTable(f *file) map[string]lazyTarget {
	if table, ok := r.lazyTables[f]; ok {
		return table
	}
	table := map[string]lazyTarget{}
	r.lazyTables[f] = table
	r.lazyBody(f, f.lazy, table)
	for _, b := range f.scope.order {
		if b.stmt == nil || b.stmt.Kind != source.Assign || b.value.Text() == "" {
			continue
		}
		switch {
		case strings.HasPrefix(b.value.Text(), "{"):
			r.lazyDict(f, b.value.Tree(), table)
		case b.name == "__getattr__" && strings.Contains(b.value.Text(), "attach"):
			r.attach(f, b.value.Tree(), table)
		}
	}
	if b := f.scope.names["__getattr__"]; b != nil && b.stmt != nil && b.stmt.Kind == source.Assign {
		r.attach(f, b.stmt.Value.Tree(), table)
	}
	return table
}

// lazyBody reads the imports and tables within __getattr__.
func (r *Reader) lazyBody(f *file, body []source.Stmt, table map[string]lazyTarget) {
	for i := range body {
		s := &body[i]
		switch s.Kind {
		case source.From:
			m := f.absolute(s.Level, s.Name)
			for _, n := range s.Names {
				as := cmp.Or(n.As, n.Name)
				if f.scope.names[as] == nil && strings.Contains(m, ".") && r.inDist(f, m) {
					table[as] = lazyTarget{m, n.Name}
				}
			}
		case source.Assign:
			if strings.HasPrefix(s.Value.Text(), "{") {
				r.lazyDict(f, s.Value.Tree(), table)
			}
		case source.If, source.Try, source.Block:
			if s.Kind == source.If {
				r.lazyNamed(f, s, table)
			}
			r.lazyBody(f, s.Body, table)
			r.lazyBody(f, s.Else, table)
		}
	}
}

// lazyNamed reads "if name == 'A': from .m import _A", where the provided name
// differs from the imported one.
func (r *Reader) lazyNamed(f *file, s *source.Stmt, table map[string]lazyTarget) {
	t := s.Value.Tree()
	if t.Kind != source.Compare || t.X.Kind != source.Name || len(t.Args) != 1 {
		return
	}
	if names, ok := t.Args[0].Strings(); ok && t.Name == "in" { // The body may be return globals()["_" + name].
		result := ""
		for i := range s.Body { // The body may be return Other.
			if inner := &s.Body[i]; inner.Kind == source.Expr && isName(inner.Value.Text()) && f.scope.names[inner.Value.Text()] != nil {
				result = inner.Value.Text()
			}
		}
		for _, name := range names {
			if result != "" && isName(name) && f.scope.names[name] == nil {
				table[name] = lazyTarget{f.mod.name, result}
				continue
			}
			if private := "_" + name; isName(name) && f.scope.names[private] != nil && f.scope.names[name] == nil {
				table[name] = lazyTarget{f.mod.name, private}
			}
		}
		return
	}
	if t.Name != "==" || t.Args[0].Kind != source.String {
		return
	}
	name := t.Args[0].Name
	if !isName(name) || f.scope.names[name] != nil && !f.scope.names[name].typing {
		return
	}
	for i := range s.Body {
		switch inner := &s.Body[i]; {
		case inner.Kind == source.From && len(inner.Names) == 1:
			table[name] = lazyTarget{f.absolute(inner.Level, inner.Name), inner.Names[0].Name}
			return
		case inner.Kind == source.Expr && f.scope.names[inner.Value.Text()] != nil && inner.Value.Text() != name: // The body is a name, as in return _A.
			table[name] = lazyTarget{f.mod.name, inner.Value.Text()}
			return
		case inner.Kind == source.Expr && strings.Count(inner.Value.Text(), ".") == 1 && isDotted(inner.Value.Text()): // The body is an attribute of a module, as in return module.A.
			if b := f.scope.names[topOf(inner.Value.Text())]; b != nil && b.imported {
				module := b.from
				if b.attr != "" {
					module += "." + b.attr
				}
				table[name] = lazyTarget{module, lastOf(inner.Value.Text())}
				return
			}
		}
	}
}

func (r *Reader) inDist(f *file, m string) bool {
	top, _, _ := strings.Cut(f.mod.name, ".")
	other, _, _ := strings.Cut(m, ".")
	return top == other
}

// lazyDict reads a table that maps a name to a module, a name to a pair that ends with a module, or
// a module to names.
func (r *Reader) lazyDict(f *file, t *source.Tree, table map[string]lazyTarget) {
	if t.Kind != source.Dict {
		return
	}
	for i, k := range t.Keys {
		if k == nil || k.Kind != source.String {
			continue
		}
		v := t.Args[i]
		switch v.Kind {
		case source.String:
			r.lazyEntry(f, table, k.Name, v.Name, "")
		case source.Tuple, source.List:
			if names, ok := v.Strings(); ok && (v.Kind == source.List || len(names) != 2) && r.lazyModule(f, k.Name) != "" {
				for _, n := range names {
					r.lazyEntry(f, table, n, k.Name, n)
				}
				continue
			}
			if n := len(v.Args); n >= 2 {
				last, before := v.Args[n-1], v.Args[n-2]
				switch {
				case last.Kind == source.String && before.Kind == source.String && isName(last.Name) && r.lazyModule(f, before.Name) != "":
					r.lazyEntry(f, table, k.Name, before.Name, last.Name)
				case last.Kind == source.String:
					r.lazyEntry(f, table, k.Name, last.Name, "")
				case last.Kind == source.Constant && before.Kind == source.String:
					r.lazyEntry(f, table, k.Name, before.Name, "")
				}
			}
		}
	}
}

// lazyModule returns the module that text refers to, such as ".a", "pkg.a", or "a" below the
// package. It returns "" if there is none.
func (r *Reader) lazyModule(f *file, text string) string {
	if text == "" || strings.ContainsAny(text, " /") {
		return ""
	}
	if rest := strings.TrimLeft(text, "."); rest != text {
		if full := f.absolute(len(text)-len(rest), rest); full != "" && r.module(f.mod.dist, full) != nil {
			return full
		}
		return ""
	}
	if !isDotted(text) {
		return ""
	}
	if r.inDist(f, text) && r.module(f.mod.dist, text) != nil {
		return text
	}
	if f.mod.pkg && r.moduleIn(f.mod.dist, f.mod.name+"."+text) != nil {
		return f.mod.name + "." + text
	}
	return ""
}

// lazyEntry adds one name to table. text is the module to import from, and attr is its
// attribute. If attr is empty, text may end with the attribute, as in "module:attr" or
// "module.attr"; otherwise the attribute is called name.
func (r *Reader) lazyEntry(f *file, table map[string]lazyTarget, name, text, attr string) {
	if !isName(name) || f.scope.names[name] != nil && !f.scope.names[name].typing {
		return
	}
	text, after, colon := strings.Cut(text, ":")
	if colon {
		attr = after
	}
	if m := r.lazyModule(f, text); m != "" {
		switch {
		case attr != "":
		case m == f.mod.name+"."+name:
			// The text refers to a module of the package, or is a name in such a module.
			if e := r.lookupFileOf(m, f, name); e == nil {
				table[name] = lazyTarget{module: m}
				return
			}
			attr = name
		default:
			attr = name
		}
		table[name] = lazyTarget{m, attr}
		return
	}
	if i := strings.LastIndexByte(text, '.'); i > 0 && attr == "" {
		if m := r.lazyModule(f, text[:i]); m != "" {
			table[name] = lazyTarget{m, text[i+1:]}
		}
	}
}

func (r *Reader) lookupFileOf(module string, f *file, name string) *entity {
	if m := r.module(f.mod.dist, module); m != nil && m.code != nil {
		return r.lookupFile(m.code, name)
	}
	return nil
}

// attach reads lazy_loader's attach(__name__, submodules=…, submod_attrs=…), and attach_stub, whose
// table is the stub next to the file.
func (r *Reader) attach(f *file, t *source.Tree, table map[string]lazyTarget) {
	if t.Kind != source.Call {
		return
	}
	name := t.X.Dotted()
	switch path.Base(strings.ReplaceAll(name, ".", "/")) {
	case "attach":
		if sub := t.Argument("submodules", 1); sub != nil {
			names, _ := sub.Strings()
			for _, n := range names {
				table[n] = lazyTarget{module: f.mod.name + "." + n}
			}
		}
		if attrs := t.Argument("submod_attrs", 2); attrs != nil && attrs.Kind == source.Dict {
			for i, k := range attrs.Keys {
				if k == nil || k.Kind != source.String {
					continue
				}
				names, _ := attrs.Args[i].Strings()
				for _, n := range names {
					table[n] = lazyTarget{f.mod.name + "." + k.Name, n}
				}
			}
		}
	case "attach_stub":
		if f.mod.stub == nil {
			return
		}
		for _, b := range f.mod.stub.scope.order {
			if b.imported && b.attr != "" {
				table[b.name] = lazyTarget{b.from, b.attr}
				if b.from == f.mod.name {
					table[b.name] = lazyTarget{module: b.from + "." + b.attr}
				}
			}
		}
	}
}
