package source

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

var kindNames = map[TokenKind]string{Ident: "id", Integer: "int", Float: "float", String: "str", Regex: "re", Oper: "op", Punct: "", Pound: "pound"}

// tokens lists the tokens of a text with their kinds.
func tokens(text string) string {
	s := NewScanner(text)
	var all []string
	for t := s.Next(); t.Kind != EOF; t = s.Next() {
		all = append(all, strings.TrimPrefix(fmt.Sprintf("%s:%s", kindNames[t.Kind], s.TokenText(t)), ":"))
	}
	return strings.Join(all, " ")
}

func TestTokens(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"names", "a $0 _ `class` `a name` été $x", "id:a id:$0 id:_ id:`class` id:`a name` id:été id:$x"},
		{"a back-quote alone", "` a", "` id:a"},
		{"numbers", "1 1_000 0xFF 0b1 1.5 1e5 1e-5 0x1p3 0x1.8p-3 1.foo 1...2 0x1.a", "int:1 int:1_000 int:0xFF int:0b1 float:1.5 float:1e5 float:1e-5 float:0x1p3 float:0x1.8p-3 int:1 . id:foo int:1 op:... int:2 int:0x1 . id:a"},
		{"operators", "a+b ..< ... -> == &+= x! √ ∘ <+> .+. a./ b./*c*/d", "id:a op:+ id:b op:..< op:... op:-> op:== op:&+= id:x op:! op:√ op:∘ op:<+> op:.+. id:a op:./ id:b . id:d"},
		{"an operator ends at a comment", "a +// b\n+/* c */ d", "id:a op:+ op:+ id:d"},
		{"strings", `"a" "\"" "\(f("x\(1)"))" #"\(x)"# #"\#(")")"# ##"a"#b"## "" z`, `str:"a" str:"\"" str:"\(f("x\(1)"))" str:#"\(x)"# str:#"\#(")")"# str:##"a"#b"## str:"" id:z`},
		{"a raw string that holds a quote", `#"""# a`, `str:#"""# id:a`},
		{"several lines", "\"\"\"\n a \"b\" \\(\"\"\"\n x\n \"\"\") \"\"\" c", "str:\"\"\"\n a \"b\" \\(\"\"\"\n x\n \"\"\") \"\"\" id:c"},
		{"a string without an end", "\"abc\nd", "str:\"abc id:d"},
		{"an interpolation without an end", "\"a\\(b\nd", "str:\"a\\(b id:d"},
		{"regular expressions", `a = /[a-z/]+ {/ (/x"/) f(/\//) #/a/b"/# ##/ /# /##`, `id:a op:= re:/[a-z/ ] op:+ { op:/ ( re:/x"/ ) id:f ( re:/\// ) re:#/a/b"/# re:##/ /# /##`},
		{"division", "a / b / c; a/b/c; x /y\n(/)", "id:a op:/ id:b op:/ id:c ; id:a op:/ id:b op:/ id:c ; id:x op:/ id:y ( op:/ )"},
		{"a regular expression of several lines", "#/\n \" {\n/# a", "re:#/\n \" {\n/# id:a"},
		{"a regular expression without an end", "#/ab\nc", "re:#/ab id:c"},
		{"comments", "a // b\n/* c /* d */ e */ f /*/ g */ h", "id:a id:f id:h"},
		{"a comment without an end", "a /* b", "id:a"},
		{"directives", "#if os(Linux) #available #", "pound:#if id:os ( id:Linux ) pound:#available #"},
		{"a shebang behind a mark", "\uFEFF#!/usr/bin/swift \"\na", "id:a"},
		{"bytes that are no text", "a \xff\x00 b\xfe", "id:a \xff id:b \xfe"},
	} {
		if got := tokens(tc.text); got != tc.want {
			t.Errorf("%s:\n got %s\nwant %s", tc.name, got, tc.want)
		}
	}
}

func TestTokenPlaces(t *testing.T) {
	s := NewScanner("a(b) /* x\n */ c .d")
	var got []string
	for tok := s.Next(); tok.Kind != EOF; tok = s.Next() {
		got = append(got, fmt.Sprintf("%s %t %t", s.TokenText(tok), tok.Space, tok.Newline))
	}
	want := []string{"a false false", "( false false", "b false false", ") false false", "c true true", ". true false", "d false false"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestSegments(t *testing.T) {
	for _, tc := range []struct{ lit, want string }{
		{`"plain"`, "plain"},
		{`""`, ""},
		{`"a\nb\t\\\"\u{e9}\0"`, "a\nb\t\\\"é\x00"},
		{`"a\(b + "c")d"`, "a«b + \"c\"»d"},
		{`#"a\nb\#nc\#(d)"#`, "a\\nb\nc«d»"},
		{"\"\"\"\n  a\n    b \"c\"\n\n  \"\"\"", "a\n  b \"c\"\n"},
		{"\"\"\"\n  a \\\n  b\n  \"\"\"", "a b"},
		{"\"\"\"\r\n\ta\r\n\tb\r\n\t\"\"\"", "a\nb"},
		{"\"\"\"\n\"\"\"", ""},
		{`"open`, "open"},
	} {
		var b strings.Builder
		for _, seg := range Segments(tc.lit) {
			b.WriteString(seg.Text)
			if seg.Expr != "" {
				b.WriteString("«" + seg.Expr + "»")
			}
		}
		if b.String() != tc.want {
			t.Errorf("%s: got %q, want %q", tc.lit, b.String(), tc.want)
		}
	}
	if _, ok := Unquote(`"a\(b)"`); ok {
		t.Error("a literal with an interpolation has a value")
	}
}

func TestGroups(t *testing.T) {
	for _, text := range []string{
		`{ "}" #"}"# /* } */ /}/ // }
		}`,
		"{ \"\"\"\n } \\(\"}\") \"\"\" }",
		"{ ( } ",
		"{ `}` a{b}c }",
		"( { ) } )",
	} {
		text = strings.TrimSpace(text)
		if end := groupEnd(text+" rest", 0); end != len(text) {
			t.Errorf("%q ends at %d, not %d", text, end, len(text))
		}
	}
	if end := groupEnd("(a }", 0); end != 3 {
		t.Errorf("a brace does not end the parentheses: %d", end)
	}
}

func FuzzScanner(f *testing.F) {
	for _, s := range []string{"\"\\(\"\\(\"", "#/\n/#", "/a/ /* /*/ */", "`a b`", "0x1.8p-3", "#\"\"\"#", "\"\"\"\n a\\\n\"\"\""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := NewScanner(text)
		last := 0
		for tok := s.Next(); tok.Kind != EOF; tok = s.Next() {
			if tok.Start < last || tok.End <= tok.Start || tok.End > len(text) {
				t.Fatalf("%q: token %+v after %d", text, tok, last)
			}
			last = tok.End
			if tok.Kind == String {
				Segments(s.TokenText(tok))
			}
		}
	})
}
