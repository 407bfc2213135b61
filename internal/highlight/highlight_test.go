package highlight

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

var lexes = []*Lexis{
	{Keywords: Words("func return if"), LineComment: "//", BlockComments: true},
	{Keywords: Words("def return None"), LineComment: "#", TripleQuotes: true},
	{Keywords: Words("fn pub"), LineComment: "//", BlockComments: true, Lifetimes: true},
}

// marked returns code with the pieces that are not plain in marks.
func marked(code string, lexis *Lexis) string {
	marks := [...]string{"", "c", "s", "n", "k"}
	var b strings.Builder
	for class, text := range Each(code, lexis) {
		if class == Plain {
			b.WriteString(text)
		} else {
			fmt.Fprintf(&b, "%s<%s>", marks[class], text)
		}
	}
	return b.String()
}

func TestEach(t *testing.T) {
	for _, test := range []struct {
		lexis      int
		code, want string
	}{
		{0, "func f() { return 1.5 } // if", "k<func> f() { k<return> n<1.5> } c<// if>"},
		{0, "/* a\nb */x.return funcs", "c</* a\nb */>x.return funcs"},
		{0, "a := \"x\\\"y\" + `b\nc` + 'q'", "a := s<\"x\\\"y\"> + s<`b\nc`> + s<'q'>"},
		{0, "don't\nif", "don't\nk<if>"},
		{0, "/* open", "c</* open>"},
		{1, "def f(a=None): # why\n", "k<def> f(a=k<None>): c<# why>\n"},
		{1, "'''a\n'b'''x \"\"\"", "s<'''a\n'b'''>x s<\"\"\">"},
		{2, "pub fn f<'a>(c: &'a str) -> 'x'", "k<pub> k<fn> f<'a>(c: &'a str) -> s<'x'>"},
		{2, "größe_2 0x1F", "größe_2 n<0x1F>"},
		{2, "0ě1 0€ 1.5.x", "n<0ě1> n<0>€ n<1.5>.x"},
	} {
		if got := marked(test.code, lexes[test.lexis]); got != test.want {
			t.Errorf("%q is %q, want %q", test.code, got, test.want)
		}
	}
}

func FuzzEach(f *testing.F) {
	for _, code := range []string{"func f() { return \"a\" } // b", "'''a", "/* \xff", "'a 'b' `", "1.2.3."} {
		f.Add(code)
	}
	f.Fuzz(func(t *testing.T, code string) {
		for _, lexis := range lexes {
			var b strings.Builder
			for _, text := range Each(code, lexis) {
				if utf8.ValidString(code) && !utf8.ValidString(text) {
					t.Fatalf("a piece of %q ends within a character: %q", code, text)
				}
				if text == "" {
					t.Fatalf("an empty piece in %q", code)
				}
				b.WriteString(text)
			}
			if b.String() != code {
				t.Fatalf("%q became %q", code, b.String())
			}
		}
	})
}
