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

// languages lists the program's languages in the order in which they are
// offered. A new language is one line here.
func languages(offline bool) ecosystem.Languages {
	return ecosystem.Languages{
		golang.New(golang.Options{Version: version(), Offline: offline}),
		npm.New(npm.Options{Version: version(), Offline: offline}),
		python.New(python.Options{Version: version(), Offline: offline}),
		rust.New(rust.Options{Version: version(), Offline: offline}),
		swift.New(swift.Options{Version: version(), Offline: offline}),
	}
}
