package apidoc

// Role is the role of a symbol in programs that use it. It does not depend on the language's own
// word for the symbol, which is its [Kind].
type Role uint8

const (
	// TypeRole is the role of classes, structs, interfaces, traits, enumerations and
	// other names of types.
	TypeRole Role = iota + 1
	// ValueRole is the role of constants and variables.
	ValueRole
	// CallableRole is the role of functions and methods.
	CallableRole
	// ConstructorRole is the role of members that are called to make a value of their type, by
	// their own name or by the type's name.
	ConstructorRole
	// FieldRole is the role of fields, properties, attributes and accessors.
	FieldRole
	// EnumValueRole is the role of the values or cases of an enumeration.
	EnumValueRole
	// ModuleRole is the role of modules, namespaces and groups of extensions.
	ModuleRole
	// MacroRole is the role of macros, attributes and decorators that are not functions.
	MacroRole
)

var roleNames = [...]string{
	TypeRole: "type", ValueRole: "value", CallableRole: "callable", ConstructorRole: "constructor",
	FieldRole: "field", EnumValueRole: "enum value", ModuleRole: "module", MacroRole: "macro",
}

// String returns the name of the role, or "" for the zero Role.
func (r Role) String() string {
	if int(r) < len(roleNames) {
		return roleNames[r]
	}
	return ""
}

// MarshalText returns the name of the role.
func (r Role) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// IsCall reports whether symbols of the role are called.
func (r Role) IsCall() bool { return r == CallableRole || r == ConstructorRole }
