package rust

import (
	_ "embed"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/signature"
	"github.com/docent-mcp/docent/internal/extent"
	"github.com/docent-mcp/docent/internal/highlight"
	"github.com/docent-mcp/docent/internal/project/cargo"
)

// ID is the ID of the language.
const ID apidoc.Ecosystem = "rust"

var info = ecosystem.Info{
	ID:        ID,
	Spellings: []string{"rs", "cargo", "crate"},
	Popular:   popular,
	Style: apidoc.Style{
		Boolean: "bool",
		Name:    "Rust", Separator: "::", KindOrder: kindOrder, Weights: weights, Aliased: true, Syntax: signature.Syntax{}, Rules: rules, Spellings: pathSpellings,
		Import: "`use {package}::{name};`",
	},
	Lexis: highlight.Lexis{
		Keywords: highlight.Words(`as async await break const continue crate dyn else enum extern false fn for if impl in let loop macro_rules match mod move mut pub ref return self Self static struct
		super trait true type union unsafe use where while`),
		LineComment: "//", BlockComments: true, Lifetimes: true,
	},
	Extent:           extent.Rules{Comma: true},
	Manifests:        []string{"Cargo.toml"},
	ProjectFiles:     cargo.Files(),
	Platform:         "target triple or GOOS/GOARCH",
	Features:         "besides the project's: serde,rt or all",
	Indexes:          true,
	Prose:            true,
	OptionalExamples: true,
	Help: ecosystem.Help{
		Noun:      "a Rust crate",
		Package:   "crate (serde_json) or module (tokio::sync)",
		Versioned: "tokio@1.38",
		Import:    "use NAME::…",
		Symbols:   []string{"Runtime::block_on"},
		Versions:  "Cargo.lock or Cargo.toml",
		Describe:  []string{"tokio sync::mpsc::Sender", "serde_json from_str", "regex --version 1.10"},
		Search:    []string{`tokio "wait for the first of several tasks"`},
	},
}

// Info implements ecosystem.Language.
func (*Rust) Info() *ecosystem.Info { return &info }

var kindOrder = [][]apidoc.Kind{{apidoc.Function, apidoc.Method}, {apidoc.Const}, {apidoc.Enum}}

var weights = map[apidoc.Kind]float32{
	apidoc.Field: 0.9, apidoc.Variant: 0.8, apidoc.AssocType: 0.8, apidoc.AssocConst: 0.8, apidoc.Const: 1.06, apidoc.TypeAlias: 1.01,
}

//go:embed popular.txt
var popular string
