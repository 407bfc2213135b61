package modules

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
)

// angular is what the compiled declaration of an Angular component or directive says about its use in
// templates.
type angular struct {
	kind            string // "component" or "directive"
	selector        string
	names           []string // names for references in templates (exportAs)
	inputs, outputs []string
	slots           []string // selectors of projected content; "*" is the rest
}

// angularOf returns the declaration in a class, or nil if the class is neither a component nor a
// directive. Inputs and outputs of base classes are included. depth is the number of derived classes.
func (w *documenter) angularOf(d decl, depth int) *angular {
	var a *angular
	for m := range d.node.All(dts.Property) {
		if name := m.Name(); (name == "ɵcmp" || name == "ɵdir") && m.Type().Is(dts.Ref) && m.Type().HasArgs() {
			a = angularDeclaration(m.Type())
		}
	}
	h := d.node.Child(dts.Extends)
	if a == nil || h == nil || !h.HasChildren() || depth > maxNesting {
		return a
	}
	if base := w.r.target(w.r.entity(d.scope, h.Base().Text, valueMeaning)); base != nil {
		for _, d := range base.decls {
			if d.node.Kind != dts.Class {
				continue
			}
			if from := w.angularOf(d, depth+1); from != nil {
				a.inputs, a.outputs = union(a.inputs, from.inputs), union(a.outputs, from.outputs)
			}
		}
	}
	return a
}

// angularDeclaration reads ɵɵComponentDeclaration<T, selector, exportAs, inputs, outputs, queries, slots>
// or ɵɵDirectiveDeclaration. It returns nil for other types.
func angularDeclaration(n *dts.Node) *angular {
	a := &angular{}
	switch name := lastOf(n.Text); name {
	case "ɵɵComponentDeclaration":
		a.kind = "component"
	case "ɵɵDirectiveDeclaration":
		a.kind = "directive"
	default:
		return nil
	}
	if s := n.Arg(1); s.Is(dts.Literal) {
		a.selector = strings.Join(strings.Fields(unquoted(s)), " ")
	}
	a.names, a.inputs, a.outputs, a.slots = literals(n.Arg(2)), bindings(n.Arg(3)), bindings(n.Arg(4)), literals(n.Arg(6))
	return a
}

// literals returns the strings in a tuple, or nil for other types.
func literals(n *dts.Node) (all []string) {
	if !n.Is(dts.Tuple) {
		return nil
	}
	for c := range n.Children() {
		if c.Is(dts.Literal) {
			all = append(all, unquoted(c))
		}
	}
	return all
}

func unquoted(n *dts.Node) string { return strings.Trim(n.Text, "\"'`") }

// bindings returns the names of inputs or outputs in templates, in Markdown. Each is followed by the
// name of the property if that differs.
func bindings(n *dts.Node) (all []string) {
	if !n.Is(dts.TypeLiteral) {
		return nil
	}
	for m := range n.All(dts.Property) {
		name, required := m.Name(), false
		switch t := m.Type(); {
		case t.Is(dts.Literal): // before Angular 16
			name = unquoted(t)
		case t.Is(dts.TypeLiteral):
			for p := range t.All(dts.Property) {
				if p.Name() == "alias" && p.Type().Is(dts.Literal) {
					name = unquoted(p.Type())
				}
				required = required || p.Name() == "required" && p.Type() != nil && p.Type().Text == "true"
			}
		}
		text := "`" + name + "`"
		switch {
		case name != m.Name() && required:
			text += " (required; the member `" + m.Name() + "`)"
		case name != m.Name():
			text += " (the member `" + m.Name() + "`)"
		case required:
			text += " (required)"
		}
		all = append(all, text)
	}
	return all
}

// union returns the strings of both lists, without repetitions.
func union(a, b []string) []string {
	for _, s := range b {
		if !slices.Contains(a, s) {
			a = append(a, s)
		}
	}
	return a
}

// angular replaces the static members that Angular's compiler adds to a class with a description of
// how templates use the class.
func (w *documenter) angular(out *apidoc.Symbol, decls []decl) {
	if decls[0].node.Kind != dts.Class {
		return
	}
	a := w.angularOf(decls[0], 0)
	if a == nil {
		return
	}
	out.Members = slices.DeleteFunc(out.Members, func(m apidoc.Symbol) bool {
		name := m.Name()
		return strings.HasPrefix(name, "ɵ") || strings.HasPrefix(name, "ngAcceptInputType_")
	})
	quoted := func(all []string) string { return "`" + strings.Join(all, "`, `") + "`" }
	text := "Angular " + a.kind
	if a.selector != "" {
		text += "; selector " + quoted([]string{a.selector})
	}
	if len(a.names) > 0 {
		text += "; exported as " + quoted(a.names)
	}
	text += "."
	if len(a.inputs) > 0 {
		text += "\nInputs: " + strings.Join(a.inputs, ", ") + "."
	}
	if len(a.outputs) > 0 {
		text += "\nOutputs: " + strings.Join(a.outputs, ", ") + "."
	}
	if len(a.slots) > 0 {
		text += "\nContent slots: " + quoted(a.slots) + "."
	}
	first, rest, _ := strings.Cut(out.Doc, "\n\n")
	out.Doc = strings.Trim(first+"\n\n"+text+"\n\n"+rest, "\n")
}
