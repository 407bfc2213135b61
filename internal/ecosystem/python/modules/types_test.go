package modules

import (
	"context"
	"io/fs"
	"slices"
	"strings"
	"testing"
)

// abstractCollections is a module of the standard library.
const abstractCollections = `
-- _collections_abc.py
class Awaitable: ...
class Coroutine(Awaitable):
    def __await__(self): ...
class Iterable: ...
class Iterator(Iterable): ...
class Generator(Iterator): ...
class ItemsView: ...
class KeysView: ...
class ValuesView: ...
`

// typesOf returns the types of a program with the given files.
func typesOf(text string) *Types {
	r := Open(context.Background(), &Source{Root: files(text), Python: "3.12", Platform: "linux/amd64"}, func(module string) (*Source, error) {
		if module != "_collections_abc" {
			return nil, fs.ErrNotExist
		}
		return &Source{Root: files(abstractCollections), Dir: "lib", Python: "3.12"}, nil
	})
	r.Program = true
	return NewTypes(r)
}

func TestTypes_AbsentMembers(t *testing.T) {
	const lib = `-- lib.py
from typing import Generic, Iterator, Optional, TypeVar, overload
T = TypeVar("T")
class Pot:
    depth: int
    name = "pot"
    def fill(self) -> "Pot": return self
    def lids(self) -> list["Lid"]: return []
    @property
    def lid(self) -> Optional["Lid"]: return None
    @classmethod
    def made(cls): return cls()
class Lid:
    def __init__(self):
        self.size, self.parts = 1, {}
    def open(self): ...
    def __enter__(self) -> "Pot": ...
    def __exit__(self, *a): ...
class Shelf(Generic[T]):
    def __init__(self, item: T):
        self.item = item
    def first(self) -> T: ...
    def __getitem__(self, i: int) -> T: ...
class Loose:
    def __getattr__(self, name): ...
async def fetch() -> Pot: ...
L = TypeVar("L", bound=Lid)
@overload
def turn(x: L) -> L: ...
@overload
def turn(x: Pot) -> Shelf[Pot]: ...
def turn(x): return x
@overload
def pick(x: int) -> Pot: ...
@overload
def pick(x: str) -> Lid: ...
def pick(x): ...
def same(x: T) -> T: return x
def guess(x):
    if x: return Pot()
    return None
`
	for _, tt := range []struct{ name, code, want string }{
		{"a class", "Pot().fill().a; Pot().depth.b; Pot.c; Pot().made().d", "a b c d"},
		{"builtin types", "''.a; ''.upper().b; [1].c; {1: Pot()}[1].d; {1: ''}[1].split; {1: ''}[2].other; (1, '')[1].e; ' '.join([]).f; b''.decode().g; (1 + 2).h; f'{1}'.i", "a b c d e f g h i"},
		{"members that exist", "''.upper; [].append; Pot().name.upper; Pot.fill; Lid().parts.keys; Lid().size.real", ""},
		{"elements", "for l in Pot().lids(): l.a\n[l.b for l in Pot().lids()]\nfor i, l in enumerate(Pot().lids()): l.c\n{l: l.d for l in Pot().lids()}", "a b c d"},
		{"None is left out", "Pot().lid.a; guess(1).b", "a b"},
		{"isinstance", "def f(x):\n    if isinstance(x, Pot): x.a\n    elif isinstance(x, (Pot, Lid)): x.b\n    else: x.c", "a b"},
		{"isinstance and not", "def f(x: Pot | Lid):\n    if not isinstance(x, Pot):\n        x.open; x.fill\n        return\n    x.fill; x.open", "fill open"},
		{"a union", "def f(x: Pot | Lid): x.fill; x.a", "a"},
		{"an early return", "def f(x: Pot | None):\n    if x is None:\n        x.fill\n        return\n    x.a", "a"},
		{"branches", "def f(c):\n    if c: x = Pot()\n    else: x = Lid()\n    x.open; x.a", "a"},
		{"a loop that changes a variable", "def f():\n    x = Pot()\n    for i in [1]:\n        x.open\n        x = Lid()", ""},
		{"an exception that changes a variable", "def f():\n    x = Pot()\n    try:\n        x = Lid()\n        x = Pot()\n    except ValueError: x.open", ""},
		{"generics", "Shelf(Pot()).first().a; Shelf(Pot()).item.b; Shelf('')[0].c; same(Pot()).d", "a b c d"},
		{"a parameter that __init__ assigns", "class A:\n    def __init__(self, p: str, q: str):\n        p = Pot()\n        self.p, self.s = p, q\n        self.r = p\n        self.q = q\n    def f(self): self.p.open; self.r.open; self.r.depth; self.q.open", "open open open"},
		{"methods of ABCMeta", "import abc\nclass A(metaclass=abc.ABCMeta): ...\nA.register(int)\nA.registre(int)", "registre"},
		{"overloads with type variables that have bounds", "turn(Pot()).item", ""},
		{"overloads", "pick(1).a; pick('').b; pick(open).c", "a b"},
		{"await", "async def f():\n    (await fetch()).a; fetch().b", "a b"},
		{"context managers", "with Lid() as p: p.a", "a"},
		{"anything", "Loose().a; unknown.b; unknown().c", ""},
		{"expected errors", "try: Pot().a\nexcept AttributeError: pass\nimport pytest\nwith pytest.raises(AttributeError): Pot().b", ""},
		{"tests of versions", "import sys\nif sys.version_info > (3, 9): ''.a", ""},
		{"expected errors of calls", "def f(t): t.assertRaises(AttributeError, lambda: Pot().a)", ""},
		{"conditional functions", "from unittest import skipUnless\n@skipUnless(hasattr(Pot, 'a'), '')\ndef f(): Pot().a", ""},
		{"hasattr", "def f(p: Pot):\n    if hasattr(p, 'a'): p.a", ""},
		{"a variable that functions assign", "p = Pot()\ndef f():\n    global p\n    p = Lid()\ndef g(): p.open", ""},
		{"attributes of self", "class A:\n    def __init__(self):\n        self.p = Pot()\n        (self.q,\n         self.r) = 1, 2\n    def f(self): self.p.a; self.q; self.s; self.later\n    def g(self): self.later = 1", "a s"},
		{"a final attribute that is a variable of the method", "from typing import Final\nclass A:\n    def __init__(self, p):\n        self.q: Final = p\n    @property\n    def p(self) -> Pot: return self.q.open", ""},
		{"an attribute with several types", "class A:\n    def __init__(self):\n        self.p = Pot()\n    def f(self): self.p = Lid()\n    def g(self): self.p.open; self.p.a", "a"},
		{"a nested function", "def f():\n    x = Pot()\n    def g(): x.a; x.open\n    x = Lid()", "a"},
		{"a class in a function", "def f():\n    class A(Pot):\n        def __init__(self): self.x = 1\n        def f(self): self.a; self.x; self.fill\n    A().b; A().x; A().fill; A.c", "a b c"},
		{"a class in a function whose base is a variable", "def f(B):\n    class A(B):\n        def f(self): self.a\n    A().b", ""},
		{"results of functions in functions", "def f():\n    def g(): return Pot()\n    async def h(): return Lid()\n    def i():\n        yield ''\n    g().a; h().b\n    for s in i(): s.c", "a b c"},
		{"a function that returns a variable of the function around it", "def f():\n    x = Pot()\n    def g(): return x\n    g().a\n    x = Lid()\n    g().open", ""},
		{"a property that is not None", "p = Pot()\nif p.lid: p.lid.a", "a"},
	} {
		types := typesOf(lib)
		code := "from lib import Pot, Lid, Shelf, Loose, fetch, pick, same, guess, turn\n" + tt.code + "\n"
		missing := types.Check(t.Context(), "", code).Missing
		var got []string
		for _, m := range missing {
			got = append(got, m.Name)
			if !strings.HasPrefix(code[m.Offset:], m.Name) {
				t.Errorf("%s: the offset of %s is wrong", tt.name, m.Name)
			}
		}
		want := strings.Fields(tt.want)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: absent are %v, want %v", tt.name, got, want)
		}
	}
}

