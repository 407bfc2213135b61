package python

import (
	_ "embed"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/python/modules"
	"github.com/docent-mcp/docent/internal/extent"
	"github.com/docent-mcp/docent/internal/highlight"
	"github.com/docent-mcp/docent/internal/project/pylock"
)

// ID is the ID of the language.
const ID apidoc.Ecosystem = "python"

var info = ecosystem.Info{
	ID:        ID,
	Spellings: []string{"py", "python3", "pip", "pypi"},
	Popular:   popular,
	Style: apidoc.Style{
		Boolean: "bool",
		Name:    "Python", Fence: "python", LineComment: "# ", Separator: ".",
		Aliased: true, Nested: true, Indented: true, Weights: weights,
		Syntax: modules.Syntax{}, Rules: rules, Spellings: spellings,
		Import: "`from {package} import {name}`",
	},
	Lexis: highlight.Lexis{
		Keywords:    highlight.Words("and as assert async await break class continue def del elif else except finally for from global if import in is lambda match case nonlocal not or pass raise return try while with yield None True False self"),
		LineComment: "#", TripleQuotes: true,
	},
	Extent:           extent.Rules{Indented: true},
	Manifests:        pylock.Manifests(),
	ProjectFiles:     pylock.Files(),
	Platform:         "GOOS/GOARCH; the user's own if omitted",
	Called:           true,
	Inherent:         append([]string{"__enter__", "__aenter__", "mro", "args", "with_traceback", "add_note"}, mockMembers...), // members of objects, classes and exceptions, and of mocks
	Indexes:          true,
	IndexReadsAll:    true,
	Prose:            true,
	OptionalExamples: true,
	Help: ecosystem.Help{
		Noun:      "a Python package",
		Package:   "module as imported (requests, google.cloud.storage) or distribution (PyYAML)",
		Versioned: "requests@2.31",
		Import:    "import NAME",
		Symbols:   []string{"Session.get", "BaseModel"},
		Versions:  "lock file, virtual environment, requirements or pyproject.toml",
		Describe:  []string{"requests Session.get", "json loads", "PyYAML --version 6.0.1"},
		Search:    []string{`requests "retry a request"`},
	},
}

// Info implements ecosystem.Language.
func (*Python) Info() *ecosystem.Info { return &info }

var weights = map[apidoc.Kind]float32{
	apidoc.Field: 0.9, apidoc.Property: 0.9, apidoc.EnumValue: 0.9, apidoc.Attribute: 0.8,
	apidoc.Class: 1.05, apidoc.Const: 1.06, apidoc.Var: 1.06, apidoc.TypeAlias: 1.01,
}

//go:embed popular.txt
var popular string

// mockMembers are the members of mocks.
var mockMembers = []string{
	"assert_any_await", "assert_any_call", "assert_awaited", "assert_awaited_once", "assert_awaited_once_with", "assert_awaited_with", "assert_called",
	"assert_called_once", "assert_called_once_with", "assert_called_with", "assert_has_awaits", "assert_has_calls", "assert_not_awaited",
	"assert_not_called", "attach_mock", "await_args", "await_args_list", "await_count", "call_args", "call_args_list", "call_count", "called",
	"configure_mock", "method_calls", "mock_add_spec", "mock_calls", "reset_mock", "return_value", "side_effect",
}
