package program

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
)

// arguments are the arguments of a call.
type arguments struct {
	labels []string // "_" for an argument without a label
	// closures are the labels of trailing closures, the first of which is "_".
	closures []string
	// starts are the first tokens of the arguments after their labels, and then the braces of the trailing closures.
	starts []int
}

// hasLabel reports whether one of the arguments in parentheses has a label.
func (a *arguments) hasLabel() bool {
	return slices.ContainsFunc(a.labels, func(label string) bool { return label != "_" })
}

// mismatch returns the reason for which a declaration does not accept arguments, or "" if it may accept them. It sets
// params to the index of the parameter for each argument, or -1 if that is uncertain.
func (w *walker) mismatch(m *member, a *arguments, params *[]int) string {
	d := m.decl
	*params = (*params)[:0]
	for i := range d.Params {
		if p := &d.Params[i]; strings.HasPrefix(strings.TrimSpace(p.Type), "repeat ") {
			return "" // any number of arguments
		}
	}
	passed := len(a.labels) + len(a.closures)
	i := 0 // the next parameter
	label := func(k int) string {
		l := d.Params[k].Label
		if l == "" {
			return "_"
		}
		return l
	}
	optional := func(k int) bool { return d.Params[k].Default != "" || d.Params[k].Variadic }
	for n, l := range a.labels {
		if l == "_" && i > 0 && d.Params[i-1].Variadic && n > 0 && !(i < len(d.Params) && label(i) == "_" && !optional(i)) {
			*params = append(*params, i-1)
			continue // a further argument for the variadic parameter
		}
		start := i
		for i < len(d.Params) && label(i) != l && optional(i) {
			i++
		}
		if i < len(d.Params) && label(i) == l {
			*params = append(*params, i)
			i++
			continue
		}
		switch {
		case l != "_" && !slices.ContainsFunc(d.Params, func(p source.Param) bool { return p.Label == l }):
			return fmt.Sprintf("it has no argument label %s", l)
		case start >= len(d.Params) && passed > len(d.Params):
			verb := "are"
			if passed == 1 {
				verb = "is"
			}
			return fmt.Sprintf("it takes %s, but %d %s passed", count(len(d.Params)), passed, verb)
		case i < len(d.Params):
			return fmt.Sprintf("it needs an argument for %s", shown(&d.Params[i]))
		case l == "_":
			return fmt.Sprintf("argument %d needs a label or is not accepted", n+1)
		default:
			return fmt.Sprintf("the argument %s is not accepted after the other arguments", l)
		}
	}
	for n, l := range a.closures {
		if n == 0 {
			if i >= len(d.Params) {
				return "it takes no trailing closure here"
			}
			k := w.closureParam(m, i)
			if k == noClosure {
				return "it takes no trailing closure here"
			}
			*params = append(*params, k)
			continue
		}
		if !slices.ContainsFunc(d.Params[min(i, len(d.Params)):], func(p source.Param) bool { return p.Label == l }) {
			return fmt.Sprintf("it has no argument label %s", l)
		}
		*params = append(*params, slices.IndexFunc(d.Params, func(p source.Param) bool { return p.Label == l }))
	}
	closures := (*params)[len(a.labels):]
	uncertain := slices.DeleteFunc(slices.Clone(closures), func(k int) bool { return k >= 0 })
	for free := len(uncertain); i < len(d.Params); i++ {
		if optional(i) || slices.Contains(closures, i) {
			continue
		}
		if free--; free < 0 {
			return fmt.Sprintf("it needs an argument for %s", shown(&d.Params[i]))
		}
	}
	return ""
}

// Results of closureParam that are no parameters.
const (
	noClosure      = -2 // no parameter can be a function
	genericClosure = -3 // only parameters of generic types can be functions
)

