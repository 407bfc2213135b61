package check_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/cachedir"
	"github.com/docent-mcp/docent/internal/check"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/python"
	"github.com/docent-mcp/docent/internal/filetest"
	"github.com/docent-mcp/docent/internal/store"
)

// kiln is a module whose functions return values of several classes.
const kiln = `import enum
from typing import Optional, Self, TypeVar
from clay import Pot

T = TypeVar("T", bound="Kiln")

class Kiln:
    count = 0
    def __init__(self, heat: float):
        self.heat = heat
    def __enter__(self) -> Self: ...
    async def __aenter__(self) -> "Kiln": ...
    def fire(self, n: int) -> Pot: self.fired = n
    async def cool(self) -> Pot: ...
    def broken(self) -> Optional["Shard"]: ...
    def anything(self): ...
    def stoke(self: T) -> T: ...
    @deprecated("use fire")
    def burn(self): ...
    @property
    def pot(self) -> Pot: ...

class Shard:
    def sweep(self): ...

class Glaze(Kiln):
    def shine(self): ...

class Loose:
    def __getattr__(self, name): ...

class Heat(enum.Enum):
    LOW = 1

class Bag:
    def load(self, names):
        for n in names: setattr(self, n, 1)
    def fill(self): ...

class Sack:
    def stow(self, names):
        for n in names: setattr(self, n, 1)

def light(heat=1) -> Kiln: ...
def lit(k): k.lighter = 1
standard: Kiln = light()
`

