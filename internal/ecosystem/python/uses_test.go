package python

import (
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/filetest"
	"github.com/docent-mcp/docent/internal/usetest"
)

func TestUses_Python(t *testing.T) {
	usetest.Run(t, &Python{}, "", []usetest.Case{
		{Name: "imports", File: "x.py", Src: "import a.b, c as d\nfrom e.f import (\n    g as h,\n    i,  # why\n)\nfrom j import *\nfrom . import k\nfrom __future__ import l\n",
			Want: []string{"1:8 a.b", "1:13 c", "2:6 e.f", "3:5 e.f g", "4:5 e.f i", "6:6 j"}},
		{Name: "attributes", File: "x.py", Src: "import a.b\nimport a\nx = a.b.c.d(1, k=2)\ny = a.e\nz.a.f\nprint(a)\n",
			Want: []string{"1:8 a.b", "2:8 a", "3:11 a.b c.d (1 k)", "4:7 a e"}},
		{Name: "calls", File: "x.py", Src: "from a import f\nf(1, *x, k=lambda y, z: (y, z), **w)\nf(q for q in r)\nf(q for q, s, _ in r if (q, s))\nf(lambda y, z: 1, 2)\nf(\n",
			Want: []string{"1:6 a", "1:15 a f", "2:1 a f (1 k * **)", "3:1 a f (1)", "4:1 a f (1)", "5:1 a f (2)", "6:1 a f"}},
		{Name: "names that others bind", File: "x.py", Src: "from a import f, g, h, i, j, k, l, m\nf = 1\ndef g(): pass\ndef x(h, *, n=0): return h.y\nfor i, o in p: i.z\nwith q() as j: j.z\n(k := 3)\nl, r = 1, 2\nlambda m: m.z\n",
			Want: []string{"1:6 a", "1:15 a f", "1:18 a g", "1:21 a h", "1:24 a i", "1:27 a j", "1:30 a k", "1:33 a l", "1:36 a m"}},
		{Name: "arguments do not bind", File: "x.py", Src: "import json\nf(json=json.dumps)\n", Want: []string{"1:8 json", "2:13 json dumps"}},
		{Name: "conditions", File: "x.py", Src: "try:\n    import a\nexcept ImportError:\n    a = None\na.b\nif sys.version_info > (3,):\n    from c import d\nif TYPE_CHECKING:\n    from e import f\nif hasattr(g, 'h'):\n    import i\n",
			Want: []string{"9:10 e", "9:19 e f"}},
		{Name: "conditions about values", File: "x.py", Src: "import a\nif x > 1:\n    a.b(c=1)\n    import d\nelif VERSION:\n    a.e\nelse:\n    a.f\ntry:\n    a.g\nexcept ValueError:\n    a.h\ntry:\n    a.i\nexcept Exception:\n    a.j\n",
			Want: []string{"1:8 a", "3:7 a b (0 c)", "10:7 a g", "12:7 a h"}},
		{Name: "an import in a function", File: "x.py", Src: "def f():\n    from a import b\n    b(1)\n    def g(): b(2)\nb(3)\n", Want: []string{"2:10 a", "2:19 a b", "3:5 a b (1)", "4:14 a b (1)"}},
		{Name: "strings and comments", File: "x.py", Src: "import a\n# a.b\n'a.c' \"\"\"\na.d\n\"\"\"\nx = f'{a}'\n", Want: []string{"1:8 a"}},
		{Name: "a name that is replaced", File: "x.py", Src: "import a\na.b = 1\na.c += 1\n", Want: []string{"1:8 a"}},
		{Name: "statements on one line", File: "x.py", Src: "import a; a.b\n", Want: []string{"1:8 a", "1:13 a b"}},
		{Name: "modules that the file writes", File: "x.py", Src: "write('one.py')\nopen('two/__init__.py')\nimport one, two.three, four\n", Want: []string{"3:24 four"}},
		{Name: "a line that type checkers ignore", File: "x.py", Src: "import a\na.b  # type: ignore[attr-defined]\na.c\n", Want: []string{"1:8 a", "3:3 a c"}},
		{Name: "a parameter of another function", File: "x.py", Src: "import a\ndef f(a): a.b\ndef g(x: a.c = 1): a.d\n", Want: []string{"1:8 a", "3:12 a c", "3:22 a d"}},
		{Name: "a backslash", File: "x.py", Src: "from a \\\n    import b\n", Want: []string{"1:6 a", "2:12 a b"}},
	})
}

