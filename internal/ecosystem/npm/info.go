package npm

import (
	_ "embed"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/npm/modules"
	"github.com/docent-mcp/docent/internal/extent"
	"github.com/docent-mcp/docent/internal/highlight"
	"github.com/docent-mcp/docent/internal/project/npmlock"
)

// ID is the ID of the language.
const ID apidoc.Ecosystem = "npm"

var info = ecosystem.Info{
	ID:        ID,
	Spellings: []string{"typescript", "javascript", "ts", "js", "node"},
	Popular:   popular,
	Style: apidoc.Style{
		Boolean: "boolean",
		Name:    "npm", Fence: "ts",
		KindOrder: kindOrder, Weights: weights, FollowTypes: true, Aliased: true, Nested: true, Receivers: true, Syntax: modules.Syntax{}, Rules: rules, Spellings: spellings,
		Defaults: []apidoc.Default{{Path: "default", Title: "the default export"}, {Path: "export=", Title: "the module itself, export ="}},
		Import:   "`import { {name} } from \"{package}\"`",
	},
	Lexis: highlight.Lexis{
		Keywords: highlight.Words(`abstract as async await break case catch class const continue debugger declare default delete do else enum export extends false finally for from function get if
		implements import in infer instanceof interface is keyof let module namespace new null of override private protected public readonly return satisfies set static super
		switch this throw true try type typeof undefined unique var void while with yield`),
		LineComment: "//", BlockComments: true,
	},
	Extent:       extent.Rules{Newline: true, Comma: true},
	Manifests:    []string{"package.json"},
	ProjectFiles: npmlock.Files(),
	Nothing:      []string{"undefined", "null", "void", "never"},
	Inherent: []string{
		"constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString", "toString", "valueOf", "__proto__",
		"apply", "bind", "call", "length", "name", "prototype", "arguments", "caller", // signatures of functions and classes
		"default", // default export of a module in another form
	},
	Indexes:          true,
	Prose:            true,
	OptionalTypes:    true,
	OptionalExamples: true,
	Help: ecosystem.Help{
		Noun:      "an npm package",
		Package:   "name as imported (axios, zod/mini) or directory of the project (./packages/db)",
		Versioned: "axios@1",
		Import:    `import … from "NAME"`,
		Symbols:   []string{"useState", "axios.get"},
		Versions:  "lock file, node_modules or package.json",
		Describe:  []string{"axios axios.get", "fastify --section docs/reference/hooks", "zod/mini --json"},
		Search:    []string{`axios "cancel a request"`},
	},
}

// Info implements ecosystem.Language.
func (*NPM) Info() *ecosystem.Info { return &info }

var kindOrder = [][]apidoc.Kind{
	{apidoc.Function, apidoc.Method}, {apidoc.Class}, {apidoc.Const}, {apidoc.Var, apidoc.Let, apidoc.Property}, {apidoc.Enum}, {apidoc.Namespace}, {apidoc.Interface},
}

var weights = map[apidoc.Kind]float32{
	apidoc.Property: 0.9, apidoc.Prop: 0.9, apidoc.Event: 0.9, apidoc.Slot: 0.9, apidoc.HTMLAttribute: 0.9, apidoc.CSSPart: 0.8, apidoc.CSSProperty: 0.8, apidoc.CSSState: 0.8, apidoc.EnumValue: 0.9, apidoc.Accessor: 0.8,
	apidoc.Constructor: 0.7, // users look for the class
	apidoc.Class:       1.05, apidoc.Const: 1.06, apidoc.Var: 1.06, apidoc.Interface: 1.01, apidoc.Type: 0.883,
}

//go:embed popular.txt
var popular string
