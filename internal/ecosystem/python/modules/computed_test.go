package modules

import (
	"slices"
	"strings"
	"testing"
)

func TestComputesNames(t *testing.T) {
	for code, want := range map[string]bool{
		"globals()['x'] = 1\n":                                                      true,
		"for n in names:\n    globals()[n] = f(n)\n":                                true,
		"g = globals()\nbuild(DESCRIPTOR, g)\n":                                     true,
		"g = globals()\nprint(len(g))\n":                                            true,
		"g = globals()\nx = g['a']\n":                                               false,
		"globals().update(a)\n":                                                     true,
		"def init():\n    g = globals()\n    g['x'] = 1\ninit()\n":                  true,
		"me = sys.modules[__name__]\nsetattr(me, 'x', 1)\n":                         true,
		"me = sys.modules[__name__]\nregister(me, 'x')\n":                           true,
		"sys.modules[__name__] = Lazy()\n":                                          true,
		"IntEnum._convert_('Family', __name__, f)\n":                                true,
		"exec('x = 1')\n":                                                           false,
		"exec(compile('def f(*a): raise a[0]', 'text', 'exec'))\n":                  false,
		"exec('from os import *')\n":                                                true,
		"exec('globals()[n] = 1')\n":                                                true,
		"exec('x%s = 1' % n)\n":                                                     true,
		"if a:\n    # why\n    exec(code)\n":                                        true,
		"def f():\n    exec(code, {})\n":                                            false,
		"class A:\n    async def f(self):\n        if a:\n            exec(code)\n": false,
		"x = globals()['y']\n":                                                      false,
		"origin = globals()[self._name]\nreturn (origin, 1)\n":                      false,
		"__all__ = [n for n in globals() if n[:1] != '_']\n":                        false,
		"sys.modules['os.path'] = path\n":                                           false,
		"x = fork_exec(a)\n":                                                        false,
		"def _convert_(cls): pass\n":                                                false,
		"d = vars(a)['x']\n":                                                        false,
		"x = 1\n":                                                                   false,
	} {
		if got := computesNames([]byte(code)); got != want {
			t.Errorf("computesNames(%q) = %v, want %v", code, got, want)
		}
	}
}

func TestModuleGetattr(t *testing.T) {
	const moved = `-- pkg/_moved.py
MOVED = {"pkg:Moved": "other:Moved"}
REMOVED = {"pkg:Removed"}
def maker(module):
    from .errors import Error
    def inner(name):
        import warnings
        path = f"{module}:{name}"
        if path in MOVED.keys():
            return MOVED[path]
        if path in REMOVED or path == "pkg:Other":
            raise Error(name)
        names = sys.modules[module].__dict__
        if name in names:
            return names[name]
        raise AttributeError(name)
    return inner
`
	for body, want := range map[string]string{
		"    if name == 'Old':\n        return New\n    raise AttributeError(name)\n":                                                                                                                       "Old",
		"    if name in _table:\n        return _table[name]\n    raise AttributeError(name)\n":                                                                                                             "A B",
		"    if name in ('A', 'C') or name == 'D':\n        return 1\n    elif name == 'E':\n        return 2\n    else:\n        raise AttributeError(name)\n":                                             "A C D E",
		"    if name == 'A':\n        return 1\n    elif name == 'C':\n        return 2\n    if name in dir(sub):\n        msg = name\n        raise AttributeError(msg)\n    raise AttributeError(name)\n": "A C",
		"    if name in dir(sub):\n        if name == 'A':\n            return 1\n        raise AttributeError(name)\n    raise AttributeError(name)\n":                                                     "A",
		"    if name in compute():\n        return 1\n    raise AttributeError(name)\n":                                                                                                                     "*",
		"    if name.startswith('x'):\n        return 1\n    raise AttributeError(name)\n":                                                                                                                  "*",
		"    try:\n        return _table[name]\n    except KeyError:\n        raise AttributeError(name) from None\n":                                                                                       "A B",
		"    try:\n        return _table[name]\n    except KeyError:\n        return 1\n":                                                                                                                   "*",
		"    target = _table.get(name)\n    if target is None:\n        return _moved(name)\n    warnings.warn(name)\n    return target\n":                                                                  "A B Moved",
		"    if unclear(name):\n        return 1\n    raise AttributeError(name)\n":                                                                                                                         "*",
		"    if (found := _table.get(f'{name}')) is None:\n        raise AttributeError(name)\n    return found\n":                                                                                          "A B",
		"    if '_' + name in globals():\n        return 1\n    raise AttributeError(name)\n":                                                                                                               "private",
		"    return importlib.import_module(name)\n":                                                                                                                                                        "*",
		"    try:\n        return f(name)\n    except KeyError:\n        raise AttributeError(name)\n":                                                                                                      "*",
	} {
		p := read(t, "-- pkg/__init__.py\n_table = {'A': 1, 'B': 2}\n_private = 1\nclass New: pass\nfrom ._moved import maker\n_moved = maker(__name__)\ndef __getattr__(name):\n"+body+moved, "pkg")
		for _, name := range []string{"Removed", "Other"} {
			if slices.Contains(p.Hidden, name) {
				t.Errorf("%q: provides %s, which raises an error", body, name)
			}
		}
		if want == "*" {
			if p.Dynamic == "" {
				t.Errorf("%q: it is not said that it provides names", body)
			}
			continue
		}
		if p.Dynamic != "" {
			t.Errorf("%q: %s", body, p.Dynamic)
		}
		for name := range strings.FieldsSeq(want) {
			if !slices.Contains(p.Hidden, name) && p.At(name) == nil {
				t.Errorf("%q: %s is not among %q", body, name, p.Hidden)
			}
		}
	}
}

