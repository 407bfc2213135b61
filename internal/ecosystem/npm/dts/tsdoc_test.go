package dts

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
)

func TestDocCommentsBecomeMarkdown(t *testing.T) {
	tests := []struct{ name, raw, want string }{
		{"one line", "/** Adds. */", "Adds."},
		{"stars and indentation", "/**\n   * First.\n   *\n   *   indented\n   *second\n   */", "First.\n\n  indented\nsecond"},
		{"no stars", "/**\n    First.\n      indented\n    second\n*/", "First.\n  indented\nsecond"},
		{"windows line ends", "/**\r\n * a\r\n * b\r\n */", "a\nb"},
		{"parameters", "/** Adds.\n * @param a - first\n * @param {string} [b=1] second\n *   and more\n * @param c\n * @param options.deep x */", "Adds.\n\n**Parameters:**\n\n- `a`: first\n- `b`: second\n    and more\n- `c`\n- `options.deep`: x"},
		{"type parameters", "/** @typeParam T - a type\n * @template {string} U another */", "**Type parameters:**\n\n- `T`: a type\n- `U`: another"},
		{"returns", "/** @returns {number} the sum */", "**Returns:** the sum"},
		{"throws", "/** @throws {RangeError} too far\n * @throws never */", "**Throws:** `RangeError` too far\n\n**Throws:** never"},
		{"default", "/** @default 5\n * @defaultValue `x` */", "**Default:** `5`\n\n**Default:** `x`"},
		{"since and see", "/** @since 1.2\n * @see {@link Other} */", "**Since:** 1.2\n\n**See:** `Other`"},
		{"remarks", "/** Short.\n * @remarks\n * Long. */", "Short.\n\nLong."},
		{"links", "/** {@link A} {@link A | text} {@link https://x.y/z} {@link https://x.y/z page} {@linkcode B.c} */", "`A` text (`A`) <https://x.y/z> [page](https://x.y/z) `B.c`"},
		{"an unknown tag", "/** a\n * @weird some text\n * @flag */", "a\n\n*@weird* some text\n\n*@flag*"},
		{"tags without meaning for readers", "/** a\n * @internal\n * @public */", "a"},
		{"an at sign inside a line", "/** mail a@b.c and @x/y */", "mail a@b.c and @x/y"},
		{"a default behind text", "/** Whether to ask. @default true\n * @see Other */", "Whether to ask.\n\n**Default:** `true`\n\n**See:** Other"},
		{"a tag in code inside a line", "/** Put `a @default true` there, or @defaults */", "Put `a @default true` there, or @defaults"},
		{"the name of a package at the start of a line", "/** See\n * @scope/name for it */", "See\n@scope/name for it"},
		{"tags in a code fence", "/** a\n * ```ts\n * @Component()\n * class A {}\n * ```\n * b */", "a\n```ts\n@Component()\nclass A {}\n```\nb"},
		{"an unclosed link", "/** a {@link b */", "a {@link b"},
		{"nothing", "/***/", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := ReadDoc(tt.raw).Markdown; got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

func TestExamplesAreTakenApart(t *testing.T) {
	tests := []struct{ name, raw, want string }{
		{"a fence", "/** @example\n * ```ts\n * a()\n *   b\n * ``` */", `["" "" "a()\n  b"]`},
		{"bare code", "/** @example\n * const a = 1\n *\n * @Decorated class B {} */", `["" "" "const a = 1\n\n@Decorated class B {}"]`},
		{"a title", "/** @example Adding\n * ```\n * add()\n * ``` */", `["Adding" "" "add()"]`},
		{"a caption", "/** @example <caption>Adding</caption>\n * add() */", `["Adding" "" "add()"]`},
		{"two fences with prose", "/** @example\n * One.\n * ```\n * a\n * ```\n * Two.\n * ```\n * b\n * ```\n * End. */", `["One." "" "a"] ["" "Two." "b"] "End."`},
		{"two tags", "/** @example a\n * @example b\n * @returns c */", `["" "" "a"] ["" "" "b"]`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, e := range ReadDoc(tt.raw).Examples {
				got = append(got, fmt.Sprintf("[%q %q %q]", e.Name, e.Text, e.Code))
				if e.After != "" {
					got = append(got, strconv.Quote(e.After))
				}
			}
			if s := strings.Join(got, " "); s != tt.want {
				t.Errorf("got  %s\nwant %s", s, tt.want)
			}
		})
	}
}

func TestDeprecationHasANotice(t *testing.T) {
	for raw, want := range map[string]string{
		"/** @deprecated use {@link b} */": "use `b`",
		"/** @deprecated */":               "deprecated",
		"/** Old. @deprecated use b */":    "use b",
		"/** a */":                         "",
	} {
		if got := ReadDoc(raw).Deprecated; got != want {
			t.Errorf("%s: %q, want %q", raw, got, want)
		}
	}
}

func TestTypesOfDocCommentsAreThoseOfTypeScript(t *testing.T) {
	tests := map[string]string{
		"string": "string", "String": "string", "?Date": "Date | null", "Date?": "Date | null", "!Date": "Date", "*": "any", "?": "any",
		"Array.<string>": "Array<string>", "Object.<string, number>": "Record<string, number>", "Array": "any[]", "Object": "any",
		"function(string, number=): boolean": "(arg0: string, arg1?: number) => boolean", "function(new:Date)": "new () => Date",
		"(string|number)[]": "(string | number)[]", "import('./x').Y": "import('./x').Y", "{a: string, b?: number}": "{ a: string; b?: number; }",
		"function(...string)": "(...arg0: string[]) => any", "typeof x": "typeof x", "string | ": "", "%": "", "Promise": "Promise<any>",
	}
	for text, want := range tests {
		if got := parseType(text, true).String(); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
