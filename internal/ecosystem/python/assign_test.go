package python

import (
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
)

func TestMayAssign_SearchesRelatedPackagesOnce(t *testing.T) {
	w := newWorld(t)
	site := files{"loose.py": "def f(x): x.by_loose = 1\n"}
	for _, d := range []files{
		installed("kiln", "1.0", files{"kiln/__init__.py": "class Kiln:\n    pass\n", "kiln/inner.py": "def f(x): x.by_kiln = 1\n"}),
		installed("glaze", "1.0", files{"glaze.py": "def f(x):\n    setattr(x,\n        'by_dependent', 1)\n"}),
		installed("clay", "1.0", files{"clay.py": "class Base:\n    def f(self): self.by_dependency = 1\n"}),
		installed("boat", "1.0", files{"boat.py": "def f(x): x.by_other = 1\n"}),
	} {
		maps.Copy(site, d)
	}
	site["glaze-1.0.dist-info/METADATA"] = "Metadata-Version: 2.1\nName: glaze\nVersion: 1.0\nRequires-Dist: kiln\n"
	site["kiln-1.0.dist-info/METADATA"] = "Metadata-Version: 2.1\nName: kiln\nVersion: 1.0\nRequires-Dist: clay\n"
	w.venv(filepath.Join(w.project, ".venv"), site)
	w.write(w.project, files{"app.py": "def f(x): x.by_project = 1\n"})
	var members []ecosystem.Member
	for _, name := range []string{"by_project", "by_kiln", "by_dependent", "by_dependency", "by_loose", "by_other", "by_nobody"} {
		members = append(members, ecosystem.Member{Package: "kiln", Name: name, Value: ecosystem.Result})
	}
	py := w.python()
	want := []bool{true, true, true, true, true, false, false}
	if got := py.MayAssign(t.Context(), w.project, members); !slices.Equal(got, want) {
		t.Errorf("MayAssign = %v, want %v", got, want)
	}
	// The project, two files of the package, its dependent and its dependency, loose.py, and two files of the
	// standard library.
	if a := py.assignments(t.Context(), w.project, members); a.files != 8 {
		t.Errorf("%d files were searched, want 8", a.files)
	}
}

func TestMayAssign_DeclarationsAndUses(t *testing.T) {
	w := newWorld(t)
	w.venv(filepath.Join(w.project, ".venv"), installed("kiln", "1.0", files{"kiln/__init__.py": "class Kiln:\n    pass\n"}))
	w.write(w.project, files{"app.py": "class Own(Kiln):\n    field: int\n    value = 1\n    def method(self): ...\ndef f(x): return x.compared == 1 or x.read\n"})
	names := []string{"field", "value", "method", "compared", "read"}
	var members []ecosystem.Member
	for _, name := range names {
		members = append(members, ecosystem.Member{Package: "kiln", Name: name, Value: ecosystem.Instance})
	}
	want := []bool{true, true, true, false, false}
	if got := w.python().MayAssign(t.Context(), w.project, members); !slices.Equal(got, want) {
		t.Errorf("MayAssign(%q) = %v, want %v", names, got, want)
	}
}

func TestMayAssign_Targets(t *testing.T) {
	for code, want := range map[string]bool{
		"for x.size in y: pass":               true,
		"for a, (*b, x[-1].size) in y: pass":  true,
		"[0 for x.size in y]":                 true,
		"with y as x.size: pass":              true,
		"with y() as a, z(a) as x.size: pass": true,
		"with y as (a, x['b'].size): pass":    true,
		"for a in x.size: pass":               false,
		"for a, b in x.size(y): pass":         false,
		"with y as a: a.size()":               false,
		"# as well as by `x.size`":            false,
	} {
		w := newWorld(t)
		w.venv(filepath.Join(w.project, ".venv"), installed("kiln", "1.0", files{"kiln/__init__.py": "class Kiln:\n    pass\n"}))
		w.write(w.project, files{"app.py": code + "\n"})
		members := []ecosystem.Member{{Package: "kiln", Name: "size", Value: ecosystem.Result}}
		if got := w.python().MayAssign(t.Context(), w.project, members); got[0] != want {
			t.Errorf("%s: MayAssign = %v, want %v", code, got[0], want)
		}
	}
}

func TestMayAssign_MixinsHaveTheMembersOfOtherBases(t *testing.T) {
	w := newWorld(t)
	w.venv(filepath.Join(w.project, ".venv"), installed("kiln", "1.0", files{"kiln/__init__.py": "class Kiln:\n    def fire(self): ...\n"}))
	w.write(w.project, files{"app.py": "class Mixed: ...\nclass Second: ...\nclass Single: ...\nclass A(Mixed, kiln.Kiln): ...\nclass B(Kiln, Second): ...\nclass C(Single, metaclass=Meta): ...\n"})
	for name, want := range map[string]bool{"Mixed": true, "Second": true, "Single": false, "": false} {
		m := ecosystem.Member{Package: "app", Name: "fire", Own: true, Value: ecosystem.Instance, Type: name}
		if got := w.python().MayAssign(t.Context(), w.project, []ecosystem.Member{m}); got[0] != want {
			t.Errorf("MayAssign = %v for a member of %q, want %v", got[0], name, want)
		}
	}
}
