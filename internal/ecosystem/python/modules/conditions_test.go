package modules

import (
	"strings"
	"testing"
)

func TestWhatRunsAndWhatTypeCheckersSee(t *testing.T) {
	expectOutlines(t, []struct{ name, files, want string }{
		{"what is said to be public for type checkers", "-- pkg/__init__.py\nfrom typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from .m import a as a, b\n-- pkg/m.py\na = b = 1\n", "var a | a = 1\n"},
		{"a tool that reads the module", "-- pkg/__init__.py\nimport sys\nimport typing as t\nif sys.platform == 'win32' or (not t.TYPE_CHECKING and 'docs' in sys.modules):\n    def f(): pass\nx = 1\n", "var x | x = 1\n"},
		{"a condition of the module in a class", "-- pkg/__init__.py\ntry:\n    import msvcrt\nexcept ModuleNotFoundError:\n    _windows = False\nelse:\n    _windows = True\nclass C:\n    if _windows:\n        def a(self): '''Windows.'''\n    else:\n        def a(self): '''Others.'''\n", "class C | class C\n  method C.a | def a(self) | Others.\n"},
		{"a method that type checkers alone see", "-- pkg/__init__.py\nfrom typing import TYPE_CHECKING\nclass C:\n    if TYPE_CHECKING:\n        def made(self, x): ...\n        y: int\n", "class C | class C\n  method C.made | def made(self, x)\n"},
		{"a block that raises", "-- pkg/__init__.py\nif version() < 3:\n    msg = 'old'\n    raise ImportError(msg)\nx = 1\n", "var x | x = 1\n"},
		{"a class for type checkers and one that runs", "-- pkg/__init__.py\nimport typing\nclass _A: 'For checkers.'\nclass _B: 'Runs.'\n_C: type[_A] = _B\nif typing.TYPE_CHECKING:\n    C = _A\nelse:\n    C = _C\n", "class C | class _B | Runs.\n"},
		{"what runs documents overloads", "-- pkg/__init__.py\nfrom typing import TYPE_CHECKING, overload\ndef _f(x=None):\n    '''Runs.'''\nif TYPE_CHECKING:\n    @overload\n    def f(x: int): ...\n    @overload\n    def f(): ...\nelse:\n    f = _f\n", "function f | def f(x: int) ; def f() | Runs.\n"},
	})
}

