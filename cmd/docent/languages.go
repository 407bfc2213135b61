package main

import (
	"github.com/docent-mcp/docent/internal/ecosystem"
	offered "github.com/docent-mcp/docent/internal/languages"
)

// languageList returns the languages that commands support.
type languageList func(offline bool) ecosystem.Languages

// languages returns the languages of the program in the order in which they are listed.
func languages(offline bool) ecosystem.Languages {
	return offered.New(ecosystem.Options{Version: version(), Offline: offline})
}
