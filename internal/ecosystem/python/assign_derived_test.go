package python

import (
	"path/filepath"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
)

// TestMayAssign_WrongAnnotations has a value that is declared as a string, and classes of the project and of a package with the attribute.
func TestMayAssign_WrongAnnotations(t *testing.T) {
	for app, want := range map[string]bool{
		"class Pot:\n    def size(self): ...\n": true,
		"def size(): ...\n":                     false,
		"import pots\n":                         true,
		"":                                      false,
	} {
		w := newWorld(t)
		w.venv(filepath.Join(w.project, ".venv"), installed("pots", "1.0", files{"pots.py": "class Pot:\n    def size(self): ...\n"}))
		w.write(w.project, files{"app.py": app})
		m := ecosystem.Member{Package: builtinsModule, Name: "size", Own: true, Value: ecosystem.Derived, Type: "str"}
		if got := w.python().MayAssign(t.Context(), w.project, []ecosystem.Member{m}); got[0] != want {
			t.Errorf("%q: MayAssign = %v, want %v", app, got[0], want)
		}
	}
}

// TestMayAssign_NamesOfDerivedClasses has a class in a package that is derived from a builtin one and computes attributes.
func TestMayAssign_NamesOfDerivedClasses(t *testing.T) {
	for app, want := range map[string]bool{
		"from pots import Text\n":                    true,
		"from pots import (\n    a,\n    Text,\n)\n": true,
		"import pots\nx: pots.Text\n":                true,
		"from pots import *\nx: Text\n":              true,
		"import pots\nclass A:\n    Text = 1\n":      false,
		"import pots\n":                              false,
	} {
		w := newWorld(t)
		w.venv(filepath.Join(w.project, ".venv"), installed("pots", "1.0", files{"pots.py": "class Text(str):\n    def __getattr__(self, name): ...\n"}))
		w.write(w.project, files{"app.py": app})
		m := ecosystem.Member{Package: builtinsModule, Name: "size", Own: true, Value: ecosystem.Derived, Type: "str"}
		if got := w.python().MayAssign(t.Context(), w.project, []ecosystem.Member{m}); got[0] != want {
			t.Errorf("%q: MayAssign = %v, want %v", app, got[0], want)
		}
	}
}
