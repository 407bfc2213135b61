package modules

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
	"github.com/docent-mcp/docent/internal/lazyregexp"
)

// isVue reports whether a symbol is declared by Vue.
func isVue(sym *symbol) bool {
	if sym == nil || len(sym.decls) == 0 {
		return false
	}
	name := sym.decls[0].scope.mod.pkg.Name
	return name == "vue" || strings.HasPrefix(name, "@vue/")
}

// namedBy returns the symbol that a reference or an import type refers to, after following type
// parameters.
func (e *evaluator) namedBy(t typeRef) (typeRef, *symbol) {
	for range 20 {
		switch {
		case t.node == nil:
			return t, t.sym
		case t.node.Kind == dts.Paren:
			t = t.at(t.node.Inner())
		case t.node.Kind == dts.ImportType:
			return t, e.importSymbol(t)
		case t.node.Kind == dts.Ref:
			if v, param := t.env.get(t.node.Text); param {
				t = v
				continue
			}
			return t, e.r.target(e.r.entity(t.scope, t.node.Text, typeMeaning))
		default:
			return t, nil
		}
	}
	return t, nil
}

// vueComponent returns the component that instances of a Vue component describe. ok is false
// if none of the types is an instance of a Vue component.
func (e *evaluator) vueComponent(parts []typeRef) (c component, ok bool) {
	for _, m := range parts {
		t, sym := e.namedBy(m)
		if sym != nil && isVue(sym) && strings.Contains(sym.name, "ComponentPublicInstance") && t.node != nil && !ok {
			for _, d := range sym.decls {
				if d.node.Kind != dts.TypeAlias {
					continue
				}
				env := e.bind(d, t.node, t)
				arg := func(name string) typeRef { v, _ := env.get(name); return v }
				c.props, c.events, c.slots = arg("P"), arg("E"), e.slotsIn(arg("S"))
				c.exposed, c.defaults = arg("B"), arg("Defaults")
				c.vue, ok = true, true
			}
			continue
		}
		set, _ := e.props(m)
		if p := set.get("$slots"); p != nil {
			if v, found := e.propType(m, p); found {
				c.slots = v
			}
		}
		if p := set.get("$props"); p != nil && (!ok || c.generic) {
			if v, found := e.propType(m, p); found {
				c.props, c.vue, c.generic, ok = v, true, true, true
			}
		} else if p != nil {
			if v, found := e.propType(m, p); found {
				c.props = allOf([]typeRef{c.props, v})
			}
		}
	}
	return c, ok
}

// slotsIn returns the argument of SlotsType<S>.
func (e *evaluator) slotsIn(t typeRef) typeRef {
	ref, sym := e.namedBy(t)
	if sym != nil && sym.name == "SlotsType" && ref.node != nil && ref.node.HasArgs() {
		return ref.at(ref.node.Arg(0))
	}
	return typeRef{}
}

// vueFunction returns the component that a functional Vue component describes. ok is false for
// other functions.
func (e *evaluator) vueFunction(value typeRef) (c component, ok bool) {
	t, sym := e.namedBy(value)
	if sym == nil || !isVue(sym) || sym.name != "FunctionalComponent" || t.node == nil || len(sym.decls) == 0 {
		return component{}, false
	}
	env := e.bind(sym.decls[0], t.node, t)
	c.props, _ = env.get("P")
	c.events, _ = env.get("E")
	c.vue = true
	return c, true
}

// emitted lists the events that the type of a component's emits declares. That is an object
// with a function or the arguments for each event, or a list of names.
func (e *evaluator) emitted(t typeRef) []acceptedProp {
	if t.unknown() {
		return nil
	}
	if s := e.shape(t); s.node != nil && (s.node.Kind == dts.Array || s.node.Kind == dts.Tuple) {
		names, ok := e.keys(unionOf(e.elementsOf(s)))
		if !ok {
			return nil
		}
		var all []acceptedProp
		for _, n := range names {
			all = append(all, acceptedProp{prop: made(n, nil, s.scope), object: s})
		}
		return all
	}
	if !e.isObject(t, 0) {
		return nil
	}
	return e.taken(t, 0)
}

