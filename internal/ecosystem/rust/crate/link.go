package crate

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
)

// path resolves the target of an intra-doc link to the path under which users find it. It
// returns "" if there is none.
func (w *documenter) path(target string, d *def, scope *module) string {
	if scope == nil {
		return ""
	}
	target = strings.TrimSpace(target)
	if target == "" || len(target) > 200 || strings.ContainsAny(target, "/ #?=\"") || !utf8.ValidString(target) {
		return ""
	}
	ns := types
	if kind, rest, ok := strings.Cut(target, "@"); ok {
		switch kind {
		case "fn", "function", "method", "value", "const", "constant", "static":
			ns = values
		case "macro", "derive":
			ns = macroNames
		}
		target = rest
	}
	switch {
	case strings.HasSuffix(target, "()"):
		target, ns = strings.TrimSuffix(target, "()"), values
	case strings.HasSuffix(target, "!"):
		target, ns = strings.TrimSuffix(target, "!"), macroNames
	}
	if i := strings.IndexByte(target, '<'); i > 0 && strings.HasSuffix(target, ">") {
		target = target[:i]
	}
	segs := strings.Split(target, "::")
	for i, s := range segs {
		segs[i] = strings.TrimPrefix(s, "r#")
		if s == "" && i > 0 || !isName(s) && s != "" {
			return ""
		}
	}
	k := scope.krate
	if segs[0] == "Self" {
		owner := d
		if d.parent != nil {
			owner = d.parent
		}
		if owner == nil || owner.kind == source.Func && owner == d {
			return strings.Join(segs, "::")
		}
		p := w.publicPath(owner)
		if p == "" {
			return strings.Join(segs, "::")
		}
		return strings.Join(append([]string{p}, segs[1:]...), "::")
	}
	for n := len(segs); n > 0 && n >= len(segs)-2; n-- {
		for _, space := range []namespace{ns, types, values, macroNames} {
			if n < len(segs) && space != types {
				continue
			}
			t := k.resolve(scope, segs[:n], space)
			if t == nil {
				continue
			}
			p := w.publicPath(t)
			if p == "" {
				p = segs[n-1]
			}
			return strings.Join(append([]string{p}, segs[n:]...), "::")
		}
	}
	return ""
}

func isName(s string) bool {
	for i := range len(s) {
		if c := s[i]; c != '_' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return false
		}
	}
	return s != ""
}

// publicPath returns the path, beginning with the name of the crate, under
// which users find a definition. It returns "" if the definition is not public.
func (w *documenter) publicPath(d *def) string {
	switch d.kind {
	case external:
		return userPath(d.path)
	case primitive:
		return d.name
	}
	if d.krate == nil {
		return ""
	}
	if d.kind == source.Variant && d.parent != nil {
		if p := w.publicPath(d.parent); p != "" {
			return p + "::" + d.name
		}
		return ""
	}
	if d.krate != w.k {
		// The path goes through this crate if it exports the definition, or else
		// through the crate that defines it.
		if p, ok := w.k.pathOf(d); ok {
			return w.k.src.Name + "::" + p
		}
		if d.krate.building {
			return ""
		}
	}
	if d.krate.root != nil && d == d.krate.root.def {
		return d.krate.src.Name
	}
	if p, ok := d.krate.pathOf(d); ok {
		return d.krate.src.Name + "::" + p
	}
	return ""
}

// userPath converts a path in core or alloc to the path that users of std write.
func userPath(path string) string {
	for _, name := range []string{"core::", "alloc::"} {
		if rest, ok := strings.CutPrefix(path, name); ok {
			return "std::" + strings.Replace(rest, "macros::", "", 1)
		}
	}
	return path
}

// maxPaths is the maximum number of public paths of a crate.
const maxPaths = 300_000

// pathOf returns the shortest public path of a definition that a crate exports. It returns a path that
// documentation omits only if there is no other one.
func (k *krate) pathOf(d *def) (string, bool) {
	k.findPaths(func() bool { _, ok := k.paths[d]; return ok })
	p, ok := k.paths[d]
	if !ok {
		p, ok = k.veiledPaths[d]
	}
	return p, ok
}

// publicPath is a module whose exports have public paths that begin with its own.
type publicPath struct {
	m      *module
	path   string
	hidden bool
}

// findPaths finds the public paths of the definitions that a crate exports, the shortest first, until
// enough returns true.
func (k *krate) findPaths(enough func() bool) {
	if k.paths == nil {
		k.paths, k.veiledPaths, k.exported, k.visited = map[*def]string{}, map[*def]string{}, map[*def]bool{}, map[publicPath]bool{{m: k.root}: true}
		k.queue = []publicPath{{m: k.root}}
	}
	for len(k.queue) > 0 && len(k.paths) < maxPaths && !enough() {
		next := k.queue[0]
		k.queue = k.queue[1:]
		all := next.m.exportsOf()
		slices.SortStableFunc(all, func(a, b export) int { return len(a.via) - len(b.via) })
		for _, x := range all {
			if x.off || x.def.kind == external {
				continue
			}
			hidden := next.hidden || x.def.hidden()
			p := x.name
			if next.path != "" {
				p = next.path + "::" + x.name
			}
			k.exported[x.def] = true
			paths := k.paths
			if x.veiled() {
				paths = k.veiledPaths
			}
			if _, ok := paths[x.def]; !ok && !hidden {
				paths[x.def] = p
			}
			if x.def.kind != source.Module || x.def.krate != k {
				continue
			}
			// A module is visited again if the first path to it is hidden and another one is not.
			if v := (publicPath{m: x.def.sub, hidden: hidden}); !k.visited[v] && !k.visited[publicPath{m: x.def.sub}] {
				k.visited[v] = true
				k.queue = append(k.queue, publicPath{x.def.sub, p, hidden})
			}
		}
	}
}
