// Package languages lists the languages whose packages docent reads.
package languages

import (
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/golang"
	"github.com/docent-mcp/docent/internal/ecosystem/npm"
	"github.com/docent-mcp/docent/internal/ecosystem/python"
	"github.com/docent-mcp/docent/internal/ecosystem/rust"
	"github.com/docent-mcp/docent/internal/ecosystem/swift"
)

// New returns all languages in the order in which they are offered. A new language is one
// line here.
func New(o ecosystem.Options) ecosystem.Languages {
	return ecosystem.Languages{golang.New(o), npm.New(o), python.New(o), rust.New(o), swift.New(o)}
}