func TestClassesThatAreMadeInParts(t *testing.T) {
	expectOutlines(t, []struct{ name, files, want string }{
		{"a metaclass that is called", "-- pkg/__init__.py\nclass _Meta(type):\n    def __call__(cls, path: str, *, wait=True, **more): ...\nclass Lock(metaclass=_Meta):\n    def __init__(self, path): ...\n", "class Lock | class Lock\n  constructor Lock.__init__ | def __init__(self, path: str, *, wait=True, **more) -> None | from _Meta\n"},
		{"a metaclass that replaces the constructor", "-- pkg/__init__.py\nclass _Meta(type):\n    def __init__(cls, *a):\n        cls.__new__ = lambda cls: one\nclass Lock(metaclass=_Meta):\n    def __init__(self, path): ...\n", "class Lock | class Lock\n"},
		{"a metaclass that leaves it to the class", "-- pkg/__init__.py\nclass _Meta(type):\n    def __call__(cls, *a, **k): ...\nclass Lock(metaclass=_Meta):\n    def __init__(self, path): ...\n", "class Lock | class Lock\n  constructor Lock.__init__ | def __init__(self, path)\n"},
		{"bases in a tuple", "-- pkg/__init__.py\nclass A:\n    def a(self): ...\n_bases = (A,)\nclass B(*_bases): ...\n", "class A | class A\n  method A.a | def a(self)\nclass B | class B(*_bases)\n  method B.a | def a(self) | from A\n"},
		{"fields of another tuple", "-- pkg/__init__.py\nfrom collections import namedtuple\n_A = namedtuple('_A', 'x y')\nB = namedtuple('B', ('z',) + _A._fields)\n", "class B | B = namedtuple('B', ('z',) + _A._fields)\n  field B.z | z\n  field B.x | x\n  field B.y | y\n"},
		{"a class that a metaclass makes again", "-- pkg/__init__.py\nclass A:\n    def f(self): ...\nA = Meta('A', (A,), {})\nclass B(A): ...\n", "class A | class A\n  method A.f | def f(self)\nclass B | class B(A)\n  method B.f | def f(self) | from A\n"},
		{"a model with the __init__ of its base", "-- pkg/__init__.py\nfrom pydantic import BaseModel\nclass A(BaseModel):\n    x: int\n    def __init__(self, content: str, *args, **kw): ...\nclass B(A):\n    y: str = ''\n__all__ = ['B']\n-- pydantic/__init__.py\nfrom .main import BaseModel\n-- pydantic/main.py\nclass BaseModel:\n    def __init__(self, **data): ...\n", "class B | class B(A)\n  constructor B.__init__ | def __init__(self, content: str, *args, x: int, y: str = '') -> None\n  field B.y | y: str = ''\n  field B.x | x: int | from A\n"},
		{"attributes that are added below", "-- pkg/__init__.py\nclass D:\n    def f(self): ...\nD.min = D()\nD.g = D.f\n", "class D | class D\n  method D.f | def f(self)\n  attribute D.min | min = D()\n  method D.g | def g(self)\n"},
		{"static methods that are functions of others", "-- pkg/__init__.py\nfrom . import _m\nclass A:\n    f = staticmethod(_m.f)\n    g = staticmethod(_m.B.g)\n    h = staticmethod(1)\n-- pkg/_m.py\ndef f(x): 'Of f.'\nclass B:\n    @staticmethod\n    def g(y): 'Of g.'\n",
			"class A | class A\n  method A.f | @staticmethod ; def f(x) | Of f.\n  method A.g | @staticmethod ; def g(y) | Of g.\n  method A.h | h = staticmethod(1)\n"},
		{"a method of the metaclass", "-- pkg/__init__.py\nclass _Meta(type):\n    def find(cls, label): 'Find it.'\nclass _A(metaclass=_Meta): ...\nclass B:\n    find = _A.find\n", "class B | class B\n  method B.find | def find(cls, label) | Find it.\n"},
		{"a base that a condition chooses", "-- pkg/__init__.py\nimport os, platform\nclass _A:\n    def a(self): ...\nclass _B:\n    def b(self): ...\n_base = _A if os.name == 'nt' or platform.system() == 'Windows' else _B\nclass C(_base): ...\nD = _A if platform.system() == 'Linux' else _B\n",
			"class C | class C(_base)\n  method C.b | def b(self) | from _B\nclass D | class _A\n  method D.a | def a(self)\n"},
		{"functions that are methods of a final object", "-- pkg/__init__.py\nfrom typing import Final\nclass _R:\n    def pick(self, n: int) -> int:\n        '''Pick one.'''\n_inst: Final = _R()\npick: Final = _inst.pick\n", "function pick | def pick(n: int) -> int | Pick one.\n"},
		{"functions that are methods of an object", "-- pkg/__init__.py\nclass _R:\n    def pick(self, n: int) -> int:\n        '''Pick one.'''\n_inst = _R()\npick = _inst.pick\n", "function pick | def pick(n: int) -> int | Pick one.\n"},
	})
}

func TestAPackageGivesOnWhatItsPrivatePartHas(t *testing.T) {
	all := files("-- pkg/__init__.py\nfrom _pkg import A\nfrom other import B\n-- _pkg.py\nclass A: ...\n-- other.py\nclass B: ...\n")
	p, err := Read(t.Context(), &Source{Module: "pkg", Root: all, Modules: []string{"pkg", "_pkg", "other"}}, nil)
	if err != nil || outline(p.Symbols) != "class A | class A\n" {
		t.Errorf("%v %v", p, err)
	}
}

func TestDocstringsThatModulesAssign(t *testing.T) {
	for _, tt := range []struct{ files, want string }{
		{"-- pkg/__init__.py\nx = 1\n__doc__ = '''Assigned.'''\n", "Assigned."},
		{"-- pkg/__init__.py\n'''Written.'''\nfrom .m import __doc__ as original\n__doc__ = original\n-- pkg/m.py\n'''Of m.'''\n", "Of m."},
		{"-- pkg/__init__.py\nfrom .m import __doc__\n-- pkg/m.py\n'''Of m.'''\n", "Of m."},
		{"-- pkg/__init__.py\n'''Written.'''\n__doc__ = f()\n", "Written."},
	} {
		if got := read(t, tt.files, "pkg").Doc; got != tt.want {
			t.Errorf("%q: %q, not %q", tt.files, got, tt.want)
		}
	}
}