func TestNamesPassedToFunctions(t *testing.T) {
	p := read(t, "-- pkg/__init__.py\nfrom ._lazy import alias, other\nif True:\n    alias(\n        {\n            'Old': 'pkg.New',\n        }\n    )\ndef f():\n    other({'local': 1})\n-- pkg/_lazy.py\ndef alias(names): pass\n", "pkg")
	if !slices.Contains(p.Hidden, "Old") || slices.Contains(p.Hidden, "local") {
		t.Errorf("the hidden names are %q", p.Hidden)
	}
}

func TestNamesOfCompiledModules(t *testing.T) {
	p := read(t, "-- pkg/__init__.py\nfrom .api import *\n-- pkg/api.py\nfrom _missing import *\nx = 1\n", "pkg")
	if !slices.Contains(p.Hidden, "*") {
		t.Errorf("names that a module in between imports are taken for known: %q", p.Hidden)
	}
}

// TestNames_OfStubsAndOtherObjects reads modules whose code computes names, or attributes of their symbols.
func TestNames_OfStubsAndOtherObjects(t *testing.T) {
	const lazy = "def __getattr__(name):\n    if name == 'old':\n        return 1\n    return make(name)\n"
	for _, tt := range []struct {
		name, files string
		whole       bool
	}{
		{"a function that provides names", "-- pkg/__init__.py\n" + lazy, false},
		{"a stub that declares the names", "-- pkg/__init__.py\n" + lazy + "globals()[x] = 1\n-- pkg/__init__.pyi\nnew: int\n", true},
		{"a stub with any name", "-- pkg/__init__.py\n" + lazy + "-- pkg/__init__.pyi\ndef __getattr__(name): ...\n", false},
		{"attributes of symbols", "-- pkg/__init__.py\nnames = locals()\nfor n in __all__:\n    setattr(names[n], '__module__', 'pkg')\n", true},
		{"attributes of the module", "-- pkg/__init__.py\nimport sys\nme = sys.modules[__name__]\nfor n in x:\n    setattr(me, n, 1)\n", false},
		{"members of an enumeration", "-- pkg/__init__.py\nimport enum\nenum.IntEnum._convert_(\n    'Signals', __name__, str.isupper)\n", false},
		{"a method with the same name", "-- pkg/__init__.py\ndef f(self, x):\n    return self._convert(x)\n", true},
		{"code that runs in the module", "-- pkg/__init__.py\nif x:\n    f(\n        1,\n    )\n    exec(code)\n", false},
		{"code that runs in a function with parameters on several lines", "-- pkg/__init__.py\ndef f(\n    a,\n) -> int:\n    exec(code, {})\n", true},
		{"a module that fills the package", "-- pkg/__init__.py\nfrom . import _build\n-- pkg/_build.py\nimport sys\nfill(sys.modules['pkg'])\n", false},
		{"a decorator that fills the module", "-- pkg/__init__.py\nfrom ._tools import fast\n@fast\nclass A: ...\n-- pkg/_tools.py\nimport sys\ndef fast(c):\n    names = sys._getframe(1).f_globals\n    names[c.__name__ + 'Slow'] = c\n", false},
		{"a decorator that reads the names of the module", "-- pkg/__init__.py\nfrom ._tools import fast\n@fast\nclass A: ...\n-- pkg/_tools.py\nimport sys\ndef fast(c):\n    names = sys._getframe(1).f_globals\n    names['A'] == c\n", true},
		{"a module that replaces the package", "-- pkg/__init__.py\nfrom ._build import x\n-- pkg/_build.py\nimport sys\nx = 1\nsys.modules[__package__] = x\n", false},
		{"a module that reads the package", "-- pkg/__init__.py\nfrom . import _build\n-- pkg/_build.py\nimport sys\nx = sys.modules['pkg'].x\nfill(sys.modules['other'])\n", true},
	} {
		p := read(t, tt.files, "pkg")
		if whole := p.Dynamic == "" && !slices.Contains(p.Hidden, "*"); whole != tt.whole {
			t.Errorf("%s: all names are known: %v, want %v", tt.name, whole, tt.whole)
		}
		if tt.whole && strings.Contains(tt.files, "old") && !slices.Contains(p.Hidden, "old") {
			t.Errorf("%s: the name that the function provides is not among %q", tt.name, p.Hidden)
		}
	}
}

