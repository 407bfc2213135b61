package terminal

import (
	"strings"
	"testing"

	"github.com/clipperhouse/displaywidth"
)

func TestLine(t *testing.T) {
	for _, tt := range []struct {
		columns  int
		selected bool
		pieces   []Piece
		want     string
	}{
		{5, false, []Piece{{Text: "ab"}}, "ab   "},
		{5, false, []Piece{{Text: "ab", Look: Strong}, {Text: "cd", Look: Faint}}, "\x1b[1mab\x1b[0m\x1b[2mcd\x1b[0m "},
		{3, false, []Piece{{Text: "ab"}, {Text: "cd"}}, "ab\x1b[2m…\x1b[0m"},
		{4, true, []Piece{{Text: "a"}}, "\x1b[7ma\x1b[0m\x1b[7m   \x1b[0m"},
		{4, false, []Piece{{Text: "漢字漢"}}, "漢\x1b[2m…\x1b[0m "},
		{9, false, []Piece{{Text: "a\x1b[2J\nb\u202e"}}, "a[2J b   "},
		{1, false, []Piece{{Text: "漢字"}}, "\x1b[2m\x1b[0m "},
		{0, false, []Piece{{Text: "a"}}, ""},
	} {
		if got := Line(tt.columns, tt.selected, tt.pieces...); got != tt.want {
			t.Errorf("%d columns of %+v are %q, want %q", tt.columns, tt.pieces, got, tt.want)
		}
	}
}

func TestFit(t *testing.T) {
	styled := "\x1b[1mab\x1b[0m \x1b]8;;https://e.test/\x1b\\\x1b[4mcd\x1b[0m\x1b]8;;\x1b\\"
	for _, tt := range []struct {
		columns    int
		line, want string
	}{
		{7, styled, "ab cd  "}, {5, styled, "ab cd"}, {4, styled, "ab c"}, {1, styled, "a"}, {3, "漢字", "漢 "}, {2, "\x1b[1m漢\x1b[0m字", "漢"},
	} {
		got := Fit(tt.line, tt.columns)
		if Bare(got) != tt.want {
			t.Errorf("%q on %d columns is %q, want %q", tt.line, tt.columns, got, tt.want)
		}
		if strings.Count(got, "\x1b]8") != strings.Count(tt.line, "\x1b]8") || strings.Count(got, "\x1b[0m") != strings.Count(tt.line, "\x1b[0m") {
			t.Errorf("%q does not end what it begins", got)
		}
	}
}

func TestWithoutColor(t *testing.T) {
	for line, want := range map[string]string{
		"\x1b[1;34mA\x1b[0m":  "\x1b[1mA\x1b[0m",
		"\x1b[35mfunc\x1b[0m": "func\x1b[0m",
		"\x1b[7mx\x1b[0m":     "\x1b[7mx\x1b[0m",
	} {
		if got := WithoutColor(line); got != want {
			t.Errorf("%q is %q, want %q", line, got, want)
		}
	}
}

func FuzzLine(f *testing.F) {
	for _, text := range hostile {
		f.Add(text, 7)
	}
	f.Fuzz(func(t *testing.T, text string, columns int) {
		columns = max(0, min(columns, 200))
		for _, selected := range []bool{false, true} {
			line := Line(columns, selected, Piece{Text: text, Look: Match}, Piece{Text: text})
			check(t, text, line, columns)
			if n := displaywidth.String(bare(line)); n != columns {
				t.Errorf("%q on %d columns has %d: %q", text, columns, n, line)
			}
		}
		rendered, _, _ := strings.Cut(Render(text, Options{Width: 80}), "\n")
		if n := displaywidth.String(bare(Fit(rendered, columns))); n != columns {
			t.Errorf("%q fitted on %d columns has %d", rendered, columns, n)
		}
	})
}

func TestText(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"what fits", "name  1.0.0   by it\n", "name  1.0.0   by it\n"},
		{"a long line", "one two three four five six\n", "one two three four\n    five six\n"},
		{"an indented line", "  one two three four five six\n", "  one two three four\n      five six\n"},
		{"a long word", "abcdefghijklmnopqrstuvwxyz\n", "abcdefghijklmnopqrst\n    uvwxyz\n"},
		{"a long word after its indentation", "                  abcdefghij\n", "                  ab\n          cdefghij\n"},
		{"columns that are wide", "漢字漢字漢字漢字 漢字漢字\n", "漢字漢字漢字漢字\n    漢字漢字\n"},
		{"a line without an end", "one", "one\n"},
		{"empty lines", "\none\n\n", "\none\n\n"},
		{"nothing", "", ""},
	} {
		if got := Text(tt.text, 20); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	for columns := range 50 { // This checks that wrapping ends and does not lose text.
		const text = "a bb  ccc 漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字 dddddddddddddddddddddddddddddddddddddd e"
		if got := Text(text, columns); strings.Join(strings.Fields(got), "") != strings.Join(strings.Fields(text), "") {
			t.Errorf("%d columns: %q", columns, got)
		}
	}
}
