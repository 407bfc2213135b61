package answer

import (
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
)

func TestADeclarationIsShownWithoutWhatSaysNothing(t *testing.T) {
	for _, tt := range []struct {
		name            string
		syntax          apidoc.Syntax
		kind            apidoc.Kind
		signature, want string
	}{
		{"a struct that hides its fields", goSyntax, apidoc.Type, "type T struct {\n\t// Has unexported fields.\n}", "type T struct { … }"},
		{"one that hides some", goSyntax, apidoc.Type, "type T struct {\n\tA int\n\n\t// Has unexported fields.\n}", "type T struct {\n\tA int\n\t// Has unexported fields.\n}"},
		{"a property", pythonSyntax, apidoc.Property, "@property\ndef ends(self) -> float", "@property ends: float"},
		{"a method with a decorator", pythonSyntax, apidoc.Method, "@staticmethod\ndef ends(a: int) -> float", "@staticmethod\ndef ends(a: int) -> float"},
		{"a property that is declared with more", pythonSyntax, apidoc.Property, "@property\n@final\ndef ends(self) -> float", "@property\n@final\ndef ends(self) -> float"},
	} {
		if got := conciseDecl(parsed(tt.syntax, tt.kind, tt.signature), tt.kind.Role() == apidoc.FieldRole).Text; got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestTagsThatRepeatTheFieldAreLeftOut(t *testing.T) {
	const with = "type T struct {\n\tID string `json:\"id,omitzero\"`\n\tUserID int `json:\"user_id\" yaml:\"userId\"`\n\tItem *T `json:\"thing\"`\n\tSkip int `json:\"-\"`\n}"
	const want = "type T struct {\n\tID string\n\tUserID int\n\tItem *T `json:\"thing\"`\n\tSkip int `json:\"-\"`\n}"
	if got := withoutTags(parsed(goSyntax, apidoc.Type, with)).Text; got != want {
		t.Errorf("got %q", got)
	}
}

func TestALabelledListTakesNoEmptyLinesInAComment(t *testing.T) {
	const doc = "Reads it.\n\n**Parameters:**\n\n- `a`: One\n  or two.\n- `b`: Three.\n\n**Raises:**\n\n- `E`: If it\n  fails.\n\nMore."
	const want = "Reads it.\nParameters:\n- `a`: One or two.\n- `b`: Three.\nRaises: `E`: If it fails.\n\nMore."
	if got := commentText(doc); got != want {
		t.Errorf("got %q", got)
	}
}

func TestAConstructorThatTheFieldsMakeIsNotShownBesideThem(t *testing.T) {
	class := func(line int, field string) *apidoc.Symbol {
		return &apidoc.Symbol{Path: "C", Kind: apidoc.Class, Signature: "@dataclass\nclass C", File: "c.py", Line: 3, Members: []apidoc.Symbol{
			{Path: "C.__init__", Kind: "constructor", Signature: "def __init__(self, a: int = 0, b: dict[str, int] = dict()) -> None", File: "c.py", Line: line},
			{Path: "C.a", Kind: "attribute", Signature: field, File: "c.py", Line: 4},
			{Path: "C.b", Kind: "attribute", Signature: "b: dict[str, int] = field(default_factory=dict)", Doc: "The rest.", File: "c.py", Line: 5},
		}}
	}
	names := func(members []apidoc.Symbol) string { return strings.Join(memberNames(members), " ") }
	for _, tt := range []struct {
		name     string
		class    *apidoc.Symbol
		comments bool
		want     string
	}{
		{"made by the fields", class(3, "a: int = 0"), true, "a b"},
		{"made by them, without comments", class(3, "a: int = 0"), false, "a b"},
		{"written", class(7, "a: int = 0"), true, "__init__ a b"},
		{"written, without comments", class(7, "a: int = 0"), false, "__init__"},
		{"with a field of another type", class(3, "a: str"), true, "__init__ a b"},
	} {
		if got := names(NewRenderer(&apidoc.Package{Style: apidoc.Style{Syntax: pythonSyntax}}).withoutRepeated(tt.class, tt.class.Members, tt.comments)); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestATypeThatAValueIsMergedWithIsWhatACallReturns(t *testing.T) {
	p := &apidoc.Package{Style: npmStyle, Name: "till", Symbols: []apidoc.Symbol{
		{Path: "object", Kind: "function", Signature: "function object(): Box"},
		{Path: "pair", Kind: "function", Signature: "function pair(): Pair"},
		{
			Path: "Box", Kind: apidoc.Const, AlsoType: true, Signature: "interface Box extends Base\nconst Box: Maker<Box>",
			Members: []apidoc.Symbol{{Path: "Box.open", Kind: apidoc.Method, Signature: "open(): void"}},
		},
		{
			Path: "Pair", Kind: apidoc.Type, Signature: "type Pair = { left: number; }",
			Members: []apidoc.Symbol{{Path: "Pair.left", Kind: apidoc.Property, Signature: "left: number"}},
		},
	}}
	text := describe(t, p, Options{Guide: guide}, "object, pair").Text
	if !strings.Contains(text, "const Box: Maker<Box>\ninterface Box extends Base {\n  open(): void\n}\n") {
		t.Errorf("the type is not shown:\n%s", text)
	}
	if strings.Count(text, "left: number") != 1 {
		t.Errorf("a member is shown beside the literal that holds it:\n%s", text)
	}
}

func TestTheLinesOfAParagraphAreJoinedInAComment(t *testing.T) {
	for doc, want := range map[string]string{
		"one line":                                        "one line",
		"Gives what\nthere is.\n\nIt is\nshort.":          "Gives what there is.\n\nIt is short.",
		"It takes\n- one\n  of two\n- two\n1. and\n2) so": "It takes\n- one of two\n- two\n1. and\n2) so",
		"**Returns:**\n\n- a thing\n  of value":           "Returns: a thing of value",
		"Run\n\n```\na\nb\n```":                           "Run\n\n```\na\nb\n```",
		"break  \nhere":                                   "break  \nhere",
		"|a|\n|-|\n|b|":                                   "|a|\n|-|\n|b|",
		"\nfirst":                                         "\nfirst",
	} {
		if got := commentText(doc); got != want {
			t.Errorf("%q is written %q, want %q", doc, got, want)
		}
	}
}

func TestPatternsOfParametersAreShortened(t *testing.T) {
	const names = "{ model, tools, toolChoice, messages, inner: { now, later } }"
	for signature, want := range map[string]string{
		"function f(" + names + ": Options): void":                         "function f({ … }: Options): void",
		"f(a: string, " + names + "?: Options): void":                      "f(a: string, { … }?: Options): void",
		"function f({ a, b }: Options): void":                              "function f({ a, b }: Options): void",
		"function f({ model = 'a', tools, messages, maximum, more }: O)":   "function f({ model = 'a', tools, messages, maximum, more }: O)",
		"type F = A<B, { model: string; tools: number; choice: string; }>": "type F = A<B, { model: string; tools: number; choice: string; }>",
		"function f(" + names:                                              "function f(" + names,
		"f({ ":                                                             "f({ ",
	} {
		if got := conciseDecl(parsed(npmSyntax, apidoc.Function, signature), false).Text; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
