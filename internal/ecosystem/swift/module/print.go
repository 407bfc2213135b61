package module

import (
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
)

// declaration prints an entity as in symbol graphs: without access levels,
// bodies, initial values and inheritance clauses.
func (e *entity) declaration() string {
	d := e.decl
	inferred := ""
	if d.Kind == source.Var && d.Type == "" {
		inferred = e.inferred()
	}
	text := d.Declaration(source.Inferred{Type: inferred, Where: e.impliedRequirements()})
	if d.Kind == source.Var && strings.HasSuffix(text, "}") {
		switch i := strings.LastIndexByte(text, '{'); {
		case d.Has("lazy") && (e.parent == nil || e.parent.isClass()):
			text = text[:i] + strings.Replace(text[i:], "{ mutating", "{", 1)
		case e.isStored() && len(d.Accessors) == 0 && d.SetAccess == source.Unspecified && !d.Has("lazy") && !e.isWrapped():
			// The attribute is not a property wrapper but, for example, a global actor.
			text = strings.TrimSpace(text[:i])
		}
	}
	return text
}

// isStored reports whether a property has storage.
func (e *entity) isStored() bool {
	for i := range e.decl.Accessors {
		switch e.decl.Accessors[i].Kind {
		case source.WillSet, source.DidSet:
		default:
			return false
		}
	}
	return true
}

// isWrapped reports whether an attribute of a property may be a property wrapper. It returns false
// if all attributes are known to be types of other kinds.
func (e *entity) isWrapped() bool {
	for i := range e.decl.Attributes {
		name := e.decl.Attributes[i].Name
		if name == "" || name[0] < 'A' || name[0] > 'Z' || strings.HasSuffix(name, "Actor") {
			continue
		}
		t := e.unit.lookup(strings.Split(name, "."), e.parent, e.file, false)
		if t = t.underlying(); t == nil || t.decl == nil || t.decl.Attribute("propertyWrapper") != nil {
			return true
		}
	}
	return false
}
