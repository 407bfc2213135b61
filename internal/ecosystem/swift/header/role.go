package header

import "github.com/docent-mcp/docent/internal/apidoc"

// Role returns the role of a symbol from a header.
func Role(s *apidoc.Symbol) apidoc.Role {
	switch s.Kind {
	case apidoc.Const, apidoc.Var:
		return apidoc.ValueRole
	case apidoc.Func, apidoc.Method, "class method":
		return apidoc.CallableRole
	case apidoc.Field, apidoc.Property:
		return apidoc.FieldRole
	case apidoc.EnumValue:
		return apidoc.EnumValueRole
	case kindMacro:
		return apidoc.MacroRole
	case kindCategory:
		return apidoc.ModuleRole
	default:
		return apidoc.TypeRole
	}
}
