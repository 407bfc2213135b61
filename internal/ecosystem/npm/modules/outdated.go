package modules

import (
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
)

// This file documents the deprecated overloads of a function that also has other overloads. They
// become a second symbol at the same path, so that readers can see which declarations the notice is
// about.

// split separates the deprecated overloads in decls from all other declarations. It returns decls
// and nil if all of the overloads are deprecated or none of them is.
func (w *documenter) split(decls []decl) (current, outdated []decl) {
	callable := 0
	for _, d := range decls {
		if isCallable(d.node) {
			callable++
			if w.isDeprecated(d) {
				outdated = append(outdated, d)
			}
		}
	}
	if len(outdated) == 0 || len(outdated) == callable {
		return decls, nil
	}
	current = make([]decl, 0, len(decls)-len(outdated))
	for _, d := range decls {
		if !isCallable(d.node) || !w.isDeprecated(d) {
			current = append(current, d)
		}
	}
	return current, outdated
}

func isCallable(n *dts.Node) bool {
	return isFunction(n) || n.Kind == dts.CallSig || n.Kind == dts.NewSig
}

func (w *documenter) isDeprecated(d decl) bool {
	if d.scope.mod.file == nil {
		return false
	}
	raw := d.scope.mod.file.Doc(d.node)
	return strings.Contains(raw, "@deprecated") && w.readDoc(d.node, raw).deprecated != ""
}

// withOutdated appends the deprecated overloads of s, the last symbol in all, if s also has others.
func (w *documenter) withOutdated(all []apidoc.Symbol, s *symbol, path string) []apidoc.Symbol {
	t := w.r.target(s)
	if t == nil || t.namespaceOf != nil || len(t.decls) < 2 {
		return all
	}
	_, decls := w.split(visible(t.decls))
	if decls == nil {
		return all
	}
	w.r.symbols++
	w.r.meter.Step(symbolSteps)
	out := apidoc.Symbol{Path: path, Kind: kindOf(decls)}
	out.Signature = renameHead(named(w.signature(decls), decls, s.name), declaredName(t), w.shownName(t, path))
	out.File, out.Line = w.place(decls[0])
	w.refer(&out, decls)
	w.doc(&out, decls)
	moveDoc(&all[len(all)-1], &out)
	return append(all, out)
}

// moveDoc moves the comment on deprecated overloads, apart from the notice, to the current
// overloads if these have no comment, because it is about both.
func moveDoc(current, outdated *apidoc.Symbol) {
	if current.Doc == "" && len(current.Examples) == 0 {
		current.Doc, current.Examples = outdated.Doc, outdated.Examples
		outdated.Doc, outdated.Examples = "", nil
	}
}

// overloads returns a member and its deprecated overloads. The latter are nil if all of the
// overloads are deprecated or none of them is.
func (w *documenter) overloads(p *prop) (current, outdated *prop) {
	if len(p.decls) < 2 || p.retyped {
		return p, nil
	}
	if p.rendered.divided == nil {
		decls, old := w.split(visible(p.decls))
		if old == nil {
			return p, nil
		}
		both := [2]prop{*p, *p}
		both[0].decls, both[1].decls = decls, old
		for i := range both {
			both[i].rendered = renderedMember{}
		}
		p.rendered.divided = &both
	}
	return &p.rendered.divided[0], &p.rendered.divided[1]
}
