package modules

import (
	"context"
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/docent-mcp/docent/internal/apicodec"
	"github.com/docent-mcp/docent/internal/apidoc"
)

// files returns a file system with the files in a text. A line "-- name" precedes each
// file.
func files(text string) fstest.MapFS {
	m := fstest.MapFS{}
	for part := range strings.SplitSeq("\n"+text, "\n-- ") {
		name, body, _ := strings.Cut(part, "\n")
		if name = strings.TrimSpace(name); name != "" {
			m[name] = &fstest.MapFile{Data: []byte(body)}
		}
	}
	return m
}

// read reads a module of a distribution; other distributions are below the
// directory elsewhere/NAME.
func read(t *testing.T, text, module string) *apidoc.Package {
	t.Helper()
	all := files(text)
	imp := func(name string) (*Source, error) {
		top, _, _ := strings.Cut(name, ".")
		root, err := fs.Sub(all, "elsewhere/"+top)
		if err != nil {
			return nil, err
		}
		if _, err := fs.Stat(all, "elsewhere/"+top); err != nil {
			return nil, fs.ErrNotExist
		}
		return &Source{Module: name, Root: root, Dir: "other/" + top, Python: "3.11"}, nil
	}
	src := &Source{Module: module, Root: all, Modules: []string{"pkg"}, Python: "3.11", Platform: "linux/amd64"}
	if stubs, err := fs.Sub(all, "stubs"); err == nil {
		src.Stubs = stubs
	}
	p, err := Read(context.Background(), src, imp)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// outline formats symbols as lines with kind and signature, with members indented.
func outline(symbols []apidoc.Symbol) string {
	var b strings.Builder
	for i := range symbols {
		s := &symbols[i]
		fmt.Fprintf(&b, "%s %s | %s", s.Kind, s.Path, strings.ReplaceAll(s.Signature, "\n", " ; "))
		if s.Doc != "" {
			fmt.Fprintf(&b, " | %s", strings.ReplaceAll(s.Doc, "\n", " "))
		}
		if s.Deprecated != "" {
			fmt.Fprintf(&b, " | deprecated: %s", s.Deprecated)
		}
		if s.From != "" {
			fmt.Fprintf(&b, " | from %s", s.From)
		}
		b.WriteByte('\n')
		for line := range strings.Lines(outline(s.Members)) {
			b.WriteString("  " + line)
		}
	}
	return b.String()
}

// expectOutlines reads the package pkg in each text and compares its outline.
func expectOutlines(t *testing.T, tests []struct{ name, files, want string }) {
	t.Helper()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := outline(read(t, tt.files, "pkg").Symbols); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

func TestPublicNames(t *testing.T) {
	for _, tt := range []struct{ name, files, want string }{
		{"names without an underscore", "-- pkg/__init__.py\nimport os\nfrom typing import Any\ndef f(): pass\ndef _g(): pass\nx = 1\n", "f x"},
		{"__all__ in order", "-- pkg/__init__.py\n__all__ = ['b', 'a']\n__all__ += ['_c']\na = b = _c = d = 1\n", "b a _c"},
		{"__all__ of other modules", "-- pkg/__init__.py\nfrom . import m, n\nfrom .m import *\nfrom .n import *\n__all__ = ['x', *m.__all__]\n__all__.extend(n.__all__)\n__all__.append('y')\n__all__.remove('z')\nx = y = z = 1\n-- pkg/m.py\n__all__ = ('a', 'z')\na = z = 1\n-- pkg/n.py\nN = ['b']\n__all__ = list(N)\nb = 1\n", "x a b y"},
		{"re-exports of a package", "-- pkg/__init__.py\nfrom ._m import a, _b\nfrom pkg._m import c as d\nfrom other import e\nfrom other import f as f\nimport pkg._m\n-- pkg/_m.py\na = _b = c = 1\n-- elsewhere/other/other.py\ne = f = 1\n", "a d f"},
		{"a plain module gives no imported names", "-- pkg/__init__.py\nfrom .m import *\n-- pkg/m.py\nfrom ._n import a\nfrom ._n import b as b\nfrom ._n import *\n-- pkg/_n.py\na = b = 1\nc = 1\n", "a b c"},
		{"star imports of each other", "-- pkg/__init__.py\nfrom .m import *\na = 1\n-- pkg/m.py\nfrom pkg import *\nfrom .m import *\nb = 1\n", "a b"},
		{"versions and platforms", "-- pkg/__init__.py\nimport sys, os\nif sys.version_info >= (3, 12): a = 1\nelif sys.version_info[:2] == (3, 11): b = 1\nelse: c = 1\nif sys.platform == 'win32' or os.name == 'nt': d = 1\nelse: e = 1\nif sys.version_info.major < 3: f = 1\nPY = sys.version_info[0] == 3\nif PY and not sys.platform.startswith('darwin'): g = 1\n", "b e PY g"},
		{"type checkers alone", "-- pkg/__init__.py\nfrom typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from ._m import a, b\nelse:\n    b = 1\nif not TYPE_CHECKING: c = 1\n-- pkg/_m.py\na = b = 1\n", "b c"},
		{"what is tried first", "-- pkg/__init__.py\ntry:\n    from ._fast import a\nexcept ImportError:\n    from ._slow import a\n-- pkg/_slow.py\ndef a(): pass\n", "a"},
		{"a lazy table of names", "-- pkg/__init__.py\n_T = {'a': '.m', 'b': ('pkg', '.m'), 'm2': '.m2', 'c': '.m:C', 'd': 'pkg.m.D'}\ndef __getattr__(name): return _T[name]\n-- pkg/m.py\na = b = C = D = 1\n-- pkg/m2.py\n", "a b c d m2"},
		{"a lazy table of modules", "-- pkg/__init__.py\n_S = {'m': ['a', 'b']}\ndef __getattr__(name): return _S[name]\n-- pkg/m.py\na = b = 1\n", "a b"},
		{"lazy imports in the function", "-- pkg/__init__.py\ndef __getattr__(name):\n    if name == 'a':\n        from .m import a\n        return a\n-- pkg/m.py\na = 1\n", "a"},
		{"lazy imports of another name", "-- pkg/__init__.py\ndef __getattr__(name):\n    if name == 'Old':\n        from .m import _Old\n        return _Old\n    elif name == 'Older':\n        return _Older\n    if name in {'Oldest', 'x'}:\n        return globals()[f'_{name}']\nclass _Older: pass\n_Oldest = 1\n-- pkg/m.py\nclass _Old: pass\n", "Old Older Oldest"},
		{"lazy names of one class, and of another module", "-- pkg/__init__.py\nfrom . import _m\nclass New: pass\ndef __getattr__(name):\n    if name in {'Old', 'Older'}:\n        warn(f'{name} is old')\n        return New\n    if name == 'a':\n        warn()\n        return _m.b\n-- pkg/_m.py\nb = 1\n", "New Old Older a"},
		{"names that a function makes, and one more", "-- pkg/__init__.py\nfrom typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from .m import a\nelse:\n    __all__, __getattr__, __dir__ = attach(__name__, [], ['.m.a'])\n__all__.append('b')\nb = 1\n-- pkg/m.py\na = 1\n", "b a"},
		{"__all__ of another module and one more", "-- pkg/__init__.py\nfrom .m import *\nfrom .m import __all__\n__all__ += ['b']\nb = c = 1\n-- pkg/m.py\n__all__ = ['a']\na = 1\n", "a b"},
		{"lazy_loader", "-- pkg/__init__.py\nimport lazy_loader as lazy\n__getattr__, __dir__, _all = lazy.attach(__name__, ['s'], {'m': ['a']})\n-- pkg/m.py\na = 1\n-- pkg/s.py\n", "a s"},
		{"lazy_loader with a stub", "-- pkg/__init__.py\nimport lazy_loader as lazy\n__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)\n-- pkg/__init__.pyi\nfrom .m import a\n__all__ = ['a']\n-- pkg/m.py\na = 1\n", "a"},
		{"counters are no lists of names", "-- pkg/__init__.py\na = 1\nfor i in (1, 2):\n    a += 1\n", "a"},
		{"platforms by a constant of another module", "-- pkg/__init__.py\nfrom ._c import LINUX, WINDOWS\nif WINDOWS: a = 1\nelif LINUX: b = 1\ntry:\n    import msvcrt\nexcept ImportError:\n    c = 1\nelse:\n    d = 1\n-- pkg/_c.py\nimport sys\nLINUX = sys.platform.startswith('linux')\nWINDOWS = sys.platform == 'win32'\n", "LINUX WINDOWS b c"},
		{"the version of another package", "-- pkg/__init__.py\nimport other\nOLD = other.VERSION.startswith('1.')\nif OLD: a = 1\nelse: b = 1\n-- elsewhere/other/other/__init__.py\nfrom .v import VERSION\n-- elsewhere/other/other/v.py\nVERSION = '2.1'\n", "OLD b"},
		{"a module that is wrapped", "-- pkg/__init__.py\nimport os\nos = isolated(os)\na = 1\n", "a"},
		{"deleted names", "-- pkg/__init__.py\na = b = 1\ndel b\n", "a"},
		{"scripts", "-- pkg/__init__.py\na = 1\nif __name__ == '__main__':\n    b = 1\n", "a"},
		{"a stub alone", "-- pkg/__init__.pyi\nimport os\nfrom .m import a, b as b\nx: int\n-- pkg/m.pyi\na: int\nb: int\n", "b x"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var names []string
			for _, s := range read(t, tt.files, "pkg").Symbols {
				names = append(names, s.Path)
			}
			if got := strings.Join(names, " "); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestStarImportsOfEachOther(t *testing.T) {
	const pkg = `
-- pkg/__init__.py
from pkg.a import *
x = 1
from pkg.b import *
y = 1
__all__ = ['y']
-- pkg/a.py
from pkg import *
import os
def f(): 'Of a.'
-- pkg/b.py
from pkg import *
def g(): 'Of b.'
-- pkg/c.py
from .e import *
from .d import *
-- pkg/d.py
from .c import *
-- pkg/e.py
from .d import *
def h(): 'Of e.'
`
	for module, want := range map[string]string{
		"pkg":   "var y | y = 1\n",
		"pkg.a": "function f | def f() | Of a.\n", // when a runs, pkg is empty
		"pkg.b": "function g | def g() | Of b.\nvar x | x = 1\nfunction f | def f() | Of a.\n",
		"pkg.c": "function h | def h() | Of e.\n",
		"pkg.d": "function h | def h() | Of e.\n",
	} {
		if got := outline(read(t, pkg, module).Symbols); !strings.HasPrefix(got, want) || strings.Contains(strings.TrimPrefix(got, want), "function") {
			t.Errorf("%s: got\n%swant\n%s", module, got, want)
		}
	}
	r := Open(t.Context(), &Source{Module: "pkg", Root: files(pkg), Modules: []string{"pkg"}}, nil)
	for _, name := range []string{"c", "d", "e"} { // The name h is looked up in c through d, before e defines it.
		if e := r.lookup(r.moduleIn(r.main, "pkg."+name), "h", false); !e.known() {
			t.Errorf("pkg.%s has no h", name)
		}
	}
}

func TestSymbols(t *testing.T) {
	expectOutlines(t, []struct{ name, files, want string }{
		{"functions", "-- pkg/__init__.py\nasync def f(a, /, b: 'int' = 1, *, c={'x': [1]}, **kw) -> None:\n    '''Do :func:`g`.'''\nfrom contextlib import contextmanager\n@contextmanager\n@other\ndef g[T](*args: T): pass\n",
			"function f | async def f(a, /, b: int = 1, *, c={'x': [1]}, **kw) -> None | Do `g`.\nfunction g | @contextmanager ; def g[T](*args: T)\n"},
		{"attributes assigned to a class of a stub", "-- pkg/__init__.py\nfrom _c import *\ndef _get(self): 'Use m.'\nC.n = property(_get)\n-- pkg/__init__.pyi\nclass C:\n    m: int\n    n: int\n",
			"class C | class C\n  attribute C.m | m: int\n  property C.n | n: int = property(_get) | Use m.\n"},
		{"overloads", "-- pkg/__init__.py\nfrom typing import overload\n@overload\ndef f(a: int) -> int: ...\n@overload\ndef f(a: str) -> str: ...\ndef f(a):\n    '''Doc.'''\n",
			"function f | def f(a: int) -> int ; def f(a: str) -> str | Doc.\n"},
		{"deprecated overloads", "-- pkg/__init__.pyi\n@overload\ndef f(a: int) -> int: ...\n@overload\n@deprecated('Pass an int.')\ndef f(a: str) -> str: ...\n@overload\n@deprecated('Use f.')\ndef g(a: int) -> int: ...\n@overload\n@deprecated('Use f.')\ndef g(a: str) -> str: ...\n",
			"function f | def f(a: int) -> int ; def f(a: str) -> str\nfunction g | def g(a: int) -> int ; def g(a: str) -> str | deprecated: Use f.\n"},
		{"deprecation", "-- pkg/__init__.py\n@deprecated('Use g.')\ndef f(): pass\n@util.deprecated('1.4', reason='Use k.')\ndef j(): pass\n@deprecated\ndef k(): pass\ndef g():\n    warnings.warn('Use h.', DeprecationWarning)\ndef h():\n    '''Doc.\n\n    .. deprecated:: 1.2\n       Use i.\n    '''\n",
			"function f | def f() | deprecated: Use g.\nfunction j | def j() | deprecated: Use k.\nfunction k | def k() | deprecated: It is deprecated.\nfunction g | def g() | deprecated: Use h.\nfunction h | def h() | Doc. | deprecated: Since 1.2: Use i.\n"},
		{"values", "-- pkg/__init__.py\nMAX: int = 3\n'''The most.'''\n#: Where.\nplace = 'here'  # c\nlong = [" + strings.Repeat("1, ", 200) + "]\nAlias = dict[str, int]\ntype New[T] = list[T]\na, b = 1, 2\n",
			"const MAX | MAX: int = 3 | The most.\nvar place | place = 'here' | Where.\nvar long | long = ...\ntype alias Alias | Alias = dict[str, int]\ntype alias New | type New[T] = list[T]\nvar a | a = 1\nvar b | b = 2\n"},
		{"a class with its bases", "-- pkg/__init__.py\nfrom ._b import B\nclass A(B[int], metaclass=M):\n    '''Doc.'''\n    x: int = 1\n    '''Of x.'''\n    def f(self): '''Of f.'''\n    @property\n    def p(self) -> int: ...\n    @p.setter\n    def p(self, v): ...\n    g = f\n    class Inner: y = 1\n    def _h(self): pass\n    def __call__(self, z): pass\n-- pkg/_b.py\nclass B:\n    def __init__(self, b: int):\n        self.b = b\n    def f(self): pass\n    @classmethod\n    def make(cls): pass\n",
			"class B | class B\n  constructor B.__init__ | def __init__(self, b: int)\n  method B.f | def f(self)\n  method B.make | @classmethod ; def make(cls)\n  attribute B.b | b: int\nclass A | class A(B[int]) | Doc.\n  constructor A.__init__ | def __init__(self, b: int) | from B\n  attribute A.x | x: int = 1 | Of x.\n  method A.f | def f(self) | Of f.\n  property A.p | @property ; def p(self) -> int\n  method A.g | def g(self) | Of f.\n  class A.Inner | class Inner\n    attribute A.Inner.y | y = 1\n  method A.__call__ | def __call__(self, z)\n  method A.make | @classmethod ; def make(cls) | from B\n  attribute A.b | b: int | from B\n"},
		{"bases of other distributions", "-- pkg/__init__.py\nfrom other.m import Base\nclass A(Base): pass\n-- elsewhere/other/other/m.py\nfrom ._n import Base\n-- elsewhere/other/other/_n.py\nclass Base:\n    def f(self): '''Doc.'''\n",
			"class A | class A(Base)\n  method A.f | def f(self) | Doc. | from other._n.Base\n"},
		{"a diamond", "-- pkg/__init__.py\nclass A:\n    def f(self): 'A'\nclass B(A): pass\nclass C(A):\n    def f(self): 'C'\nclass D(B, C): pass\n__all__ = ['D']\n",
			"class D | class D(B, C)\n  method D.f | def f(self) | C | from C\n"},
		{"a dataclass", "-- pkg/__init__.py\nfrom dataclasses import dataclass, field, KW_ONLY\nfrom typing import ClassVar\n@dataclass\nclass A:\n    x: int\n    c: ClassVar[int] = 0\n    y: list[int] = field(default_factory=list)\n    n: int = field(init=False)\n    _: KW_ONLY\n    z: str = 'a'\n@dataclass(frozen=True)\nclass B(A):\n    w: int = 0\n__all__ = ['A', 'B']\n",
			"class A | @dataclass ; class A\n  constructor A.__init__ | def __init__(self, x: int, y: list[int] = list(), *, z: str = 'a') -> None\n  field A.x | x: int\n  attribute A.c | c: ClassVar[int] = 0\n  field A.y | y: list[int] = field(default_factory=list)\n  field A.n | n: int = field(init=False)\n  field A.z | z: str = 'a'\n" +
				"class B | @dataclass(frozen=True) ; class B(A)\n  constructor B.__init__ | def __init__(self, x: int, y: list[int] = list(), w: int = 0, *, z: str = 'a') -> None\n  field B.w | w: int = 0\n  field B.x | x: int | from A\n  attribute B.c | c: ClassVar[int] = 0 | from A\n  field B.y | y: list[int] = field(default_factory=list) | from A\n  field B.n | n: int = field(init=False) | from A\n  field B.z | z: str = 'a' | from A\n"},
		{"attrs", "-- pkg/__init__.py\nimport attr\n@attr.s(auto_attribs=True)\nclass A:\n    _x: int\n    y: int = attr.ib(default=1, kw_only=True)\n",
			"class A | class A\n  constructor A.__init__ | def __init__(self, x: int, *, y: int = 1) -> None\n  field A.y | y: int = attr.ib(default=1, kw_only=True)\n"},
		{"a model of pydantic", "-- pkg/__init__.py\nfrom pydantic import BaseModel, Field\nclass A(BaseModel):\n    model_config = {'extra': 'allow'}\n    x: int = Field(..., description='The x.')\n    y: str = Field('a', alias='why')\n    _z: int = 0\n__all__ = ['A']\n",
			"class A | class A(BaseModel)\n  constructor A.__init__ | def __init__(self, *, x: int, why: str = 'a', **extra_data: Any) -> None\n  attribute A.model_config | model_config = {'extra': 'allow'}\n  field A.x | x: int = Field(..., description='The x.') | The x.\n  field A.y | y: str = Field('a', alias='why')\n"},
		{"named tuples", "-- pkg/__init__.py\nfrom typing import NamedTuple\nfrom collections import namedtuple\nclass A(NamedTuple):\n    x: int\n    y: int = 0\nB = namedtuple('B', 'x y', defaults=[1])\n",
			"class A | class A(NamedTuple)\n  constructor A.__new__ | def __new__(cls, x: int, y: int = 0)\n  field A.x | x: int\n  field A.y | y: int = 0\nclass B | B = namedtuple('B', 'x y', defaults=[1])\n  field B.x | x\n  field B.y | y\n"},
		{"an enumeration", "-- pkg/__init__.py\nfrom enum import Enum\nclass A(Enum):\n    X = 1\n    '''Of X.'''\n    def f(self): pass\n", "enum A | class A(Enum)\n  enum value A.X | X = 1 | Of X.\n  method A.f | def f(self)\n"},
		{"typed dictionaries and protocols", "-- pkg/__init__.py\nfrom typing import Protocol, TypedDict\nclass A(TypedDict, total=False):\n    x: int\nclass B(Protocol):\n    def f(self) -> int: ...\n",
			"class A | class A(TypedDict, total=False)\n  field A.x | x: int\nprotocol B | class B(Protocol)\n  method B.f | def f(self) -> int\n"},
		{"slots", "-- pkg/__init__.py\nclass A:\n    __slots__ = ('x', '_y')\n", "class A | class A\n  attribute A.x | x\n"},
		{"aliases", "-- pkg/__init__.py\nfrom ._m import f as g\nh = g\nfrom other import k as k\nfrom .x import missing\nimport json as json\n__all__ = ['g', 'h', 'k', 'missing', 'm']\n-- pkg/_m.py\ndef f(): 'Doc.'\n-- pkg/m.py\n'''Module.'''\n-- elsewhere/other/other.py\nclass k: pass\n",
			"function g | def g() | Doc.\nfunction h | def h() | Doc.\nclass k | class k\nname missing | from pkg.x import missing\nmodule m | from pkg import m | Module.\n"},
		{"a star binds what __all__ lists", "-- pkg/__init__.py\nfrom .m import *\n__all__ = ['a', 'sub']\n-- pkg/m.py\nimport other as sub\n__all__ = ['a']\ndef a(): pass\n-- pkg/sub.py\n-- elsewhere/other/other.py\n",
			"function a | def a()\nmodule sub | from pkg import sub\n"},
		{"a stub beside the code", "-- pkg/__init__.py\ndef f(a, b=1):\n    '''Doc.'''\nclass A:\n    '''Of A.'''\n    def g(self, x): '''Of g.'''\n-- pkg/__init__.pyi\ndef f(a: int, b: int = ...) -> str: ...\nclass A:\n    def g(self, x: int) -> int: ...\n    y: int\n",
			"function f | def f(a: int, b: int = ...) -> str | Doc.\nclass A | class A | Of A.\n  method A.g | def g(self, x: int) -> int | Of g.\n  attribute A.y | y: int\n"},
		{"stubs of another distribution", "-- pkg/__init__.py\ndef f(a): '''Doc.'''\n-- stubs/pkg/__init__.pyi\ndef f(a: int) -> str: ...\n", "function f | def f(a: int) -> str | Doc.\n"},
		{"the setter of an inherited property", "-- pkg/__init__.py\nclass A:\n    @property\n    def x(self): 'Of x.'\nclass B(A):\n    @A.x.setter\n    def x(self, v): pass\n__all__ = ['B']\n",
			"class B | class B(A)\n  property B.x | def x(self, v)\n"},
		{"__all__ of lists that methods change", "-- pkg/__init__.py\nimport os\n_a = ['f']\n_b = []\nif hasattr(os, 'fork'):\n    def g(): pass\n    _a.append('g')\n    _b.extend(['h'])\ndef f(): pass\ndef h(): pass\ndef i(): pass\nif not os.x:\n    _a.remove('f')\n__all__ = _a + _b\ntry:\n    import zz\nexcept ImportError:\n    __all__.remove('h')\n",
			"function f | def f()\nfunction g | def g()\nfunction h | def h()\n"},
		{"a compiled module with a stub and a table of docstrings", "-- pkg/__init__.py\nfrom ._c import array, add\n__all__ = ['array', 'add']\n-- pkg/_c.cpython-311-x86_64-linux-gnu.so\n-- pkg/_c.pyi\ndef array(x: int) -> int: ...\nadd: _U[int]\nclass _U:\n    def __call__(self, x1: int, /, *, y: int = ...) -> int: ...\n-- pkg/_add_newdocs.py\nadd_newdoc('pkg._c', 'array', '''\n    array(x)\n\n    Make one.''')\n",
			"function array | def array(x: int) -> int | Make one.\nfunction add | def add(x1: int, /, *, y: int = ...) -> int\n"},
		{"docstrings in Annotated", "-- pkg/__init__.py\ndef f(a: Annotated[int, Doc('The a.\\n\\nIt is for:\\n\\n* x\\n* y')] = 1, b: Annotated[str, x] = ''): 'Doc.'\n",
			"function f | def f(a: int = 1, b: Annotated[str, x] = '') | Doc.  **Parameters:**  - `a`: The a.    It is for:    - x   - y\n"},
		{"a constructor that __new__ passes all arguments to", "-- pkg/__init__.py\nclass A:\n    def __new__(cls, *args, **kwargs): pass\n    def __init__(self, a, b=1): pass\nclass B:\n    def __new__(cls, a): pass\n    def __init__(self, *args): pass\n",
			"class A | class A\n  constructor A.__init__ | def __init__(self, a, b=1)\nclass B | class B\n  constructor B.__new__ | def __new__(cls, a)\n"},
		{"several targets on several lines", "-- pkg/__init__.py\na = \\\n    b = 1\n", "var a | a = 1\nvar b | b = 1\n"},
		{"static methods as before decorators", "-- pkg/__init__.py\nclass A:\n    def f(a): pass\n    f = staticmethod(f)\n    def g(cls): pass\n    g = classmethod(g)\n",
			"class A | class A\n  method A.f | @staticmethod ; def f(a)\n  method A.g | @classmethod ; def g(cls)\n"},
		{"a class that takes the name of its base", "-- pkg/__init__.py\nclass A:\n    def f(self): pass\nclass B(A):\n    def g(self): pass\nif x:\n    C = A\n    A = B\n__all__ = ['A']\n",
			"class A | class B(A)\n  method A.g | def g(self)\n  method A.f | def f(self) | from A\n"},
		{"a decorated class that is bound again", "-- pkg/__init__.py\nclass A:\n    'Doc.'\nA = wrap(A)\n", "class A | class A | Doc.\n"},
	})
}

func TestTypesThatSignaturesName(t *testing.T) {
	p := read(t, "-- pkg/__init__.py\nfrom . import _t as t\nfrom ._t import Shown as Public\ndef f(a: t.Hidden, b: t.Shown) -> 'list[t.Alias]': pass\n-- pkg/_t.py\nclass Hidden:\n    x: Deep\nclass Deep: pass\nclass Shown: pass\nAlias = dict[str, Hidden]\nT = TypeVar('T')\n", "pkg")
	want := "class Hidden | class Hidden\n  attribute Hidden.x | x: Deep\ntype alias Alias | Alias = dict[str, Hidden]\nclass Deep | class Deep\n"
	if got := outline(p.Internal); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	refs := fmt.Sprint(p.At("f").Refs)
	if want := "[{t.Hidden  Hidden} {t.Shown  Public} {Shown  Public} {t.Alias  Alias}]"; refs != want {
		t.Errorf("got refs %s, want %s", refs, want)
	}
}

func TestSubpackagesAndIndex(t *testing.T) {
	all := "-- pkg/__init__.py\n'''The\npackage. It does.'''\ndef f(): pass\n-- pkg/m.py\n'''Title\n=====\n\nOf m. More.'''\nclass A:\n  '''An a.\n\n  More.'''\n  def go(self):\n    '''Goes. Far.'''\n  def _hidden(self): pass\n-- pkg/_p.py\n-- pkg/tests/__init__.py\n-- pkg/sub/__init__.py\n-- pkg/sub/n.py\nx = 1\n-- pkg/space/o.py\n"
	p := read(t, all, "pkg")
	got := p.Synopsis
	for _, s := range p.Subpackages {
		got += fmt.Sprintf("|%s %s", s.Name, s.Synopsis)
	}
	if want := "The package.|pkg.m Of m.|pkg.space |pkg.sub "; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	for _, src := range []*Source{{Module: "pkg", Root: files(all)}, {Modules: []string{"pkg"}, Root: files(all)}} {
		index, err := Index(context.Background(), src)
		if err != nil {
			t.Fatal(err)
		}
		want := "module pkg | \n  function f | \nmodule pkg.m | \n  class A |  | An a.\n    method A.go |  | Goes.\nmodule pkg.space | \nmodule pkg.space.o | \nmodule pkg.sub | \nmodule pkg.sub.n | \n  var x | \n"
		if got := outline(index.Symbols); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
}

func TestWhatCannotBeReadIsReported(t *testing.T) {
	all := "-- pkg/__init__.py\nx = (1,\ndef f(): pass\n-- pkg/_c.abi3.so\n-- pkg/dyn.py\ny = 1\n__all__ = [n for n in dir() if keep(n)]\n"
	for module, want := range map[string]string{
		"pkg":     "pkg/__init__.py:1: a bracket is never closed, so the declaration is not read",
		"pkg._c":  "pkg._c is compiled and has no stubs, so its names and their documentation are unknown",
		"pkg.dyn": "__all__ of pkg.dyn is computed at run time, so it may export names other than these",
	} {
		if got := strings.Join(read(t, all, module).Warnings, "\n"); got != want {
			t.Errorf("%s: got %q, want %q", module, got, want)
		}
	}
	_, err := Read(context.Background(), &Source{Module: "pkg.sub.dyx", Root: files("-- pkg/__init__.py\n-- pkg/sub/__init__.py\n-- pkg/sub/dyn.py\n")}, nil)
	if want := "there is no module pkg.sub.dyx; close by: pkg.sub.dyn; request one of the modules of pkg.sub"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// loop is a directory that contains itself.
type loop struct{ fs.FS }

func (l loop) clean(name string) string { return strings.ReplaceAll(name, "loop/", "") }

func (l loop) Open(name string) (fs.File, error) {
	name = l.clean(name)
	return l.FS.Open(strings.TrimSuffix(name, "/loop"))
}

func TestHostilePackagesEnd(t *testing.T) {
	long := "-- pkg/__init__.py\nfrom .m0 import *\nx = m0.x\n"
	for i := range 500 {
		long += fmt.Sprintf("-- pkg/m%d.py\nfrom .m%d import *\nfrom .m%d import y%d as y%d\nclass A%d(A%d): pass\n", i, i+1, (i*7)%500, i, i, i, i+1)
	}
	for name, text := range map[string]string{
		"a long chain of imports":   long,
		"names that are themselves": "-- pkg/__init__.py\na = b\nb = a\nfrom . import c\nfrom pkg import d as e, e as d\nclass A(A): pass\nclass B(C): pass\nclass C(B): pass\n__all__ = __all__ + ['a', 'A', 'B', 'd']\n",
		"lists of each other":       "-- pkg/__init__.py\nfrom . import m\n__all__ = m.__all__ + []\n-- pkg/m.py\nimport pkg\n__all__ = pkg.__all__ + ['a']\n",
		"a table of itself":         "-- pkg/__init__.py\n_T = {'a': 'pkg', 'b': '.', 'c': ('pkg', 'c')}\ndef __getattr__(n):\n    from pkg import d\n    return d\n__all__ = ['a', 'b', 'c', 'd']\n",
		"fields of each other":      "-- pkg/__init__.py\nfrom collections import namedtuple\nA = namedtuple('A', ('x',) + B._fields)\nB = namedtuple('B', A._fields + ('y',))\nclass C(namedtuple('C', C._fields)): pass\n",
		"classes in classes":        "-- pkg/__init__.py\n" + nestedClasses(60),
	} {
		t.Run(name, func(t *testing.T) {
			all := files(text)
			if _, err := Read(context.Background(), &Source{Module: "pkg", Root: all}, nil); err != nil {
				t.Error(err)
			}
			if _, err := Index(context.Background(), &Source{Module: "pkg", Root: all}); err != nil {
				t.Error(err)
			}
		})
	}
	all := fstest.MapFS{"pkg/__init__.py": {}, "pkg/loop/__init__.py": {}}
	if _, err := Index(context.Background(), &Source{Module: "pkg", Root: loop{all}}); err != nil {
		t.Error(err)
	}
}

func nestedClasses(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", i) + "class A:\n")
	}
	return b.String() + strings.Repeat(" ", n) + "x = 1\n"
}

func TestReadingStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Read(ctx, &Source{Module: "pkg", Root: files("-- pkg/__init__.py\nx = 1\n")}, nil); err == nil {
		t.Error("it went on")
	}
}

func FuzzRead(f *testing.F) {
	f.Add("from .m import *\n__all__ = m.__all__\nclass A(m.B): x: int = 1\n", "class B: pass\nfrom . import A\n__all__ = ['B']\n", "x: A\n")
	f.Add("import lazy_loader\n__getattr__ = lazy_loader.attach_stub(__name__)\n", "", "from .m import x\n")
	f.Add("@dataclass\nclass A(A): x: 'A' = field()\n", "B = namedtuple('B', 'x')\n", "@overload\ndef f(): ...\n")
	f.Fuzz(func(t *testing.T, code, other, stub string) {
		all := fstest.MapFS{
			"pkg/__init__.py": {Data: []byte(code)}, "pkg/m.py": {Data: []byte(other)}, "pkg/__init__.pyi": {Data: []byte(stub)},
		}
		p, err := Read(context.Background(), &Source{Module: "pkg", Root: all, Python: "3.11"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := range p.Symbols {
			if p.Symbols[i].Path == "" || p.Symbols[i].Kind == "" {
				t.Fatalf("%+v has no path or kind", p.Symbols[i])
			}
		}
		if _, err := apicodec.Encode(p); err != nil {
			t.Fatal(err)
		}
		if _, err := Index(context.Background(), &Source{Module: "pkg", Root: all}); err != nil {
			t.Fatal(err)
		}
	})
}

func TestDeclarationsOfCythonBesideCompiledModules(t *testing.T) {
	for _, tt := range []struct{ name, files, want, warning string }{
		{
			"beside a source of Cython", "-- pkg/__init__.py\n-- pkg/m.pyx\ncdef class A:\n    'A.'\n    def f(self): 'F.'\n-- pkg/m.pxd\ncdef class A:\n    cdef public int n\n    cdef int hidden\n    cpdef g(self)\n",
			"class A | class A | A.;  method A.f | def f(self) | F.;  attribute A.n | n: int;", "",
		},
		{
			"beside compiled Python", "-- pkg/__init__.py\n-- pkg/m.py\nclass A:\n    def f(self): 'F.'\n-- pkg/m.cpython-311-x86_64-linux-gnu.so\n\x00\n-- pkg/m.pxd\ncdef class A:\n    cdef readonly str s\n",
			"class A | class A;  method A.f | def f(self) | F.;  attribute A.s | s: str;", "",
		},
		{
			"alone", "-- pkg/__init__.py\n-- pkg/m.so\n\x00\n-- pkg/m.pxd\ncdef int hidden()\ncpdef int area(int w)\ncdef class A:\n    cdef public int n\n",
			"function area | def area(w: int);class A | class A;  attribute A.n | n: int;", "these are the functions and classes that pkg/m.pxd declares",
		},
	} {
		p := read(t, tt.files, "pkg.m")
		if got := strings.ReplaceAll(outline(p.Symbols), "\n", ";"); got != tt.want || !strings.Contains(strings.Join(p.Warnings, " "), tt.warning) {
			t.Errorf("%s:\n%s\nwant\n%s\n%v", tt.name, got, tt.want, p.Warnings)
		}
	}
}

func TestNamesByStubsConditionsAndReplacement(t *testing.T) {
	for _, tt := range []struct{ name, files, want string }{
		{"a star import of a stub takes what the stub gives on", "-- pkg/__init__.py\nfrom pkg._c import *\n-- pkg/_c.pyi\nimport sys\nfrom typing import Final\nfrom ._d import a, b as b\nc: Final = 1\n-- pkg/_c.so\n\x00\n-- pkg/_d.pyi\na: int\nb: int\n", "b c"},
		{"dir() lists what is bound by then", "-- pkg/__init__.py\nfrom ._m import *\nfrom ._m import d as _d\nx = 1\n__all__ = [s for s in dir() if not s.startswith('_')]\ny = 2\n-- pkg/_m.py\na = b = 1\n_c = d = 1\n", "x a b d"},
		{"a list over dir() with a condition that is not known", "-- pkg/__init__.py\nx = 1\n__all__ = [s for s in dir() if keep(s)]\ny = 2\n", "x y"},
		{"what runs if an import failed comes last", "-- pkg/__init__.py\ntry:\n    from ._fast import *\nexcept ImportError:\n    from ._slow import *\n-- pkg/_fast.py\ndef f(fast): pass\n-- pkg/_slow.py\ndef f(slow): pass\ndef g(): pass\n", "f g"},
		{"a module that another object replaces", "-- pkg/__init__.py\nimport sys\nfrom typing import TYPE_CHECKING\nif False:\n    from ._m import a\nif TYPE_CHECKING:\n    from ._m import b\nsys.modules[__name__] = Lazy(__name__)\n-- pkg/_m.py\na = b = c = 1\n", "a b"},
		{"what a module that is not replaced imports in vain", "-- pkg/__init__.py\nif False:\n    from ._m import a\nx = 1\n-- pkg/_m.py\na = 1\n", "x"},
		{"hasattr of what a stub tells", "-- pkg/__init__.py\nfrom ._c import Socket\nimport pkg._c as c\nif hasattr(Socket, 'share'):\n    x = 1\nif hasattr(Socket, 'send'):\n    y = 1\nif hasattr(c, 'Socket'):\n    z = 1\nelse:\n    v = 1\n-- pkg/_c.so\n\x00\n-- pkg/_c.pyi\nimport sys\nclass Socket:\n    def send(self): ...\n    if sys.platform == 'win32':\n        def share(self): ...\n", "Socket y z"},
		{"__all__ of names that __getattr__ has from a module it mentions", "-- pkg/__init__.py\n-- pkg/old.py\n__all__ = ['f', 'lost']\ndef __getattr__(name):\n    return deprecated(private=['_new'], name=name)\n-- pkg/_new.py\ndef f(): pass\n", "f lost"},
	} {
		module := "pkg"
		if strings.Contains(tt.files, "pkg/old.py") {
			module = "pkg.old"
		}
		p := read(t, tt.files, module)
		var names []string
		for _, s := range p.Symbols {
			names = append(names, s.Path)
		}
		if got := strings.Join(names, " "); got != tt.want {
			t.Errorf("%s: %s, not %s", tt.name, got, tt.want)
		}
		if s := outline(p.Symbols); strings.Contains(s, "slow") || module == "pkg.old" && !strings.Contains(s, "function f | def f()") {
			t.Errorf("%s:\n%s", tt.name, s)
		}
	}
}

func TestDeclarationsThatStatementsComplete(t *testing.T) {
	expectOutlines(t, []struct{ name, files, want string }{
		{"a docstring that is assigned", "-- pkg/__init__.py\ndef f(): 'Old.'\nf.__doc__ = 'New.'\nclass A: pass\nA.__doc__ = '''Made.'''\n", "function f | def f() | New.\nclass A | class A | Made.\n"},
		{"another name of a builtin class", "-- pkg/__init__.py\nerror = OSError\nint = 3\n", "class error | error = OSError\nvar int | int = 3\n"},
		{"a property of a getter", "-- pkg/__init__.py\ndef _get(self): 'Count.'\nclass A:\n    n = property(_get)\n    m = property(_get, None, None, 'Other.')\n", "class A | class A\n  property A.n | n = property(_get) | Count.\n  property A.m | m = property(_get, None, None, 'Other.') | Other.\n"},
		{"names that globals() is updated with", "-- pkg/__init__.py\nimport enum\nclass E(enum.Enum):\n    A = 1\n@enum.global_enum\nclass F(enum.Flag):\n    B = 2\nglobals().update(E.__members__)\nglobals().update({'c': 3}, d=4)\nglobals()['e'] = 5\nglobals()[name] = 6\nother().update({'f': 7})\n",
			"enum E | class E(enum.Enum)\n  enum value E.A | A = 1\nenum F | class F(enum.Flag)\n  enum value F.B | B = 2\nconst B | B = 2\nconst A | A = 1\nvar c | c = 3\nvar d | d = 4\nvar e | e = 5\n"},
		{"fields in a variable", "-- pkg/__init__.py\nfrom collections import namedtuple\n_F = ['a', 'b']\nT = namedtuple('T', _F)\n", "class T | T = namedtuple('T', _F)\n  field T.a | a\n  field T.b | b\n"},
		{"what a variable of the environment chooses", "-- pkg/__init__.py\nimport os\nif os.environ.get('PURE'):\n    from ._slow import f\nelse:\n    from ._fast import f\n-- pkg/_slow.py\ndef f(slow): pass\n-- pkg/_fast.py\ndef f(fast): pass\n", "function f | def f(fast)\n"},
	})
}

func TestNamesThatProgramsMayUse(t *testing.T) {
	p := read(t, "-- pkg/__init__.py\nimport sys\nfrom ._core import run\nif sys.platform == 'win32':\n    from ._windows import *\n    def beep(): pass\nelse:\n    from ._unix import *\n"+
		"-- pkg/_core.py\ndef run(): pass\n-- pkg/_windows.py\n__all__ = ['Handle']\nclass Handle: pass\n-- pkg/_unix.py\n__all__ = ['Socket']\nclass Socket: pass\n", "pkg")
	for _, name := range []string{"Handle", "beep", "_core", "_windows", "sys"} {
		if !slices.Contains(p.Hidden, name) {
			t.Errorf("%s is not among %q", name, p.Hidden)
		}
	}
	if slices.Contains(p.Hidden, "*") || slices.Contains(p.Hidden, "Socket") {
		t.Errorf("hidden are %q", p.Hidden)
	}
}

func TestWrapped(t *testing.T) {
	p := read(t, "-- pkg/__init__.py\nfrom functools import lru_cache, wraps\nfrom other import fixture_factory, register\n@fixture_factory()\ndef container(request): pass\n@lru_cache\ndef cached(a): pass\n"+
		"@register\nclass Made:\n    def __init__(self, a): pass\nclass Plain:\n    @property\n    def x(self): pass\n    @x.setter\n    def x(self, v): pass\n    @register\n    def m(self, a): pass\n", "pkg")
	if got, want := strings.Join(p.Wrapped, " "), "container Made Plain.m"; got != want {
		t.Errorf("wrapped are %q, want %q", got, want)
	}
}

func TestWrapped_ConditionalImports(t *testing.T) {
	const files = "-- pkg/__init__.py\nfrom pkg.a import A, B\nif choose():\n    from pkg.b import A, B\n-- pkg/a.py\nclass A:\n    def __init__(self, a): ...\nclass B: ...\n-- pkg/b.py\nfrom pkg.a import B\nclass A: ...\n"
	if got := read(t, files, "pkg").Wrapped; !slices.Equal(got, []string{"A"}) {
		t.Errorf("wrapped are %q, want A", got)
	}
	const fallback = "-- pkg/__init__.py\nfrom pkg.a import C\n-- pkg/a.py\ntry:\n    from absent import C, D\nexcept ImportError:\n    def C(): ...\n__all__ = ['C']\n-- pkg/c.py\ntry:\n    import msvcrt\n    from absent import C\nexcept ImportError:\n    def C(): ...\ndef F(): ...\n"
	for _, module := range []string{"pkg", "pkg.a", "pkg.c"} {
		if got := read(t, fallback, module).Wrapped; !slices.Equal(got, []string{"C"}) {
			t.Errorf("%s: wrapped are %q, want C", module, got)
		}
	}
	missing := typesOf(files).Check(t.Context(), "", "from pkg import A, B\nimport pkg\nA(1).x\nB().y\npkg.A(1).x\ndef f(a: A, b: B):\n    from pkg import A as C\n    C(1).x; a.x; b.z\n").Missing
	if len(missing) != 2 || missing[0].Name != "y" || missing[1].Name != "z" {
		t.Errorf("missing are %+v, want y and z", missing)
	}
}

// TestIndex_OfLargeDistributions checks that an index is the same although the first modules are
// forgotten before the last ones are read.
func TestIndex_OfLargeDistributions(t *testing.T) {
	index := func(padding string) *apidoc.Package {
		src := &Source{Module: "pkg", Root: fstest.MapFS{
			"pkg/__init__.py": {Data: []byte("from .a import A\nfrom .c import C\n")},
			"pkg/a.py":        {Data: []byte("from .c import C\nclass A(C):\n    \"\"\"The first.\"\"\"\n    def f(self): pass\n" + padding)},
			"pkg/b.py":        {Data: []byte("from .a import A\n__all__ = ['A', 'B']\nclass B(A):\n    def g(self): pass\n" + padding)},
			"pkg/c.py":        {Data: []byte("class C:\n    def h(self): pass\n" + padding)},
		}}
		out, err := Index(context.Background(), src)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	small, large := index(""), index(strings.Repeat("# a comment\n", maxIndexText/12+1))
	if len(small.Symbols) != 4 || !reflect.DeepEqual(small, large) {
		t.Errorf("the index of the large distribution is %+v, want %+v", large, small)
	}
}