func TestCompiledModules(t *testing.T) {
	const compiled = "\x7fELF\x00\x00junk(\x00Packer(default=None, *, bool strict=False)\nA packer.\x00Packer(default=None, *, bool strict=False)\n\nA packer.\x00" +
		"Packer.pack(self, obj, size_t n=1)\n\nPack one.\x00Packer.reset(self)\x00sum($module, iterable, /, start=0)\n--\n\nAdd up.\x00" +
		"dumps(obj, *, option=None)\n--\n\nWrite.\x00query(self, x)\n\nA method of who knows what.\x00failed (%s) to\n\nopen\x00"
	for _, tt := range []struct{ name, files, module, want, warning string }{
		{"docstrings that declare", "-- pkg/__init__.py\n-- pkg/_c.cpython-311-x86_64-linux-gnu.so\n" + compiled, "pkg._c",
			"function sum | def sum(iterable, /, start=0) | Add up.\nfunction dumps | def dumps(obj, *, option=None) | Write.\nclass Packer | class Packer | A packer.\n  constructor Packer.__init__ | def __init__(self, default=None, *, strict: bool = False)\n  method Packer.pack | def pack(self, obj, n: size_t = 1) | Pack one.\n  method Packer.reset | def reset(self)\n", "is compiled and has no stubs; these are"},
		{"a stub's signature and the docstring of the code", "-- pkg/__init__.py\n-- pkg/_c.pyi\ndef sum(it: list[int]) -> int: ...\nclass Packer:\n    def pack(self, obj: object) -> bytes: ...\n-- pkg/_c.so\n" + compiled, "pkg._c",
			"function sum | def sum(it: list[int]) -> int | Add up.\nclass Packer | class Packer | A packer.\n  method Packer.pack | def pack(self, obj: object) -> bytes | Pack one.\n", ""},
		{"a stub of anything", "-- pkg/__init__.py\n-- pkg/_c.pyi\ndef __getattr__(name): ...\n-- pkg/_c.so\n\x00sum($module, x)\n--\n\nAdd up.\x00", "pkg._c", "function sum | def sum(x) | Add up.\n", "is compiled"},
		{"the stub of the package that it is the body of", "-- pkg/__init__.py\nfrom .pkg import *\n-- pkg/__init__.pyi\ndef f(x: int) -> str: ...\n-- pkg/pkg.abi3.so\n\x00", "pkg.pkg", "function f | def f(x: int) -> str\n", ""},
		{"nothing is known", "-- pkg/__init__.py\n-- pkg/_c.so\n\x00", "pkg._c", "", "its names and their documentation are unknown"},
		{"a base by cimport", "-- pkg/__init__.py\n-- pkg/a.pyx\nfrom pkg.b cimport B\ncdef class A(B):\n    pass\n-- pkg/b.pyx\ncdef class B:\n    def f(self): pass\n-- pkg/a.so\n", "pkg.a", "class A | class A(B)\n  method A.f | def f(self) | from B\n", ""},
		{"Cython", "-- pkg/__init__.py\n-- pkg/c.pyx\ncimport x\ninclude 'more.pxi'\ncdef class A:\n    '''An A.'''\n    def __cinit__(self, int n): pass\n-- pkg/more.pxi\ndef f(double[:] x not None):\n    '''F.'''\ninclude 'more.pxi'\n-- pkg/c.so\n", "pkg.c", "function f | def f(x: double[:]) | F.\nclass A | class A | An A.\n  constructor A.__init__ | def __init__(self, n: int)\n", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := read(t, tt.files, tt.module)
			if got := outline(p.Symbols); got != tt.want {
				t.Errorf("got:\n%swant:\n%s", got, tt.want)
			}
			if got := strings.Join(p.Warnings, "; "); (tt.warning == "") != (got == "") || !strings.Contains(got, tt.warning) {
				t.Errorf("warns %q", got)
			}
			for s := range p.All {
				if s.Name() == "f" && tt.name == "Cython" && (s.File != "pkg/more.pxi" || s.Line != 1) {
					t.Errorf("%s is in %s:%d", s.Path, s.File, s.Line)
				}
			}
		})
	}
}
