package modules

import "testing"

func TestFields_Dataclasses(t *testing.T) {
	const head = "-- pkg/__init__.py\nfrom dataclasses import dataclass, field, InitVar\nimport dataclasses\n"
	expectOutlines(t, []struct{ name, files, want string }{
		{"keyword-only, by the decorator and by field", head + "@dataclass(kw_only=True)\nclass A:\n    x: int\n    y: int = 1\n@dataclasses.dataclass\nclass B:\n    x: int = field(kw_only=True, default=3)\n    y: str\n",
			"class A | @dataclass(kw_only=True) ; class A\n  constructor A.__init__ | def __init__(self, *, x: int, y: int = 1) -> None\n  field A.x | x: int\n  field A.y | y: int = 1\n" +
				"class B | @dataclasses.dataclass ; class B\n  constructor B.__init__ | def __init__(self, y: str, *, x: int = 3) -> None\n  field B.x | x: int = field(kw_only=True, default=3)\n  field B.y | y: str\n"},
		{"without __init__, and with one of its own", head + "@dataclass(init=False)\nclass A:\n    x: int\n@dataclass\nclass B:\n    x: int\n    def __init__(self, path): ...\n",
			"class A | @dataclass(init=False) ; class A\n  field A.x | x: int\nclass B | @dataclass ; class B\n  constructor B.__init__ | def __init__(self, path)\n  field B.x | x: int\n"},
		{"InitVar", head + "@dataclass\nclass A:\n    x: InitVar[int]\n    y: InitVar[list[str]] = ()\n    def __post_init__(self, x, y): ...\n",
			"class A | @dataclass ; class A\n  constructor A.__init__ | def __init__(self, x: int, y: list[str] = ()) -> None\n  field A.x | x: InitVar[int]\n  field A.y | y: InitVar[list[str]] = ()\n"},
		{"a field that a subclass replaces keeps its place", head + "@dataclass\nclass _A:\n    x: int\n    y: str\n@dataclass\nclass B(_A):\n    z: float\n    x: bool\n",
			"class B | @dataclass ; class B(_A)\n  constructor B.__init__ | def __init__(self, x: bool, y: str, z: float) -> None\n  field B.z | z: float\n  field B.x | x: bool\n  field B.y | y: str | from _A\n"},
		{"a base that is not one, and names without annotations", head + "class _A:\n    w: int = 0\n@dataclass\nclass B(_A):\n    n = 1\n    x: int = 2\n",
			"class B | @dataclass ; class B(_A)\n  constructor B.__init__ | def __init__(self, x: int = 2) -> None\n  attribute B.n | n = 1\n  field B.x | x: int = 2\n  attribute B.w | w: int = 0 | from _A\n"},
		{"a factory that is a lambda", head + "@dataclass\nclass A:\n    x: list = field(default_factory=lambda: [1])\n",
			"class A | @dataclass ; class A\n  constructor A.__init__ | def __init__(self, x: list = ...) -> None\n  field A.x | x: list = field(default_factory=lambda: [1])\n"},
		{"a field of pydantic in a class with the decorator of the standard library", "-- pkg/__init__.py\nfrom dataclasses import dataclass\nfrom pydantic import Field\nfrom pydantic.dataclasses import dataclass as validated\n@dataclass\nclass A:\n    x: int = Field(1, alias='y')\n@validated\nclass B:\n    x: int = Field(default=1, alias='y')\n",
			"class A | @dataclass ; class A\n  constructor A.__init__ | def __init__(self, x: int = ...) -> None\n  field A.x | x: int = Field(1, alias='y')\n" +
				"class B | class B\n  constructor B.__init__ | def __init__(self, y: int = 1) -> None\n  field B.x | x: int = Field(default=1, alias='y')\n"},
		{"the decorator of pydantic", "-- pkg/__init__.py\nfrom pydantic.dataclasses import dataclass\nfrom pydantic import Field\n@dataclass\nclass A:\n    x: int = Field(default=1, description='The x.')\n",
			"class A | @dataclass ; class A\n  constructor A.__init__ | def __init__(self, x: int = 1) -> None\n  field A.x | x: int = Field(default=1, description='The x.') | The x.\n"},
	})
}

