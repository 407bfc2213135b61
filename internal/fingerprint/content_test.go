package fingerprint

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/docent-mcp/docent/internal/filetest"
)

func TestContentOf(t *testing.T) {
	dir := filetest.Dir(t, map[string]string{"a/x": "one", "a/y": "", "b/x": "one", "b/y": "", "c/x": "two", "d": "", "big": ""})
	if err := os.Truncate(filepath.Join(dir, "big"), maxContent+1); err != nil {
		t.Fatal(err)
	}
	stamp := func(name string) Stamp {
		t.Helper()
		m, ok := ContentOf(filepath.Join(dir, name))
		if !ok {
			t.Errorf("%s cannot be read", name)
		}
		m.Path = ""
		return m
	}
	for _, tt := range []struct {
		a, b string
		same bool
	}{
		{"a/x", "b/x", true}, // The files differ in times and inodes only.
		{"a/x", "c/x", false},
		{"a", "b", true},
		{"a", "c", false},
		{"a/y", "c", false},
		{"none", "a/none", true},
		{"none", "d", false},
	} {
		if (stamp(tt.a) == stamp(tt.b)) != tt.same {
			t.Errorf("%s and %s: %+v, %+v", tt.a, tt.b, stamp(tt.a), stamp(tt.b))
		}
	}
	if m, ok := ContentOf(filepath.Join(dir, "big")); ok {
		t.Errorf("a file of %d bytes has the stamp %+v", maxContent+1, m)
	}
}