func TestTypes_WrongCalls(t *testing.T) {
	const lib = `-- pydantic.py
class BaseModel: ...
def Field(**k): ...
-- attr.py
def s(c): ...
def define(c): ...
def ib(): ...
def field(): ...
-- functools.py
class partial: ...
try:
    from _functools import partial
except ImportError:
    pass
def wraps(f): ...
-- other.py
from elsewhere import wrap
def bake(clay, *, heat=1): ...
from typing import overload
@overload
def read(x: str, **options) -> str: ...
@overload
def read(x: bytes, **options) -> bytes: ...
def read(x, *, a=1): ...
@overload
def read_all(x: str, **options) -> str: ...
@overload
def read_all(x: bytes, **options) -> bytes: ...
def read_all(x, **options): ...
`
	for _, tt := range []struct{ name, code, want string }{
		{"functions of the file", "def f(a, b=1, *, c=2): ...\nf(); f(1, 2, 3); f(1, d=1); f(1, c=3); f(*x); f(**y); f(...)", "f needs an argument for a; f takes 2 arguments, but 3 are passed; f has no parameter d"},
		{"functions in functions", "def g():\n    def f(a): ...\n    f()", "f needs an argument for a"},
		{"names of imports are checked elsewhere", "import other\nfrom other import bake\nother.bake(); bake()\ndef f():\n    from other import bake as b\n    b()", ""},
		{"methods", "class A:\n    def f(self, a): ...\n    @staticmethod\n    def s(a): ...\n    @classmethod\n    def c(cls, a): ...\n    g = f\nA().f(); A.s(); A.c(); A.f(A(), 1); A().g(1); A().f(1, b=2)", "A.f needs an argument for a; A.s needs an argument for a; A.c needs an argument for a; A.f has no parameter b"},
		{"partial functions", "import functools\nfrom functools import partial\nclass A:\n    def f(self, a): ...\ndef f(a, b=1): ...\npartial(f, b=1)(1); partial(f); partial(f, 1, c=2); functools.partial(f, 1, 2, 3); partial(A().f, 1, 2); partial(lambda: 1, 1); partial()", "f has no parameter c; f takes 2 arguments, but 3 are passed; A.f takes 1 argument, but 2 are passed"},
		{"decorated functions", "from elsewhere import wrap\n@wrap\ndef f(a): ...\nf()", ""},
		{"functions that are expected to fail", "import pytest\ndef f(a): ...\nwith pytest.raises(TypeError): f()\ntry: f()\nexcept TypeError: pass", ""},
		{"expected errors of frameworks", "def f(a): ...\nwith t.assertRaisesMessage(TypeError, ''): f()", ""},
		{"functions that tests replace", "def f(a): ...\npatch('x.f')\nf()", ""},
		{"functions for other versions", "import sys\ndef f(a): ...\nif sys.version_info < (3, 9):\n    def g(): f()", ""},
		{"decorators that pass the arguments on", "from functools import wraps\ndef logged(f):\n    @wraps(f)\n    def call(*args, **kwargs):\n        print(len(args), kwargs.get('a'))\n        return f(*args, **kwargs)\n    return call\ndef checked(kind):\n    def decorate(f):\n        def call(self, *a, **k): return [f(self, *a, **k)]\n        return call\n    return decorate\n@logged\ndef f(a): ...\nclass A:\n    @checked('x')\n    @logged\n    def g(self, a): ...\nf(); f(1, b=2); A().g(); A().g(1, 2)", "f needs an argument for a; f has no parameter b; A.g needs an argument for a; A.g takes 1 argument, but 2 are passed"},
		{"decorators that change the arguments", "def pops(f):\n    def call(*args, **kwargs):\n        kwargs.pop('x', 0)\n        return f(*args, **kwargs)\n    return call\ndef sets(f):\n    def call(*args, **kwargs):\n        kwargs['x'] = 1\n        return f(*args, **kwargs)\n    return call\ndef adds(f):\n    def call(*args, **kwargs): return f(1, *args, **kwargs)\n    return call\ndef renames(f):\n    def call(*args, **kwargs):\n        fix(kwargs)\n        return f(*args, **kwargs)\n    return call\ndef retries(f):\n    def call(*args, **kwargs):\n        try: return f(*args, **kwargs)\n        except TypeError: return f()\n    return call\ndef slices(f):\n    def call(*args, **kwargs):\n        args = args[1:]\n        return f(*args, **kwargs)\n    return call\ndef takes(f):\n    def call(x, *args, **kwargs): return f(*args, **kwargs)\n    return call\ndef wraps(f):\n    def call(*args, **kwargs): return f(*args, **kwargs)\n    call = other(call)\n    return call\ndef deletes(f):\n    def call(*args, **kwargs):\n        del kwargs['x']\n        return f(*args, **kwargs)\n    return call\n" + decorated("pops", "sets", "adds", "renames", "retries", "slices", "takes", "wraps", "deletes"), ""},
		{"overloads and code that accepts fewer arguments than they do together", "from typing import overload\nclass A:\n    @overload\n    def f(self, a: int): ...\n    @overload\n    def f(self, a: str, b: int): ...\n    def f(self, a, b=1): ...\nA().f(1, 2); A().f(); A().f(1, c=2)", "A.f needs an argument for a; A.f has no parameter c"},
		{"overloads of an import that accept any keywords", "from other import read, read_all\nread('x', a=1); read('x', b=1); read(); read_all(1, b=2)", "read has no parameter b"},
		{"overloads of the program", "from typing import overload\n@overload\ndef f(a: int): ...\n@overload\ndef f(a: str, b: int): ...\ndef f(*a): ...\nf()", ""},
		{"a class that a metaclass creates", "class Meta(type):\n    def __new__(cls, name, bases, attrs): ...\nMade = Meta('Made', (), {})\nMade.__new__(Made)", ""},
		{"a class that is declared again", "class Pots: ...\nclass A:\n    made = Pots\n    def Pots(self, a): return self.made()\nA().Pots()", "A.Pots needs an argument for a"},
		{"aliases of fields", "from pydantic import BaseModel, Field\nclass M(BaseModel):\n    a: int = Field(alias='b')\nclass N(M):\n    model_config = dict(populate_by_name=True)\n    a: int = Field(alias='b')\nM(b=1); N(a=1); N(b=1); M(a=1); N(c=1)\nclass V(BaseModel):\n    a: int = Field(validation_alias='b', alias='c')\nV(b=1)", "M needs an argument for b"},
		{"aliases that a program computes", "from pydantic import BaseModel, Field\nclass M(BaseModel):\n    model_config = dict(alias_generator=lambda n: n + 'x')\n    a: int\nclass N(BaseModel):\n    model_config = dict(validate_by_alias=False)\n    a: int = Field(alias='b')\nM(ax=1); N(a=1)", ""},
		{"aliases that are expressions", "from pydantic import BaseModel, Field, AliasPath\nclass M(BaseModel):\n    a: int = Field(validation_alias=AliasPath('b', 0))\nclass N(BaseModel):\n    a: int = Field(alias=None)\nM(b=[1]); N(b=1)", "N needs an argument for a"},
		{"defaults in annotations", "from typing import Annotated\nfrom pydantic import BaseModel, Field\nInt = Annotated[int, Field(default=1)]\nclass M(BaseModel):\n    a: Int\n    b: Annotated[int, Field(default=2)]\n    c: int\nM(c=1); M()", "M needs an argument for c"},
		{"defaults in aliases of a function", "from typing import Annotated\nfrom pydantic import BaseModel, Field\ndef f():\n    Int = Annotated[int, Field(default=1)]\n    class M(BaseModel):\n        a: Int\n        b: str\n    M(b=''); M()", "M needs an argument for b"},
		{"extra arguments of models", "from pydantic import BaseModel\nclass M(BaseModel):\n    a: int\nclass N(M, extra='forbid'):\n    b: int = 1\nclass O(M):\n    model_config = dict(extra='forbid')\nM(a=1, c=2); M(1); N(a=1, c=2); O(a=1, c=2); M(c=2)", "M takes 0 arguments, but 1 is passed; N has no parameter c; O has no parameter c; M needs an argument for a"},
		{"extra arguments of dataclasses", "from dataclasses import dataclass\nfrom pydantic import dataclasses\n@dataclasses.dataclass\nclass A:\n    a: int\n@dataclass\nclass B:\n    a: int\nA(a=1, c=2); B(a=1, c=2)", "B has no parameter c"},
		{"validators that fill fields", "from pydantic import BaseModel, model_validator, root_validator\nclass M(BaseModel):\n    a: int\n    @model_validator(mode='before')\n    def fill(cls, v): ...\nclass N(M): ...\nclass O(BaseModel):\n    a: int\n    @model_validator(mode='after')\n    def check(self): ...\nclass P(BaseModel):\n    a: int\n    @root_validator(pre=True)\n    def fill(cls, v): ...\nM(); N(); O(); P()", "O needs an argument for a"},
		{"models that are tables", "from pydantic import BaseModel\nclass M(BaseModel, table=True):\n    a: int\nclass N(BaseModel):\n    a: int\nM(); N()", "N needs an argument for a"},
		{"fields of attrs", "import attr\n@attr.s\nclass A:\n    x: int\n    y = attr.ib()\n@attr.define\nclass B:\n    x: int\n@attr.define\nclass C:\n    x: int\n    y = attr.field()\n@attr.s(auto_attribs=True)\nclass D:\n    x: int\nA(1); A(x=1); B(); C(1); D()", "A has no parameter x; B needs an argument for x; D needs an argument for x"},
		{"a function that a global statement lets functions replace", "def f(a): ...\ndef g():\n    global f\n    f = print\ndef h(): f()", ""},
		{"fields that are arguments of attrs", "import attr\n@attr.s(these={'x': attr.ib()})\nclass A: ...\nclass B(A): ...\n@attr.define(field_transformer=drop)\nclass C:\n    x: int\nA(1); B(1); C()", ""},
		{"objects of classes that are derived from compiled ones", "import _io\nclass Port(_io._RawIOBase): ...\nclass Text(_io.BytesIO): ...\nPort(1); Text(1)", ""},
		{"__init__ that attrs replaces", "import attr\n@attr.s\nclass A:\n    x = attr.ib()\n    def __init__(self): ...\n@attr.define\nclass B:\n    x: int\n    def __init__(self): ...\nA(1); B(1)", "B takes 0 arguments, but 1 is passed"},
		{"an __init__ that fills fields", "from pydantic import BaseModel\nclass A(BaseModel):\n    def __init__(self, **data): ...\nclass B(A):\n    x: int\nB(); B(1)", "B takes 0 arguments, but 1 is passed"},
		{"classes with the fields of a base", "from dataclasses import dataclass\nfrom typing import NamedTuple\n@dataclass\nclass A:\n    x: int\nclass B(A): ...\nclass C(NamedTuple):\n    x: int\nclass D(C): ...\nB(1); D(1)", ""},
		{"metaclasses", "class Meta(type):\n    def __call__(cls, *a): ...\nclass A(metaclass=Meta): ...\nA(1)", ""},
		{"exceptions", "class E(Exception): ...\nE(1, 2)", ""},
		{"a base that only has the name of one in typing", "from absent import TypedDict\nclass P(TypedDict):\n    x: int\nP(x=1)", ""},
		{"functions that instances bind", "def made(name):\n    def route(self, a): ...\n    return route\ndef free(self, a): ...\nclass A:\n    f = made('f')\n    g = free\nA().f(1); A().g(1); free(1)", "free needs an argument for a"},
		{"interfaces", "from unknown import Interface\nclass I(Interface):\n    def f(a): ...\n    def g(): ...\n    def h(self, a): ...\nclass C:\n    def f(): ...\ndef call(i: I, c: C): i.f(1, 2); i.g(1); i.h(); c.f(1)", "I.h needs an argument for a; C.f takes 0 arguments, but 1 is passed"},
		{"__new__ gets the class", "class A:\n    def __new__(cls, a): ...\nclass B(A):\n    def __new__(cls, a): return super().__new__(cls, a)\nA.__new__(A, 1); A.__new__(1)", "A.__new__ needs an argument for a"},
		{"named tuples that calls create", "from collections import namedtuple\nA = namedtuple('A', 'x y', defaults=(1,))\nA(1); A(1, 2); A(x=1); A(); A(1, z=2); A(1, 2, 3)", "A needs an argument for x; A has no parameter z; A takes 2 arguments, but 3 are passed"},
		{"a class derived from a dataclass", "from dataclasses import dataclass\nclass A:\n    def __init__(self): ...\n@dataclass\nclass B(A):\n    b: int\nclass C(B): ...\nclass D(A): ...\nC(1); D(1)", "D takes 0 arguments, but 1 is passed"},
		{"__new__", "class A:\n    def __new__(cls, a): ...\n    def __init__(self, *a): ...\nA()", ""},
	} {
		var got []string
		for _, w := range typesOf(lib).Check(t.Context(), "", tt.code+"\n").Wrong {
			got = append(got, w.Callee.Path+" "+w.Problem)
		}
		if s := strings.Join(got, "; "); s != tt.want {
			t.Errorf("%s: the wrong calls are %q, want %q", tt.name, s, tt.want)
		}
	}
}

