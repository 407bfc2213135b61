package extent_test

import (
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/extent"
	"github.com/docent-mcp/docent/internal/highlight"
)

var (
	slashes = highlight.Lexis{LineComment: "//", BlockComments: true}
	hash    = highlight.Lexis{LineComment: "#", TripleQuotes: true}
	ticks   = highlight.Lexis{LineComment: "//", BlockComments: true, Lifetimes: true}

	lines     = extent.Rules{Newline: true}
	members   = extent.Rules{Newline: true, Comma: true}
	semicolon = extent.Rules{Comma: true}
	indented  = extent.Rules{Indented: true}
)

func TestLast(t *testing.T) {
	for _, tt := range []struct {
		name  string
		lexis *highlight.Lexis
		rules extent.Rules
		code  string // the declaration begins on the line that has <<, and ends on that with >>
	}{
		{"a function ends with its body", &slashes, lines, "<<func F() {\n\tif x {\n\t}\n}>>\n\nfunc G() {}\n"},
		{"a bracket in a string or comment counts for nothing", &slashes, lines, "<<func F() {\n\ts := \"}\" // }\n\t/* } */ g()\n}>>\n}\n"},
		{"a string of several lines is skipped", &slashes, lines, "<<func F() {\n\ts := `\n}\n`\n}>>\nx\n"},
		{"a result that is a type with brackets is not the body", &slashes, lines, "<<func F() interface{} {\n\treturn nil\n}>>\n\nvar x int\n"},
		{"a line ends a variable", &slashes, lines, "<<var x = 1>>\nvar y = 2\n"},
		{"an operator at the end continues a line", &slashes, lines, "<<const x = 1 |\n\t2>>\nconst y = 2\n"},
		{"a field ends with its line", &slashes, lines, "type T struct {\n<<\tA int>>\n\tB int\n}\n"},
		{"the last field ends before the bracket of its type", &slashes, lines, "type T struct {\n<<\tA func() (\n\t\tint)>>\n}\n"},
		{"an interface ends with its bracket", &slashes, members, "<<export interface A {\n  b: string,\n}>>\nexport {}\n"},
		{"a union goes on behind a bracket", &slashes, members, "<<type A = {\n  b: 1\n} | {\n  c: 2\n};>>\ntype B = 1\n"},
		{"a union whose lines begin with bars is whole", &slashes, members, "<<type A =\n  | 'a'\n  | 'b'>>\ntype B = 1\n"},
		{"a parameter with brackets does not end a function", &slashes, members, "<<export declare function f({ a }: {\n  a: string;\n}): void;>>\nexport {};\n"},
		{"a bracket on a line of its own begins the body", &slashes, lines, "<<func f()\n    -> Int\n    where T: Equatable\n{\n    1\n}>>\nfunc g() {}\n"},
		{"an attribute is not the declaration", &slashes, lines, "<<@available(iOS 13, *)\npublic func f() {\n}>>\nfunc g() {}\n"},
		{"a bound is part of a function", &ticks, semicolon, "<<pub fn f<'a, T>(x: &'a str) -> T\nwhere\n    T: Into<'a>,\n{\n    '}'\n}>>\n\npub fn g() {}\n"},
		{"a variant ends with its comma", &ticks, semicolon, "enum E {\n<<    A,>>\n    B,\n}\n"},
		{"a structure of one line ends with its semicolon", &ticks, semicolon, "<<pub struct S(u8);>>\npub struct T;\n"},
		{"a block ends where the indentation does", &hash, indented, "<<def f(\n    a,\n):\n    if a:\n\n        return 1\n# a comment\n    return 2>>\n\n\ndef g(): pass\n"},
		{"a string that is not indented is part of a block", &hash, indented, "<<def f():\n    \"\"\"\nDoc.\n\"\"\"\n    return {\n1: 2,\n}>>\nx = 1\n"},
		{"decorators come before the definition", &hash, indented, "class A:\n<<    @wraps(\n        1)\n    @property\n    def f(self):\n        return 1>>\n    x = 1\n"},
		{"an assignment ends with its brackets", &hash, indented, "<<x = [\n1,\n]>>\ny = 2\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			before, _, _ := strings.Cut(tt.code, "<<")
			whole, _, _ := strings.Cut(tt.code, ">>")
			code := strings.NewReplacer("<<", "", ">>", "").Replace(tt.code)
			first, want := strings.Count(before, "\n")+1, strings.Count(whole, "\n")+1
			if got := extent.Last(code, first, tt.lexis, tt.rules); got != want {
				t.Errorf("the declaration on line %d ends on %d, want %d:\n%s", first, got, want, code)
			}
		})
	}
}

func FuzzLast(f *testing.F) {
	f.Add("func F() {\n\treturn\n}\n", 1)
	f.Add("@a(\n\"\"\"\n", 2)
	f.Add("", 0)
	f.Fuzz(func(t *testing.T, code string, line int) {
		count := strings.Count(code, "\n") + 1
		for _, lexis := range []*highlight.Lexis{&slashes, &hash, &ticks} {
			for _, rules := range []extent.Rules{lines, members, semicolon, indented} {
				if got := extent.Last(code, line, lexis, rules); got < min(max(line, 1), count) || got > count {
					t.Errorf("line %d of %d ends on %d", line, count, got)
				}
			}
		}
	})
}
