package rust

import (
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/crate"
)

// names reads a path.
func (v *valueReader) names() (p *crate.Path, last int) {
	p = &crate.Path{}
	if v.at(v.i) == "<" {
		close := v.angle(v.i)
		p.Self = v.between(v.i+1, close)
		v.i = close + 1
		if !v.separates(v.i) || !v.isName(v.i+2) {
			v.lost = true
			return p, 0
		}
		v.i += 2
	} else if v.separates(v.i) {
		p.Names, p.Args = append(p.Names, ""), append(p.Args, "")
		v.i += 2
	}
	for v.isName(v.i) {
		last = v.i
		p.Names, p.Args = append(p.Names, strings.TrimPrefix(v.at(v.i), "r#")), append(p.Args, "")
		v.i++
		if v.separates(v.i) && v.at(v.i+2) == "<" {
			close := v.angle(v.i + 2)
			p.Args[len(p.Args)-1] = v.between(v.i+3, close)
			v.i = close + 1
		}
		if !v.separates(v.i) || !v.isName(v.i+2) {
			break
		}
		v.i += 2
	}
	if len(p.Names) == 0 || p.Names[len(p.Names)-1] == "" {
		v.lost = true
		p.Names, p.Args = []string{"_"}, []string{""}
	}
	return p, last
}

// nameToken returns the token of a name in a path that begins at a token.
func (v *valueReader) nameToken(i, n int) int {
	if v.separates(i) {
		i, n = i+2, n-1 // the first name is empty
	}
	for ; n > 0; n-- {
		if i++; v.separates(i) && v.at(i+2) == "<" {
			i = v.angle(i+2) + 1
		}
		i += 2
	}
	return i
}

// isUndeclared reports whether a path certainly begins with the name of a crate that the project does not require.
func (v *valueReader) isUndeclared(p *crate.Path) bool {
	return len(p.Names) > 1 && p.Self == "" && p.Names[0] != "" && v.isUndeclaredName(p.Names[0])
}

// isUndeclaredName reports whether a name is certainly neither that of a required crate nor of an item in scope.
func (v *valueReader) isUndeclaredName(name string) bool {
	if v.missing || v.isOwn(name) || v.isRequired(name) || v.macroNames[name] || !v.scope.IsAbsent(name) {
		return false
	}
	for path := range v.macros { // a macro may declare a module in the body of a function
		if first, _, _ := strings.Cut(path, "::"); first != name && v.scope.MayExpandTo(path, name) {
			return false
		}
	}
	return true
}

// path reads an expression that begins with a path.
func (v *valueReader) path() *crate.Type {
	first := v.i
	p, last := v.names()
	if v.lost {
		return nil
	}
	name := p.Names[len(p.Names)-1]
	if v.at(v.i) == "!" && v.at(v.i+1) != "=" {
		v.i++
		if name == "macro_rules" {
			v.i++
		}
		return v.macro(name)
	}
	if v.at(v.i) == "{" && !v.noBraces && p.Self == "" && (name == "Self" || name[0] >= 'A' && name[0] <= 'Z') {
		return v.fields(p, last)
	}
	if len(p.Names) == 1 && p.Self == "" {
		if t, ok := v.variable(name); ok {
			if v.at(v.i) == "(" {
				return v.call(t, last)
			}
			return t
		}
	}
	if v.isUndeclared(p) {
		v.crate(first)
	}
	if m, n := v.scope.AbsentItem(p.Names); p.Self == "" && m.Absent && n < len(p.Names)-1 {
		v.member(v.nameToken(first, n), m)
	}
	m := v.look(last, v.scope.Value(p))
	if v.at(v.i) == "(" {
		v.arguments(m.Callee, last)
		if m.Callee != nil {
			return m.Callee.Result()
		}
		return m.Type.Called()
	}
	if m.Callee != nil {
		return m.Callee.Function()
	}
	return m.Type
}

// fields reads the fields of a struct literal.
func (v *valueReader) fields(p *crate.Path, last int) *crate.Type {
	l := v.scope.Literal(p)
	if l == nil && len(p.Names) > 1 {
		v.look(last, v.scope.Value(p))
	}
	present := map[string]bool{}
	base, wrong := false, false // wrong is true if a field does not exist
	v.within(func(close int) {
		for v.i < close && !v.lost {
			if v.attributes() {
				base = true // the field may not exist
			}
			if v.at(v.i) == "." && v.at(v.i+1) == "." {
				base = true
				v.i += 2
				if v.i < close {
					v.program.Unify(l.TypeOf(), v.expression(0))
				}
				break
			}
			at := v.i
			name := strings.TrimPrefix(v.at(at), "r#")
			v.i++
			var field *crate.Type
			if l != nil {
				t, ok := l.Field(name)
				if field = t; !ok && v.isName(at) {
					wrong = true
					v.fault(at, ecosystem.FieldsFault, l, name)
				}
			}
			present[name] = true
			var value *crate.Type
			if v.at(v.i) == ":" {
				v.i++
				v.closure = field
				value = v.expression(0)
			} else {
				value, _ = v.variable(name)
			}
			v.program.Coerce(value, field)
			if v.at(v.i) != "," {
				break
			}
			v.i++
		}
	})
	if v.lost || l == nil {
		return nil
	}
	if !base && !wrong {
		v.lacks(last, l, present)
	}
	return l.Type
}

// lacks reports the fields that are not present in a literal or a pattern.
func (v *valueReader) lacks(last int, l *crate.Literal, present map[string]bool) {
	var missing []string
	for _, name := range l.Required() {
		if !present[name] {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		v.fault(last, ecosystem.ArgumentsFault, l, "it lacks the "+map[bool]string{true: "field ", false: "fields "}[len(missing) == 1]+strings.Join(missing, ", "))
	}
}

// macro reads the arguments of a macro and returns the type of its result.
func (v *valueReader) macro(name string) *crate.Type {
	switch v.at(v.i) {
	case "(", "[", "{":
	default:
		return v.fail()
	}
	if !expressions[name] || v.scope.DeclaresMacro(name) {
		v.i = v.group(v.i) + 1
		switch name {
		case "concat", "stringify", "include_str", "env", "file", "module_path":
			return v.scope.Primitive("str")
		}
		return nil
	}
	var all []*crate.Type
	lost := false
	close := v.group(v.i)
	vars := len(v.vars)
	v.within(func(close int) {
		for n := 0; v.i < close && !v.lost; n++ {
			if name == "matches" && n == 1 {
				v.match(v.pattern(false), all[0])
				if v.at(v.i) == "if" {
					v.i++
					v.expression(0)
				}
			} else {
				if v.isName(v.i) && v.at(v.i+1) == "=" && v.at(v.i+2) != "=" && n > 0 {
					v.i += 2
				}
				all = append(all, v.expression(0))
			}
			if v.at(v.i) != "," && v.at(v.i) != ";" {
				break
			}
			v.i++
		}
		lost = v.lost
	})
	if lost { // its syntax may differ from that of the macro of the standard library with the same name
		v.i = close + 1
	}
	v.vars = v.vars[:vars]
	switch name {
	case "format":
		return v.scope.Standard("string::String")
	case "matches":
		return v.scope.Primitive("bool")
	case "vec":
		element := crate.NewVariable()
		for k, t := range all {
			if k == 0 || v.at(close-1) == "" {
				v.program.Unify(element, t)
			}
		}
		return v.scope.Standard("vec::Vec", element)
	case "dbg":
		if len(all) == 1 {
			return all[0]
		}
	}
	return nil
}