// decorated returns code that calls a function with each decorator without its argument.
func decorated(names ...string) string {
	code := ""
	for _, name := range names {
		code += "@" + name + "\ndef with_" + name + "(a): ...\nwith_" + name + "()\n"
	}
	return code
}

func TestTypes_CallsOfComputedMethods(t *testing.T) {
	const lib = "-- lib.py\nclass A:\n    def __getattr__(self, name): ...\n    def f(self, x): ...\nclass B:\n    def g(self): ...\n" +
		"-- lib.pyi\nclass A:\n    def f(self, x): ...\n    def g(self): ...\nclass B:\n    def g(self): ...\n"
	var got []string
	for _, w := range typesOf(lib).Check(t.Context(), "", "from lib import A, B\na, b = A(), B()\na.f(); a.g(1); b.g(1)\n").Wrong {
		got = append(got, w.Callee.Path)
	}
	if want := []string{"A.f", "B.g"}; !slices.Equal(got, want) {
		t.Errorf("the wrong calls are those of %v, want %v", got, want)
	}
}

func TestTypes_Deprecated(t *testing.T) {
	const directive = "class A:\n    def f(self):\n        \"\"\"Do it.\n\n        .. deprecated:: 1.2\n            Use g.\n        \"\"\"\n    def g(self): ...\n"
	for _, tt := range []struct{ name, lib, code, want string }{
		{"a decorator", "", "class A:\n    @deprecated('Use g.')\n    def f(self): ...\nA().f()", "A.f: Use g."},
		{"a directive in the docstring", directive, "from lib import A\nA().f(); A().g()", "A.f: Since 1.2: Use g."},
		{"a directive in a docstring of the program itself", "", directive + "A().f()", ""},
		{"a docstring about a parameter", "class A:\n    def f(self, x=1):\n        \"\"\"Do it.\n\n        .. deprecated:: 1.2\n            The ``x`` parameter is deprecated.\n        \"\"\"\n", "from lib import A\nA().f()", ""},
		{"some overloads", "from typing import overload\nclass A:\n    @overload\n    @deprecated('Use g.')\n    def f(self, a: int): ...\n    @overload\n    def f(self, a: str): ...\n    def f(self, a):\n        \"\"\"Deprecated, use g.\"\"\"\n", "from lib import A\nA().f(1)", ""},
	} {
		r := Open(context.Background(), &Source{Root: files("-- a.py\n"), Python: "3.12", Platform: "linux/amd64"}, func(module string) (*Source, error) {
			if module != "lib" {
				return nil, fs.ErrNotExist
			}
			return &Source{Root: files("-- lib.py\n" + tt.lib), Dir: "site", Python: "3.12"}, nil
		})
		r.Program = true
		var got []string
		for _, d := range NewTypes(r).Check(t.Context(), "", tt.code+"\n").Deprecated {
			got = append(got, d.Method.Path+": "+d.Notice)
		}
		if s := strings.Join(got, "; "); s != tt.want {
			t.Errorf("%s: the deprecated uses are %q, want %q", tt.name, s, tt.want)
		}
	}
}

