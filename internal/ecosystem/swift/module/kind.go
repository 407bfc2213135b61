package module

import (
	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
)

// These kinds of symbols exist only in Swift.
const (
	kindLet            apidoc.Kind = "let"
	kindStruct         apidoc.Kind = "struct"
	kindActor          apidoc.Kind = "actor"
	kindProtocol       apidoc.Kind = "protocol"
	kindAssociatedType apidoc.Kind = "associated type"
	kindTypeAlias      apidoc.Kind = "typealias"
	kindInit           apidoc.Kind = "init"
	kindSubscript      apidoc.Kind = "subscript"
	kindMacro          apidoc.Kind = "macro"
	kindExtension      apidoc.Kind = "extension"
	kindOperator       apidoc.Kind = "operator"
	kindPrecedence     apidoc.Kind = "precedence group"
	kindModule         apidoc.Kind = "module"
)

// symbolKind returns the kind of a symbol in docent's terms.
func symbolKind(e *entity) apidoc.Kind {
	switch e.decl.Kind {
	case source.Struct:
		return kindStruct
	case source.Class:
		return apidoc.Class
	case source.Actor:
		return kindActor
	case source.Enum:
		return apidoc.Enum
	case source.Case:
		return apidoc.EnumValue
	case source.Protocol:
		return kindProtocol
	case source.AssociatedType:
		return kindAssociatedType
	case source.TypeAlias:
		return kindTypeAlias
	case source.Init:
		return kindInit
	case source.Subscript:
		return kindSubscript
	case source.Macro:
		return kindMacro
	case source.Var:
		switch {
		case e.parent != nil:
			return apidoc.Property
		case e.decl.Let:
			return kindLet
		}
		return apidoc.Var
	}
	if e.parent != nil {
		return apidoc.Method
	}
	return apidoc.Func
}
