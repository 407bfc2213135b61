package modules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
)

// inheritedProps summarizes the props that a component inherits from its framework.
type inheritedProps struct {
	count map[string]int // by package
	order []string
	// attributes are the names of the interfaces that declare the attributes of
	// elements.
	attributes []string
	ref        string
	// unlisted is the number of own props that are not listed because of the limit, and from is the
	// type that declares most of them.
	unlisted int
	from     string
}

func (x *inheritedProps) add(e *evaluator, p acceptedProp) {
	d := p.decls[0]
	if p.name == "ref" {
		if v, ok := e.propType(p.object, p.prop); ok {
			x.ref = refElement(e, v)
			return
		}
	}
	if p.name == "key" {
		return
	}
	name := d.scope.mod.pkg.Name
	if x.count[name] == 0 {
		x.order = append(x.order, name)
	}
	x.count[name]++
	if p.owner != nil && strings.HasSuffix(p.owner.name, "HTMLAttributes") && !slices.Contains(x.attributes, p.owner.name) {
		x.attributes = append(x.attributes, p.owner.name)
	}
	if p.owner != nil && strings.HasPrefix(p.owner.name, "SVGAttributes") && !slices.Contains(x.attributes, "svg") {
		x.attributes = append(x.attributes, "svg")
	}
}

// more records own props that are not listed.
func (x *inheritedProps) more(n int, props []acceptedProp) {
	x.unlisted = n
	if last := props[len(props)-1]; last.owner != nil {
		x.from = last.owner.name
	}
}

// refElement returns the type of the element that a ref refers to, such as
// HTMLButtonElement for Ref<HTMLButtonElement>. It returns "" if that is unknown.
func refElement(e *evaluator, t typeRef) string {
	sub := e.r.short(maxTextSteps)
	n := sub.written(t)
	for n != nil {
		switch {
		case n.Kind == dts.Paren:
			n = n.Inner()
		case n.Kind == dts.Union:
			n = n.Child(dts.Ref)
		case n.Kind == dts.Ref && (strings.HasSuffix(n.Text, "Ref") || strings.HasSuffix(n.Text, "RefObject")) && n.HasArgs():
			return n.Arg(0).String()
		default:
			return ""
		}
	}
	return ""
}

// tags maps the names in the types of attributes to the tags of elements where they differ.
var tags = map[string]string{"anchor": "a", "olhtml": "ol", "ulhtml": "ul", "lihtml": "li", "image": "img"}

// String returns the end of a sentence about the props that are not listed.
func (x *inheritedProps) String() string {
	var all []string
	if x.ref != "" {
		all = append(all, "ref ("+x.ref+")")
	}
	if x.unlisted > 0 {
		more := fmt.Sprintf("%d more props", x.unlisted)
		if x.from != "" {
			more += ", such as the props of " + x.from
		}
		all = append(all, more)
	}
	for i, name := range x.order {
		what := "props"
		if i == 0 {
			var elements []string
			for _, a := range x.attributes {
				tag := strings.ToLower(strings.TrimSuffix(a, "HTMLAttributes"))
				if known, ok := tags[tag]; ok {
					tag = known
				}
				if tag != "" && tag != "all" {
					elements = append(elements, "<"+tag+">")
				}
			}
			switch {
			case len(elements) > 0 && len(elements) <= 3:
				what = "attributes of " + strings.Join(elements, ", ")
			case len(x.attributes) > 0:
				what = "attributes of HTML elements"
			}
		}
		all = append(all, fmt.Sprintf("%d %s from %s", x.count[name], what, name))
	}
	return strings.Join(all, ", ")
}

// holdsParts documents the props of the components that are properties of an object, such as
// Drawer.Root.
func (w *documenter) holdsParts(e *evaluator, out *apidoc.Symbol, value typeRef, t *symbol) {
	if s := e.shape(value); s.sym != nil || s.node == nil || s.node.Kind != dts.TypeLiteral {
		return
	}
	known := out.Members
	out.Members = nil
	parts := w.parts(e, out, value, t, false)
	isPart := func(m apidoc.Symbol) bool {
		return slices.ContainsFunc(parts, func(p apidoc.Symbol) bool { return p.Path == m.Path })
	}
	out.Members = slices.Concat(parts, slices.DeleteFunc(known, isPart))
}

// parts lists the properties of a compound component that are components themselves, such as Dialog.Root, and then its
// other static properties, such as the function Modal.confirm, if others is true.
func (w *documenter) parts(e *evaluator, out *apidoc.Symbol, value typeRef, t *symbol, others bool) []apidoc.Symbol {
	var all, statics []apidoc.Symbol
	for i := range out.Members { // These members come from a namespace that is merged with the function.
		if m := &out.Members[i]; m.Unlisted != "" || slices.ContainsFunc(m.Members, func(p apidoc.Symbol) bool { return p.Kind == apidoc.Prop }) {
			all = append(all, *m)
		}
	}
	set, _ := e.props(value)
	for _, p := range set.order[:min(len(set.order), maxProps)] {
		if !w.r.isOwn(p) || !isStatic(p.name) || !others && !mayBeComponent(p.name) || slices.ContainsFunc(all, func(m apidoc.Symbol) bool { return m.Name() == p.name }) {
			continue
		}
		v, ok := e.propType(value, p)
		if !ok {
			continue
		}
		c, ok := component{}, false
		if mayBeComponent(p.name) {
			c, ok = e.componentOf(v)
		}
		if !ok && !others {
			continue
		}
		holder := apidoc.Symbol{Path: out.Path}
		w.add(&holder, p, out.Path+".", t)
		if len(holder.Members) == 0 {
			continue
		}
		m := &holder.Members[0]
		m.From = ""
		if !ok {
			statics = append(statics, *m)
			continue
		}
		m.Kind = apidoc.Piece
		w.takes(e, m, c)
		all = append(all, *m)
	}
	return append(all, statics...)
}

// isStatic reports whether a property of a component may be of use to programs, unlike those that are read by its
// framework or by tools.
func isStatic(name string) bool {
	switch name {
	case "", "displayName", "propTypes", "defaultProps", "contextType", "contextTypes", "prototype", "render":
		return false
	}
	return name[0] != '_' && name[0] != '$'
}
