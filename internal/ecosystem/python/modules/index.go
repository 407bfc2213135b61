package modules

import (
	"context"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// maxIndexed bounds the names of one index, maxIndexedModules its modules.
const (
	maxIndexed        = 200_000
	maxIndexedModules = 5000
)

// Index lists each public module of the distribution as a symbol, with the
// names that it exports as members: the module that src names and those below
// it, or all of src.Modules if it names none. Nothing is documented.
func Index(ctx context.Context, src *Source) (*apidoc.Package, error) {
	return Open(ctx, src, nil).Index(src.Module)
}

// Index is the index of a module and those below it.
func (r *Reader) Index(name string) (*apidoc.Package, error) {
	out := &apidoc.Package{Name: name, Platform: r.main.Platform, Symbols: []apidoc.Symbol{}}
	names := 0
	modules := 0
	tops := []string{name}
	if name == "" {
		tops = r.main.Modules
	}
	var walk func(full string, depth int)
	walk = func(full string, depth int) {
		if depth > maxDepth || names > maxIndexed || modules > maxIndexedModules || !r.check() {
			return
		}
		m := r.moduleIn(r.main, full)
		if m == nil {
			return
		}
		modules++
		s := apidoc.Symbol{Path: full, Kind: KindModule}
		if m.code != nil {
			s.File = m.code.name
		}
		for _, n := range r.exports(m) {
			names++
			s.Members = append(s.Members, apidoc.Symbol{Path: n, Kind: r.kindOf(m, n)})
		}
		out.Symbols = append(out.Symbols, s)
		for _, below := range r.main.below(m) {
			if publicModule(below) {
				walk(full+"."+below, depth+1)
			}
		}
	}
	for _, top := range tops {
		if !strings.HasPrefix(top, "_") || top == name {
			walk(top, 0)
		}
	}
	if r.err != nil {
		return nil, r.failure(name)
	}
	if len(out.Symbols) == 0 {
		return nil, r.noModule(name)
	}
	return out, nil
}

// kindOf is the kind of a public name, as far as its own file tells.
func (r *Reader) kindOf(m *module, name string) apidoc.Kind {
	switch e := r.lookup(m, name, false); {
	case !e.known():
		return KindUnknown
	case e.path == "":
		return KindModule
	case e.isClass():
		return apidoc.Class
	case e.isDef():
		return KindFunction
	}
	return apidoc.Var
}
