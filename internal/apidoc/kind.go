package apidoc

// Kind is the kind of a symbol, in the language's own term.
type Kind string

// These are the kinds of all languages. Some languages share a kind.
const (
	Const      Kind = "const"
	Var        Kind = "var"
	Let        Kind = "let"
	Static     Kind = "static"
	AssocConst Kind = "associated constant"
	// Name is the kind of a name whose declaration does not specify a kind, Unresolved is the kind
	// of an export whose declaration was not found, and Reexport is the kind of an item from
	// another package that was not read.
	Name       Kind = "name"
	Unresolved Kind = "unresolved"
	Reexport   Kind = "re-export"

	Func          Kind = "func"
	Function      Kind = "function"
	Method        Kind = "method"
	ClassMethod   Kind = "class method"
	CallSignature Kind = "call signature"
	Subscript     Kind = "subscript"
	Operator      Kind = "operator"

	Constructor        Kind = "constructor"
	ConstructSignature Kind = "construct signature"
	Init               Kind = "init"

	Type            Kind = "type"
	TypeAlias       Kind = "type alias"
	Typealias       Kind = "typealias"
	TraitAlias      Kind = "trait alias"
	AssocType       Kind = "associated type"
	Class           Kind = "class"
	Exception       Kind = "exception"
	Actor           Kind = "actor"
	Struct          Kind = "struct"
	Union           Kind = "union"
	Interface       Kind = "interface"
	Protocol        Kind = "protocol"
	Trait           Kind = "trait"
	Enum            Kind = "enum"
	PrimitiveType   Kind = "primitive type"
	ForeignType     Kind = "foreign type"
	PrecedenceGroup Kind = "precedence group"

	Field          Kind = "field"
	Property       Kind = "property"
	Attribute      Kind = "attribute"
	Accessor       Kind = "accessor"
	IndexSignature Kind = "index signature"

	EnumValue Kind = "enum value"
	Variant   Kind = "variant"

	Namespace Kind = "namespace"
	Module    Kind = "module"
	Extension Kind = "extension"
	Category  Kind = "category"
	Impl      Kind = "impl"

	Macro          Kind = "macro"
	DeriveMacro    Kind = "derive macro"
	AttributeMacro Kind = "attribute macro"
)

// These are the kinds of the members of a user-interface component: the props that it accepts, the
// events that it emits, the slots for content, and the members of a reference to it.
const (
	Prop    Kind = "prop"
	Event   Kind = "event"
	Slot    Kind = "slot"
	Exposed Kind = "exposed member"
	// Piece is a member of a compound component that is itself a component, such as Form.Item.
	Piece Kind = "part"
)

// These are the kinds of custom elements, and of their members to which style sheets refer.
const (
	CustomElement Kind = "custom element"
	HTMLAttribute Kind = "HTML attribute"
	CSSPart       Kind = "CSS part"
	CSSProperty   Kind = "CSS custom property"
	CSSState      Kind = "CSS state"
)

// roles contains the roles of all kinds except those with ValueRole.
var roles = map[Kind]Role{
	Func: CallableRole, Function: CallableRole, Method: CallableRole, ClassMethod: CallableRole, CallSignature: CallableRole, Subscript: CallableRole,
	Constructor: ConstructorRole, ConstructSignature: ConstructorRole, Init: ConstructorRole,
	Type: TypeRole, TypeAlias: TypeRole, Typealias: TypeRole, TraitAlias: TypeRole, AssocType: TypeRole, Class: TypeRole, Exception: TypeRole, Actor: TypeRole,
	Struct: TypeRole, Union: TypeRole, Interface: TypeRole, Protocol: TypeRole, Trait: TypeRole, Enum: TypeRole, PrimitiveType: TypeRole, ForeignType: TypeRole,
	PrecedenceGroup: TypeRole,
	Field:           FieldRole, Property: FieldRole, Attribute: FieldRole, Accessor: FieldRole, IndexSignature: FieldRole, Prop: FieldRole, Event: FieldRole, Slot: FieldRole,
	HTMLAttribute: FieldRole,
	EnumValue:     EnumValueRole, Variant: EnumValueRole,
	Namespace: ModuleRole, Module: ModuleRole, Extension: ModuleRole, Category: ModuleRole, Impl: ModuleRole,
	Macro: MacroRole, DeriveMacro: MacroRole, AttributeMacro: MacroRole,
}