func (e *evaluator) elementsOf(t typeRef) []typeRef {
	all, _ := e.elements(t)
	return all
}

// listener returns the name of the prop that listens to an event, such as onClick for click.
func listener(event string) string {
	if event == "" {
		return "on"
	}
	return "on" + strings.ToUpper(event[:1]) + event[1:]
}

// isSlotProp reports whether a prop passes a slot to a component in JSX.
func isSlotProp(name string) bool {
	return name == "$children" || name == "v-slots" || strings.HasPrefix(name, "v-slot:") || name == "$slots"
}

// extractsProps reports whether a symbol is Vue's type that derives the types of props from the
// option "props".
func extractsProps(sym *symbol) bool {
	return (sym.name == "ExtractPropTypes" || sym.name == "ExtractPublicPropTypes") && isVue(sym)
}

// optionProps evaluates ExtractPropTypes<O>, where O declares props like the option "props"
// of Vue. ok is false for other types.
func (e *evaluator) optionProps(sym *symbol, t typeRef, ref *dts.Node) (set props, known, ok bool) {
	if !ref.HasArgs() || !extractsProps(sym) {
		return props{}, false, false
	}
	options, known := e.props(t.at(ref.Arg(0)))
	if len(options.order) == 0 {
		return props{}, false, false
	}
	e.spend(4 * len(options.order))
	for _, o := range options.order {
		p := &prop{name: o.name, decls: o.decls, owner: o.owner, env: o.env, args: o.args, change: change{optional: 1}}
		if v, found := e.propType(t.at(ref.Arg(0)), o); found {
			typ, required := e.optionType(v)
			if required && sym.name == "ExtractPropTypes" || required && !e.hasDefault(v) {
				p.change.optional = -1
			}
			p.typ, p.retyped = typ, !typ.unknown()
		}
		if p.typ.unknown() {
			p.typ, p.retyped = typeRef{node: anyNode}, true
		}
		set.add(p)
	}
	return set, known, true
}

var anyNode = &dts.Node{Kind: dts.Keyword, Text: "any"}

// builtinConstructors maps the types of constructors to the types of the values that they create.
var builtinConstructors = map[string]string{
	"StringConstructor": "string", "NumberConstructor": "number", "BooleanConstructor": "boolean", "SymbolConstructor": "symbol",
	"FunctionConstructor": "Function", "DateConstructor": "Date", "ArrayConstructor": "unknown[]", "ObjectConstructor": "Record<string, any>",
	"BigIntConstructor": "bigint",
}

// optionType returns the type of a prop that an option declares, and whether the prop always
// has a value because it is required, has a default or is a boolean.
func (e *evaluator) optionType(o typeRef) (t typeRef, required bool) {
	s := e.shape(o)
	if s.sym == nil && s.node != nil && s.node.Kind == dts.TypeLiteral || s.compound != nil && s.compound.all || s.sym == nil && s.node != nil && s.node.Kind == dts.Intersection {
		set, _ := e.props(s)
		if p := set.get("type"); p != nil {
			v, ok := e.propType(s, p)
			if !ok {
				return typeRef{}, false
			}
			if r := set.get("required"); r != nil {
				if is, ok := e.propType(s, r); ok {
					is = e.shape(is)
					required = is.node != nil && is.node.Text == "true"
				}
			}
			t = e.constructedValue(v, 0)
			required = required || e.hasDefault(o) || t.node != nil && t.node.Text == "boolean"
			return t, required
		}
		if set.get("required") != nil || set.get("default") != nil {
			return typeRef{node: anyNode}, set.get("default") != nil
		}
	}
	t = e.constructedValue(o, 0)
	return t, t.node != nil && t.node.Kind == dts.Keyword && t.node.Text == "boolean"
}

func (e *evaluator) hasDefault(o typeRef) bool {
	s := e.shape(o)
	set, _ := e.props(s)
	d := set.get("default")
	if d == nil || d.optional() {
		return false
	}
	v, ok := e.propType(s, d)
	return !ok || !isUndefined(e.shape(v))
}