func TestUses_PythonLeavesOutTheProject(t *testing.T) {
	dir := filetest.Dir(t, map[string]string{"src/app/__init__.py": "", "tools/helper.py": "", "tools/run.py": ""})
	got := usetest.List(&Python{}, dir, "tools/run.py", "import app.x, helper, other\nfrom app.x import C\nC().y\n")
	if want := []string{"1:23 other", "2:19 app.x C", "3:1 app.x C (0)", "3:5 app.x C ().y"}; !slices.Equal(got, want) {
		t.Errorf("the uses are %v, want %v", got, want)
	}
}

func TestUses_PythonMembersOfValues(t *testing.T) {
	const head = "from a import A, B, f\nimport m\n" // The first uses are on these lines.
	for _, tt := range []struct {
		name, code string
		want       []string
	}{
		{"constructed in place", "A(1).x.y(2, k=3).z", []string{"3:6 a A ().x.y(1 k).z"}},
		{"a qualified name", "m.A().x", []string{"3:7 m A ().x"}},
		{"a variable", "v = A().w\nv.x", []string{"3:9 a A ().w", "4:3 a A ()[.w].x"}},
		{"a variable that is bound twice", "v = A()\nif v: v = B()\nv.x", nil},
		{"a variable that is bound again", "v = A()\nv.x\nv = B()\nv.y\nif f:\n    v.z\n    v = v.t()\n    v.s\nv.r",
			[]string{"4:3 a A ().x", "6:3 a B ().y", "8:7 a B ().z", "9:11 a B ().t(0)", "10:7 a B ()[.t(0)].s"}},
		{"a variable that is bound again in a loop", "v = A()\nv.x\nfor i in j:\n    v.y\n    v = B()\n    v.z", []string{"4:3 a A ().x", "8:7 a B ().z"}},
		{"a variable that is bound again in a condition", "v = A()\nif f():\n    v = 1\nv.x", nil},
		{"a variable that another function binds", "def g():\n    v = A()\n    def h():\n        nonlocal v\n        v = B()\n    v.x", nil},
		{"a variable that is bound again after a function", "def g():\n    v = A()\n    def h(): return v.x\n    w = lambda: v.y\n    v.z\n    v = 1", []string{"7:7 a A ().z"}},
		{"a parameter that is bound again", "def g(p: A):\n    p.x\n    p = p or B()\n    p.y", []string{"4:7 a A {}.x"}},
		{"a variable with a part of an expression", "v = A() or 1\nv.x", nil},
		{"a variable of a function", "def g():\n    v = A()\n    return v.x\ndef h():\n    v = 1\n    v.x", []string{"5:14 a A ().x"}},
		{"a variable of a class is not one of its methods", "class C:\n    v = A()\n    def g(self): v.x", nil},
		{"an annotation", "v: A = g()\nv.x", []string{"4:3 a A {}.x"}},
		{"a parameter", "def g(p: m.A[int], q: B = None): p.x; q.x", []string{"3:36 m A {}.x"}},
		{"a parameter in a nested function", "def g(p: A):\n    def h(): return p.x", []string{"4:23 a A {}.x"}},
		{"a parameter that is narrowed", "def g(p: A):\n    y = isinstance(p, B)\n    p.x", nil},
		{"a parameter that may be None", "from typing import Optional\ndef g(p: Optional[A], q: A | None = None, r: None | m.A[int] = f()):\n    p.x; q.x; r.x",
			[]string{"5:7 a A {}.x", "5:12 a A {}.x", "5:17 m A {}.x"}},
		{"a parameter of several types", "from typing import Union\ndef g(p: A | B, q: Union[A, B], r: A | None | B, s: type[A]):\n    p.x; q.x; r.x; s.x", nil},
		{"an annotation with metadata", "from typing import Annotated\ndef g(p: Annotated[A, 1], q: Annotated[list[A], 1]):\n    p.x; q.x", []string{"5:7 a A {}.x", "5:12 builtins list <>.x"}},
		{"builtin values", "''.x; b''.x; f''.x.y; [1].x; {}.x; {1}.x; {**f}.x; {1: 2}.x; str(1).x; v = []\nv.x\nw = '' + f()\nw.x\nf()[1].x; f(a)['x'].y; '' ''.x; self[1].x; match['x'].y; {}[1].x; ''[1].x",
			[]string{"3:4 builtins str {}.x", "3:11 builtins bytes {}.x", "3:18 builtins str {}.x.y", "3:27 builtins list {}.x", "3:33 builtins dict {}.x", "3:40 builtins set {}.x", "3:49 builtins dict {}.x", "3:59 builtins dict {}.x", "3:69 builtins str ().x", "4:3 builtins list {}.x", "7:30 builtins str {}.x"}},
		{"a context manager", "with A() as v, m.open() as w:\n    v.x; w.y", []string{"4:7 a A ()[.__enter__()].x", "4:12 m open ()[.__enter__()].y"}},
		{"an asynchronous context manager", "async def g():\n    async with A() as v:\n        v.x", []string{"5:11 a A ()[.__aenter__()await].x"}},
		{"await", "async def g():\n    (await A().x()).y\n    v = await f()\n    v.z", []string{"4:16 a A ().x(0)await.y", "6:7 a f await().z"}},
		{"self", "class C(A):\n    own = 1\n    def g(self):\n        self.x(1).own; self.own.y; self.z = 1; self.z", []string{"6:14 a A <>.x(1).own"}},
		{"self of a class with several bases", "class C(A, B):\n    def g(self): self.x", []string{"4:23  C <>.x"}},
		{"self of a class in a function", "def h():\n    class C:\n        def g(self): self.x", nil},
		{"a class of the file", "class C: ...\nC().x\ndef g(p: C, q: 'C'):\n    p.y; q.z", []string{"4:5  C ().x", "6:7  C {}.y", "6:12  C {}.z"}},
		{"a class of the file that is bound again", "class C: ...\nC = f(C)\nC().x", nil},
		{"self of a class that computes attributes", "class C(A):\n    def g(self, k): setattr(self, k, self.x)", nil},
		{"assignments", "v = A()\nv.x = 1\nv.y, v.z = 1, 2\nv.t.s = 1\nv.r: int = 2", []string{"6:3 a A ().t"}},
		{"private names", "A()._x.y; A().x._y.z", []string{"3:15 a A ().x"}},
		{"conditions", "v = A()\nif hasattr(v, 'x'): v.x", nil},
		{"conditions about other values", "v = A()\nif f(1) is None:\n    v.x\nelse:\n    v.y\nwhile v.z:\n    v.t", []string{"5:7 a A ().x", "7:7 a A ().y", "8:9 a A ().z", "9:7 a A ().t"}},
		{"conditions about versions and types", "v = A()\nif m.VERSION:\n    v.x\nelif j:\n    v.x\nelse:\n    v.y\nif is_b(j):\n    v.z\nif sys.platform == 'win32':\n    v.t", nil},
		{"conditions about types", "v = A()\nw = B()\nif isinstance(w, B):\n    v.x; w.x\nelse:\n    v.y; w.t\nif w.is_open:\n    v.z; w.s\nv.t if isinstance(w, B) else v.s", []string{"6:7 a A ().x", "8:7 a A ().y", "10:7 a A ().z"}},
		{"conditions about the types of attributes", "v = A()\nif isinstance(v.x, B):\n    v.x.y; v.z.t\nv.x.y", []string{"4:17 a A ().x", "5:7 a A ().x", "5:14 a A ().z.t", "6:3 a A ().x"}},
		{"errors that are caught", "v = A()\ntry:\n    v.x\nexcept AttributeError:\n    v.y\ntry:\n    v.z\nexcept ValueError:\n    v.t\nfinally:\n    v.s",
			[]string{"9:7 a A ().z", "11:7 a A ().t", "13:7 a A ().s"}},
		{"errors that are expected", "v = A()\nwith raises(ValueError):\n    v.x\nwith raises(AttributeError):\n    v.y\nwith raises(z):\n    v.z", []string{"5:7 a A ().x"}},
		{"a test that is skipped", "v = A()\n@mark.skipif(old)\n@mark.slow\ndef g(): v.x\n@mark.slow\ndef h(): v.y", []string{"8:12 a A ().y"}},
		{"a function of the file", "def g() -> A: ...\ndef h() -> 'B': ...\n@f\ndef i() -> A: ...\ng().x; h().x; i().x\nv = g()\nv.y", []string{"7:5 a A {}.x", "7:12 a B {}.x", "7:19  i ().x", "9:3 a A {}.y"}},
	} {
		var got []string
		for _, u := range usetest.List(&Python{}, "", "x.py", head+tt.code+"\n") {
			if strings.ContainsAny(u, ".") && strings.ContainsAny(u, ")}>") && !strings.HasSuffix(u, ")") || strings.Contains(u, ").") {
				got = append(got, u)
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: the uses are %q, want %q", tt.name, got, tt.want)
		}
	}
}

func FuzzUses(f *testing.F) {
	usetest.Fuzz(f, &Python{}, "a.py", "import a.b as c, d\nc.e(1, k=2)\n", "from a import (b,\n c)\nb(", "if x:\n\timport a;a.b\n", "import a\nwith a.b() as c, (await d()).e: c.f\nclass G(a.B):\n def h(self, i: a.J): self.k = i.l", "from . import x\ntry:\n import y", "\\\nimport")
}
