package python

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestHostile_PartsOfOneIndexAreNotThoseOfAnother uses an index that claims the hash of
// another index's large wheel. Reading only parts of the wheel cannot disprove the
// claim.
func TestHostile_PartsOfOneIndexAreNotThoseOfAnother(t *testing.T) {
	const name = "giant-1.0-py3-none-any.whl"
	big := strings.Repeat("data", 100_000)
	genuine, hostile := newServer(t), newServer(t)
	genuine.add(name, storedZip(t, wheel(t, "giant", "1.0", files{"giant/__init__.py": "'''Genuine.'''\ndef f(): 'F.'\n", "giant/lib.so": big})))
	hostile.add(name, storedZip(t, wheel(t, "giant", "1.0", files{"giant/__init__.py": "'''Hostile.'''\ndef f(): 'F.'\n", "giant/lib.so": big})))
	hostile.fields[name] = map[string]string{"sha256": genuine.sum(name)}
	w := newWorld(t)
	w.options.MaxDownload = 100_000
	w.venv(filepath.Join(w.project, ".venv"), nil)
	base := w.env
	ask := func(s *server) (doc, key string) {
		w.env = append(slices.Clip(base), "PIP_INDEX_URL="+s.URL+"/simple")
		q := w.query("giant")
		found, err := w.python().Find(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		return w.must(q).Doc, found.Key
	}
	first, firstKey := ask(hostile)
	second, secondKey := ask(genuine)
	if !strings.Contains(first, "Hostile") || !strings.Contains(second, "Genuine") {
		t.Errorf("the indexes' documentation is %q and %q", first, second)
	}
	if firstKey == secondKey {
		t.Error("what was read of both is kept under one key")
	}
}
