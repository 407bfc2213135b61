package modules

import (
	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
)

// Syntax implements apidoc.Syntax for the declarations that a Reader writes.
type Syntax struct{}

// Parts implements apidoc.Syntax.
func (Syntax) Parts(s *apidoc.Symbol) []apidoc.Part { return dts.Parts(s.Signature) }
