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
// offered.
func languages(offline bool) ecosystem.Languages { return languagesIn(nil, offline) }

// languagesIn returns the languages as they are with these environment variables, nil for
// those of the process. A new language is one line here.
func languagesIn(env []string, offline bool) ecosystem.Languages {
	o := ecosystem.Options{Env: env, Version: version(), Offline: offline}
	return ecosystem.Languages{golang.New(o), npm.New(o), python.New(o), rust.New(o), swift.New(o)}
}
