package module

import (
	"fmt"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
)

// maxEntities is the maximum number of declarations in all modules.
const maxEntities = 2_000_000

// collect creates the entities for the declarations of a module.
func (u *unit) collect() error {
	u.w.epoch++
	for _, f := range u.files {
		for _, d := range f.Decls {
			if !u.hold(d.Conditions) {
				u.leaveOut(d, f, "", source.Internal, nil)
				continue
			}
			switch d.Kind {
			case source.Extension:
				u.extensions = append(u.extensions, &extension{decl: d, file: f, unit: u})
			case source.Deinit:
			default:
				e := u.entity(d, f, nil, nil, source.Internal)
				u.top = append(u.top, e)
				if e.isNamed() {
					if _, ok := u.types[e.name]; !ok {
						u.types[e.name] = e
					}
				}
			}
		}
	}
	if u.w.entities > maxEntities {
		return fmt.Errorf("the sources contain more than %d declarations", maxEntities)
	}
	return nil
}

// isNamed reports whether types can refer to the entity by its name.
func (e *entity) isNamed() bool {
	return e.isType() || e.is(source.TypeAlias) || e.is(source.AssociatedType)
}

// entity creates the entities for a declaration and its members. access is the access level of
// declarations for which none is written.
func (u *unit) entity(d *source.Decl, f *file, parent *entity, ext *extension, access source.Access) *entity {
	u.w.entities++
	u.w.meter.Step(1)
	e := &entity{decl: d, file: f, unit: u, parent: parent, ext: ext, name: d.Name, access: d.Access}
	if e.access == source.Unspecified {
		e.access = access
	}
	if e.access == source.Open {
		e.access = source.Public
	}
	e.path = labeled(d)
	if parent != nil {
		e.path = parent.path + "." + e.path
	}
	inner := source.Internal
	switch d.Kind {
	case source.Protocol, source.Enum:
		inner = e.access
	}
	for _, m := range d.Members {
		access := source.Internal
		if d.Kind == source.Protocol || m.Kind == source.Case {
			access = inner
		}
		u.member(e, m, f, nil, access)
	}
	return e
}

// member adds a member to a type.
func (u *unit) member(e *entity, m *source.Decl, f *file, ext *extension, access source.Access) {
	if !u.hold(m.Conditions) {
		u.leaveOut(m, f, e.path, access, nil)
		return
	}
	switch m.Kind {
	case source.Extension, source.Deinit, source.Operator, source.PrecedenceGroup:
		return
	}
	me := u.entity(m, f, e, ext, access)
	e.members = append(e.members, me)
	if ext != nil {
		ext.members = append(ext.members, me)
	}
	if me.isNamed() {
		if e.nested == nil {
			e.nested = map[string]*entity{}
		}
		if _, ok := e.nested[me.name]; !ok {
			e.nested[me.name] = me
			if ext != nil {
				u.w.epoch++
			}
		}
	}
}

// leaveOut records a declaration that is excluded by a condition, along with its members.
func (u *unit) leaveOut(d *source.Decl, f *file, parent string, access source.Access, outer []*source.Condition) {
	switch d.Kind {
	case source.Deinit, source.Operator, source.PrecedenceGroup:
		return
	}
	if d.Access != source.Unspecified {
		access = d.Access
	}
	all := slices.Concat(outer, d.Conditions)
	if d.Kind != source.Extension {
		u.inactive = append(u.inactive, inactive{d, f, parent, access, all})
		return
	}
	for _, m := range d.Members {
		a := source.Internal
		if d.Access != source.Unspecified {
			a = d.Access
		}
		u.leaveOut(m, f, join(parent, strings.TrimPrefix(d.Name, u.name+".")), a, all)
	}
}

func join(parent, name string) string {
	if parent == "" {
		return name
	}
	return parent + "." + name
}

// bind finds the types that extensions extend. An extension may extend a type
// that another extension declares, so bind repeats until it finds no more.
func (w *world) bind(units []*unit) {
	var open []*extension
	for _, u := range units {
		open = append(open, u.extensions...)
	}
	paths := make(map[*extension][]string, len(open))
	for _, x := range open {
		paths[x] = typePath(x.decl.Name)
	}
	for len(open) > 0 {
		var rest []*extension
		for _, x := range open {
			w.meter.Step(1)
			if t := x.unit.lookup(paths[x], nil, x.file, false); t != nil && t.decl != nil {
				x.attach(t)
			} else {
				rest = append(rest, x)
			}
		}
		if len(rest) == len(open) {
			break
		}
		open = rest
	}
	for _, x := range open {
		if t := x.unit.lookup(paths[x], nil, x.file, true); t != nil {
			x.attach(t)
		}
	}
}

// attach adds the members of an extension to the type that it extends.
func (x *extension) attach(t *entity) {
	t = t.underlying()
	x.target = t
	x.where = append(slices.Clip(x.decl.Where), x.arguments()...)
	t.extensions = append(t.extensions, x)
	x.hidden = x.decl.Attribute("_spi") != nil || x.unit.isUnavailable(x.decl)
	access := source.Internal
	if x.decl.Access != source.Unspecified {
		access = x.decl.Access
	}
	for _, m := range x.decl.Members {
		x.unit.member(t, m, x.file, x, access)
	}
}

// parametersOf contains the names of the type parameters of types of the toolchain.
var parametersOf = map[string]string{"Array": "Element", "ArraySlice": "Element", "ContiguousArray": "Element", "Set": "Element", "Optional": "Wrapped", "Dictionary": "Key Value"}

// arguments returns the requirements of the type arguments in the name of an extension.
func (x *extension) arguments() []source.Requirement {
	i := strings.IndexByte(x.decl.Name, '<')
	if i <= 0 || !strings.HasSuffix(x.decl.Name, ">") || strings.Contains(x.decl.Name, ">.") {
		return nil
	}
	names := strings.Fields(parametersOf[x.target.path])
	for _, g := range x.target.genericNames() {
		names = append(names, g.Name)
	}
	var all []source.Requirement
	for n, arg := range splitTop(x.decl.Name[i+1:len(x.decl.Name)-1], ',') {
		if n < len(names) {
			all = append(all, source.Requirement{Left: names[n], Op: "==", Right: strings.TrimSpace(arg)})
		}
	}
	return all
}