func TestFiles_MembersOfValuesInPython(t *testing.T) {
	const site = "app/.venv/lib/python3.13/site-packages/"
	dir := filetest.Dir(t, map[string]string{
		"python/lib/python3.13/os.py":             "",
		"python/lib/python3.13/enum.py":           "class Enum:\n    pass\n",
		"python/lib/python3.13/typing.py":         "Self = Optional = TypeVar = object()\n",
		"python/bin/python3.13":                   "",
		site + "kiln.py":                          kiln,
		site + "kiln-1.0.dist-info/METADATA":      "Metadata-Version: 2.1\nName: kiln\nVersion: 1.0\n",
		site + "kiln-1.0.dist-info/RECORD":        "kiln.py,,\n",
		site + "clay/__init__.py":                 "from ._parts import Lid as Lid\nclass Pot:\n    def weigh(self, unit=None) -> int: ...\n",
		site + "clay/shelf.py":                    "from .gone import make\nclass Rack:\n    made = classmethod(make)\ndef fill(shelf):\n    shelf.filled = []\n",
		site + "clay/_parts.py":                   "class Lid:\n    def lift(self, n): ...\nclass Rim:\n    knob = Lid()\n",
		site + "clay-1.0.dist-info/METADATA":      "Metadata-Version: 2.1\nName: clay\nVersion: 1.0\n",
		site + "clay-1.0.dist-info/RECORD":        "clay/__init__.py,,\nclay/_parts.py,,\nclay/shelf.py,,\n",
		site + "patches.py":                       "def patch(kiln):\n    kiln.patched = True\n",
		site + "mixins.py":                        "class Mixin:\n    def mixed(self): ...\n",
		"app/pyproject.toml":                      "[project]\nname = \"app\"\nversion = \"1\"\ndependencies = [\"kiln\", \"clay\"]\n",
		"app/other.py":                            "def stow(x): x.stow('y')\ndef test(kiln):\n    kiln.mocked = 1\n    patch(kiln, \"named\")\nclass Own(Kiln):\n    def owned(self): ...\n    def stoke(self, n): ...\nclass Other:\n    def other(self): self.more = 1\n    def sweep(self, n): ...\n",
		"app/deeper/node_modules/ignored/file.py": "kiln.opn = 1\n",
	})
	base := filepath.Join(dir, "python")
	filetest.Write(t, dir, map[string]string{"app/.venv/pyvenv.cfg": "home = " + filepath.Join(base, "bin") + "\nversion = 3.13.1\nbase-prefix = " + base + "\n"})
	languages := ecosystem.Languages{python.New(ecosystem.Options{Offline: true, Env: []string{"HOME=" + dir}, Cache: cachedir.New(t.TempDir(), cachedir.Options{})})}
	c := &check.Checker{Packages: store.New(languages, store.Options{}), Languages: languages}
	for _, tt := range []struct {
		code      string
		undecided int
		want      string // part of the expected finding, or empty
	}{
		{"Kiln(1).opn", 0, "3:9 name Kiln of kiln@1.0 has no member opn"},
		{"Kiln(1).fire(1).weigh()", 0, ""},
		{"Kiln(1).fire(1).wiegh()", 0, "3:17 name Pot of clay@1.0 has no member wiegh near weigh"},
		{"Kiln(1).fire()", 0, "3:9 call Kiln.fire needs an argument for n"},
		{"Kiln(1).pot.wiegh", 0, "3:13 name Pot of clay@1.0 has no member wiegh"},
		{"Kiln(1).broken().swep()", 0, "3:18 name Shard of kiln@1.0 has no member swep near sweep"},
		{"Kiln(1).anything().x; Loose().x", 3, ""},
		{"Kiln(1).fired; Kiln(1).lighter", 2, ""},  // the package assigns the attribute
		{"Kiln(1).patched", 1, ""},                 // another package assigns the attribute
		{"Kiln(1).mocked; Kiln(1).named", 2, ""},   // the project assigns the attribute
		{"Kiln(1).call_count; Kiln(1).mro", 2, ""}, // attributes of mocks and classes
		{"Kiln(1).shine()", 0, "3:9 name Kiln of kiln@1.0 has no member shine"},
		{"light().shine()", 1, ""},                                              // a derived class has the method
		{"light().owned()", 1, ""},                                              // a class of the project may be derived from it
		{"light().other()", 0, "3:9 name Kiln of kiln@1.0 has no member other"}, // the classes are not related
		{"light().more", 0, "3:9 name Kiln of kiln@1.0 has no member more"},
		{"def f(s: Shard): s.sweep(1)", 0, "3:20 call Shard.sweep takes 0 arguments, but 1 is passed"},
		{"light().opn()", 0, "3:9 name Kiln of kiln@1.0 has no member opn"},
		{"Kiln(1).stoke().opn", 0, "3:17 name Kiln of kiln@1.0 has no member opn"},
		{"Kiln(1).burn()", 0, "3:9 deprecated Kiln.burn is deprecated: use fire"},
		{"def test(k: Kiln):\n    k.opn\n    assert k.fire.called", 2, ""}, // a mock
		{"def test(k: Kiln, kk):\n    k.opn\n    assert kk.fire.called", 0, "4:7 name Kiln of kiln@1.0 has no member opn"},
		{"from clay import shelf\nshelf.filled", 1, ""},       // the package assigns it
		{"from clay import shelf\nshelf.Rack.made(1)", 2, ""}, // the function that it wraps is not known
		{"from clay import shelf\nshelf.emptied", 0, "4:7 name clay"},
		{"Kiln.cuont", 0, "3:6 name Kiln of kiln@1.0 has no member cuont near count"},
		{"Heat.LWO", 0, "3:6 name Heat of kiln@1.0 has no member LWO near LOW"},
		{"Heat.LOW", 0, ""},
		{"from kiln import Bag\nBag().fll()", 1, "4:7 name Bag of kiln@1.0 has no member fll near fill"}, // no code calls load
		{"from kiln import Sack\nSack().fll", 2, ""},                                                     // the project calls stow
		{"import kiln\nkiln.flag; kiln.mocked", 1, "4:6 name kiln@1.0 has no flag"},                      // the project assigns mocked
		{"from clay import Lid\nLid().lfit", 1, "4:7 name Lid of clay@1.0 has no member lfit near lift"}, // programs do not import _parts
		{"from clay import Lid\nLid().lift()", 1, "4:7 call Lid.lift needs an argument for n"},
		{"from clay._parts import Rim\nRim().knbo", 1, "4:7 name Rim of clay._parts@1.0 has no member knbo near knob"},
		{"from clay import Lld\nLld(); x: Lld; Lld.lift()", 0, "3:18 name clay@1.0 has no Lld near Lid"}, // once, where it is imported
		{"import clay\nclay.Lld.lift()", 0, "4:10 name clay@1.0 has no Lld.lift near Lid.lift"},
		{"standard.opn", 0, "3:10 name Kiln of kiln@1.0 has no member opn"},
		{"class A:\n    y = standard.opn\n    def __init__(self, n):\n        self.standard = [*n]", 0, "4:18 name Kiln of kiln@1.0 has no member opn"}, // not the attribute
		{"with Kiln(1) as k:\n    k.opn", 0, "4:7 name Kiln of kiln@1.0 has no member opn"},
		{"async def f():\n    async with Kiln(1) as k:\n        k.opn", 0, "5:11 name Kiln of kiln@1.0 has no member opn"},
		{"async def f():\n    p = await Kiln(1).cool()\n    p.wiegh", 0, "5:7 name Pot of clay@1.0 has no member wiegh"},
		{"Kiln(1).cool().wiegh", 1, ""},
		{"def f(k: Kiln, s: Shard = None):\n    k.opn; s.opn", 0, "4:7 name Kiln of kiln@1.0 has no member opn"},
		{"def f(k: Kiln): k.fire()", 0, "3:19 call Kiln.fire needs an argument for n"},
		{"def f(k: Kiln): k.stoke(1)", 1, ""}, // a class of the project may override the method
		{"class C(Kiln):\n    def f(self): self.opn", 0, "4:23 name C of a has no member opn"},
		{"class C(Kiln):\n    def f(self): self.g(); self.count\n    def g(self): ...", 0, ""},
	} {
		text := []byte("from kiln import Kiln, Shard, Heat, Loose, light, standard\n\n" + tt.code + "\n")
		r, err := c.Files(t.Context(), filepath.Join(dir, "app"), []string{"a.py"}, func(string) ([]byte, error) { return text, nil })
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range r.Findings {
			got = append(got, fmt.Sprintf("%d:%d %s %s near %s", f.Line, f.Column, f.Kind, f.Message, strings.Join(f.Near, ", ")))
		}
		if len(got) > 1 || tt.want == "" && len(got) > 0 || tt.want != "" && !slices.ContainsFunc(got, func(s string) bool { return strings.HasPrefix(s, tt.want) }) || r.Undecided != tt.undecided {
			t.Errorf("%s: %q and %d undecided, want %q and %d; %q", tt.code, got, r.Undecided, tt.want, tt.undecided, r.Problems)
		}
	}
}

