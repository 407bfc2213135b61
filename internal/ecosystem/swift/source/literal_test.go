package source

import (
	"fmt"
	"strings"
	"testing"
)

func TestLiteral_Segments(t *testing.T) {
	for _, tt := range []struct{ name, lit, want string }{
		{"plain", `"a b"`, `[a b]`},
		{"empty", `""`, `[]`},
		{"escapes", `"a\tb\\c\"d\'e\0f\rg"`, "[a\tb\\c\"d'e\x00f\rg]"},
		{"characters by number", `"\u{41}\u{e9}\u{1F600}"`, "[Aé😀]"},
		{"numbers that are none", `"\u{}\u41\u{110000}\u{zz}"`, "[u{}u41u{110000}u{zz}]"},
		{"an unknown escape", `"\q"`, "[q]"},
		{"interpolations", `"a\(b)c\(d.e(f: "g"))"`, `[a](b)[c](d.e(f: "g"))`},
		{"only an interpolation", `"\(a)"`, `(a)`},
		{"brackets and strings in an interpolation", `"\(a[b(")")])"`, `(a[b(")")])`},
		{"raw strings", `#"a\(b)\n"#`, `[a\(b)\n]`},
		{"raw strings with escapes", `##"a\##(b)\##n\#(c)"##`, "[a](b)[\n\\#(c)]"},
		{"a quote in a raw string", `#"a"b"#`, `[a"b]`},
		{"only a quote in a raw string", `#"""#`, `["]`},
		{"several lines", "\"\"\"\n  a\n    b\n\n  c\n  \"\"\"", "[a\n  b\n\nc]"},
		{"several lines with carriage returns", "\"\"\"\r\n  a\r\n  b\r\n  \"\"\"", "[a\nb]"},
		{"a line that is joined with the next one", "\"\"\"\n  a \\\n  b\n  \"\"\"", "[a b]"},
		{"an interpolation over several lines", "\"\"\"\n  a\\(\n    b)\n  c\n  \"\"\"", "[a](\n    b)[\nc]"},
		{"no lines", "\"\"\"\n\"\"\"", "[]"},
		{"quotes in several lines", "\"\"\"\n  a \"\" b\n  \"\"\"", "[a \"\" b]"},
		{"a raw string over several lines", "#\"\"\"\n  a\\(b)\n  \"\"\"#", "[a\\(b)]"},
		{"a string that is cut off", `"a`, "[a]"},
		{"an escape that is cut off", `"a\`, "[a]"},
		{"an interpolation that is cut off", `"a\(b`, "[a](b)"},
		{"several lines that are cut off", "\"\"\"\n  a", "[  a]"},
	} {
		var got strings.Builder
		for _, s := range Segments(tt.lit) {
			if s.Expr != "" {
				fmt.Fprintf(&got, "(%s)", s.Expr)
			} else {
				fmt.Fprintf(&got, "[%s]", s.Text)
			}
		}
		if got.String() != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got.String(), tt.want)
		}
		plain := strings.HasPrefix(tt.want, "[") && !strings.Contains(tt.want, "](")
		if value, ok := Unquote(tt.lit); ok != plain || ok && "["+value+"]" != tt.want {
			t.Errorf("%s: the value is %q, %v", tt.name, value, ok)
		}
	}
}

func TestLiteral_End(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"strings in interpolations", `"a\("b\("c")")" d`, `"a\("b\("c")")"`},
		{"raw strings in interpolations", `"\(#"\"#)" d`, `"\(#"\"#)"`},
		{"comments in interpolations", `"\(a /* ")" */)" d`, `"\(a /* ")" */)"`},
		{"an interpolation on several lines ends with the line", "\"\\(a\nb)\"", "\"\\(a"},
		{"an interpolation on several lines in a string of several lines", "\"\"\"\n\\(a\nb)\n\"\"\" c", "\"\"\"\n\\(a\nb)\n\"\"\""},
		{"a string without an end in an interpolation", "\"\"\"\n\\(\"a\n)\n\"\"\" c", "\"\"\"\n\\(\"a\n)\n\"\"\""},
		{"two quotes", `"" a`, `""`},
		{"hashes that are none of a string", `"\(# a)" b`, `"\(# a)"`},
		{"too deep", strings.Repeat(`"\(`, 100) + "\nx", strings.Repeat(`"\(`, 100)},
	} {
		if got := tt.text[:stringEnd(tt.text, 0)]; got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestAvailability_Forms(t *testing.T) {
	for args, want := range map[string]Availability{
		`macOS.SDK 12`: {Domain: "macOS.SDK", Introduced: "12"},
		`iOS, introduced=13, message="x", other: 1, noasync`:        {Domain: "iOS", Introduced: "13", Message: "x", NoAsync: true},
		`*, unavailable, renamed: "a", message: "b" "c"`:            {Domain: "*", Unavailable: true, Renamed: "a", Message: "b"},
		`macOS, introduced: 10.14.4 junk, deprecated: 11`:           {Domain: "macOS", Introduced: "10.14.4", Deprecated: "11", IsDeprecated: true},
		`tvOS, introduced: , obsoleted: 4`:                          {Domain: "tvOS", Obsoleted: "4"},
		`FooBar`:                                                    {Domain: "FooBar"},
		`visionOS, introduced: 1, deprecated, message: "a, b: (c)"`: {Domain: "visionOS", Introduced: "1", IsDeprecated: true, Message: "a, b: (c)"},
	} {
		got := ParseAvailability(args)
		if len(got) != 1 || fmt.Sprint(got[0]) != fmt.Sprint(want) {
			t.Errorf("%s: got %+v, want %+v", args, got, want)
		}
	}
}
