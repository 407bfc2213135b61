package module

import (
	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
)

// symbolKind returns the kind of a symbol in docent's terms.
func symbolKind(e *entity) apidoc.Kind {
	switch e.decl.Kind {
	case source.Struct:
		return apidoc.Struct
	case source.Class:
		return apidoc.Class
	case source.Actor:
		return apidoc.Actor
	case source.Enum:
		return apidoc.Enum
	case source.Case:
		return apidoc.EnumValue
	case source.Protocol:
		return apidoc.Protocol
	case source.AssociatedType:
		return apidoc.AssocType
	case source.TypeAlias:
		return apidoc.Typealias
	case source.Init:
		return apidoc.Init
	case source.Subscript:
		return apidoc.Subscript
	case source.Macro:
		return apidoc.Macro
	case source.Var:
		switch {
		case e.parent != nil:
			return apidoc.Property
		case e.decl.Let:
			return apidoc.Let
		}
		return apidoc.Var
	}
	if e.parent != nil {
		return apidoc.Method
	}
	return apidoc.Func
}
