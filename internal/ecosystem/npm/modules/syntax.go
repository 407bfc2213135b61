package modules

import (
	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
)

// Syntax implements apidoc.Syntax for the declarations that a Reader writes.
type Syntax struct{}

// Parts implements apidoc.Syntax.
func (Syntax) Parts(s *apidoc.Symbol) []apidoc.Part { return dts.Parts(s.Signature) }

// Role implements apidoc.Syntax.
func (Syntax) Role(s *apidoc.Symbol) apidoc.Role {
	switch s.Kind {
	case apidoc.Class, apidoc.Interface, apidoc.Type, apidoc.Enum:
		return apidoc.TypeRole
	case KindFunction, apidoc.Method, KindCall:
		return apidoc.CallableRole
	case KindNew, KindConstruct:
		return apidoc.ConstructorRole
	case apidoc.Property, KindAccessor, KindIndex:
		return apidoc.FieldRole
	case apidoc.EnumValue:
		return apidoc.EnumValueRole
	case apidoc.Namespace, KindModule:
		return apidoc.ModuleRole
	default:
		return apidoc.ValueRole
	}
}
