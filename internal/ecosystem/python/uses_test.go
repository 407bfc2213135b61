package python

import (
	"slices"
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
		{Name: "arguments in assignments do not bind", File: "x.py", Src: "from a import b, c, d, e\nx = y[0] = f(b, [c])\nb(1); c(1)\nz = d, e\n(d, z), e = x\nd(1); e(1)\n", Want: []string{"1:6 a", "1:15 a b", "1:18 a c", "1:21 a d", "1:24 a e", "2:14 a b", "2:18 a c", "3:1 a b (1)", "3:7 a c (1)"}},
		{Name: "arguments do not bind", File: "x.py", Src: "import json\nf(json=json.dumps)\n", Want: []string{"1:8 json", "2:13 json dumps"}},
		{Name: "conditions", File: "x.py", Src: "try:\n    import a\nexcept ImportError:\n    a = None\na.b\nif sys.version_info > (3,):\n    from c import d\nif TYPE_CHECKING:\n    from e import f\nif hasattr(g, 'h'):\n    import i\n",
			Want: []string{"9:10 e", "9:19 e f"}},
		{Name: "conditions about values", File: "x.py", Src: "import a\nif x > 1:\n    a.b(c=1)\n    import d\nelif VERSION:\n    a.e\nelse:\n    a.f\ntry:\n    a.g\nexcept ValueError:\n    a.h\ntry:\n    a.i\nexcept Exception:\n    a.j\n",
			Want: []string{"1:8 a", "3:7 a b (0 c)", "10:7 a g", "12:7 a h"}},
		{Name: "expected errors", File: "x.py", Src: "import a\nwith t.assertRaisesMessage(TypeError, m):\n    a.b(1)\nraises(TypeError, lambda: a.c(1))\nwith t.assertRaisesMessage(ValueError, m):\n    a.d(1)\nf(lambda: a.e(1))\n", Want: []string{"1:8 a", "6:7 a d", "7:13 a e (1)"}},
		{Name: "an import in a function", File: "x.py", Src: "def f():\n    from a import b\n    b(1)\n    def g(): b(2)\nb(3)\n", Want: []string{"2:10 a", "2:19 a b", "3:5 a b (1)", "4:14 a b (1)"}},
		{Name: "strings and comments", File: "x.py", Src: "import a\n# a.b\n'a.c' \"\"\"\na.d\n\"\"\"\nx = f'{a}'\n", Want: []string{"1:8 a"}},
		{Name: "a name that is replaced", File: "x.py", Src: "import a\na.b = 1\na.c += 1\n", Want: []string{"1:8 a"}},
		{Name: "a name that is replaced in a block", File: "x.py", Src: "import a\nif x == 1:\n    a.b = 1\ny: a.c = 1\n", Want: []string{"1:8 a", "4:6 a c"}},
		{Name: "private names for type checkers", File: "x.py", Src: "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from a import _B, C\n    import a\nx: _B\na._d\n", Want: []string{"1:6 typing", "1:20 typing TYPE_CHECKING", "2:4 typing TYPE_CHECKING", "3:10 a", "3:23 a C", "4:12 a", "6:3 a _d"}},
		{Name: "what runs for other versions", File: "x.py", Src: "import a\ndef f():\n    if sys.version_info < (3,):\n        return\n    a.b\ndef g():\n    if sys.version_info < (3,):\n        a.c\n    a.d\n    if x:\n        return\n    a.e\n", Want: []string{"1:8 a", "9:7 a d", "12:7 a e"}},
		{Name: "tests that may not run", File: "x.py", Src: "import a\n@mark.skipif(old, reason='')\n@mark.slow\nclass A:\n    def f(self):\n        from b import c\n@mark.slow\ndef g():\n    from b import d\n", Want: []string{"1:8 a", "9:10 b", "9:19 b d"}},
		{Name: "a parameter named case", File: "x.py", Src: "from a import case, d, e\ndef f(x, case, y): case(1)\nmatch x:\n    case d:\n        pass\nd.f\ne.f\ncase(2)\n", Want: []string{"1:6 a", "1:15 a case", "1:21 a d", "1:24 a e", "7:3 a e.f"}},
		{Name: "statements on one line", File: "x.py", Src: "import a; a.b\n", Want: []string{"1:8 a", "1:13 a b"}},
		{Name: "modules that the file writes", File: "x.py", Src: "write('one.py')\nopen('two/__init__.py')\nimport one, two.three, four\n", Want: []string{"3:24 four"}},
		{Name: "an import for type checkers that they ignore", File: "x.py", Src: "if TYPE_CHECKING:\n    from a import (  # type: ignore[attr-defined]\n        b,\n    )\nfrom a import c  # type: ignore\n", Want: []string{"5:6 a", "5:15 a c"}},
		{Name: "a line that type checkers ignore", File: "x.py", Src: "import a\na.b  # type: ignore[attr-defined]\na.c\n", Want: []string{"1:8 a", "3:3 a c"}},
		{Name: "a parameter of another function", File: "x.py", Src: "import a\ndef f(a): a.b\ndef g(x: a.c = 1): a.d\n", Want: []string{"1:8 a", "3:12 a c", "3:22 a d"}},
		{Name: "a backslash", File: "x.py", Src: "from a \\\n    import b\n", Want: []string{"1:6 a", "2:12 a b"}},
	})
}

func TestUses_PythonLeavesOutTheProject(t *testing.T) {
	dir := filetest.Dir(t, map[string]string{"src/app/__init__.py": "", "tools/helper.py": "", "tools/run.py": ""})
	got := usetest.List(&Python{}, dir, "tools/run.py", "import app.x, helper, other\nfrom app.x import C\nC().y\n")
	if want := []string{"1:23 other", "2:19 app.x C", "3:1 app.x C (0)"}; !slices.Equal(got, want) {
		t.Errorf("the uses are %v, want %v", got, want)
	}
}

func TestUses_PythonLeavesOutModulesThatOthersHide(t *testing.T) {
	dir := filetest.Dir(t, map[string]string{"app/__init__.py": "", "core/__init__.py": "", "tests/app.py": "", "tests/run.py": ""})
	got := usetest.List(&Python{}, dir, "tests/run.py", "from app import x\nfrom core import y\nimport app\napp.z; core.z\n")
	if want := []string{"2:18 core y"}; !slices.Equal(got, want) {
		t.Errorf("the uses are %v, want %v", got, want)
	}
}

func FuzzUses(f *testing.F) {
	usetest.Fuzz(f, &Python{}, "a.py", "import a.b as c, d\nc.e(1, k=2)\n", "from a import (b,\n c)\nb(", "if x:\n\timport a;a.b\n", "import a\nwith a.b() as c, (await d()).e: c.f\nclass G(a.B):\n def h(self, i: a.J): self.k = i.l", "from . import x\ntry:\n import y", "\\\nimport")
}
