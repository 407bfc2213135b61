package doctext

import (
	"fmt"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
	_ "github.com/docent-mcp/docent/internal/filetest" // the flag -update
)

func TestMarkdown(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"plain text", "Moves it.\n\nFar away.", "Moves it.\n\nFar away."},
		{"separate parameters", "Moves it.\n\n- Parameter x: The first\n  of two.\n- parameter `y`: The second:\n\n  1. one\n- Returns: `true`\n  if so.\n- Throws: ``MoveError/stuck`` if not.",
			"Moves it.\n\n**Parameters:**\n\n- `x`: The first\n  of two.\n- `y`: The second:\n\n  1. one\n\n**Returns:** `true`\nif so.\n\n**Throws:** `MoveError.stuck` if not."},
		{"a list of parameters", "- Parameters:\n  - x: One.\n    More.\n  - y, z: Others.\n  - Bare text (of no name).\n- Returns:\n  - one\n  - two", "**Parameters:**\n\n- `x`: One.\n  More.\n- `y, z`: Others.\n- Bare text (of no name).\n\n**Returns:**\n\n- one\n- two"},
		{"parameters that are not indented", "- Parameters:\n- x: One.\n- y: Two.\n- Returns: It.", "**Parameters:**\n\n- `x`: One.\n- `y`: Two.\n\n**Returns:** It."},
		{"parameters without a colon", "- Parameters\n  - x: One.\n\n- Parameters\n- other", "**Parameters:**\n\n- `x`: One.\n\n- Parameters\n- other"},
		{"a deprecation with an example", "Do it.\n\n@DeprecationSummary {\n  Use it:\n  ```\n  g()\n  ```\n}", "Do it.\n\n```\ng()\n```"},
		{"parameters in several fields", "- Parameter x: One.\n- Returns: It.\n- Parameter y: Two.", "**Parameters:**\n\n- `x`: One.\n- `y`: Two.\n\n**Returns:** It."},
		{"asides", "- Note: It is\nslow.\n\n> Warning: Do not\n> cross.\n>\n> Ever.\n\n> A quotation: as such.\n\n* Complexity: O(*n*)\n- SeeAlso: ``Other``\n- **Precondition**: `n > 0`",
			"**Note:** It is\nslow.\n\n**Warning:** Do not\ncross.\n\nEver.\n\n> A quotation: as such.\n\n**Complexity:** O(*n*)\n\n**See also:** `Other`\n\n**Precondition:** `n > 0`"},
		{"fields of no use", "Do it.\n\n- Author: Somebody\n- Date: 2020\n- TODO: More.\n- Since: 1.2", "Do it.\n\n**Since:** 1.2"},
		{"lists that are none of fields", "- one: two\n- Returns\n- Noted: no\n    - Note: nested", "- one: two\n- Returns\n- Noted: no\n    - Note: nested"},
		{"code", "```swift\n- Returns: no\n@Comment { no }\n``Link``\n<!-- no -->\n```\n- Returns: yes", "```swift\n- Returns: no\n@Comment { no }\n``Link``\n<!-- no -->\n```\n\n**Returns:** yes"},
		{"code in a field", "- Returns: It:\n\n  ```swift\n  f(\n    1)\n  ```", "**Returns:** It:\n\n```swift\nf(\n  1)\n```"},
		{"comments of HTML", "One <!-- two --> three\n<!-- four\nfive -->\nsix `<!-- seven -->`", "One  three\nsix `<!-- seven -->`"},
		{"directives", "One.\n\n@Metadata {\n  @Available(Swift, introduced: 6.2)\n  @Available(\"Xcode\", introduced: \"26.0\")\n}\n@Comment {\n  No.\n}\n@Option var x is text.\n@Row {\n  @Column(size: 2) {\n    Two.\n    ```\n    }\n    ```\n  }\n  @Column { Three. }\n}\n@TabNavigator {\n  @Tab(\"First\") {\n    Four.\n  }\n}\n@Image(source: x, alt: \"A \\\"picture\\\"\")\nLast.",
			"One.\n\n@Option var x is text.\n\nTwo.\n```\n}\n```\n\nThree.\n\n**First**\n\nFour.\n\nA \"picture\"\n\nLast.\n\n**Since:** Swift 6.2, Xcode 26.0"},
		{"a directive that does not end", "One.\n@Comment {\nTwo.", "One."},
		{"links", "See ``Point``, ``Point/move(by:_:)-2266j``, ``Code-swift.struct/ok``, ``/Module/Point/==(_:_:)``, ``Rational//(_:_:)``, ``f(_:)-(Int, Int)/x``, ``code with spaces``, `x`, ``a`b``.",
			"See `Point`, `Point.move(by:_:)`, `Code.ok`, `Module.Point.==(_:_:)`, `Rational./(_:_:)`, `f(_:).x`, ``code with spaces``, `x`, ``a`b``."},
		{"links to pages", "See <doc:Getting-Started>, [this](doc:Getting-Started#First) and <doc:Module/Point/move(by:)>, ![a picture](x.png).", "See Getting Started, this and `Module.Point.move(by:)`, a picture."},
		{"topics", "One.\n\n## Topics\n\n### Making\n\n- ``init(x:)``\n\n## After\n\nTwo.", "One.\n\n## After\n\nTwo."},
		{"hidden characters", "a\u202eb\u200bc\x1b[31m", "abc[31m"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Markdown(tt.text, nil).Body; got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

func TestResolvedLinks(t *testing.T) {
	resolve := func(link string) (string, bool) {
		path, ok := map[string]string{
			"move(by:)": "Point.move(by:)", "doc:Start": "[Getting started](docc/start)", "Point.x": "Point.x",
		}[link]
		return path, ok
	}
	text := "``move(by:)`` <doc:Start> [here](doc:Start) [this](doc:Module/Start) <doc:Point/x> [it](doc:Point/x) ``other``"
	want := "`Point.move(by:)` [Getting started](docc/start) [here](docc/start) [this](docc/start) `Point.x` it (`Point.x`) `other`"
	if got := Markdown(text, resolve).Body; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestDeprecation(t *testing.T) {
	for text, want := range map[string]string{
		"Do it.\n\n- Deprecated: Use ``g()``\n  now.":                    "Use `g()` now.",
		"Do it.\n\n@DeprecationSummary {\n  Use `g()`.\n  <!-- x -->\n}": "Use `g()`.",
		"@DeprecationSummary { Use `g()`. }":                             "Use `g()`.",
		"Deprecated: use g.\n\nMore.":                                    "Deprecated: use g.",
		"**DEPRECATED**\nuse g.":                                         "**DEPRECATED** use g.",
		"Deprecated declarations are listed.":                            "",
		"Not deprecated.":                                                "",
	} {
		if got := Markdown(text, nil).Deprecated; got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestExamples(t *testing.T) {
	text := Markdown("Do it.\n\n- Example:\n  Do it once:\n\n      f()\n      g()\n\n  And twice:\n  ```swift\n  f()\n  ```\n  Enough.\n- Returns: It.", nil)
	want := []apidoc.Example{{Doc: "Do it once:", Code: "f()\ng()"}, {Doc: "And twice:", Code: "f()"}}
	if fmt.Sprint(text.Examples) != fmt.Sprint(want) {
		t.Errorf("got %+v, want %+v", text.Examples, want)
	}
	if want := "Do it.\n\n**Example:** Enough.\n\n**Returns:** It."; text.Body != want {
		t.Errorf("got\n%s\nwant\n%s", text.Body, want)
	}
}

func TestTopics(t *testing.T) {
	text := Markdown("One.\n\n## Topics\n\n- ``a``\n\n### Making\n\nSome text.\n\n- ``init(x:)-3abc``\n- <doc:Getting-Started>\n- [Title](doc:Other)\n- text\n\n### More\n\n* ``Point/x``\n", nil)
	want := []Topic{{"", []string{"a"}}, {"Making", []string{"init(x:)", "doc:Getting-Started", "doc:Other"}}, {"More", []string{"Point.x"}}}
	if fmt.Sprint(text.Topics) != fmt.Sprint(want) {
		t.Errorf("got %q, want %q", text.Topics, want)
	}
}

func TestTutorial(t *testing.T) {
	o := Options{Page: true, File: func(name string) (string, bool) { return "let x = 1\n", name == "one.swift" },
		Snippet: func(path, slice string) (string, bool) { return "// " + path + " " + slice, true }}
	text := "@Tutorial(time: 20) {\n  @Intro(title: \"Making \\\"it\\\"\") {\n    Words.\n    @Image(source: a.png,\n           alt: \"A picture\")\n  }\n  @Section(title: \"First\") {\n    @ContentAndMedia {\n      More.\n    }\n    @Steps {\n      @Step {\n        Do this.\n        @Code(name: \"One.swift\", file: one.swift)\n      }\n      @Step {\n        Do that.\n        @Code(name: \"Two.swift\", file: two.swift) { @Image(source: b, alt: \"b\") }\n      }\n    }\n  }\n}\n\n@Snippet(path: \"a/b\", slice: \"c\")"
	want := "# Making \"it\"\n\nWords.\n\nA picture\n\n## First\n\nMore.\n\nDo this.\n\n`One.swift`:\n\n```swift\nlet x = 1\n```\n\nDo that.\n\n```swift\n// a/b c\n```"
	if got := Convert(text, o).Body; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Reading a hostile comment takes time proportional to its length; a search that starts
// over would take minutes.
func TestHostileText(t *testing.T) {
	for _, unit := range []string{"![](", "<!---->", "@Row {\n", "- Parameters:\n", " - ", "> ", "``", "`a``", "[a](doc:", "@Code(\n", "<!--`", "- Parameters:\n  x\n", "## Topics\n- ``a``\n", "a\n", "}\n", "@Row { @Column {"} {
		text := Markdown(strings.Repeat(unit, maxText/len(unit)), nil)
		if len(text.Body) > 6*maxText {
			t.Errorf("%q: %d bytes", unit, len(text.Body))
		}
	}
}

func FuzzMarkdown(f *testing.F) {
	f.Add("Do it.\n\n- Parameters:\n  - x: One.\n- Returns: ``A/b(_:)``\n\n> Note: x\n\n@Metadata {\n}\n\n## Topics\n\n### T\n- ``a``")
	f.Add("@Tutorial(time: 1) {\n@Steps {\n@Step { x\n@Code(name: a, file: \"b\")\n}\n}\n}")
	f.Add("- Example:\n\n      code\n\n<doc:A/b(c:)-1> [a](doc:b)")
	f.Fuzz(func(t *testing.T, text string) {
		for _, page := range []bool{false, true} {
			got := Convert(text, Options{Page: page, Resolve: func(link string) (string, bool) { return link, len(link)%2 == 0 }})
			if strings.ContainsAny(got.Body, "\x00\u202e\u200b") {
				t.Errorf("%q: hidden characters in %q", text, got.Body)
			}
			if len(got.Examples) > maxExamples {
				t.Errorf("%d examples", len(got.Examples))
			}
		}
	})
}