// Role returns the role of symbols of the kind.
func (k Kind) Role() Role {
	if role, ok := roles[k]; ok {
		return role
	}
	return ValueRole
}

// Role returns the role of the symbol.
func (s *Symbol) Role() Role { return s.Kind.Role() }

// IsCallable reports whether the symbol is a function or a method.
func (s *Symbol) IsCallable() bool { return s.Role() == CallableRole }

// IsField reports whether the symbol is a field, a property or something else that a value
// of its type has.
func (s *Symbol) IsField() bool { return s.Role() == FieldRole }

// IsType reports whether the symbol declares a type that values can have.
func (s *Symbol) IsType() bool { return s.Role() == TypeRole || s.AlsoType }

// IsCallOfParent reports whether the symbol represents a call of the value that contains it, rather
// than of a member of that value.
func (s *Symbol) IsCallOfParent() bool { return s.Kind == CallSignature }

// IsTrait reports whether the symbol is a type whose members other types declare in separate
// implementations.
func (s *Symbol) IsTrait() bool { return s.Kind == Trait }

// IsImplementation reports whether the symbol represents implementations of traits, whose members
// are called through the type.
func (s *Symbol) IsImplementation() bool { return s.Kind == Impl }

// IsAssociatedType reports whether the symbol is a type that each implementation of its parent
// chooses.
func (s *Symbol) IsAssociatedType() bool { return s.Kind == AssocType }

// IsAttribute reports whether the symbol is a field that no declaration has to list, because
// assignments create it.
func (s *Symbol) IsAttribute() bool { return s.Kind == Attribute }

// IsNamespace reports whether the symbol contains other symbols that are used without a value.
func (s *Symbol) IsNamespace() bool { return s.Kind == Module || s.Kind == Namespace }

// ComponentRole is the purpose of a member of a user-interface component.
type ComponentRole uint8

const (
	// InputRole is the role of values that the component takes.
	InputRole ComponentRole = iota + 1
	// AttributeRole is the role of the attributes that the component's tag takes.
	AttributeRole
	// EventRole is the role of events that it emits.
	EventRole
	// SlotRole is the role of places for content.
	SlotRole
	// ExposedRole is the role of members that a reference to the component provides.
	ExposedRole
	// SubcomponentRole is the role of components that belong to it.
	SubcomponentRole
	// StylePartRole is the role of elements within the component to which style sheets refer.
	StylePartRole
	// StyleValueRole is the role of values from style sheets that the component reads.
	StyleValueRole
	// StateRole is the role of states of the component to which style sheets refer.
	StateRole
)

var componentRoles = map[Kind]ComponentRole{
	Prop: InputRole, Event: EventRole, Slot: SlotRole, Exposed: ExposedRole, Piece: SubcomponentRole,
	HTMLAttribute: AttributeRole, CSSPart: StylePartRole, CSSProperty: StyleValueRole, CSSState: StateRole,
}

// ComponentRole returns the role of a member of a user-interface component, or 0 for a symbol of
// any other type.
func (s *Symbol) ComponentRole() ComponentRole { return componentRoles[s.Kind] }

// IsInput reports whether programs set the field when they make a value of its type. The result
// depends on the kind: attributes and accessors are set by the type itself.
func (s *Symbol) IsInput() bool {
	return s.IsField() && s.Kind != Attribute && s.Kind != Accessor
}

// Form distinguishes types by how programs use them.
type Form uint8

const (
	// ClassForm is the form of types whose values are made by calling them or their
	// constructor.
	ClassForm Form = iota + 1
	// ContractForm is the form of types whose values must have all their members.
	ContractForm
	// EnumForm is the form of types whose declarations list their values.
	EnumForm
)

var forms = map[Kind]Form{
	Class: ClassForm, Exception: ClassForm, Actor: ClassForm,
	Interface: ContractForm, Protocol: ContractForm,
	Enum: EnumForm,
}

// Form returns the form of a type, or 0 for any other symbol.
func (s *Symbol) Form() Form { return forms[s.Kind] }