// TestFiles_ClassesOfAPythonProgram uses classes of the program itself, in the file that is checked and in others.
func TestFiles_ClassesOfAPythonProgram(t *testing.T) {
	const site = "app/.venv/lib/python3.13/site-packages/"
	dir := filetest.Dir(t, map[string]string{
		"python/lib/python3.13/os.py":          "import posixpath as path\n__all__ = [\"path\"]\n",
		"python/lib/python3.13/posixpath.py":   "def join(*a): ...\n",
		"python/lib/python3.13/typing.py":      "TYPE_CHECKING = False\nclass TypedDict: ...\n",
		"python/lib/python3.13/dataclasses.py": "def dataclass(cls): ...\n",
		"python/lib/python3.13/unittest.py":    "class Case:\n    @classmethod\n    def clean(cls): ...\n",
		"python/lib/python3.13/inspect.py":     "def signature(): ...\nnames = globals()\nnames[x] = 1\n",
		"python/lib/python3.13/functools.py":   "class partialmethod:\n    def __init__(self, f, *a): ...\n    def __get__(self, obj, cls=None): return lambda *a: 1\n",
		"python/bin/python3.13":                "",
		site + "clay/__init__.py":              "class Pot:\n    def weigh(self, unit=None) -> int: ...\n",
		site + "clay-1.0.dist-info/METADATA":   "Metadata-Version: 2.1\nName: clay\nVersion: 1.0\n",
		site + "clay-1.0.dist-info/RECORD":     "clay/__init__.py,,\n",
		"app/pyproject.toml":                   "[project]\nname = \"app\"\nversion = \"1\"\ndependencies = [\"clay\"]\n",
		"app/src/app/__init__.py":              "from .core import Shop as Shop\n",
		"app/src/app/_parts.py":                "def _helper(): ...\n",
		"app/src/app/tools.py":                 "import inspect\nimport clay as pot\nfrom . import core as own\nclass Oven:\n    @classmethod\n    def heat(cls, n): ...\n    def open(self, n): ...\n",
		"app/create.py":                        "def create():\n    import clay\n    clay.x_body = 1\n",
		"app/bench/setup.py":                   "",
		"app/src/app/core.py":                  "from ._parts import _helper\nfrom __future__ import annotations\nfrom clay import Pot\nclass _Base:\n    size = 1\nclass Shop(_Base):\n    def __init__(self, pot: Pot):\n        self.pot = pot\n    def sell(self, n): self.sold = n\n    def next(self) -> Shop: ...\n    @staticmethod\n    def make(**k): ...\ndef open_shop(name) -> Shop: ...\ndef bound(self, n): ...\nclass Kind:\n    def __new__(cls, *a, **k): ...\n    def __init__(self, a=1): ...\ntry:\n    from nowhere import Maybe\nexcept ImportError:\n    pass\nfrom pydantic_settings import BaseSettings\nclass Settings(BaseSettings):\n    name: str\n",
		site + "pydantic_settings.py":          "from pydantic import BaseModel\nclass BaseSettings(BaseModel): ...\n",
		site + "pydantic.py":                   "class BaseModel: ...\n",
		"app/src/app/old.py":                   "from .core import Shop\nclass Old: ...\nclass Store(Shop):\n    def stock(self): ...\n",
		"app/tests/requirements.txt":           "clay\n", // a project in the program
		"app/other.py":                         "import sys\nfrom unittest import Case\nfrom app.a import Mixin\nsys.flag = 1\nclass Loud(str):\n    def shout(self): ...\ndef patch(shop, core): shop.patched = core.added = 1\nclass T(Mixin, Case): ...\nregister(\"registered\")\nimport os.path\nsetattr(os, \"path\", 1)\nos.path.added = 1\n",
	})
	base := filepath.Join(dir, "python")
	filetest.Write(t, dir, map[string]string{"app/.venv/pyvenv.cfg": "home = " + filepath.Join(base, "bin") + "\nversion = 3.13.1\nbase-prefix = " + base + "\n"})
	languages := ecosystem.Languages{python.New(ecosystem.Options{Offline: true, Env: []string{"HOME=" + dir}, Cache: cachedir.New(t.TempDir(), cachedir.Options{})})}
	c := &check.Checker{Packages: store.New(languages, store.Options{}), Languages: languages}
	for _, tt := range []struct {
		file, code string
		want       []string // findings begin with these strings
	}{
		{"src/app/a.py", "from .core import Shop, open_shop\nopen_shop('x').sel(1)\nopen_shop('x').sell(1)", []string{"2:16 name Shop of app.core has no member sel"}},
		{"src/app/a.py", "from . import Shop\ndef f(s: Shop):\n    s.next().siez; s.next().size; s.pot.wiegh; s.pot.weigh()", []string{"3:14 name Shop of app.core has no member siez", "3:41 name Pot of clay@1.0 has no member wiegh"}},
		{"tests/test_a.py", "from app.core import Shop\ndef f(s: 'Shop'):\n    s.sold; s.patched; s.slod", []string{"3:26 name Shop of app.core has no member slod"}},
		{"tests/test_a.py", "from app.core import open_shop\nopen_shop()\nopen_shop('x')", []string{"2:1 call open_shop needs an argument for name"}},
		{"src/app/a.py", "from .core import Shop\nclass Stall(Shop):\n    def f(self):\n        self.size; self.g; self.h; self.pot.wiegh\n    def g(self): self.h = 1", []string{"4:45 name Pot of clay@1.0 has no member wiegh"}},
		{"src/app/a.py", "from .core import Shop\nclass Stall(Shop):\n    def f(self): self.siez\n    def g(self): ...\nStall(1).g; Stall(1).gg", []string{"3:23 name Stall of app.a has no member siez", "5:22 name Stall of app.a has no member gg"}},
		{"src/app/a.py", "from .core import Shop, open_shop\nclass City:\n    def __init__(self, n):\n        self.shop = Shop(n)\n        self.names = []\n        self.other = Shop(n)\n    def move(self): self.other = None\n    def copy(self):\n        return self\n    def best(self):\n        if self.names: return Shop(1)\n        return Shop(2)\n    def either(self):\n        if self.names: return Shop(1)\n        return 'none'\n    def each(self):\n        yield 1\n        return Shop(1)\nc = City(1)\nc.shop.siez; c.names.apend; c.other.siez; c.copy().shpo; c.best().siez; c.either().siez; c.each().siez", []string{"20:8 name Shop of app.core has no member siez", "20:22 name list of builtins has no member apend", "20:37 name Shop of app.core has no member siez", "20:52 name City of app.a has no member shpo", "20:67 name Shop of app.core has no member siez", "20:84 name Shop of app.core has no member siez"}},
		{"src/app/old.py", "class Old:\n    def new(self): ...\nOld().new; Old().enw", []string{"3:18 name Old of app.old has no member enw"}}, // The file differs from the one on disk.
		{"src/app/a.py", "from .core import bound, open_shop, Shop\nbound(1, 2)\nbound(1)\nwith raises(ValueError):\n    bound(1)\n    open_shop('x').sell()", []string{"3:1 call bound needs an argument for n"}},
		{"src/app/a.py", "from .core import Shop\n@patch.object(Shop, \"__init__\", f)\ndef test():\n    Shop()", nil},
		{"src/app/a.py", "from .core import Settings, Shop\nSettings()\nSettings(nme=1)\nShop()", []string{"3:10 call Settings has no parameter nme", "4:1 call Shop needs an argument for pot"}},
		{"src/app/a.py", "from .core import Shop\nShop(1).sell()\ns = Shop(1)\ns.sell = Mock()", nil},
		{"src/app/a.py", "from .core import Shop\nShop(1).sell()", []string{"2:9 call Shop.sell needs an argument for n"}},
		{"src/app/core.py", "import old\nold.Old(1)", nil}, // not src/app/old.py
		{"src/app/a.py", "import sys, itertools, time\nsys.modulse; sys.modules; itertools.chian; sys.flag\ntime.tiem  # type: ignore", []string{"2:5 name sys has no modulse", "2:37 name itertools has no chian"}},
		{"src/app/a.py", "def f(s: str, n: 'int', d: dict):\n    s.splti; s.split; s.shout; n.real; [].appedn; [].append; ''.joni; {}.itmes", []string{"2:7 name str of builtins has no member splti", "2:43 name list of builtins has no member appedn", "2:65 name str of builtins has no member joni", "2:74 name dict of builtins has no member itmes"}},
		{"src/app/a.py", "class Names(dict):\n    def f(self):\n        self.itmes; self.items", []string{"3:14 name Names of app.a has no member itmes"}},
		{"src/app/a.py", "from .core import Kind\nKind(schema=1)", nil},
		{"src/app/b.py", "from os import path\nclass A:\n    joined = path.join('a', 'b')\n    class path: ...\n    other = path.join\n", []string{"5:18 name A.path of app.b has no member join"}},
		{"src/app/b.py", "class OwnerMixin:\n    def f(self): return self.owner\nclass Owner:\n    def f(self): return self.owner\n", []string{"4:30 name Owner of app.b has no member owner"}},
		{"src/app/a.py", "class Mixin:\n    @classmethod\n    def f(cls): cls.clean(); cls.claen()", []string{"3:34 name Mixin of app.a has no member claen"}},
		{"src/app/a.py", "class A: ...\nclass B: ...\nclass C(B): ...\nself.mapper(A, users)\nisinstance(a, B)\nA(name=1); B(name=1); AB(x, BA)", []string{"6:14 call B has no parameter name"}},
		{"src/app/a.py", "try:\n    if x:\n        from nowhere import Box\n    else:\n        from elsewhere import Box\nexcept ImportError:\n    Box = object\nclass Wide(Box): ...\nWide(size=1).x\nclass Narrow(object): ...\nNarrow(size=1).x", []string{"11:8 call Narrow has no parameter size", "11:16 name Narrow of app.a has no member x"}},
		{"src/app/a.py", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import nowhere as clay\nelse:\n    import clay\nclass P(clay.Pot):\n    def f(self): self.g\ndef f(p: clay.Pot): p.x", nil},
		{"src/app/a.py", "from dataclasses import dataclass\nfrom typing import TypedDict\nfrom functools import partialmethod\n@dataclass\nclass Point:\n    x: int\n    y: int = 0\n    def move(self, by, *, fast=False): ...\n    shift = partialmethod(move, 1)\nclass Row(TypedDict):\n    a: int\nPoint(1, z=3); Point(); Row(a=1, b=2)\np = Point(1)\np.move(1, fats=True); p.move(); p.shift(); p.move(*[1]); p.move(**{})\ndef f(a): ...\nf(); f(...)", []string{"12:10 call Point has no parameter z", "12:16 call Point needs an argument for x", "12:34 call Row has no parameter b", "14:11 call Point.move has no parameter fats", "14:25 call Point.move needs an argument for by", "16:1 call f needs an argument for a"}},
		{"src/app/a.py", "class Empty:\n    size = 1\nEmpty(1)\nclass Full(Empty):\n    def __init__(self, n): ...\nFull()\ncls = Full if Empty() else Empty\ncls(2)\nclass Err(Exception): ...\nErr(1, 2)", []string{"3:1 call Empty takes 0 arguments, but 1 is passed", "6:1 call Full needs an argument for n"}},
		{"tests/test_a.py", "from app.tools import inspect, pot\nimport app.tools\ninspect.signatrue; inspect.signature; pot.Pto; app.tools.pot.Pto; app.tools.own.Shpo", []string{"3:9 name inspect has no signatrue", "3:43 name clay@1.0 has no Pto", "3:62 name clay@1.0 has no Pto", "3:81 name app.core has no Shpo"}},
		{"src/app/a.py", "import os\nos.path.jion; os.path.join; os.path.added", []string{"2:9 name os.path@3.13.1 has no jion"}}, // another file replaces os.path
		{"src/app/a.py", "from .tools import Oven\nOven.heat(1, 2); Oven.heat(1); Oven.open(1, 2)", []string{"2:6 call Oven.heat takes 1 argument, but 2 are passed"}},
		{"src/app/a.py", "from .core import Maybe, Maybee", []string{"1:26 name app.core has no Maybee"}},
		{"tests/test_a.py", "import app\napp.Shpo.sell; app.core.Shpo.sell; app.made.x", []string{"2:10 name app has no Shpo", "2:30 name app.core has no Shpo"}},
		{"src/app/a.py", "import itertools\ndef f(x):\n    if hasattr(x.file, 'seek'): itertools.chian\n    if hasattr(itertools, 'chian'): itertools.chian\n    if hasattr(g(itertools), 'chian'): itertools.chian", []string{"3:43 name itertools has no chian"}},
		{"src/app/a.py", "class Config:\n    def extra(schema, n): schema.ppo(1)\n    def more(self): self.extar", []string{"3:26 name Config of app.a has no member extar"}},
		{"src/app/a.py", "def f():\n    class Model:\n        def __init__(self): ...\n        class Config:\n            def extra(schema): schema.ppo(1)\n        def g(self): self.gg", []string{"6:27 name Model of app.a has no member gg"}},
		{"src/app/a.py", "from . import odl, old, written", []string{"1:15 name app has no odl"}}, // the build may write the other
		{"src/app/a.py", "from .gone import Gone\nfrom . import gone\nGone().x; gone.x", nil},
		{"src/app/a.py", "from app import core\ncore.registered; core.unregistered", []string{"2:23 name app.core has no unregistered"}}, // another file has the name in a string
		{"tests/test_a.py", "from app.core import open_shop\nopen_shop(1).stock; open_shop(1).stcok", []string{"2:34 name Shop of app.core has no member stcok"}},
		{"src/app/a.py", "from .core import _Bsae, _generated, _Base", []string{"1:19 name app.core has no _Bsae"}},
		{"bench/run.py", "import clay\nclay.x_body; clay.y_body", []string{"2:19 name clay@1.0 has no y_body"}}, // code outside of the inner project assigns the other
		{"src/app/a.py", "from .core import _helpre, _helper, _written\nfrom app import _prats", []string{"1:19 name app.core has no _helpre", "2:17 name app has no _prats"}},
		{"src/app/a.py", "from inspect import signatrue, signature, CO_OPTIMIZED", []string{"1:21 name inspect@3.13.1 has no signatrue"}}, // It computes CO_OPTIMIZED.
		{"src/app/a.py", "from app.core import Gone, open_shpo\nfrom . import cro, _version", []string{"1:22 name app.core has no Gone", "1:28 name app.core has no open_shpo", "2:15 name app has no cro"}},
		{"tests/test_a.py", "import app\nfrom app import core\nfrom app.made import x\napp.Shpo; app.Shop; core.Shop(1).sel; core.Shpo; core.added", []string{"4:5 name app has no Shpo", "4:34 name Shop of app.core has no member sel", "4:44 name app.core has no Shpo"}},
	} {
		text := []byte(tt.code + "\n")
		r, err := c.Files(t.Context(), filepath.Join(dir, "app"), []string{tt.file}, func(string) ([]byte, error) { return text, nil })
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range r.Findings {
			got = append(got, fmt.Sprintf("%d:%d %s %s", f.Line, f.Column, f.Kind, f.Message))
		}
		if !slices.EqualFunc(got, tt.want, strings.HasPrefix) {
			t.Errorf("%s: %q, want %q; %q", tt.code, got, tt.want, r.Problems)
		}
	}
}