// constructedValue returns the type that a prop's type option represents: T for PropType<T>, string
// for StringConstructor, and a union for a list.
func (e *evaluator) constructedValue(o typeRef, depth int) typeRef {
	if depth > maxNesting {
		return typeRef{}
	}
	ref, sym := e.namedBy(o)
	if sym != nil {
		if word, ok := builtinConstructors[sym.name]; ok {
			return typeRef{node: typeNode(word)}
		}
		if sym.name == "PropType" && ref.node != nil && ref.node.HasArgs() {
			return ref.at(ref.node.Arg(0))
		}
	}
	if word, ok := builtinConstructors[nameOfRef(ref)]; ok && sym == nil {
		return typeRef{node: typeNode(word)} // TypeScript's library is not available
	}
	s := e.shape(o)
	switch {
	case s.node == nil && s.compound != nil && !s.compound.all:
		return e.constructedEach(s.compound.parts, depth)
	case s.node == nil && ref.node != nil && ref.node.Kind == dts.Union:
		s = ref // without TypeScript's library, its parts are unknown
		fallthrough
	case s.node != nil && (s.node.Kind == dts.Array || s.node.Kind == dts.Tuple || s.node.Kind == dts.Union):
		var all []typeRef
		for c := range s.node.Children() {
			all = append(all, s.at(c))
		}
		return e.constructedEach(all, depth)
	case s.node == nil:
	case s.node.Kind == dts.Literal && s.node.Text == "null":
		return typeRef{node: anyNode}
	case builtinConstructors[nameOfRef(s)] != "":
		return typeRef{node: typeNode(builtinConstructors[nameOfRef(s)])}
	case s.node.Kind == dts.FuncType || s.node.Kind == dts.NewType:
		if n, context := e.signatureOf(s); n != nil && n.Type() != nil {
			return context.at(n.Type())
		}
	}
	return typeRef{}
}

func nameOfRef(t typeRef) string {
	if t.node == nil || t.node.Kind != dts.Ref {
		return ""
	}
	return t.node.Text
}

func (e *evaluator) constructedEach(parts []typeRef, depth int) typeRef {
	var all []typeRef
	for _, p := range parts {
		if v := e.constructedValue(p, depth+1); !v.unknown() && !slices.Contains(all, v) {
			all = append(all, v)
		}
	}
	if len(all) == 0 {
		return typeRef{}
	}
	return unionOf(all)
}

// typeNode returns the type with text.
func typeNode(text string) *dts.Node {
	switch text {
	case "unknown[]":
		return dts.New(dts.Array, "", dts.New(dts.Keyword, "unknown"))
	case "Record<string, any>":
		return dts.New(dts.Ref, "Record", dts.New(dts.Keyword, "string"), anyNode)
	case "Function", "Date":
		return &dts.Node{Kind: dts.Ref, Text: text}
	}
	return &dts.Node{Kind: dts.Keyword, Text: text}
}

// internalQuery matches a constant whose type is that of another value.
var internalQuery = lazyregexp.New(`^(const [\p{L}\p{N}_$]+: )typeof ([\p{L}\p{N}_$]+)$`)

// frameworkType replaces the type of a component that is declared as that of a value that programs cannot import, such
// as typeof __VLS_export, with the name of Vue's type.
func (w *documenter) frameworkType(e *evaluator, signature string, value typeRef) string {
	match := internalQuery().FindStringSubmatch(signature)
	if match == nil || value.node == nil || value.node.Kind != dts.TypeQuery {
		return signature
	}
	sym := e.r.target(e.r.entity(value.scope, value.node.Text, valueMeaning))
	if sym == nil || w.exports.paths[sym] != "" {
		return signature
	}
	t, ok := valueType(sym)
	for depth := 0; ok && depth < maxNesting; depth++ {
		named, sym := e.namedBy(t)
		switch {
		case named.node == nil:
			return signature
		case isVue(sym):
			return match[1] + `import("vue").` + sym.name
		case named.node.HasArgs(): // a wrapper, such as one that adds the slots
			t = named.at(named.node.Arg(0))
		default:
			return signature
		}
	}
	return signature
}