func TestFields_Attrs(t *testing.T) {
	expectOutlines(t, []struct{ name, files, want string }{
		{"define", "-- pkg/__init__.py\nimport attrs\nfrom attrs import define, field\n@define\nclass A:\n    x: int\n    _y: str = field(default='a', alias='why')\n    z: list = field(factory=list)\n    hidden: int = field(init=False)\n    n = 1\n@attrs.frozen(kw_only=True)\nclass B:\n    x: int\n",
			"class A | @define ; class A\n  constructor A.__init__ | def __init__(self, x: int, why: str = 'a', z: list = list()) -> None\n  field A.x | x: int\n  field A.z | z: list = field(factory=list)\n  field A.hidden | hidden: int = field(init=False)\n  attribute A.n | n = 1\n" +
				"class B | @attrs.frozen(kw_only=True) ; class B\n  constructor B.__init__ | def __init__(self, *, x: int) -> None\n  field B.x | x: int\n"},
		{"attributes without annotations", "-- pkg/__init__.py\nimport attr\n@attr.s\nclass A:\n    x = attr.ib(type=int)\n    y = attr.ib()\n    n = 1\n    @y.default\n    def _y(self): return 1\n    z = attr.ib(attr.NOTHING)\n",
			"class A | class A\n  constructor A.__init__ | def __init__(self, x: int, y=..., z) -> None\n  field A.x | x = attr.ib(type=int)\n  field A.y | y = attr.ib()\n  attribute A.n | n = 1\n  field A.z | z = attr.ib(attr.NOTHING)\n"},
		{"without __init__", "-- pkg/__init__.py\nimport attr\n@attr.s(init=False)\nclass A:\n    x = attr.ib()\n", "class A | class A\n  field A.x | x = attr.ib()\n"},
	})
}

func TestFields_Pydantic(t *testing.T) {
	expectOutlines(t, []struct{ name, files, want string }{
		{"options in the annotation", "-- pkg/__init__.py\nfrom typing import Annotated\nfrom pydantic import BaseModel, Field\nclass A(BaseModel):\n    x: Annotated[int, Field(gt=0, description='The x.')]\n    y: Annotated[str, Field(alias='why')] = 'a'\n    z: Annotated[list, Field(default_factory=list)]\n    w: Annotated[int, 'nothing'] = 1\n",
			"class A | class A(BaseModel)\n  constructor A.__init__ | def __init__(self, *, x: Annotated[int, Field(gt=0, description='The x.')], why: Annotated[str, Field(alias='why')] = 'a', z: Annotated[list, Field(default_factory=list)] = list(), w: Annotated[int, 'nothing'] = 1) -> None\n  field A.x | x: Annotated[int, Field(gt=0, description='The x.')] | The x.\n  field A.y | y: Annotated[str, Field(alias='why')] = 'a'\n  field A.z | z: Annotated[list, Field(default_factory=list)]\n  field A.w | w: Annotated[int, 'nothing'] = 1\n"},
		{"a field with the name of the keyword arguments of __init__", "-- pkg/__init__.py\nfrom pydantic import BaseModel\nclass S(BaseModel):\n    def __init__(self, flag: bool = False, **values): ...\nclass A(S):\n    values: list\n    flag: int\n",
			"class S | class S(BaseModel)\n  constructor S.__init__ | def __init__(self, flag: bool = False, **values)\nclass A | class A(S)\n  constructor A.__init__ | def __init__(self, flag: bool = False, *, values: list) -> None\n  field A.values | values: list\n  field A.flag | flag: int\n"},
		{"settings", "-- pkg/__init__.py\nfrom pydantic_settings import BaseSettings\nfrom pydantic import BaseModel\nclass A(BaseSettings):\n    host: str\n    port: int = 80\n-- pydantic_settings/__init__.py\nfrom pydantic import BaseModel\nclass BaseSettings(BaseModel): ...\n",
			"class A | class A(BaseSettings)\n  constructor A.__init__ | def __init__(self, *, host: str = ..., port: int = 80) -> None\n  field A.host | host: str\n  field A.port | port: int = 80\n"},
		{"a model of a model", "-- pkg/__init__.py\nfrom typing import ClassVar\nfrom pydantic import BaseModel\nclass _Base(BaseModel):\n    id: int\n    name: str\n    limit: ClassVar[int] = 3\nclass A(_Base):\n    name: str = 'a'\n",
			"class A | class A(_Base)\n  constructor A.__init__ | def __init__(self, *, id: int, name: str = 'a') -> None\n  field A.name | name: str = 'a'\n  field A.id | id: int | from _Base\n  attribute A.limit | limit: ClassVar[int] = 3 | from _Base\n"},
	})
}

