package python

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/python/source"
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
		"# x.size = 1":                        false,
		"for i in f(x.size): pass":            false,
		"[1 for i in x for y.size in i]":      true,
		"[i for i in range(abs(x.size))]":     false,
		// Each name in a longer line is not compared with all others.
		"f(x.size" + strings.Repeat(" ", 10_000) + ")":                                 false,
		"f(" + strings.Repeat(" ", 300) + "x.size" + strings.Repeat(" ", 20_000) + ")": true,
		"x.size(" + strings.Repeat(" ", 20_000) + ")":                                  false,
	} {
		w := newWorld(t)
		w.venv(filepath.Join(w.project, ".venv"), installed("kiln", "1.0", files{"kiln/__init__.py": "class Kiln:\n    pass\n"}))
		w.write(w.project, files{"app.py": code + "\n"})
		members := []ecosystem.Member{{Package: "kiln", Name: "size", Value: ecosystem.Result}}
		if got := w.python().MayAssign(t.Context(), w.project, members); got[0] != want {
			t.Errorf("%.40s: MayAssign = %v, want %v", code, got[0], want)
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

func TestMayAssign_DeclarationsInClasses(t *testing.T) {
	const kiln = "class Kiln:\n    pass\n"
	for _, tt := range []struct {
		name, code string
		instance   bool // whether a derived class may have created the value
		want       bool
	}{
		{"a method of another class", "class Pot:\n    def size(self): ...\n", true, false},
		{"a method of a derived class", "class Oven(Kiln):\n    def size(self): ...\n", true, true},
		{"a method of a class that is derived twice", "class Oven(kiln.Kiln, metaclass=Meta): ...\nclass Big(\n    Oven[int],\n): # large\n    if x:\n        size: int\n", true, true},
		{"a base of a derived class", "class Mixin:\n    size = 1\nclass Oven(Mixin, Kiln): ...\n", true, true},
		{"a class that is derived under another name", "from kiln import Kiln as Base\nStove = Base\nclass Oven(Stove):\n    def size(self): ...\n", true, true},
		{"a class with another name in a block", "if x:\n    Base = Kiln  # note\nclass Oven(Base):\n    def size(self): ...\n", true, true},
		{"a class that a condition chooses", "Base = object if x else Kiln\nclass Oven(Base):\n    def size(self): ...\n", true, true},
		{"a class with another name in the last line", "class Oven(Base):\n    def size(self): ...\nBase = Kiln", true, true},
		{"a class with a name in lower case", "base = kiln.Kiln\nclass Oven(base):\n    def size(self): ...\n", true, true},
		{"a class that is imported as a name in lower case", "from kiln import Kiln as base\nclass Oven(base):\n    def size(self): ...\n", true, true},
		{"an unrelated class with a name in lower case", "x.base = Kiln\nclass Oven(base):\n    def size(self): ...\n", true, false},
		{"a comment among bases", "class Oven(\n    Other,  # note\n    Kiln,\n):\n    def size(self): ...\n", true, true},
		{"a string whose lines are not indented", "class Oven(Kiln):\n    \"\"\"\nNote:\nIt is hot.\n\"\"\"\n    size = 1\n", true, true},
		{"a variable in a block outside classes", "class Oven(Kiln): ...\nif x:\n    size = 1\n", true, false},
		{"a class in one line", "class Oven(Kiln): size = 1\n", true, true},
		{"an import, a loop and a pattern in another class", "class Pot:\n    import size\n    for size in x: ...\n    size, a = x\n", true, false},
		{"an import in the body of a class", "class Oven(Kiln):\n    from x import size\n", true, true},
		{"an import under another name in the body of a class", "class Oven(Kiln):\n    from x import y as size\n", true, true},
		{"a loop in the body of a class", "class Oven(Kiln):\n    for size in x: ...\n", true, true},
		{"a pattern in the body of a class", "class Oven(Kiln):\n    size, a = x\n", true, true},
		{"a base of a derived class that cannot be read", "def f():\n    class Oven(Kiln, absent.Stove): ...\n", true, true},
		{"a base of a base that cannot be read", "class Stove(Absent): ...\nclass Oven(Kiln, Stove): ...\n", true, true},
		{"the only base of a derived class", "class Oven(Kiln, metaclass=Meta): ...\nclass Other(Absent): ...\n", true, false},
		{"a builtin base of a derived class without the attribute", "class Oven(str, Kiln): ...\n", true, false},
		{"a derived class that computes attributes", "class Oven(Kiln):\n    def __getattr__(self, name): ...\n", true, true},
		{"another class that computes attributes", "class Pot:\n    def __getattribute__(self, name): ...\n", true, false},
		{"a function that computes attributes and is assigned to the class", "Kiln.__getattr__ = lambda self, name: 1\n", false, true},
		{"a function that computes attributes and is assigned to a derived class", "class Oven(Kiln): ...\nOven.__getattribute__ = f\n", true, true},
		{"a function that computes attributes and is assigned to another class", "class Pot: ...\nPot.__getattr__ = f\nKiln.__getattr__(x)\n", true, false},
		{"a builtin exception as a base of a derived class", "class Oven(Kiln, Exception): ...\nclass Fault(BaseException): ...\n", true, false},
		{"an import under another name over several lines", "from kiln import (\n    Pot,\n    Kiln as Stove,\n)\nclass Oven(Stove):\n    size = 1\n", true, true},
		{"another class that is called as in a sentence", "# such as Kiln\nclass such:\n    size = 1\n", true, false},
		{"a base that is called as in a sentence", "class Oven(Kiln):\n    \"\"\"Metals such as Stove.\"\"\"\nclass Pot(Oven, Stove): ...\nclass Stove: ...\n", true, false},
		{"keyword arguments are no bases", "class Oven(Kiln, total=False, code='25'): ...\nclass Pot(Oven, metaclass=absent.Meta): ...\n", true, false},
		{"an attribute of another class of the file", "class Pot: ...\nPot.size = 1\n", true, false},
		{"an attribute of a derived class of the file", "class Oven(Kiln): ...\nOven.size = 1\n", true, true},
		{"an attribute of a class that the file imports", "from pots import Pot\nPot.size = 1\n", true, true},
		{"a type argument is no base", "class Box(List[Kiln]):\n    def size(self): ...\n", true, false},
		{"a value of exactly the class", "class Oven(Kiln):\n    def size(self): ...\n", false, false},
		{"an attribute of self of another class", "class Pot:\n    def f(self):\n        self.size = 1\n", true, false},
		{"an attribute of self of a derived class", "class Oven(Kiln):\n    def f(self):\n        if x:\n            self.size = 1\n", true, true},
		{"an attribute of self of a function in a method", "class Pot:\n    def f(self):\n        def g(\n            self, n\n        ):\n            self.size = 1\n        Kiln.f = g\n", true, true},
		{"an attribute of self of a method, in a function", "class Pot:\n    def f(self):\n        def g():\n            self.size = 1\n", true, false},
		{"an attribute of self outside classes", "def f(self):\n    self.size = 1\nKiln.f = f\n", true, true},
		{"an attribute of any object", "class Pot:\n    def f(self, kiln):\n        kiln.size = 1\n", true, true},
		{"the attribute of an attribute of self", "class Pot:\n    def f(self):\n        self.kiln.size = 1\n", true, true},
		{"a variable of a function", "class Oven(Kiln):\n    def f(self):\n        size = 1\n", true, false},
		{"a function of a module", "def size(kiln): ...\nsize = size\nf(size=1)\n", true, false},
		{"an attribute of several that are assigned", "kiln.a, kiln.size = 1, 2\n", true, true},
		{"an argument of a call with others", "f(kiln.size, n=1)\nx.n = kiln.size\n", true, false},
		{"an attribute of self that has the value of an attribute", "class Pot:\n    def f(self, kiln):\n        self.size = kiln.size\n", true, false},
		{"a string", "print('size')\nx.get('size')\n", true, false},
		{"a string in code that computes attributes", "for name in ['size']:\n    setattr(Kiln, name, 1)\n", true, true},
		{"a string next to code that computes attributes", "def f(x, name): setattr(x, name, 1)\ndef g(y):\n    return y['size']\n", true, false},
		{"a string in a function that calls one that computes attributes", "def f(x, name): setattr(x, name, 1)\ndef g(y):\n    f(y, 'size')\n", true, true},
		{"a string in a function that a function that computes attributes calls", "def names():\n    return ['size']\ndef f(x):\n    for name in names(): setattr(x, name, 1)\n", true, true},
		{"a string in a callee of a callee", "def some():\n    return ['size']\ndef names():\n    return some()\ndef f(x):\n    for name in names(): setattr(x, name, 1)\n", true, true},
		{"a string in a method that code that computes attributes calls", "class Pot:\n    def names(self): return ['size']\ndef f(x, pot):\n    for name in pot.names(): setattr(x, name, 1)\n", true, true},
		{"a string in a caller of a caller", "def one(x, name): setattr(x, name, 1)\ndef many(x, names):\n    for name in names: one(x, name)\ndef g(y):\n    many(y, ['size'])\n", true, true},
		{"a string in a method of a class that computes attributes", "class Pot:\n    def f(self, x, name):\n        setattr(x, name, 1)\n    def g(self, y):\n        self.f(y, 'size')\n", true, true},
		{"a string in an assignment next to a function that computes attributes", "names = ['size']\ndef f(x):\n    for name in names: setattr(x, name, 1)\n", true, true},
		{"a string in a function next to statements that compute attributes", "def f():\n    return ['size']\nfor name in f(): setattr(Kiln, name, 1)\n", true, true},
		{"the slots of another class", "class Pot:\n    __slots__ = ('a', 'size')\n", true, false},
		{"the slots of a derived class", "class Oven(Kiln):\n    __slots__ = (\n        'a',  # first\n        'size',\n    )\n", true, true},
		{"the argument of a call of dispatch", "x._dispatch('size')\n", true, false},
		{"an attribute that a string names", "mock.patch.object(Kiln, 'size')\n", true, true},
		{"an assignment by a string", "setattr(kiln,\n    'size', 1)\n", true, true},
	} {
		w := newWorld(t)
		w.venv(filepath.Join(w.project, ".venv"), installed("kiln", "1.0", files{"kiln/__init__.py": kiln}))
		w.write(w.project, files{"app.py": tt.code})
		m := ecosystem.Member{Package: "kiln", Name: "size", Value: ecosystem.Result, Type: "Kiln"}
		if tt.instance {
			m.Value = ecosystem.Instance
		}
		if got := w.python().MayAssign(t.Context(), w.project, []ecosystem.Member{m}); got[0] != tt.want {
			t.Errorf("%s: MayAssign = %v, want %v", tt.name, got[0], tt.want)
		}
	}
}

func TestMayAssign_ClassesWithTheSameName(t *testing.T) {
	for code, want := range map[string]bool{
		"class Kiln:\n    def size(self): ...\n":                                                        false,
		"class Kiln(kiln.Kiln):\n    def size(self): ...\n":                                             true,
		"class Oven(kiln.Kiln): ...\nclass Kiln(Oven):\n    def size(self): ...\n":                      true,
		"class Kiln:\n    def size(self): ...\nclass Oven(kiln.Kiln, Kiln): ...\n":                      true,
		"class Kiln:\n    def size(self): ...\nclass Pot(Kiln): ...\nclass Oven(Pot, kiln.Kiln): ...\n": true,
		"class Kiln:\n    def size(self): ...\nclass Pot(Kiln): ...\n":                                  false,
	} {
		w := newWorld(t)
		site := installed("kiln", "1.0", files{"kiln/__init__.py": "class Kiln:\n    pass\n"})
		maps.Copy(site, installed("glaze", "1.0", files{"glaze.py": code}))
		site["glaze-1.0.dist-info/METADATA"] = "Metadata-Version: 2.1\nName: glaze\nVersion: 1.0\nRequires-Dist: kiln\n"
		w.venv(filepath.Join(w.project, ".venv"), site)
		w.write(w.project, files{"app.py": "import kiln, glaze\n"})
		members := []ecosystem.Member{{Package: "kiln", Name: "size", Value: ecosystem.Instance, Type: "Kiln"}}
		if got := w.python().MayAssign(t.Context(), w.project, members); got[0] != want {
			t.Errorf("%s: MayAssign = %v, want %v", code, got[0], want)
		}
	}
}

func TestMayAssign_BasesAreResolvedThroughImports(t *testing.T) {
	for _, tt := range []struct {
		code string
		want bool // whether Oven is derived from the class Kiln in core.py
	}{
		{"from shop.core import Kiln", true},
		{"from shop import Kiln", true},
		{"from shop import (  # the usual one\n    Pot,\n    Kiln,\n)", true},
		{"from shop import Pot, \\\n    Kiln", true},
		{"from . import Kiln", true},
		{"from .core import Kiln", true},
		{"from .core import *", true},
		{"from .names import *", true},
		{"from .names import Base as Kiln", true},
		{"import shop\nKiln = shop.Kiln", true},
		{"import shop.core\nKiln = shop.core.Kiln if x else object", true},
		{"import shop.core as c\nKiln = c.Kiln", true},
		{"from . import core\nKiln = core.Kiln", true},
		{"try:\n    from pots import Kiln\nexcept ImportError:\n    from .core import Kiln", true},
		{"try: from .core import Kiln\nexcept ImportError: Kiln = object", true},
		{"Kiln = make()", true},
		{"from absent import Kiln", true},
		{"from pots import absent as Kiln", false}, // the name in the module decides
		{"from .absent import Kiln", true},
		{"", true},
		{"from pots import Kiln", false},
		{"from pots import *", false},
		{"import pots\nKiln = pots.Kiln", false},
		{"from . import pots\nKiln = pots.Kiln", false},
		{"from shop.pots import Pot as Kiln", false},
		{"class Kiln: ...", false},
	} {
		w := newWorld(t)
		w.venv(filepath.Join(w.project, ".venv"), installed("pots", "1.0", files{"pots/__init__.py": "from .kilns import Kiln\n", "pots/kilns.py": "class Kiln: ...\n"}))
		w.write(w.project, files{
			"src/shop/__init__.py": "from .core import Kiln, Pot\n",
			"src/shop/core.py":     "class Kiln: ...\nclass Pot: ...\n",
			"src/shop/names.py":    "from shop.core import Kiln as Kiln\nBase = Kiln\n",
			"src/shop/pots.py":     "class Kiln: ...\nfrom .core import Pot\n",
			"src/shop/oven.py":     tt.code + "\nclass Oven(Kiln):\n    size = 1\n",
		})
		m := ecosystem.Member{Package: "shop.core", Name: "size", Own: true, Value: ecosystem.Instance, Type: "Kiln"}
		if got := w.python().MayAssign(t.Context(), w.project, []ecosystem.Member{m}); got[0] != tt.want {
			t.Errorf("%q: MayAssign = %v, want %v", tt.code, got[0], tt.want)
		}
	}
}

func TestMayAssign_InstalledCopiesOfTheProject(t *testing.T) {
	w := newWorld(t)
	site := installed("shop", "1.0", files{"shop/__init__.py": "class Kiln:\n    def __getattr__(self, name): ...\ndef f(x): x.old = 1\n"})
	maps.Copy(site, installed("glaze", "1.0", files{"glaze.py": "from shop import Kiln\nclass Oven(Kiln):\n    size = 1\n    def __getattr__(self, name): ...\nclass Vase(make(Kiln)): ...\ndef f(x): x.glazed = 1\n"}))
	site["glaze-1.0.dist-info/METADATA"] = "Metadata-Version: 2.1\nName: glaze\nVersion: 1.0\nRequires-Dist: shop\n"
	w.venv(filepath.Join(w.project, ".venv"), site)
	w.write(w.project, files{"shop/__init__.py": "class Kiln: ...\ndef f(x): x.heat = 1\n"})
	for name, want := range map[string]bool{
		"heat":   true,
		"size":   true,  // a class of a package is derived from it
		"absent": false, // no code of the project uses attributes that this class computes
		"glazed": true,  // a package assigns it
	} {
		m := ecosystem.Member{Package: "shop", Name: name, Own: true, Value: ecosystem.Instance, Type: "Kiln"}
		if got := w.python().MayAssign(t.Context(), w.project, []ecosystem.Member{m}); got[0] != want {
			t.Errorf("MayAssign = %v for %s, want %v", got[0], name, want)
		}
	}
}

func TestMayAssign_ClassesThatAProjectReplaces(t *testing.T) {
	w := newWorld(t)
	w.venv(filepath.Join(w.project, ".venv"), installed("kiln", "1.0", files{"kiln/__init__.py": "class Kiln: ...\nclass Rules: ...\nclass Oven(Kiln): ...\n"}))
	w.write(w.project, files{"app.py": "from kiln import Rules\nclass Kiln(Rules):\n    size = 1\nclass Big(Kiln):\n    width = 1\n"})
	for name, want := range map[string]bool{"size": true, "width": true, "depth": false} {
		m := ecosystem.Member{Package: "kiln", Name: name, Value: ecosystem.Instance, Type: "Kiln"}
		if got := w.python().MayAssign(t.Context(), w.project, []ecosystem.Member{m}); got[0] != want {
			t.Errorf("MayAssign = %v for %s, want %v", got[0], name, want)
		}
	}
}

func TestMayAssign_BasesThatCannotBeResolved(t *testing.T) {
	for code, want := range map[string]bool{
		"from pots import Text\nclass Label(Item, Text): ...\n":                 false,
		"import absent\nclass Label(Item, absent.Text): ...\nclass Text: ...\n": true, // not the class of this file
		"from typing import Generic\nclass Label(Item, Generic[T]): ...\n":      false,
		"from typing import NamedTuple\nclass Label(Item, NamedTuple): ...\n":   false,
		"class Label(Item, Exception): ...\n":                                   false,
	} {
		w := newWorld(t)
		w.venv(filepath.Join(w.project, ".venv"), installed("pots", "1.0", files{"pots.py": "class Text: ...\n"}))
		w.write(w.project, files{"app.py": "class Item: ...\n" + code})
		m := ecosystem.Member{Package: "app", Name: "size", Own: true, Value: ecosystem.Instance, Type: "Item"}
		if got := w.python().MayAssign(t.Context(), w.project, []ecosystem.Member{m}); got[0] != want {
			t.Errorf("%q: MayAssign = %v, want %v", code, got[0], want)
		}
	}
}

func TestMayAssign_LinksInTheStandardLibrary(t *testing.T) {
	w := newWorld(t)
	w.venv(filepath.Join(w.project, ".venv"), files{})
	w.write(w.home, files{"etc/sitecustomize.py": ""})
	link := filepath.Join(w.home, "python", "cpython-3.11.7-linux", "lib", "python3.11", "sitecustomize.py")
	if err := os.Symlink(filepath.Join(w.home, "etc", "sitecustomize.py"), link); err != nil {
		t.Skip("this system does not let the user make symbolic links, with which the test lays out the standard library as Debian does (on Windows, turn on developer mode):", err)
	}
	m := ecosystem.Member{Package: "app", Name: "size", Own: true, Value: ecosystem.Instance, Type: "Pot"}
	if got := w.python().MayAssign(t.Context(), w.project, []ecosystem.Member{m}); got[0] {
		t.Error("a link out of the standard library may assign everything")
	}
}

func TestMayAssign_NamesOfModules(t *testing.T) {
	const other = "import kiln\nkiln.size = 1\n" // about another module
	for _, tt := range []struct {
		code, pkg string
		want      bool
	}{
		{"import kiln\nkiln.size = 1\n", "", true},
		{"import pots.kiln as k\nk.size = 1\n", "", true},
		{"def f(kiln): setattr(kiln, 'size', 1)\n", "", true},
		{"import kiln\nf('size')\n", "", false},
		{"import kiln\ndef f(x): x.size = 1\n", "", false},
		{"import kiln\nclass A:\n    def f(self): self.size = 1\n", "", false},
		{"import kiln\nclass A:\n    size = 1\n", "", false},
		{"import kiln\n", "from pots import kiln\ndef prepare():\n    kiln.size = 1\n", true},
		{"import kiln\n", "from pots import kiln\nsize = 1\ndef prepare(x): x.size = 1\n", false},
	} {
		w := newWorld(t)
		w.venv(filepath.Join(w.project, ".venv"), installed("pots", "1.0", files{"pots/kiln.py": "", "pots/testing.py": tt.pkg, "pans.py": other}))
		w.write(w.project, files{"app.py": tt.code})
		m := ecosystem.Member{Package: "pots.kiln", Name: "size", Module: true, Value: ecosystem.Result}
		if got := w.python().MayAssign(t.Context(), w.project, []ecosystem.Member{m}); got[0] != tt.want {
			t.Errorf("%q beside %q: MayAssign = %v, want %v", tt.code, tt.pkg, got[0], tt.want)
		}
	}
}

func TestMayAssign_NamesOfBuiltins(t *testing.T) {
	w := newWorld(t)
	w.venv(filepath.Join(w.project, ".venv"), nil)
	w.write(w.project, files{"app.py": "import builtins\nbuiltins.shell = 1\nprint.size = 1\n"})
	members := []ecosystem.Member{{Package: "builtins", Name: "shell", Module: true}, {Package: "builtins", Name: "size", Module: true}, {Package: "builtins", Type: "str", Name: "shell", Value: ecosystem.Result}}
	if got := w.python().MayAssign(t.Context(), w.project, members); !slices.Equal(got, []bool{true, false, false}) {
		t.Errorf("MayAssign = %v, want only the first", got)
	}
}

func TestMayAssign_BasesThatAreVariables(t *testing.T) {
	const app = "class Shared: ...\nclass Clean:\n    def clean(self): ...\nclass Other:\n    def other(self): ...\n"
	for _, tt := range []struct {
		code         string
		clean, other bool
	}{
		{"", false, false},
		{"class Case(base, Clean): ...\n", false, false},
		{"def make(base):\n    class Case(base, Clean): ...\n", true, false},
		{"def make(*, a=1, base=object):\n    class Case(base, Clean): ...\n", true, false},
		{"def make(a):\n    for base in a:\n        class Case(base, Clean): ...\n", true, false},
		{"def make(a, b):\n    class Case(a, b): ...\n", true, true},
	} {
		w := newWorld(t)
		w.venv(filepath.Join(w.project, ".venv"), files{})
		w.write(w.project, files{"app.py": app + tt.code})
		for name, want := range map[string]bool{"clean": tt.clean, "other": tt.other, "absent": false} {
			m := ecosystem.Member{Package: "app", Name: name, Own: true, Value: ecosystem.Instance, Type: "Shared"}
			if got := w.python().MayAssign(t.Context(), w.project, []ecosystem.Member{m}); got[0] != want {
				t.Errorf("%q: MayAssign = %v for %s, want %v", tt.code, got[0], name, want)
			}
		}
	}
}

func TestMayAssign_ClassesOfTheProject(t *testing.T) {
	for code, want := range map[string]bool{
		"class Item: ...\n": false,
		"class Item: ...\nclass Pot(Item):\n    size = 1\n":                                                  true,
		"import glaze\nclass Item: ...\nclass Pot(Item, glaze.Item): ...\n":                                  true,
		"from glaze import Item as Other\nclass Item: ...\nclass Pot(Item, Other): ...\n":                    true,
		"import glaze\nclass Item: ...\nclass Pot(Item, glaze.Lazy): ...\n":                                  true,
		"import glaze\nclass Item: ...\nclass Pot(Item, glaze.Vase): ...\n":                                  true,
		"class Vase: ...\nclass Pot(Vase): ...\n":                                                            false,
		"import glaze\nclass Item: ...\nclass Pot(Item): ...\nclass Bowl(glaze.Item): ...\n":                 false,
		"class Item: ...\nclass Extra: size = 1\nclass Mapping(Extra): ...\nclass Pot(Item, Mapping): ...\n": true,
		"class Item: ...\nclass Extra: size = 1\nclass Mapping: ...\nclass Pot(Item, Mapping): ...\n":        false,
		"class Item: ...\nclass Extra: size = 1\nclass Mapping(Extra): ...\nclass Pot(Item): ...\n":          false,
	} {
		w := newWorld(t)
		w.venv(filepath.Join(w.project, ".venv"), installed("glaze", "1.0", files{"glaze.py": "class Item:\n    size = 1\n    def __getattr__(self, name): ...\nclass Lazy(Item): ...\nclass Vase:\n    def __getattr__(self, name): ...\n"}))
		w.write(w.project, files{"app.py": code})
		members := []ecosystem.Member{{Package: "app", Name: "size", Own: true, Value: ecosystem.Instance, Type: "Item"}}
		if got := w.python().MayAssign(t.Context(), w.project, members); got[0] != want {
			t.Errorf("%s: MayAssign = %v, want %v", code, got[0], want)
		}
	}
}

func TestMayAssign_BuiltinBases(t *testing.T) {
	w := newWorld(t)
	w.venv(filepath.Join(w.project, ".venv"), files{})
	w.write(w.project, files{"app.py": "class Element: ...\nclass Text(str, Element): ...\n"})
	for name, want := range map[string]bool{"strip": true, "bake": false} {
		m := ecosystem.Member{Package: "app", Name: name, Own: true, Value: ecosystem.Instance, Type: "Element"}
		if got := w.python().MayAssign(t.Context(), w.project, []ecosystem.Member{m}); got[0] != want {
			t.Errorf("MayAssign = %v for %s, want %v", got[0], name, want)
		}
	}
}

func TestMayAssign_Overrides(t *testing.T) {
	w := newWorld(t)
	w.venv(filepath.Join(w.project, ".venv"), installed("kiln", "1.0", files{"kiln/__init__.py": "class Kiln:\n    def fire(self): ...\nclass Oven(Kiln): ...\n"}))
	w.write(w.project, files{"app.py": "class Own(Oven):\n    def fire(self, n): ...\nclass Pot:\n    def bake(self): ...\n"})
	for name, want := range map[string]bool{"Kiln": true, "Oven": true, "Own": false, "Pot": false} {
		m := ecosystem.Member{Package: "kiln", Name: "fire", Value: ecosystem.Instance, Type: name, Overrides: true}
		if got := w.python().MayAssign(t.Context(), w.project, []ecosystem.Member{m}); got[0] != want {
			t.Errorf("MayAssign = %v for a method of %s, want %v", got[0], name, want)
		}
	}
}

// TestMayAssign_NamesOfBuiltinBases has a class in another module with the name of a builtin class.
func TestMayAssign_NamesOfBuiltinBases(t *testing.T) {
	w := newWorld(t)
	w.venv(filepath.Join(w.project, ".venv"), files{})
	w.write(w.project, files{
		"shop/__init__.py": "def kind(type): ...\nclass Kiln: ...\nclass Meta(type): ...\nclass Oven(Kiln, metaclass=Meta): ...\n",
		"shop/brain.py":    "class type:\n    def __getattr__(self, name): ...\n",
	})
	m := ecosystem.Member{Package: "shop", Name: "size", Own: true, Value: ecosystem.Instance, Type: "Kiln"}
	if got := w.python().MayAssign(t.Context(), w.project, []ecosystem.Member{m}); got[0] {
		t.Error("a class with a metaclass that is derived from type may have any attribute")
	}
}

// TestMayAssign_ClassesOfPackages derives classes from one of a package, or from another one with its name.
func TestMayAssign_ClassesOfPackages(t *testing.T) {
	for code, want := range map[string]bool{
		"": false,
		"from glaze import Kiln\nclass Oven(Kiln):\n    def __getattr__(self, name): ...\n":                                  true,
		"from pots import Kiln\nclass Oven(Kiln):\n    def __getattr__(self, name): ...\n":                                   false,
		"class Kiln:\n    def __getattr__(self, name): ...\n":                                                                false, // another class
		"class Kiln:\n    def __getattr__(self, name): ...\nglaze.Kiln = Kiln\n":                                             true,
		"class Kiln:\n    def __getattr__(self, name): ...\npatch('glaze.Kiln', Kiln)\n":                                     true,
		"class Kiln:\n    def __getattr__(self, name): ...\nf(glaze.Kiln)\n":                                                 false,
		"class Kiln: ...\nclass Oven(Kiln):\n    def __getattribute__(self, name): ...\n":                                    false,
		"class Kiln: ...\nglaze.Kiln = Kiln\nclass Oven(Kiln):\n    def __getattribute__(self, name): ...\n":                 true,
		"try:\n    from glaze import Kiln\nexcept ImportError:\n    class Kiln:\n        def __getattr__(self, name): ...\n": true,
		"import absent\nclass Kiln(absent.Base):\n    def __getattr__(self, name): ...\n":                                    true,
	} {
		w := newWorld(t)
		site := installed("glaze", "1.0", files{"glaze.py": "class Kiln: ...\n"})
		maps.Copy(site, installed("pots", "1.0", files{"pots.py": "class Kiln: ...\nclass Vase(Kiln):\n    def __getattr__(self, name): ...\n"}))
		site["pots-1.0.dist-info/METADATA"] = "Metadata-Version: 2.1\nName: pots\nVersion: 1.0\nRequires-Dist: glaze\n"
		w.venv(filepath.Join(w.project, ".venv"), site)
		w.write(w.project, files{"app.py": code})
		m := ecosystem.Member{Package: "glaze", Name: "size", Value: ecosystem.Instance, Type: "Kiln"}
		if got := w.python().MayAssign(t.Context(), w.project, []ecosystem.Member{m}); got[0] != want {
			t.Errorf("%q: MayAssign = %v, want %v", code, got[0], want)
		}
	}
}

// TestMayAssign_PackagesOfBases derives a class of the project from one of a package, whose code assigns attributes to its objects.
func TestMayAssign_PackagesOfBases(t *testing.T) {
	w := newWorld(t)
	site := installed("glaze", "1.0", files{"glaze/__init__.py": "class Node: ...\n", "glaze/parser.py": "def parse(node): node.origin = 1\n"})
	maps.Copy(site, installed("pots", "1.0", files{"pots.py": "def f(x): x.lid = 1\n"}))
	w.venv(filepath.Join(w.project, ".venv"), site)
	w.write(w.project, files{"shop/__init__.py": "from glaze import Node\nclass Kiln(Node): ...\nclass Oven(Kiln): ...\n"})
	for name, want := range map[string]bool{"origin": true, "lid": false, "absent": false} {
		m := ecosystem.Member{Package: "shop", Name: name, Own: true, Value: ecosystem.Instance, Type: "Oven"}
		if got := w.python().MayAssign(t.Context(), w.project, []ecosystem.Member{m}); got[0] != want {
			t.Errorf("MayAssign = %v for %s, want %v", got[0], name, want)
		}
	}
}

// TestMayAssign_StandardClasses has packages that know nothing of a class of the standard library, and the classes that they
// derive from it.
func TestMayAssign_StandardClasses(t *testing.T) {
	for _, tt := range []struct{ pots, app, name string }{
		{"", "", ""},
		{"def f(x): x.size = 1\n", "", ""}, // it handles other objects
		{"import logging\ndef f(x): x.size = 1\n", "", ""},
		{"import logging\ndef f(logger): logger.size = 1\n", "", "logging"},
		{"import logging\ndef f(): logging.getLogger().size = 1\n", "", "logging"},
		{"def f(x): setattr(x, 'size', 1)\n", "", ""},
		{"from logging import Logger\ndef f(x): setattr(x, 'size', 1)\n", "", "logging"},
		{"class Text(str):\n    def __getattr__(self, name): ...\n", "", ""},
		{"class Text(str):\n    def __getattr__(self, name): ...\n", "from pots import Text\n", "builtins"},
		{"class Text(str):\n    size = 1\n", "", ""},
		{"class Text(str):\n    size = 1\n", "from pots import Text\n", "builtins"},
		{"class Text(str):\n    size = 1\ndef f() -> str: return Text()\n", "import pots\n", "builtins"}, // the annotation may be wrong
		{"import logging\nclass Log(logging.Logger):\n    size = 1\n", "import pots\npots.log()\n", "both"},
		{"from logging import Logger\nclass Log(Logger):\n    def __getattr__(self, name): ...\n", "", ""},
		{"from logging import Logger\nclass Log(Logger):\n    def __getattr__(self, name): ...\n", "import pots\npots.Log()\n", "logging"},
		{"", "class Text(str):\n    def __getattr__(self, name): ...\n", "builtins"},
		{"", "from absent import Text as str\nclass Label(str):\n    def __getattr__(self, name): ...\n", "builtins"},
		{"", "def f(x): x.size = 1\n", "both"},
	} {
		w := newWorld(t)
		w.venv(filepath.Join(w.project, ".venv"), installed("pots", "1.0", files{"pots.py": tt.pots}))
		w.write(filepath.Join(w.home, "python", "cpython-3.11.7-linux", "lib", "python3.11"), files{"logging/__init__.py": "class Logger: ...\n"})
		w.write(w.project, files{"app.py": tt.app})
		members := []ecosystem.Member{
			{Package: builtinsModule, Name: "size", Own: true, Value: ecosystem.Derived, Type: "str"},
			{Package: "logging", Name: "size", Value: ecosystem.Instance, Type: "Logger"},
		}
		for i, got := range w.python().MayAssign(t.Context(), w.project, members) {
			if want := tt.name == members[i].Package || tt.name == "both"; got != want {
				t.Errorf("%q, %q: MayAssign = %v for %s, want %v", tt.pots, tt.app, got, members[i].Type, want)
			}
		}
	}
}

// TestMayAssign_TestsOfPackages has assignments in the tests of a package, which do not run in the project.
func TestMayAssign_TestsOfPackages(t *testing.T) {
	w := newWorld(t)
	w.venv(filepath.Join(w.project, ".venv"), installed("kiln", "1.0", files{
		"kiln/__init__.py": "class Kiln: ...\n", "kiln/tests/test_kiln.py": "def f(x): x.by_test = 1\n", "kiln/testing.py": "def f(x): x.by_helper = 1\n",
		"kiln/test/test_kiln.py": "def f(x): x.by_test = 1\n", "kiln/kiln_test.py": "def f(x): x.by_test = 1\n", "kiln/_tests/helper.py": "def f(x): x.by_test = 1\n",
		"kiln/test_utils.py": "def f(x): x.by_module = 1\n",
	}))
	w.write(w.project, files{"app.py": "from kiln.test_utils import f\n", "tests/test_app.py": "def f(x): x.by_own = 1\n"})
	for name, want := range map[string]bool{"by_test": false, "by_helper": true, "by_module": true, "by_own": true} {
		m := ecosystem.Member{Package: "kiln", Name: name, Value: ecosystem.Instance, Type: "Kiln"}
		if got := w.python().MayAssign(t.Context(), w.project, []ecosystem.Member{m}); got[0] != want {
			t.Errorf("MayAssign = %v for %s, want %v", got[0], name, want)
		}
	}
}

// TestMayAssign_NamesInExamples has a package whose documentation derives a class from one with the name of an unrelated class.
func TestMayAssign_NamesInExamples(t *testing.T) {
	const example = "    class Oven(Kiln):\n        def __getattr__(self, name): ...\n"
	for code, want := range map[string]bool{
		"class Jar:\n    \"\"\"Such as::\n\n" + example + "    \"\"\"\n": false,
		"import kiln\nclass Jar:\n" + example:                            true,
	} {
		w := newWorld(t)
		site := installed("kiln", "1.0", files{"kiln/__init__.py": "class Kiln: ...\n"})
		maps.Copy(site, installed("pots", "1.0", files{"pots/__init__.py": code}))
		w.venv(filepath.Join(w.project, ".venv"), site)
		w.write(w.project, files{"app.py": "import kiln, pots\nOven\n"})
		members := []ecosystem.Member{{Package: "kiln", Name: "size", Value: ecosystem.Instance, Type: "Kiln"}, {Package: "pots", Name: "size", Value: ecosystem.Instance, Type: "Jar"}}
		if got := w.python().MayAssign(t.Context(), w.project, members); got[0] != want {
			t.Errorf("%q: MayAssign = %v, want %v", code, got[0], want)
		}
	}
}

// TestMayAssign_ModulesInC derives a class from one that the standard library has in C and in Python.
func TestMayAssign_ModulesInC(t *testing.T) {
	w := newWorld(t)
	w.venv(filepath.Join(w.project, ".venv"), files{})
	w.write(filepath.Join(w.home, "python", "cpython-3.11.7-linux", "lib", "python3.11"), files{
		"_pyio.py": "class TextIOWrapper: ...\nclass StringIO(TextIOWrapper): ...\n", "io.py": "from _io import StringIO, TextIOWrapper\n",
		"doctest.py": "from io import StringIO\nclass SpoofOut(StringIO):\n    size = 1\n",
	})
	w.write(w.project, files{"app.py": ""})
	for name, want := range map[string]bool{"size": true, "weight": false} {
		m := ecosystem.Member{Package: "_pyio", Name: name, Value: ecosystem.Instance, Type: "TextIOWrapper"}
		if got := w.python().MayAssign(t.Context(), w.project, []ecosystem.Member{m}); got[0] != want {
			t.Errorf("MayAssign = %v for %s, want %v", got[0], name, want)
		}
	}
}

// TestMayAssign_PrivateClasses derives classes of the standard library from a builtin one.
func TestMayAssign_PrivateClasses(t *testing.T) {
	for code, want := range map[string]bool{
		"class Stack(list):\n    def push(self): ...\n":  true,
		"class _Stack(list):\n    def push(self): ...\n": false,
	} {
		w := newWorld(t)
		w.venv(filepath.Join(w.project, ".venv"), files{})
		w.write(filepath.Join(w.home, "python", "cpython-3.11.7-linux", "lib", "python3.11"), files{"stacks.py": code})
		w.write(w.project, files{"app.py": ""})
		m := ecosystem.Member{Package: builtinsModule, Name: "push", Own: true, Value: ecosystem.Derived, Type: "list"}
		if got := w.python().MayAssign(t.Context(), w.project, []ecosystem.Member{m}); got[0] != want {
			t.Errorf("%q: MayAssign = %v, want %v", code, got[0], want)
		}
	}
}

// TestMayAssign_NamesOfBases has a package with a base that cannot be resolved, which has the name of unrelated classes.
func TestMayAssign_NamesOfBases(t *testing.T) {
	const base = "class Base:\n    def __getattr__(self, name): ...\n"
	for _, tt := range []struct {
		pots, app, pans string
		want            bool
	}{
		{"Base = make()\n", "", "", false},
		{"Base = make()\n", base, "", false}, // the package cannot import the project
		{"Base = make()\n", "", base, false},
		{"import pans\nBase = make()\n", "", base, true},
		{"import pans\nBase = Other = None\nclass Base: ...\n", "", base, false},
	} {
		w := newWorld(t)
		site := installed("pots", "1.0", files{"pots.py": tt.pots + "class Text(str, Base): ...\n"})
		maps.Copy(site, installed("pans", "1.0", files{"pans.py": tt.pans}))
		w.venv(filepath.Join(w.project, ".venv"), site)
		w.write(w.project, files{"app.py": "from pots import Text\n" + tt.app})
		m := ecosystem.Member{Package: builtinsModule, Name: "size", Own: true, Value: ecosystem.Derived, Type: "str"}
		if got := w.python().MayAssign(t.Context(), w.project, []ecosystem.Member{m}); got[0] != tt.want {
			t.Errorf("%+v: MayAssign = %v, want %v", tt, got[0], tt.want)
		}
	}
}

// TestMayAssign_ClassesOfTyping derives a class from one of typing. A package has another class with its name.
func TestMayAssign_ClassesOfTyping(t *testing.T) {
	for app, want := range map[string]bool{
		"import typing\nclass Words(typing.List[str]): ...\n":                                           false,
		"from typing import List\nclass Words(List[str]):\n    def __getattr__(self, name): ...\n":      true,
		"from typing import Dict\nclass Words(Dict[str, int]):\n    def __getattr__(self, name): ...\n": false,
		"from pots import List\nclass Words(List): ...\n":                                               true,
	} {
		w := newWorld(t)
		w.venv(filepath.Join(w.project, ".venv"), installed("pots", "1.0", files{"pots.py": "class Open:\n    def __getattr__(self, name): ...\nclass List(list, Open): ...\n"}))
		w.write(w.project, files{"app.py": app})
		m := ecosystem.Member{Package: builtinsModule, Name: "size", Own: true, Value: ecosystem.Derived, Type: "list"}
		if got := w.python().MayAssign(t.Context(), w.project, []ecosystem.Member{m}); got[0] != want {
			t.Errorf("%q: MayAssign = %v, want %v", app, got[0], want)
		}
	}
}

// TestMayAssign_UnrelatedPackages derives a class in a package that the project uses or not.
func TestMayAssign_UnrelatedPackages(t *testing.T) {
	for app, want := range map[string]bool{
		"import kiln\n":                 false,
		"import kiln, glaze\n":          true,
		"import kiln, shop\n":           true, // it returns objects of its dependencies
		"import kiln # not glaze\n":     false,
		"x = 'glaze.core'\n":            true, // as in the settings of a framework
		"def f(x: 'Oven'): ...\n":       false,
		"class Pot(kiln.Kiln): ...\n":   false,
		"from glaze.core import fire\n": true,
	} {
		w := newWorld(t)
		site := installed("kiln", "1.0", files{"kiln/__init__.py": "class Kiln: ...\n"})
		maps.Copy(site, installed("glaze", "1.0", files{"glaze.py": "from kiln import Kiln\nclass Oven(Kiln):\n    def __getattr__(self, name): ...\n"}))
		site["glaze-1.0.dist-info/METADATA"] = "Metadata-Version: 2.1\nName: glaze\nVersion: 1.0\nRequires-Dist: kiln\n"
		maps.Copy(site, installed("shop", "1.0", files{"shop.py": "import glaze\ndef make(): return glaze.Oven()\n"}))
		site["shop-1.0.dist-info/METADATA"] = "Metadata-Version: 2.1\nName: shop\nVersion: 1.0\nRequires-Dist: glaze\n"
		w.venv(filepath.Join(w.project, ".venv"), site)
		w.write(w.project, files{"app.py": app})
		m := ecosystem.Member{Package: "kiln", Name: "size", Value: ecosystem.Instance, Type: "Kiln"}
		if got := w.python().MayAssign(t.Context(), w.project, []ecosystem.Member{m}); got[0] != want {
			t.Errorf("%q: MayAssign = %v, want %v", app, got[0], want)
		}
	}
}

// TestMayAssign_MethodsThatAddMembers has a class with a method that adds attributes, which code uses or not.
func TestMayAssign_MethodsThatAddMembers(t *testing.T) {
	for _, tt := range []struct {
		pots, app string
		want      bool
	}{
		{"", "", false},
		{"", "k.load(x)\n", true},
		{"", "run(k.load)\n", true},
		{"", "getattr(k, 'load')(x)\n", true},
		{"", "def load(x): ...\n", false},
		{"", "load(x)\n", false},
		{"", "# k.load(x)\n", false},
		{"", "def f():\n    \"\"\"Load plugins.\n\n    >>> k.load('a')\n    It has to be called at the beginning, before anything else that the program does.\n    \"\"\"\n", false},
		{"def f(x): x.load(1)\n", "", true},
		{"class Pot:\n    def load(self): ...\n    start = load\n", "", true},
	} {
		w := newWorld(t)
		w.venv(filepath.Join(w.project, ".venv"), installed("pots", "1.0", files{"pots/__init__.py": "class Kiln:\n    def load(self, names):\n        for n in names: setattr(self, n, 1)\n", "pots/more.py": tt.pots}))
		w.write(w.project, files{"app.py": tt.app})
		m := ecosystem.Member{Package: "pots", Name: "load", Value: ecosystem.Instance, Type: "Kiln", Adds: true}
		if got := w.python().MayAssign(t.Context(), w.project, []ecosystem.Member{m}); got[0] != tt.want {
			t.Errorf("%+v: MayAssign = %v, want %v", tt, got[0], tt.want)
		}
	}
}

// TestMayAssign_StructuralClasses has a class that has the methods of an abstract one, from which it is not derived.
func TestMayAssign_StructuralClasses(t *testing.T) {
	w := newWorld(t)
	w.venv(filepath.Join(w.project, ".venv"), files{})
	w.write(filepath.Join(w.home, "python", "cpython-3.11.7-linux", "lib", "python3.11"), files{"_collections_abc.py": "class Iterator: ...\nclass Mapping: ...\n"})
	w.write(w.project, files{"app.py": "class Steps:\n    def __next__(self): ...\n    def skip(self): ...\n"})
	for _, tt := range []struct {
		class, name string
		want        bool
	}{{"Iterator", "skip", true}, {"Iterator", "absent", false}, {"Mapping", "skip", false}} {
		m := ecosystem.Member{Package: "_collections_abc", Name: tt.name, Value: ecosystem.Instance, Type: tt.class}
		if got := w.python().MayAssign(t.Context(), w.project, []ecosystem.Member{m}); got[0] != tt.want {
			t.Errorf("MayAssign = %v for %s of %s, want %v", got[0], tt.name, tt.class, tt.want)
		}
	}
}

// TestMayAssign_MethodsThatBasesCall has a class with a method that adds attributes, which a base in another package calls or not.
func TestMayAssign_MethodsThatBasesCall(t *testing.T) {
	for base, want := range map[string]bool{"threading.Thread": true, "pans.Pan": true, "pans.Lid": true, "object": false} {
		w := newWorld(t)
		w.write(filepath.Join(w.home, "python", "cpython-3.11.7-linux", "lib", "python3.11"), files{"threading.py": "class Thread:\n    def start(self): self.run()\n"})
		site := installed("pots", "1.0", files{"pots/__init__.py": "import pans, threading\nclass Pot(" + base + "):\n    def run(self):\n        for n in names(): setattr(self, n, 1)\n"})
		site["pots-1.0.dist-info/METADATA"] = "Metadata-Version: 2.1\nName: pots\nVersion: 1.0\nRequires-Dist: pans\n"
		maps.Copy(site, installed("pans", "1.0", files{"pans/__init__.py": "class Pan: ...\nclass Lid(Pan): ...\n", "pans/loop.py": "def loop(all):\n    for x in all: x.run()\n"}))
		w.venv(filepath.Join(w.project, ".venv"), site)
		w.write(w.project, files{"app.py": "import pots\n"})
		m := ecosystem.Member{Package: "pots", Name: "run", Value: ecosystem.Instance, Type: "Pot", Adds: true}
		if got := w.python().MayAssign(t.Context(), w.project, []ecosystem.Member{m}); got[0] != want {
			t.Errorf("%s: MayAssign = %v, want %v", base, got[0], want)
		}
	}
}

func TestIsUsed(t *testing.T) {
	for code, want := range map[string]bool{
		"k.load(x)": true, "x = 1 # load": false, "x = 'a' # load": false, "x = 'load'": true, "class A:\n    def load(self): ...": false,
		"class A:\n    all = {'a': load}": true, "class A:\n    @load\n    def f(self): ...": true,
	} {
		tokens := func() []source.Token { return source.Tokens(code) }
		if got := isUsed([]byte(code), tokens, strings.Index(code, "load")); got != want {
			t.Errorf("%q: isUsed = %v, want %v", code, got, want)
		}
	}
}

// TestFind_TokensOfAFile has a file with many names in comments. To read its tokens again for each of them takes minutes.
func TestFind_TokensOfAFile(t *testing.T) {
	code := []byte(strings.Repeat("x = 1 # k.load\n", 50_000))
	w := newAttribute(ecosystem.Member{Package: "pots", Name: "load", Type: "Kiln", Adds: true})
	find(0, code, []search{{attribute: w, reach: near}})
	if w.found {
		t.Error("names in comments are uses")
	}
}
