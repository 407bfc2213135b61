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
			a = angularDeclaration(m.Type(), d.node)
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
// or ɵɵDirectiveDeclaration, with the types of the inputs and outputs from the members of class. It
// returns nil for other types.
func angularDeclaration(n, class *dts.Node) *angular {
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
	a.names, a.inputs, a.outputs, a.slots = literals(n.Arg(2)), bindings(n.Arg(3), class), bindings(n.Arg(4), class), literals(n.Arg(6))
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

// bindings returns the names of inputs or outputs in templates, in Markdown, required ones first. Each is followed by
// the name of the property if that differs, and by its type.
func bindings(n, class *dts.Node) []string {
	if !n.Is(dts.TypeLiteral) {
		return nil
	}
	var first, others []string
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
		if typ := bindingType(class, m.Name()); typ != "" {
			text += ": `" + typ + "`"
		}
		if required {
			first = append(first, text)
		} else {
			others = append(others, text)
		}
	}
	return append(first, others...)
}

// maxBindingType is the maximum size in bytes of the type of an input or an output.
const maxBindingType = 300

// bindingType returns the type of the values that templates pass to an input or get from an output:
// that which the compiler has recorded for the conversion of the input, or else that of the property, its
// setter, its signal or its emitter. It returns "" if the type is unknown.
func bindingType(class *dts.Node, member string) string {
	var typ *dts.Node
	for m := range class.Children() {
		name := m.Name()
		switch {
		case m.Kind == dts.Property && name == "ngAcceptInputType_"+member:
			if t := m.Type(); t != nil && !(t.Kind == dts.Keyword && (t.Text == "unknown" || t.Text == "any")) {
				return bindingText(t)
			}
		case name != member:
		case m.Kind == dts.Property:
			typ = m.Type()
		case m.Kind == dts.Setter:
			if p := m.Child(dts.Param); p != nil {
				typ = p.Type()
			}
		case m.Kind == dts.Getter && typ == nil:
			typ = m.Type()
		}
	}
	return bindingText(typ)
}

// bindingText returns the text of a type, without the signal or emitter around it.
func bindingText(t *dts.Node) string {
	if t == nil {
		return ""
	}
	if (t.Kind == dts.Ref || t.Kind == dts.ImportType) && t.HasArgs() {
		switch lastOf(t.Text) {
		case "InputSignal", "ModelSignal", "EventEmitter", "OutputEmitterRef", "OutputRef":
			t = t.Arg(0)
		case "InputSignalWithTransform":
			write := t.Arg(1)
			if write == nil || write.Kind == dts.Keyword && (write.Text == "unknown" || write.Text == "any") {
				write = t.Arg(0) // booleanAttribute and the like convert any value
			}
			t = write
		}
	}
	if text := strings.Join(strings.Fields(t.String()), " "); len(text) <= maxBindingType && !strings.Contains(text, "`") {
		return text
	}
	return ""
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
		text += "\n\nInputs:\n- " + strings.Join(a.inputs, "\n- ")
	}
	if len(a.outputs) > 0 {
		text += "\n\nOutputs:\n- " + strings.Join(a.outputs, "\n- ")
	}
	if len(a.slots) > 0 {
		text += "\n\nContent slots: " + quoted(a.slots) + "."
	}
	first, rest, _ := strings.Cut(out.Doc, "\n\n")
	out.Doc = strings.Trim(first+"\n\n"+text+"\n\n"+rest, "\n")
}
