package main

import (
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/golang"
	"github.com/docent-mcp/docent/internal/ecosystem/npm"
	"github.com/docent-mcp/docent/internal/ecosystem/python"
	"github.com/docent-mcp/docent/internal/ecosystem/rust"
	"github.com/docent-mcp/docent/internal/ecosystem/swift"
)

// languageList returns the languages that commands offer.
type languageList func(offline bool) ecosystem.Languages

// languages returns the program's languages in the order in which they are
// offered. A new language is one line here.
func languages(offline bool) ecosystem.Languages {
	o := ecosystem.Options{Version: version(), Offline: offline}
	return ecosystem.Languages{golang.New(o), npm.New(o), python.New(o), rust.New(o), swift.New(o)}
}
