package modules

import (
	"cmp"
	"context"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/python/source"
	"github.com/docent-mcp/docent/internal/markup"
)

// maxIndexed is the maximum number of names in one index, and maxIndexedModules is the maximum
// number of its modules. indexSteps is the number of steps that are counted for each name, because
// every module in a cycle of star imports exports all names in the cycle.
const (
	maxIndexed        = 200_000
	maxIndexedModules = 5000
	indexSteps        = 100
	// maxIndexText is the size in bytes of the files that an index keeps in memory.
	maxIndexText = 16 << 20
)

// Index returns a symbol for each public module of the distribution, with its exports as members.
// The modules are the one that src selects and those below it, or all of src.Modules if src selects
// none. Each symbol has the first sentence of its docstring. A class also has its public attributes
// as members, at the first place where it is exported.
func Index(ctx context.Context, src *Source) (*apidoc.Package, error) {
	return Open(ctx, src, nil).Index(src.Module)
}

// Index returns the index of a module and those below it.
func (r *Reader) Index(name string) (*apidoc.Package, error) {
	out := &apidoc.Package{Name: name, Platform: r.main.Platform, Symbols: []apidoc.Symbol{}}
	names, modules := 0, 0
	forgotten := r.bytes // the value of r.bytes when files were forgotten last
	tops := []string{name}
	if name == "" {
		tops = r.main.Modules
	}
	outlined := map[string]bool{}
	var walk func(full string, depth int)
	walk = func(full string, depth int) {
		if depth > maxDepth || names > maxIndexed || modules > maxIndexedModules || !r.check() {
			return
		}
		if r.bytes-forgotten > maxIndexText { // No lookup is in progress.
			r.forget()
			forgotten = r.bytes
		}
		m := r.moduleIn(r.main, full)
		if m == nil {
			return
		}
		modules++
		s := apidoc.Symbol{Path: full, Kind: apidoc.Module}
		if m.code != nil {
			s.File = m.code.name
		}
		for _, n := range r.exports(m) {
			if names++; !r.meter.Step(indexSteps) {
				break
			}
			s.Members = append(s.Members, r.outline(m, n, outlined))
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

// forget drops the modules that were read. They are read again when they are needed.
func (r *Reader) forget() {
	fresh := Open(r.ctx, r.main.Source, r.importer)
	fresh.Raw, fresh.Program, fresh.missing = r.Raw, r.Program, r.missing
	fresh.files, fresh.bytes, fresh.symbols, fresh.warnings, fresh.err = r.files, r.bytes, r.symbols, r.warnings, r.err
	*r = *fresh
}

// outline returns the index entry for a public name of a module. It does not refer to the text of the
// file, so that the text can be freed.
func (r *Reader) outline(m *module, name string, seen map[string]bool) apidoc.Symbol {
	e := r.lookup(m, name, false)
	s := apidoc.Symbol{Path: strings.Clone(name), Kind: kindOf(e)}
	if !e.known() || e.path == "" {
		return s
	}
	s.Doc = synopsis(e.code, e.stub)
	if !e.isClass() || seen[e.full()] {
		return s
	}
	seen[e.full()] = true
	for _, b := range [...]*binding{e.code, e.stub} {
		if b == nil || b.stmt == nil || b.stmt.Kind != source.Class {
			continue
		}
		for _, x := range r.inner(b).order {
			if strings.HasPrefix(x.name, "_") || x.stmt == nil {
				continue
			}
			member := apidoc.Symbol{Path: name + "." + x.name, Kind: apidoc.Attribute, Doc: synopsis(x, nil)}
			if x.stmt.Kind == source.Def {
				member.Kind = apidoc.Method
			}
			s.Members = append(s.Members, member)
		}
		break
	}
	return s
}

// synopsis returns the first sentence of the docstring in the code, or else in
// the stub.
func synopsis(code, stub *binding) string {
	return strings.Clone(markup.Synopsis(firstParagraph(cmp.Or(docOf(code), docOf(stub)))))
}

// kindOf returns the kind of the declaration or module that a public name
// refers to.
func kindOf(e *entity) apidoc.Kind {
	switch {
	case !e.known():
		return apidoc.Name
	case e.path == "":
		return apidoc.Module
	case e.isClass():
		return apidoc.Class
	case e.isDef():
		return apidoc.Function
	}
	return apidoc.Var
}
