package modules

import (
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/apidoc/decltest"
)

func TestSyntax_Parts(t *testing.T) {
	for _, tt := range []struct {
		kind      apidoc.Kind
		signature string
		want      []string // the parts within the declaration, one per line
	}{
		{apidoc.Function, "async def get[T: (int, str), *Ts](url, /, a: T = f(1, 2), *args: Any, b=None, **kw: dict[str, T]) -> requests.Response | None", []string{
			"effect async", "name get",
			"type parameter T: (int, str)", "  name T", "  constraint (int, str)", "    reference int [builtin]", "    reference str [builtin]",
			"type parameter *Ts", "  name Ts",
			"parameter url [positional-only]", "  name url",
			"parameter a: T = f(1, 2) [optional]", "  name a", "  type T", "    reference T [local]", "  default f(1, 2)",
			"parameter *args: Any [variadic]", "  name args", "  type Any", "    reference Any",
			"parameter b=None [optional keyword-only]", "  name b", "  default None",
			"parameter **kw: dict[str, T] [variadic keyword-only]", "  name kw", "  type dict[str, T]", "    reference dict [builtin]", "    reference str [builtin]", "    reference T [local]",
			"result requests.Response | None", "  type requests.Response | None [named]", "    union requests.Response | None", "      type requests.Response", "        reference requests.Response [outer]", "      type None",
		}},
		{apidoc.Method, "@classmethod\ndef of(cls, *, name: str)", []string{
			"attribute @classmethod", "name of", "parameter cls [self]", "  name cls",
			"parameter name: str [keyword-only]", "  name name", "  type str", "    reference str [builtin]",
		}},
		{apidoc.Function, "@classmethod\ndef open(cls, name=lambda a, b: a)", []string{
			"attribute @classmethod", "name open", "parameter cls [self]", "  name cls",
			"parameter name=lambda a, b: a [optional]", "  name name", "  default lambda a, b: a",
		}},
		{apidoc.Method, "@staticmethod\ndef of(x)", []string{"attribute @staticmethod", "name of", "parameter x", "  name x"}},
		{apidoc.Method, "@staticmethod\ndef of() -> A\ndef of(x) -> B", []string{"attribute @staticmethod", "name of", "result A", "  type A [named]", "    reference A [outer]", "declaration def of(x) -> B [on type]", "name of", "parameter x", "  name x", "result B", "  type B [named]", "    reference B [outer]"}},
		{apidoc.Function, "def compiled(a, ...)", []string{"name compiled", "parameter a", "  name a", "parameter ... [unknown]"}},
		{apidoc.Class, "@dataclass(frozen=True)\nclass Box[T](Base[T], typing.Generic, key=f(x, y))", []string{
			"attribute @dataclass(frozen=True)", "name Box", "type parameter T", "  name T",
			"base Base[T]", "  reference Base", "  reference T [local]", "base typing.Generic", "  reference typing.Generic", "modifier key=f(x, y)",
		}},
		{apidoc.Attribute, "timeout: Optional[float] = DEFAULT", []string{"name timeout", "type Optional[float] [named]", "  union Optional[float] [optional]", "    reference Optional", "    type float", "      reference float [builtin outer]", "value DEFAULT"}},
		{apidoc.Attribute, "str = Accessor('str', Text)", []string{"name str", "value Accessor('str', Text)", "  reference Accessor", "  trivia '", "  trivia '", "  reference Text"}},
		{apidoc.Const, "LIMIT = {'a': 1, 'b': 2}", []string{"name LIMIT", "value {'a': 1, 'b': 2}", "  trivia '", "  trivia '", "  trivia '", "  trivia '"}},
		{apidoc.TypeAlias, "type Pair[T] = tuple[T, T]", []string{
			"name Pair", "type parameter T", "  name T", "type tuple[T, T]", "  reference tuple [builtin]", "  reference T [local]", "  reference T [local]",
		}},
		{apidoc.Var, "type: str", []string{"name type", "type str [named]", "  reference str [builtin outer]"}},
		{apidoc.Function, "def f(a: Optional['Node[T]'], b: Literal['x', \"y\"], c: Annotated['Node', Field('z'), 'w'], d: Callable[..., ValueError], e: f(x).y)", []string{
			"name f",
			"parameter a: Optional['Node[T]']", "  name a", "  type Optional['Node[T]']", "    union Optional['Node[T]'] [optional]", "      reference Optional", "      type 'Node[T]'", "        trivia '", "        reference Node", "        reference T", "        trivia '",
			"parameter b: Literal['x', \"y\"]", "  name b", "  type Literal['x', \"y\"]", "    reference Literal", "    trivia '", "    trivia '", "    trivia \"", "    trivia \"",
			"parameter c: Annotated['Node', Field('z'), 'w']", "  name c", "  type Annotated['Node', Field('z'), 'w']", "    reference Annotated", "    trivia '", "    reference Node", "    trivia '", "    reference Field", "    trivia '", "    trivia '", "    trivia '", "    trivia '",
			"parameter d: Callable[..., ValueError]", "  name d", "  type Callable[..., ValueError]", "    reference Callable", "    reference ValueError [builtin]",
			"parameter e: f(x).y", "  name e", "  type f(x).y", "    reference f", "    reference x",
		}},
		{apidoc.Class, "class Point(namedtuple('Point', 'x y'), Base['Point'])", []string{
			"name Point", "base namedtuple('Point', 'x y')", "  reference namedtuple", "  trivia '", "  trivia '", "  trivia '", "  trivia '", "base Base['Point']", "  reference Base", "  trivia '", "  reference Point", "  trivia '",
		}},
		{apidoc.Function, "def old(a, (b, (c, d)), e=1)", []string{
			"name old", "parameter a", "  name a", "parameter (b, (c, d))", "  name (b, (c, d)) [pattern]", "parameter e=1 [optional]", "  name e", "  default 1",
		}},
		{apidoc.TypeAlias, "JSON = Union[str, list['JSON']]", []string{
			"name JSON", "type Union[str, list['JSON']] [named]", "  union Union[str, list['JSON']]", "    reference Union", "    type str", "      reference str [builtin outer]", "    type list['JSON']", "      reference list [builtin outer]", "      trivia '", "      reference JSON", "      trivia '",
		}},
		{apidoc.TypeAlias, "Path: TypeAlias = os.PathLike", []string{"name Path", "modifier TypeAlias", "type os.PathLike [named]", "  reference os.PathLike [outer]"}},
		{apidoc.Method, "def f() -> typing.Self", []string{"name f", "result typing.Self", "  type typing.Self [named]", "    reference typing.Self [self outer]"}},
		{apidoc.Function, "def f() -> Union['A', a.B[c], None]", []string{"name f", "result Union['A', a.B[c], None]", "  type Union['A', a.B[c], None] [named]", "    union Union['A', a.B[c], None]", "      reference Union", "      type 'A'", "        trivia '", "        reference A [outer]", "        trivia '", "      type a.B[c]", "        reference a.B [outer]", "        reference c", "      type None"}},
		{apidoc.Function, "def f() -> type[A]", []string{"name f", "result type[A]", "  type type[A]", "    reference type [builtin]", "    reference A"}},
		{apidoc.Function, "@contextmanager\ndef f() -> Iterator[A]", []string{"attribute @contextmanager", "name f", "result Iterator[A]", "  type Iterator[A]", "    reference Iterator", "    reference A"}},
		{apidoc.Module, "import numpy.linalg", []string{"name numpy.linalg", "  reference numpy.linalg"}},
		{apidoc.Name, "from numpy import ndarray", []string{"reference numpy", "name ndarray"}},
		{apidoc.Function, "def broken(a", nil},
		{apidoc.Function, "def broken(a,\n, b=1)", nil},
		{apidoc.Function, "???", nil},
	} {
		decltest.Expect(t, Syntax{}, tt.kind, tt.signature, strings.Join(tt.want, "\n"))
	}
}

