package swift

import (
	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/module"
	"github.com/docent-mcp/docent/internal/project/swiftpm"
)

// ID is the ID of the language.
const ID apidoc.Ecosystem = "swift"

var info = ecosystem.Info{
	ID:        ID,
	Spellings: []string{"swiftpm", "spm", "cocoapods", "xcode"},
	Style: apidoc.Style{
		Name: "Swift", Aliased: true, Nested: true, Import: "`import {local}`", Syntax: module.Syntax{}, Rules: rules,
	},
	Manifests:        append(swiftpm.Manifests(), "Xcode project"),
	ProjectFiles:     swiftpm.Files(),
	Platform:         "iOS, linux/arm64",
	Indexes:          true,
	Prose:            true,
	OptionalExamples: true,
	Help: ecosystem.Help{
		Noun:      "a Swift package",
		Package:   "apple/swift-nio, URL, module (NIOCore), ./Core",
		Versioned: "apple/swift-log@1.6",
		Import:    "import NAME",
		Symbols:   []string{"Point.move(by:)"},
		Versions:  "Package.resolved, Package.swift or Podfile.lock",
		Describe:  []string{"NIOCore ByteBuffer.readInteger", "apple/swift-log Logger", "Alamofire Session --version 5.10.0"},
		Search:    []string{`swift-collections "remove the smallest element"`},
	},
}

// Info implements ecosystem.Language.
func (*Swift) Info() *ecosystem.Info { return &info }
