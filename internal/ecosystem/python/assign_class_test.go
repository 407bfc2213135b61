package python

import (
	"fmt"
	"maps"
	"path/filepath"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
)

// TestMayAssign_IndirectDependents has packages that depend on that of a class directly, through another package, or with an extra.
func TestMayAssign_IndirectDependents(t *testing.T) {
	for requires, wants := range map[string][2]bool{"kiln": {true, true}, "glaze": {false, true}, "kiln; extra == 'fire'": {false, true}} {
		for i, code := range []string{"def f(x): x.size = 1\n", "from kiln import Kiln\ndef f(x): x.size = 1\n"} {
			w := newWorld(t)
			site := installed("kiln", "1.0", files{"kiln/__init__.py": "class Kiln: ...\n"})
			maps.Copy(site, installed("glaze", "1.0", files{"glaze.py": ""}))
			site["glaze-1.0.dist-info/METADATA"] = "Metadata-Version: 2.1\nName: glaze\nVersion: 1.0\nRequires-Dist: kiln\n"
			maps.Copy(site, installed("shop", "1.0", files{"shop.py": code}))
			site["shop-1.0.dist-info/METADATA"] = "Metadata-Version: 2.1\nName: shop\nVersion: 1.0\nRequires-Dist: " + requires + "\n"
			w.venv(filepath.Join(w.project, ".venv"), site)
			for app, want := range map[string]bool{"import kiln\n": wants[i], "import kiln, shop\nshop.f(kiln.Kiln())\n": true} {
				w.write(w.project, files{"app.py": app})
				m := ecosystem.Member{Package: "kiln", Name: "size", Value: ecosystem.Instance, Type: "Kiln"}
				if got := w.python().MayAssign(t.Context(), w.project, []ecosystem.Member{m}); got[0] != want {
					t.Errorf("requires %s: MayAssign = %v for %q and %q, want %v", requires, got[0], code, app, want)
				}
			}
		}
	}
}

// TestMayAssign_Tokens has code that looks like an assignment in a part of a line.
func TestMayAssign_Tokens(t *testing.T) {
	for code, want := range map[string]bool{
		"def f(x, a):\n    x.size, a = 1, 2\n":                             true,
		"def f(x, a):\n    (x.size, a) = 1, 2\n":                           true,
		"def f(x, a):\n    y = x\n    (x.size, a) = 1, 2\n":                true,
		"def f(x, a):\n    run(x)\n    [a, x.size] = 1, 2\n":               true,
		"def f(x, a):\n    run(\n        a=x.size, b=2)\n":                 false,
		"def f(x, a):\n    a[0, x.size] = 1\n":                             false,
		"def f(x, a):\n    a = {x.size: 1, 2: a == 3}\n":                   false,
		"PAGE = '''\nx.size = 1\n'''\n":                                    false,
		"exec('''\nx.size = 1\n''')\n":                                     true,
		"def f(x): return getattr(x, 'size', None)\nsetattr(x, name, 1)\n": false,
		"def f(x): return x.data.get('size')\nsetattr(x, name, 1)\n":       false,
		"class Jar:\n    '''The \"size\" of it.'''\nsetattr(x, name, 1)\n": false,
		"NAMES = ['size']\nfor name in NAMES: setattr(x, name, 1)\n":       true,
		"class oven: ...\noven.size = 1\n":                                 false,
		"class Jar: ...\ndef f(oven): oven.size = 1\n":                     true,
		"class oven: ...\ndef f(oven):\n    oven.size = 1\n":               true,
	} {
		w := newWorld(t)
		w.venv(filepath.Join(w.project, ".venv"), installed("kiln", "1.0", files{"kiln/__init__.py": "class Kiln: ...\n", "kiln/more.py": code, "kiln/more.pyi": "__all__ = ['size']\nsetattr(x, y, 1)\n"}))
		w.write(w.project, files{"app.py": ""})
		m := ecosystem.Member{Package: "kiln", Name: "size", Value: ecosystem.Instance, Type: "Kiln"}
		if got := w.python().MayAssign(t.Context(), w.project, []ecosystem.Member{m}); got[0] != want {
			t.Errorf("%q: MayAssign = %v, want %v", code, got[0], want)
		}
	}
}

// TestMayAssign_ManyFiles has more files with derived classes than those that import the classes of a usual program.
func TestMayAssign_ManyFiles(t *testing.T) {
	w := newWorld(t)
	site := files{"kiln/__init__.py": "class Kiln: ...\nclass Pot: ...\n"}
	for i := range 5100 {
		site[fmt.Sprintf("kiln/oven%d.py", i)] = "from kiln import Kiln, Pot\nclass Oven(Kiln, Pot): ...\n"
	}
	w.venv(filepath.Join(w.project, ".venv"), installed("kiln", "1.0", site))
	w.write(w.project, files{"app.py": "import kiln\nOven\n"})
	m := ecosystem.Member{Package: "kiln", Name: "size", Value: ecosystem.Instance, Type: "Kiln"}
	if got := w.python().MayAssign(t.Context(), w.project, []ecosystem.Member{m}); got[0] {
		t.Error("a class has a member that none of 5,100 files declares")
	}
}

// TestMayAssign_NamedTuples has functions that return named tuples, although they promise tuples.
func TestMayAssign_NamedTuples(t *testing.T) {
	for code, want := range map[string]bool{
		"class State(NamedTuple):\n    size: int\n":                             true,
		"State = namedtuple('State', ('is_due', 'size'))\n":                     true,
		"State = collections.namedtuple('State', ['size'])\n":                   true,
		"State = namedtuple(\n    'State',\n    'x size')\n":                    true,
		"names = ['size']\nState = namedtuple('State', names)\n":                true,
		"State = namedtuple('State', 'x')\nsize = 1\n":                          false,
		"names = ['size']\n":                                                    false,
		"from typing import NamedTuple\nclass State(NamedTuple):\n    x: int\n": false,
	} {
		w := newWorld(t)
		w.venv(filepath.Join(w.project, ".venv"), files{})
		w.write(w.project, files{"app.py": "from typing import NamedTuple\n" + code})
		m := ecosystem.Member{Package: "builtins", Name: "size", Own: true, Value: ecosystem.Derived, Type: "tuple"}
		if got := w.python().MayAssign(t.Context(), w.project, []ecosystem.Member{m}); got[0] != want {
			t.Errorf("%q: MayAssign = %v, want %v", code, got[0], want)
		}
	}
}
