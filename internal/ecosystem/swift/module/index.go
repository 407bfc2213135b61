package module

import (
	"context"
	"fmt"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/markup"
)

// maxIndexed is the maximum number of names in one index.
const maxIndexed = 300_000

// Index returns a symbol for each module that is part of a product. Its members
// are the symbols that the module lists, each with the first sentence of its
// comment. Names outside types have no argument labels.
func Index(ctx context.Context, p Package) (*apidoc.Package, error) {
	w := newWorld(ctx, p)
	out := &apidoc.Package{Name: p.Name, Module: p.Name, Version: p.Version, LocalName: p.Name, Symbols: []apidoc.Symbol{}}
	names := 0
	for i := range p.Targets {
		t := &p.Targets[i]
		if len(t.Products) == 0 || t.Macro {
			continue
		}
		s := apidoc.Symbol{Path: t.module(), Kind: apidoc.Module}
		if t.C {
			q := p
			q.Module = t.Name
			for _, c := range readHeaders(ctx, q, t).Symbols {
				s.Members = append(s.Members, apidoc.Symbol{Path: c.Path, Kind: c.Kind, Doc: markup.Synopsis(c.Doc)})
			}
		} else {
			r, err := w.open(w.units[t.module()])
			if err != nil {
				return nil, err
			}
			s.Members = r.names(&names)
		}
		out.Symbols = append(out.Symbols, s)
	}
	if names > maxIndexed {
		return nil, fmt.Errorf("the Swift package %s declares more than %d names", p.Name, maxIndexed)
	}
	return out, nil
}

// names returns the paths and kinds of the symbols that the module lists.
// Members are below their types.
func (r *reading) names(count *int) []apidoc.Symbol {
	var all []apidoc.Symbol
	indexes := map[*entity]int{} // indexes contains the indexes of the outermost types.
	for e := range r.all {
		if *count++; *count > maxIndexed {
			break
		}
		s := apidoc.Symbol{Path: e.path, Kind: symbolKind(e), Doc: e.synopsis()}
		if e.parent == nil {
			s.Path, _ = apidoc.CutLabels(s.Path)
			indexes[e] = len(all)
			all = append(all, s)
			continue
		}
		root := e.parent
		for root.parent != nil {
			root = root.parent
		}
		i, ok := indexes[root]
		if !ok {
			i = len(all)
			indexes[root] = i
			all = append(all, apidoc.Symbol{Path: root.path, Kind: apidoc.Extension})
		}
		all[i].Members = append(all[i].Members, s)
	}
	return all
}

// synopsis returns the first sentence of the entity's comment. It returns "" if
// there is none.
func (e *entity) synopsis() string {
	if e.decl.Comment == "" {
		return ""
	}
	text, _, _ := strings.Cut(e.decl.Doc(), "\n\n")
	text, _, _ = strings.Cut(text, "\n- ") // Omit the list of fields.
	return markup.Synopsis(text)
}
