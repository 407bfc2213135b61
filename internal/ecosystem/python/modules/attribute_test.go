package modules

import (
	"testing"

	_ "github.com/docent-mcp/docent/internal/filetest" // the flag -update
)

func TestWhatCallersSeeOfAClass(t *testing.T) {
	expectOutlines(t, []struct{ name, files, want string }{
		{"values of attributes that tell what they are",
			"-- pkg/__init__.py\nclass A:\n    def __init__(self, size=None, when=None):\n        self.size = size or 5\n        self.when = to_time(when)\n        self.kept = []\n        self.all = dict(when or {})\n        self.name = 'a'\n        self.lowest = -1\n        self.done = False\n        self.lock = threading.Lock()\n        self.size2: int = size or 5\n    limit = compute(5)\n",
			"class A | class A\n" +
				"  constructor A.__init__ | def __init__(self, size=None, when=None)\n" +
				"  attribute A.limit | limit = compute(5)\n" +
				"  attribute A.size | size\n" +
				"  attribute A.when | when\n" +
				"  attribute A.kept | kept = []\n" +
				"  attribute A.all | all\n" +
				"  attribute A.name | name = 'a'\n" +
				"  attribute A.lowest | lowest = -1\n" +
				"  attribute A.done | done = False\n" +
				"  attribute A.lock | lock = threading.Lock()\n" +
				"  attribute A.size2 | size2: int\n"},
		{"keywords of the class statements of subclasses",
			"-- pkg/__init__.py\nclass A:\n    def __init_subclass__(cls, frozen: bool = False, **kwargs): 'Options.'\nclass B:\n    def __init_subclass__(cls, /, **kwargs): pass\nclass C:\n    def __init_subclass__(cls, **kwargs: Unpack[Config]): pass\nclass D(A): pass\n",
			"class A | class A\n" +
				"  method A.__init_subclass__ | def __init_subclass__(cls, frozen: bool = False, **kwargs) | Options.\n" +
				"class B | class B\n" +
				"class C | class C\n" +
				"  method C.__init_subclass__ | def __init_subclass__(cls, **kwargs: Unpack[Config])\n" +
				"class D | class D(A)\n"},
		{"types whose names contain those of special forms",
			"-- pkg/__init__.py\nstate: FinalState = f()\nsize: ClassVar[Final[int]] = 5\nname: 'typing.Final[str]' = 'a'\nItems: MyTypeAlias = list\nPairs: 'TypeAlias' = list[int]\n",
			"var state | state: FinalState = f()\n" +
				"const size | size: ClassVar[Final[int]] = 5\n" +
				"const name | name: typing.Final[str] = 'a'\n" +
				"var Items | Items: MyTypeAlias = list\n" +
				"type alias Pairs | Pairs: TypeAlias = list[int]\n"},
		{"a class that the code makes and the stub declares",
			"-- pkg/__init__.py\nA = make_class(Base)\nb = make(1)\n-- pkg/__init__.pyi\nclass A:\n    def f(self, n: int) -> str: ...\nb: int\n",
			"class A | class A\n" +
				"  method A.f | def f(self, n: int) -> str\n" +
				"var b | b: int = make(1)\n"},
	})
}
