package ecosystem

import (
	"slices"
	"testing"
)

func TestLines_Position(t *testing.T) {
	lines := NewLines("ab\n\nc")
	for offset, want := range []Position{{1, 1}, {1, 2}, {1, 3}, {2, 1}, {3, 1}, {3, 2}} {
		if got := lines.Position(offset); got != want {
			t.Errorf("offset %d is at %v, want %v", offset, got, want)
		}
		if got := lines.Offset(want); got != offset {
			t.Errorf("%v has the offset %d, want %d", want, got, offset)
		}
	}
}

func TestSourceFile_Dirs(t *testing.T) {
	for _, test := range []struct {
		file SourceFile
		want []string
	}{
		{SourceFile{Name: "a/b/c.go", Dir: "/p"}, []string{"/p/a/b", "/p/a", "/p"}},
		{SourceFile{Name: "c.go", Dir: "/p"}, []string{"/p"}},
		{SourceFile{Name: "/c.go", Dir: "/p"}, []string{"/p"}},
		{SourceFile{Name: "a/c.go"}, nil},
	} {
		if got := slices.Collect(test.file.Dirs()); !slices.Equal(got, test.want) {
			t.Errorf("the directories of %s are %q, want %q", test.file.Name, got, test.want)
		}
	}
}
