package program

import (
	"reflect"
	"slices"

	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
)

// replace replaces a file of a module by one that declares the same. It returns false if the new one does not, or if the
// modules that it imports were not loaded.
func (p *Program) replace(module string, parsed *source.File) bool {
	f := p.fileNamed(module, parsed.Name)
	if f == nil || p.edited != nil || f.Lost != parsed.Lost || !sameDecls(f.Decls, parsed.Decls) || !p.sameExpanded(f.File, parsed) {
		return false
	}
	imports := !sameImports(f.Imports, parsed.Imports)
	if imports && (exports(f.Imports) || exports(parsed.Imports) || slices.ContainsFunc(parsed.Imports, func(d source.Import) bool {
		m := p.modules[d.Module]
		return m != nil && !m.loaded
	})) {
		return false
	}
	files, complete := f.module.Read()
	i := slices.Index(files, f.File)
	if i < 0 {
		return false
	}
	files = slices.Clone(files)
	files[i] = parsed
	f.module.Read = func() ([]*source.File, bool) { return files, complete }
	after := newFile(f.module, parsed)
	f.imports, f.testable = after.imports, after.testable
	f.File = parsed
	if imports {
		p.forget()
	}
	return true
}

func exports(imports []source.Import) bool {
	return slices.ContainsFunc(imports, func(d source.Import) bool { return d.Exported() })
}

// sameImports reports whether two files have the same imports.
func sameImports(a, b []source.Import) bool {
	return slices.EqualFunc(a, b, func(x, y source.Import) bool {
		x.Line, x.Start, y.Line, y.Start = 0, 0, 0, 0
		return reflect.DeepEqual(x, y)
	})
}

// sameDecls reports whether declarations are the same, regardless of their positions and comments.
func sameDecls(a, b []*source.Decl) bool {
	return slices.EqualFunc(a, b, func(x, y *source.Decl) bool {
		return x.Kind == y.Kind && x.Name == y.Name && sameDecls(x.Members, y.Members) && reflect.DeepEqual(alone(x), alone(y))
	})
}

// alone returns a declaration without its position, comment, parent and members.
func alone(d *source.Decl) *source.Decl {
	c := *d
	c.Line, c.Start, c.End, c.Comment, c.Parent, c.Members = 0, 0, 0, "", nil, nil
	return &c
}

// forget discards the results that depend on what files import.
func (p *Program) forget() {
	clear(p.added)
	p.additions = nil
	for _, m := range p.modules {
		m.peers, m.systems, m.reachable, m.unreachable, m.interfaces, m.imported = nil, nil, nil, false, false, false
		for _, f := range m.files {
			f.scope, f.visible = nil, nil
		}
		for _, t := range m.types {
			t.forget()
		}
		for _, types := range m.private {
			for _, t := range types {
				t.forget()
			}
		}
		for _, all := range m.values {
			forgetValues(all)
		}
	}
}

func (t *Type) forget() {
	t.target, t.parameters, t.supers, t.systems, t.superKnown, t.supersBuilt = nil, nil, nil, nil, false, false
	t.generated, t.dynamic = generated{}, false
	for _, all := range t.members {
		forgetValues(all)
	}
	for _, n := range t.nested {
		n.forget()
	}
}

func forgetValues(all []*member) {
	for _, m := range all {
		m.inferred = nil
	}
}
