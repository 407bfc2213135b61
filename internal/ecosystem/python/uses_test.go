package python

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/filetest"
)

// usesOf returns the uses in a file, one a string: position, module, path, arguments.
func usesOf(dir, name, src string) (all []string) {
	uses, _ := (&Python{}).Uses(&ecosystem.SourceFile{Name: name, Dir: dir, Text: []byte(src)})
	for _, u := range uses {
		s := fmt.Sprintf("%d:%d %s %s", u.Line, u.Column, u.Package, u.Path)
		if u.Args != nil {
			s += fmt.Sprintf(" (%d", u.Args.Positional)
			for _, f := range u.Args.Named {
				s += " " + f.Name
			}
			if u.Args.Spread {
				s += " *"
			}
			if u.Args.NamedSpread {
				s += " **"
			}
			s += ")"
		}
		all = append(all, strings.TrimSpace(s))
	}
	return all
}

func TestUses_Python(t *testing.T) {
	for _, tt := range []struct {
		name, src string
		want      []string
	}{
		{"imports", "import a.b, c as d\nfrom e.f import (\n    g as h,\n    i,  # why\n)\nfrom j import *\nfrom . import k\nfrom __future__ import l\n",
			[]string{"1:8 a.b", "1:13 c", "2:6 e.f", "3:5 e.f g", "4:5 e.f i", "6:6 j"}},
		{"attributes", "import a.b\nimport a\nx = a.b.c.d(1, k=2)\ny = a.e\nz.a.f\nprint(a)\n",
			[]string{"1:8 a.b", "2:8 a", "3:11 a.b c.d (1 k)", "4:7 a e"}},
		{"calls", "from a import f\nf(1, *x, k=lambda y, z: (y, z), **w)\nf(q for q in r)\nf(lambda y, z: 1, 2)\nf(\n",
			[]string{"1:6 a", "1:15 a f", "2:1 a f (1 k * **)", "3:1 a f (1)", "4:1 a f (2)", "5:1 a f"}},
		{"names that others bind", "from a import f, g, h, i, j, k, l, m\nf = 1\ndef g(): pass\ndef x(h, *, n=0): return h.y\nfor i, o in p: i.z\nwith q() as j: j.z\n(k := 3)\nl, r = 1, 2\nlambda m: m.z\n",
			[]string{"1:6 a", "1:15 a f", "1:18 a g", "1:21 a h", "1:24 a i", "1:27 a j", "1:30 a k", "1:33 a l", "1:36 a m"}},
		{"arguments do not bind", "import json\nf(json=json.dumps)\n", []string{"1:8 json", "2:13 json dumps"}},
		{"conditions", "try:\n    import a\nexcept ImportError:\n    a = None\na.b\nif sys.version_info > (3,):\n    from c import d\nif TYPE_CHECKING:\n    from e import f\nif hasattr(g, 'h'):\n    import i\n",
			[]string{"9:10 e", "9:19 e f"}},
		{"strings and comments", "import a\n# a.b\n'a.c' \"\"\"\na.d\n\"\"\"\nx = f'{a}'\n", []string{"1:8 a"}},
		{"a name that is replaced", "import a\na.b = 1\na.c += 1\n", []string{"1:8 a"}},
		{"statements on one line", "import a; a.b\n", []string{"1:8 a", "1:13 a b"}},
		{"a backslash", "from a \\\n    import b\n", []string{"1:6 a", "2:12 a b"}},
	} {
		if got := usesOf("", "x.py", tt.src); !slices.Equal(got, tt.want) {
			t.Errorf("%s: the uses are\n%s\nwant\n%s", tt.name, strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
		}
	}
}

func TestUses_PythonLeavesOutTheProject(t *testing.T) {
	dir := filetest.Dir(t, map[string]string{"src/app/__init__.py": "", "tools/helper.py": "", "tools/run.py": ""})
	got := usesOf(dir, "tools/run.py", "import app.x, helper, other\n")
	if want := []string{"1:23 other"}; !slices.Equal(got, want) {
		t.Errorf("the uses are %v, want %v", got, want)
	}
}

func FuzzUses(f *testing.F) {
	for _, seed := range []string{"import a.b as c, d\nc.e(1, k=2)\n", "from a import (b,\n c)\nb(", "if x:\n\timport a;a.b\n", "from . import x\ntry:\n import y", "\\\nimport"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, src string) {
		uses, _ := (&Python{}).Uses(&ecosystem.SourceFile{Name: "a.py", Text: []byte(src)})
		for _, u := range uses {
			if u.Line < 1 || u.Column < 1 || u.Package == "" {
				t.Errorf("%+v", u)
			}
		}
	})
}