func TestSyntax_Overloads(t *testing.T) {
	s := &apidoc.Symbol{Kind: apidoc.Function, Signature: "def f(a: int) -> int\ndef f(a: str) -> str"}
	d := apidoc.Decl{Text: s.Signature, Parts: Syntax{}.Parts(s)}
	var names []string
	for i := range d.Within(-1, apidoc.DeclarationPart) {
		names = append(names, d.PartText(i))
	}
	if strings.Join(names, ";") != strings.ReplaceAll(s.Signature, "\n", ";") {
		t.Errorf("the declarations are %q", names)
	}
}

func FuzzSyntax(f *testing.F) {
	for _, seed := range []string{"def f[T](a, /, *b: int = 1, **c) -> x.y", "class A(B, c=1)", "@x(1)\nasync def f(self)", "a: b = c", "type X[T: int = str] = list[T]", "def f(...", "from a import b", "@", "def f[*"} {
		f.Add(string(apidoc.Method), seed)
		f.Add(string(apidoc.Function), seed)
	}
	f.Fuzz(func(t *testing.T, kind, signature string) {
		d := apidoc.Decl{Text: signature, Parts: Syntax{}.Parts(&apidoc.Symbol{Kind: apidoc.Kind(kind), Signature: signature})}
		if err := d.Check(); err != nil {
			t.Error(err)
		}
	})
}