func TestWrapped_DeclaredDecorators(t *testing.T) {
	p := read(t, "-- pkg/__init__.py\n"+`from typing import Callable, ParamSpec, TypeVar
P = ParamSpec("P")
T = TypeVar("T")
F = TypeVar("F", bound=Callable)

def same(function: Callable[P, T]) -> Callable[P, T]: ...
def renamed(old: str, new: str) -> Callable[[Callable[P, T]], Callable[P, T]]: ...
def kept(text) -> "Callable[[F], F]": ...
def changed(function: Callable[P, T]) -> Callable[..., T]: ...
def other(text) -> Callable[[Callable[P, T]], Callable[P, int]]: ...
def unknown(function): ...

@same
def a(x): ...
@renamed("old_x", "x")
def b(x): ...
@kept("x y")
def c(x): ...
@changed
def d(x): ...
@other("x")
def e(x): ...
@unknown
def f(x): ...
class G:
    @renamed("old_x", "x")
    def h(self, x): ...
`, "pkg")
	if want := []string{"d", "e", "f"}; !slices.Equal(p.Wrapped, want) {
		t.Errorf("wrapped are %q, want %q", p.Wrapped, want)
	}
	for _, name := range []string{"b.old_x", "G.h.old_x"} {
		if !slices.Contains(p.Hidden, name) {
			t.Errorf("%s is not among %q", name, p.Hidden)
		}
	}
}

func TestNamesOfTexts(t *testing.T) {
	p := read(t, "-- pkg.py\nimport sys\nif sys.version_info < (3,):\n    exec(\"def reraise(e): raise e\")\nx = 1\n", "pkg")
	if !slices.Contains(p.Hidden, "reraise") || slices.Contains(p.Hidden, "*") {
		t.Errorf("the other names are %q", p.Hidden)
	}
}

func TestAllNames_OfAComputedList(t *testing.T) {
	const code = "-- pkg/__init__.py\nfrom ._tokens import *\n-- pkg/_tokens.py\nfrom ._token import COMMENT, NAME\nfrom . import _token\n__all__ = compute(_token)\n-- pkg/_token.py\nCOMMENT = 1\nNAME = 2\n"
	if p := read(t, code, "pkg._tokens"); !p.AllNames || len(p.Warnings) != 1 {
		t.Errorf("all names are known: %t, with the warnings %q", p.AllNames, p.Warnings)
	}
	if p := read(t, code, "pkg"); !slices.Contains(p.Hidden, "COMMENT") {
		t.Errorf("the other names are %q", p.Hidden)
	}
	if p := read(t, "-- pkg.py\n__all__ = compute()\nglobals()[f()] = 1\n", "pkg"); p.AllNames {
		t.Error("all names are known, although code computes some")
	}
}