// TestTypes_Hostile evaluates code for which a careless evaluation takes exponential time.
func TestTypes_Hostile(t *testing.T) {
	deep := func(n int, each func(i int) string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(each(i))
		}
		return b.String()
	}
	indent := func(i int) string { return strings.Repeat(" ", i+1) }
	for name, code := range map[string]string{
		"nested conditions": "def f(x):\n if " + strings.Repeat("(", 60) + "x.a" + strings.Repeat(" or x.b) and (x.c or x.d)", 60) + ": pass\n",
		"a long condition":  "def f(x):\n if " + strings.Repeat("x.a and ", 5000) + "x.b: pass\n",
		"nested loops":      "def f(x):\n" + deep(60, func(i int) string { return indent(i) + "while x.a:\n" }) + indent(60) + "x = [x].y\n",
		"calls in a ring":   deep(1000, func(i int) string { return sp("def f%d(x): return [f%d(x), f%d(x)]\n", i, (i+1)%1000, (i*7+3)%1000) }) + "f0(1).x\n",
		"elif":              "def f(x):\n if x: pass\n" + deep(5000, func(i int) string { return sp(" elif x == %d: y%d = 1\n", i, i) }),
		"variables":         deep(20_000, func(i int) string { return sp("c%d = 1\n", i) }),
		"growing types":     "def f(x):\n y = z = 1\n" + strings.Repeat(" y = (y, y)\n z = (z, z)\n", 60) + " if x: y = z\n y.a\n",
	} {
		t.Run(name, func(t *testing.T) { typesOf("-- a.py\n").Check(t.Context(), "", code) })
	}
}

