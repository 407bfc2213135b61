package swift

import (
	_ "embed"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/module"
	"github.com/docent-mcp/docent/internal/extent"
	"github.com/docent-mcp/docent/internal/highlight"
	"github.com/docent-mcp/docent/internal/project/swiftpm"
)

// ID is the ID of the language.
const ID apidoc.Ecosystem = "swift"

var info = ecosystem.Info{
	ID:        ID,
	Spellings: []string{"swiftpm", "spm", "cocoapods", "xcode"},
	Popular:   popular,
	Style: apidoc.Style{
		Boolean: "Bool",
		Name:    "Swift", Aliased: true, Nested: true, Weights: weights, Import: "`import {local}`", Syntax: module.Syntax{}, Rules: rules, Spellings: spellings,
	},
	Lexis: highlight.Lexis{
		Keywords: highlight.Words(`actor any as associatedtype async await borrowing break case catch class consuming continue convenience default defer deinit do else enum extension fallthrough false fileprivate
		final for func get guard if import in indirect init inout internal is isolated lazy let mutating nil nonisolated nonmutating open operator optional override package private
		protocol public repeat required rethrows return self Self set some static struct subscript super switch throw throws true try typealias unowned var weak where while`),
		LineComment: "//", BlockComments: true, TripleQuotes: true,
	},
	Extent:           extent.Rules{Newline: true},
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

var weights = map[apidoc.Kind]float32{
	apidoc.Field: 0.9, apidoc.Property: 0.9, apidoc.EnumValue: 0.9, apidoc.AssocType: 0.8, apidoc.Extension: 0.5,
	apidoc.Class: 1.05, apidoc.Const: 1.06, apidoc.Var: 1.06, apidoc.Interface: 1.01, apidoc.Type: 0.883,
}

//go:embed popular.txt
var popular string
