package module

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
)

// requirement is one constraint on generic parameters, with the required protocol
// resolved.
type requirement struct {
	rest, op, right string
	protocol        *entity // the protocol in a conformance requirement
}

func (r *requirement) String() string {
	if r.op == ":" {
		return r.rest + ": " + r.right
	}
	return r.rest + " == " + r.right
}

// requirements returns the requirements in the generic parameters and the where
// clause of a declaration.
func (u *unit) requirements(d *source.Decl, scope *entity, f *file) []requirement {
	var all []requirement
	if d.Kind != source.Protocol {
		for i := range d.Generics {
			if g := &d.Generics[i]; g.Bound != "" && !g.Value {
				all = u.require(all, g.Name, g.Bound, scope, f)
			}
		}
	}
	for i := range d.Where {
		if r := &d.Where[i]; r.Op == ":" {
			all = u.require(all, r.Left, r.Right, scope, f)
		} else {
			all = append(all, requirement{rest: subject(r.Left), op: r.Op, right: u.expanded(r.Right, scope, f)})
		}
	}
	return all
}

// requirements returns the requirements that an extension declares.
func (x *extension) requirements() []requirement {
	if !x.required {
		x.stated, x.required = x.unit.requirements(x.decl, x.target, x.file), true
	}
	return slices.Clip(x.stated)
}

// expanded returns the type that an alias without parameters refers to. For any other type it
// returns the type itself.
func (u *unit) expanded(text string, scope *entity, f *file) string {
	if t := u.first(typePath(text), scope, f); t != nil && t.is(source.TypeAlias) && len(t.decl.Generics) == 0 && (t.parent == nil || !t.parent.isProtocol()) {
		return t.decl.Type
	}
	return text
}

func subject(rest string) string {
	rest = strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(rest), "repeat "), "each ")
	return strings.TrimPrefix(rest, "Self.")
}

func (u *unit) require(all []requirement, rest, bound string, scope *entity, f *file) []requirement {
	rest = subject(rest)
	for _, b := range u.bounds(bound, scope, f) {
		if b.path == "Any" {
			continue
		}
		r := requirement{rest: rest, op: ":", right: b.path}
		if !b.isClass() {
			r.protocol = b
		}
		all = append(all, r)
	}
	return all
}

// constraints returns all constraints under which the members of an extension
// exist, including those of the type. It omits constraints that are implied by
// others.
func (x *extension) constraints() []string {
	var all []requirement
	t := x.target
	if !t.isProtocol() {
		for s := t; s != nil; s = s.parent {
			if s.decl != nil {
				all = append(all, s.unit.requirements(s.decl, s, s.file)...)
			}
			if s.ext != nil {
				all = append(all, s.ext.requirements()...)
			}
		}
	}
	all = append(all, x.requirements()...)
	for _, r := range x.arguments() {
		all = append(all, requirement{rest: r.Left, op: r.Op, right: r.Right})
	}
	return x.unit.w.minimal(all)
}

// minimal removes requirements that are implied by others.
func (w *world) minimal(all []requirement) []string {
	w.unwrap(all)
	// implied contains the protocols that a type's required protocols inherit, and whether
	// the type is equal to a known type.
	type implied struct {
		protocols map[*entity]bool
		known     bool
	}
	by := map[string]*implied{}
	for i := range all {
		r := &all[i]
		constraints := by[r.rest]
		if constraints == nil {
			constraints = &implied{protocols: map[*entity]bool{}}
			by[r.rest] = constraints
		}
		switch {
		case r.op == "==" && !w.isParameter(r.right):
			constraints.known = true
		case r.protocol != nil:
			for _, p := range w.closureOf(r.protocol)[1:] {
				w.meter.Step(1)
				constraints.protocols[p] = true
			}
		}
	}
	var out []string
	has := map[string]bool{}
	for i := range all {
		r := &all[i]
		if constraints := by[r.rest]; r.right == "AnyObject" || r.protocol != nil && (constraints.known || constraints.protocols[r.protocol]) {
			continue
		}
		if text := r.String(); !has[text] {
			has[text] = true
			out = append(out, text)
		}
	}
	return out
}

// unwrap replaces requirements on an optional type with requirements on the
// wrapped type.
func (w *world) unwrap(all []requirement) {
	optional := map[string][]int{} // optional contains the indexes of requirements of the form "left == T?".
	for i := range all {
		if o := &all[i]; o.op == "==" && strings.HasSuffix(o.right, "?") {
			optional[o.rest] = append(optional[o.rest], i)
		}
	}
	if len(optional) == 0 {
		return
	}
	for i := range all {
		if all[i].op != ":" {
			continue
		}
		for from := 0; ; {
			indexes := optional[all[i].rest]
			k, _ := slices.BinarySearch(indexes, from)
			if k == len(indexes) || !w.meter.Step(1) {
				break
			}
			all[i].rest = strings.TrimSuffix(all[indexes[k]].right, "?")
			from = indexes[k] + 1
		}
	}
}

// isParameter reports whether a type in a requirement may be a generic parameter
// or an associated type of a generic parameter.
func (w *world) isParameter(text string) bool {
	path := typePath(text)
	return len(path) > 1 || len(path) == 1 && w.externals[path[0]] == nil && knownToolchain().types[path[0]] == nil
}