// closureParam returns the parameter to which the first trailing closure belongs: the first function from the parameter i on,
// or, if that has a default value, the first one that has none. It returns -1 if that is uncertain, noClosure or genericClosure.
func (w *walker) closureParam(m *member, i int) int {
	found, generic := -1, false
	for ; i < len(m.decl.Params); i++ {
		p := &m.decl.Params[i]
		v := value{}
		isFunction := strings.Contains(p.Type, "->")
		if !isFunction {
			v = w.declared(p.Type, m, value{})
			isFunction = v.function != nil
		}
		switch {
		case isFunction && p.Default == "":
			return i
		case isFunction:
			if found < 0 {
				found = i
			}
		case v.isGeneric() || m.hasGeneric(p.Type):
			generic = true
		case !v.isKnown() && !contains(plainTypes, p.Type): // the type may be an alias of a function
			return -1
		case v.t != nil && !isConcrete(v.t) || p.Variadic:
			return -1
		}
	}
	switch {
	case found >= 0:
		return found
	case generic:
		return genericClosure
	}
	return noClosure
}

// hasGeneric reports whether a member or its type declares a generic parameter with the given name.
func (m *member) hasGeneric(name string) bool {
	return m.owner != nil && m.owner.hasGeneric(name) || slices.ContainsFunc(m.decl.Generics, func(g source.GenericParam) bool { return g.Name == name })
}

// fitting returns those of several declarations whose parameters have as many parameters as the closures among the arguments, and
// whose types are not certainly others than those of the arguments. It returns all if there are none.
func (w *walker) fitting(all []*member, a *arguments) []*member {
	if len(all) < 2 || len(all) > maxPassed {
		return all
	}
	fitting := slices.Clone(all)
	var params []int
	for n, start := range a.starts {
		if w.at(start) != "{" {
			argument := w.argumentValue(start)
			fitting = slices.DeleteFunc(fitting, func(m *member) bool {
				w.mismatch(m, a, &params)
				return argument.isKnown() && n < len(params) && params[n] >= 0 && w.excludes(w.declared(m.decl.Params[params[n]].Type, m, value{}), argument, w.isLiteral(start))
			})
			continue
		}
		count, known := w.closureParams(start)
		explicit := slices.ContainsFunc(fitting, func(m *member) bool {
			w.mismatch(m, a, &params)
			return n < len(params) && params[n] >= 0
		})
		fitting = slices.DeleteFunc(fitting, func(m *member) bool {
			w.mismatch(m, a, &params)
			if !known || n >= len(params) || params[n] < 0 {
				return known && count > 0 && explicit && n < len(params) && params[n] == genericClosure // the types of its parameters cannot be inferred
			}
			types, _, ok := functionParams(m.decl.Params[params[n]].Type)
			switch {
			case !ok:
				v := w.declared(m.decl.Params[params[n]].Type, m, value{})
				return v.system != "" || v.t != nil && isConcrete(v.t) && !v.isGeneric()
			case len(types) == count:
				return false
			case len(types) == 1: // unless it is a tuple or Void
				v := w.declared(types[0], m, value{})
				return v.system != "" || v.t != nil && !v.isGeneric()
			}
			return count > 0 || len(types) > 1
		})
	}
	if len(fitting) == 0 {
		return all
	}
	return fitting
}

// argumentValue returns the value of an argument that begins at a token, or an unknown value if it depends on the parameter.
func (w *walker) argumentValue(start int) value {
	if contains(" . [ \\ ", w.at(start)) || w.depth > maxDepth {
		return value{}
	}
	w.depth++
	defer func() { w.depth-- }()
	if r := w.initializer(start); contains(" , ) ] ", w.at(r.end)) && r.value.optional == 0 && !r.value.meta {
		return r.value
	}
	return value{}
}

// distinctTypes are types of systems whose values no other of these types has, apart from numbers that are literals.
const distinctTypes = numbers + "String Substring Character Bool Array Dictionary Set Data Date URL UUID "

