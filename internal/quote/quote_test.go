package quote

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
)

func TestLinesAreShortAndPlain(t *testing.T) {
	for text, want := range map[string]string{
		"":                              "",
		"a\n\tb\x1b[31m\u202ec\xff":     "a b [31m c",
		strings.Repeat("a", 20):         strings.Repeat("a", 20),
		strings.Repeat("a", 21):         strings.Repeat("a", 17) + "…",
		strings.Repeat("ü", 11):         strings.Repeat("ü", 8) + "…",
		"a" + strings.Repeat(" ", 1000): "a…",
	} {
		if got := Line(text, 20); got != want || len(got) > 20 {
			t.Errorf("%q becomes %q", text, got)
		}
	}
}

func TestErrorsAreCutAndUnwrap(t *testing.T) {
	long := &fs.PathError{Op: "open", Path: strings.Repeat("x", 1<<20), Err: fs.ErrNotExist}
	got := Error(long)
	if len(got.Error()) > Max || !strings.HasPrefix(got.Error(), "open xxx") || !errors.Is(got, fs.ErrNotExist) {
		t.Errorf("%d bytes: %.100s", len(got.Error()), got)
	}
	if Error(nil) != nil {
		t.Error("nil is an error")
	}
}

func TestListsAreShort(t *testing.T) {
	names := []string{"a", "b", "c"}
	for maximum, want := range map[int]string{3: "a, b, c", 2: "a, b and 1 more"} {
		if got := List(names, maximum); got != want {
			t.Errorf("%d of %q: %q", maximum, names, got)
		}
	}
	if got := List(nil, 3); got != "none" {
		t.Errorf("no names: %q", got)
	}
}

func TestCount(t *testing.T) {
	for n, want := range map[int]string{0: "0 files", 1: "1 file", 2: "2 files"} {
		if got := Count(n, "file"); got != want {
			t.Errorf("Count(%d) = %q, want %q", n, got, want)
		}
	}
	if got := Count(2, "dependency"); got != "2 dependencies" {
		t.Error(got)
	}
}
