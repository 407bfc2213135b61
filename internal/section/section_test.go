package section

import (
	"strings"
	"testing"
)

func TestSet(t *testing.T) {
	tests := []struct{ name, file, body, want string }{
		{"no file", "", "Use docent.\n", "<!-- docent:rule -->\nUse docent.\n<!-- /docent:rule -->\n"},
		{"appended", "# A\n", "X", "# A\n\n<!-- docent:rule -->\nX\n<!-- /docent:rule -->\n"},
		{"appended without a line end", "# A", "X", "# A\n\n<!-- docent:rule -->\nX\n<!-- /docent:rule -->"},
		{"Windows", "# A\r\n", "X\nY", "# A\r\n\r\n<!-- docent:rule -->\r\nX\r\nY\r\n<!-- /docent:rule -->\r\n"},
		{"replaced", "a\n<!-- docent:rule -->\nold\nold\n<!-- /docent:rule -->\nb\n", "X", "a\n<!-- docent:rule -->\nX\n<!-- /docent:rule -->\nb\n"},
		{"beside another section", "<!-- docent:index -->\ni\n<!-- /docent:index -->\n", "X", "<!-- docent:index -->\ni\n<!-- /docent:index -->\n\n<!-- docent:rule -->\nX\n<!-- /docent:rule -->\n"},
		{"a marker within a line is text", "a <!-- docent:rule --> b\n", "X", "a <!-- docent:rule --> b\n\n<!-- docent:rule -->\nX\n<!-- /docent:rule -->\n"},
	}
	for _, tt := range tests {
		got, err := Set([]byte(tt.file), "rule", tt.body)
		if err != nil || string(got) != tt.want {
			t.Errorf("%s: got %q, %v; want %q", tt.name, got, err, tt.want)
		}
		if again, err := Set(got, "rule", tt.body); err != nil || string(again) != string(got) {
			t.Errorf("%s: a second time: %q, %v", tt.name, again, err)
		}
		if body, ok, err := Get(got, "rule"); !ok || err != nil || strings.TrimSuffix(body, "\n") != strings.TrimSuffix(tt.body, "\n") {
			t.Errorf("%s: Get = %q, %v, %v", tt.name, body, ok, err)
		}
	}
}

func TestSet_RefusesWhatItCannotTellApart(t *testing.T) {
	const begin, end = "<!-- docent:rule -->\n", "<!-- /docent:rule -->\n"
	for _, file := range []string{begin, end, end + begin, begin + begin + end, begin + end + end} {
		if got, err := Set([]byte(file), "rule", "X"); err == nil {
			t.Errorf("Set(%q) = %q", file, got)
		}
		if got, _, err := Remove([]byte(file), "rule"); err == nil {
			t.Errorf("Remove(%q) = %q", file, got)
		}
	}
	if got, err := Set(nil, "rule", "a\n"+end); err == nil {
		t.Errorf("a body with a marker: %q", got)
	}
}

func FuzzSet(f *testing.F) {
	for _, file := range []string{"", "a", "a\n", "a\r\n", "a\r\n\r\n", "\n", "<!-- docent:x -->\nb\n<!-- /docent:x -->"} {
		f.Add(file, "body\n")
	}
	f.Fuzz(func(t *testing.T, file, body string) {
		_, before, err := Get([]byte(file), "x")
		with, errSet := Set([]byte(file), "x", body)
		if err != nil || errSet != nil {
			return
		}
		again, err := Set(with, "x", body)
		if err != nil || string(again) != string(with) {
			t.Fatalf("%q: Set twice: %q, then %q, %v", file, with, again, err)
		}
		if before {
			return
		}
		if rest, ok, err := Remove(with, "x"); !ok || err != nil || string(rest) != file {
			t.Fatalf("%q came back as %q, %v, %v", file, rest, ok, err)
		}
	})
}