// excludes reports whether a parameter certainly does not accept an argument, because of its type. literal is true if that is the
// default type of a literal.
func (w *walker) excludes(param, argument value, literal bool) bool {
	switch {
	case !param.isKnown() || param.isGeneric() || argument.isGeneric() || param.meta || param.function != nil || param.tuple != nil || argument.function != nil || argument.tuple != nil:
		return false
	case param.t == nil && argument.t == nil:
		for _, list := range []string{numbers, " String Substring Character "} {
			if literal && contains(list, param.system) && contains(list, argument.system) {
				return false
			}
		}
		return param.system != argument.system && contains(distinctTypes, param.system) && contains(distinctTypes, argument.system)
	case param.t == nil:
		return contains(distinctTypes, param.system) && isConcrete(argument.t)
	case !isConcrete(param.t):
		return false
	}
	_, systems, known := w.program.closure(param.t)
	if argument.t == nil {
		return known && contains(distinctTypes, argument.system) && !(literal && slices.ContainsFunc(systems, func(name string) bool { return strings.HasPrefix(name, "ExpressibleBy") }))
	}
	all, _, known := w.program.closure(argument.t)
	return known && isConcrete(argument.t) && !slices.Contains(all, param.t)
}

// isConcrete reports whether a type is neither a protocol nor an alias.
func isConcrete(t *Type) bool { return t.kind() != source.Protocol && !t.isAlias() }

// closureParams returns the number of parameters of a closure that begins at a token.
func (w *walker) closureParams(open int) (count int, known bool) {
	if in := w.parameters(open + 1); in > 0 {
		first := open + 1
		for w.at(first) == "[" || w.at(first) == "@" { // captures and attributes
			first = max(first+1, w.closing[first]) + 1
		}
		if w.at(first) == "(" {
			first, in = first+1, w.closing[first]
		}
		for k := first; k < in; k++ {
			switch {
			case k == first || w.at(k) == ",":
				count++
			case w.at(k) == "<" && w.angle(k) > 0:
				k = w.angle(k) - 1
			}
			k = max(k, w.closing[k])
		}
		return count, true
	}
	for k := open + 1; k < w.closing[open]; k++ {
		switch text := w.at(k); {
		case text == "{":
			k = w.closing[k]
		case w.kind(k) == source.String && strings.Contains(text, "$"), w.kind(k) == source.Pound:
			return 0, false
		case text[0] == '$':
			if n, err := strconv.Atoi(text[1:]); err == nil {
				count = max(count, n+1)
			}
		}
	}
	return count, true
}

// plainTypes are types of systems that are certainly no functions.
const plainTypes = " Int UInt UInt8 UInt16 UInt32 Int32 Int64 Bool String StaticString Double Float TimeInterval Duration Duration? Int? String? Bool? Data? URL? "

// functionParams returns the types of the parameters and of the result of a function type, which may be optional. ok is
// false for other types.
func functionParams(text string) (params []string, returned string, ok bool) {
	text = strings.TrimSpace(text)
	for strings.HasPrefix(text, "@") {
		_, rest, found := strings.Cut(text, " ")
		if !found {
			return nil, "", false
		}
		text = strings.TrimSpace(rest)
	}
	for text != "" && text[0] == '(' {
		end := closing(text, 0)
		if end < 0 {
			return nil, "", false
		}
		rest := strings.TrimSpace(text[end:])
		if strings.Contains(rest, "->") && !strings.HasPrefix(rest, ".") {
			if strings.TrimSpace(text[1:end-1]) != "" {
				params = split(text[1:end-1], ',')
			}
			_, returned, _ = strings.Cut(rest, "->")
			return params, returned, true
		}
		if strings.Trim(rest, "?") != "" { // an optional function is in parentheses
			return nil, "", false
		}
		text = strings.TrimSpace(text[1 : end-1])
		for strings.HasPrefix(text, "@") {
			_, text, _ = strings.Cut(text, " ")
		}
	}
	return nil, "", false
}

func shown(p *source.Param) string {
	if p.Label != "_" && p.Label != "" {
		return p.Label
	}
	if p.Name != "" {
		return p.Name
	}
	return p.Type
}

func count(n int) string {
	switch n {
	case 0:
		return "no arguments"
	case 1:
		return "1 argument"
	}
	return fmt.Sprintf("%d arguments", n)
}