// TestTypes_LongChains evaluates chains of calls whose parts must not be evaluated again for each call.
func TestTypes_LongChains(t *testing.T) {
	chain := "a" + strings.Repeat(".f()", 80) + "\n"
	code := "class A:\n    def f(self): return self\na = A()\n" + strings.Repeat(chain, 300) + "a.b\n"
	if missing := typesOf("-- a.py\n").Check(t.Context(), "", code).Missing; len(missing) != 1 || missing[0].Name != "b" {
		t.Errorf("absent are %v, want b", missing)
	}
}

func TestTypes_ContextIsDone(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	code := strings.Repeat("''.upper\n", 3*stepsPerCheck) + "''.a\n"
	if found := typesOf("-- a.py\n").Check(ctx, "", code); len(found.Missing) > 0 || found.Decided > stepsPerCheck {
		t.Errorf("%d members were checked after the context was done", found.Decided)
	}
}

func FuzzTypes(f *testing.F) {
	for _, code := range []string{
		"= 3\n+= 3\n: int = 4\nx = = 3\nfor in y: pass\nwith a as : pass\n*a = [1]\n",
		"class A(B):\n    def f(self): return self.f().x\nclass B(A): pass\n",
		"def f(x=lambda: f): return [f(y) for y in f(x) if (z := y)]\nx = f(f).a.b\n",
		"while True:\n    try: x = x.y\n    finally: continue\n",
		"match x:\n    case A(b=c) if c.d: c.e\n",
		"async def f():\n    async with a as (b, c), d: yield await b.c\n",
		"from typing import *\nT = TypeVar('T')\nX = Union['X', List[T]]\ndef f(x: X[int], *a: T, **b: T) -> 'X': del x.y; return a[0]\n",
		"x = y\ny = x\nx.z\nclass A:\n    x = A.y\n    y = A.x\n",
	} {
		f.Add(code)
	}
	f.Fuzz(func(t *testing.T, code string) {
		check := typesOf("-- a.py\n").Check(t.Context(), "", code)
		for _, w := range check.Wrong {
			if w.Offset < 0 || w.Offset >= len(code) {
				t.Fatalf("%d is not an offset in the code", w.Offset)
			}
		}
		for _, m := range check.Missing {
			if m.Offset < 0 || m.Offset+len(m.Name) > len(code) {
				t.Fatalf("%d is not the offset of %s", m.Offset, m.Name)
			}
		}
	})
}
