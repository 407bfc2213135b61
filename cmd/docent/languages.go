package main

import (
	"github.com/docent-mcp/docent/internal/ecosystem"
	offered "github.com/docent-mcp/docent/internal/languages"
)

// languageList returns the languages that commands offer.
type languageList func(offline bool) ecosystem.Languages

// languages returns the program's languages in the order in which they are
// offered.
func languages(offline bool) ecosystem.Languages {
	return offered.New(ecosystem.Options{Version: version(), Offline: offline})
}