func TestFields_TuplesDictionariesAndEnums(t *testing.T) {
	expectOutlines(t, []struct{ name, files, want string }{
		{"tuples by a call", "-- pkg/__init__.py\nimport collections, typing\nA = collections.namedtuple('A', ['x', 'y'])\nB = collections.namedtuple('B', 'x, y z')\nC = typing.NamedTuple('C', [('x', int), ('y', 'list[str]')])\nclass D(collections.namedtuple('D', ('x', 'y'))):\n    '''Doc.'''\n    def f(self): ...\n",
			"class A | A = collections.namedtuple('A', ['x', 'y'])\n  field A.x | x\n  field A.y | y\nclass B | B = collections.namedtuple('B', 'x, y z')\n  field B.x | x\n  field B.y | y\n  field B.z | z\n" +
				"class C | C = typing.NamedTuple('C', [('x', int), ('y', 'list[str]')])\n  field C.x | x: int\n  field C.y | y: list[str]\nclass D | class D(collections.namedtuple('D', ('x', 'y'))) | Doc.\n  method D.f | def f(self)\n  field D.x | x\n  field D.y | y\n"},
		{"a subclass of a tuple's class", "-- pkg/__init__.py\nfrom typing import NamedTuple\nclass _A(NamedTuple):\n    x: int\n    '''The x.'''\n    y: str = ''\n    def swap(self) -> tuple: 'Swap.'\nclass B(_A): ...\n",
			"class B | class B(_A)\n  constructor B.__new__ | def __new__(cls, x: int, y: str = '')\n  field B.x | x: int | The x. | from _A\n  field B.y | y: str = '' | from _A\n  method B.swap | def swap(self) -> tuple | Swap. | from _A\n"},
		{"dictionaries", "-- pkg/__init__.py\nfrom typing import TypedDict, Required, NotRequired\nA = TypedDict('A', {'x': int, 'not a name': str, 'y': list[int]}, total=False)\nclass B(TypedDict):\n    x: Required[int]\n    y: NotRequired[str]\n    '''The y.'''\nclass C(B, total=False):\n    z: int\n",
			"class A | A = TypedDict('A', {'x': int, 'not a name': str, 'y': list[int]}, total=False)\n  field A.x | x: int\n  field A.y | y: list[int]\nclass B | class B(TypedDict)\n  field B.x | x: Required[int]\n  field B.y | y: NotRequired[str] | The y.\nclass C | class C(B, total=False)\n  field C.z | z: int\n  field C.x | x: Required[int] | from B\n  field C.y | y: NotRequired[str] | The y. | from B\n"},
		{"enumerations", "-- pkg/__init__.py\nimport enum\nfrom enum import Enum, auto, IntFlag, member, nonmember\nclass A(str, Enum):\n    X = 'x'\n    Y = auto()\n    _ignore_ = ['z']\n    @property\n    def label(self) -> str: ...\nclass B(IntFlag):\n    R = 1\n    W = R << 1\n    RW = R | W\nclass C(enum.StrEnum):\n    ONE = 'one', 'The one.'\n    def __init__(self, value, text): ...\n",
			"enum A | class A(str, Enum)\n  enum value A.X | X = 'x'\n  enum value A.Y | Y = auto()\n  property A.label | @property ; def label(self) -> str\nenum B | class B(IntFlag)\n  enum value B.R | R = 1\n  enum value B.W | W = R << 1\n  enum value B.RW | RW = R | W\n" +
				"enum C | class C(enum.StrEnum)\n  enum value C.ONE | ONE = 'one', 'The one.'\n"},
		{"enumerations by a call", "-- pkg/__init__.py\nfrom enum import Enum, Flag\nA = Enum('A', 'RED GREEN')\nB = Flag('B', ['R', 'W'])\nC = Enum('C', {'X': 1, 'Y': 2})\nD = Enum('D', [('X', 1), ('Y', 2)])\n",
			"enum A | A = Enum('A', 'RED GREEN')\n  enum value A.RED | RED\n  enum value A.GREEN | GREEN\nenum B | B = Flag('B', ['R', 'W'])\n  enum value B.R | R\n  enum value B.W | W\nenum C | C = Enum('C', {'X': 1, 'Y': 2})\n  enum value C.X | X = 1\n  enum value C.Y | Y = 2\nenum D | D = Enum('D', [('X', 1), ('Y', 2)])\n  enum value D.X | X = 1\n  enum value D.Y | Y = 2\n"},
	})
}
