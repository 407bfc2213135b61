package python

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
)

// newProgram returns a program in the project of a world with an environment.
func newProgram(t *testing.T, project files) (*world, ecosystem.Program) {
	t.Helper()
	w := newWorld(t)
	w.venv(filepath.Join(w.project, ".venv"), files{
		"pots.py":                     "class Pot:\n    def fill(self) -> 'Pot': ...\n",
		"pots-1.0.dist-info/METADATA": metadataOf("pots", "1.0"), "pots-1.0.dist-info/RECORD": "pots.py,,\n",
	})
	w.write(w.project, project)
	return w, w.python().Program(t.Context(), w.project)
}

func TestProgram_Members(t *testing.T) {
	project := files{
		"pyproject.toml":      "[project]\nname = 'app'\n",
		"app/__init__.py":     "",
		"app/cook.py":         "from pots import Pot\nfrom .tools import Spoon\nclass Cook:\n    def __init__(self):\n        self.pot = Pot()\n        self.spoon = Spoon()\n",
		"app/tools.py":        "class Spoon:\n    length: int = 3\n    def stir(self): ...\n",
		"lib/shared.py":       "class Shared:\n    def use(self): ...\n",
		"scripts/run.py":      "",
		"scripts/beside.py":   "class Beside:\n    def near(self): ...\n",
		"scripts/my-tool.py":  "",
		"python/native.pyx":   "cdef class Native:\n    def run(self): pass\n",
		"app/data/broken.txt": "",
	}
	for _, tt := range []struct{ name, file, text, want string }{
		{"a class of an installed package", "scripts/run.py", "from pots import Pot\nPot().fill().boil()\n", "2:14 boil pots.Pot"},
		{"a class of the project", "scripts/run.py", "from app.cook import Cook\ndef f(c: Cook):\n    c.spoon.stirr\n", "3:13 stirr app.tools.Spoon own near stir"},
		{"a relative import", "app/cook.py", "from .tools import Spoon\nSpoon().lengthh\n", "2:9 lengthh app.tools.Spoon own result near length"},
		{"a module beside the file", "scripts/run.py", "from beside import Beside\nBeside().far\n", "2:10 far beside.Beside own result"},
		{"a folder for sources", "scripts/run.py", "import shared\nshared.Shared().lose\n", "2:17 lose shared.Shared own result"},
		{"a builtin class", "scripts/run.py", "def f(x: str):\n    x.uper()\n", "2:7 uper builtins.str own derived near upper"},
		{"a value that the builtin class itself creates", "scripts/run.py", "[].apend(1)\n", "1:4 apend builtins.list own result near append"},
		{"several classes", "scripts/run.py", "from pots import Pot\nfrom app.tools import Spoon\ndef f(x: Pot | Spoon): x.lost\n", "3:26 lost pots.Pot app.tools.Spoon own"},
		{"the name of the file is that of no module", "scripts/my-tool.py", "''.lost\n", "1:4 lost builtins.str own result"},
		{"a text that differs from the file", "app/tools.py", "class Spoon: ...\nSpoon().stir\n", "2:9 stir app.tools.Spoon own result"},
		{"a line that type checkers ignore", "scripts/run.py", "''.lost  # type: ignore\n''.other  # type: ignore[attr-defined]\n", ""},
		{"a byte order mark", "scripts/run.py", "\ufeff''.lost\n", "1:4 lost builtins.str own result"},
		{"an encoding", "scripts/run.py", "# coding: latin-1\n''.lost # \xe9\n", "2:4 lost builtins.str own result"},
		{"an encoding that is not known", "scripts/run.py", "# coding: nonsense\n''.lost # \xe9\n", ""},
		{"an object that a constructor may replace", "scripts/run.py", "from typing import Self\nclass A:\n    def __new__(cls) -> Self: ...\nclass B: ...\nA().lost\nB().lost\n", "5:5 lost run.A own\n6:5 lost run.B own result"},
		{"a variable in place of a module", "scripts/run.py", "try:\n    import absent\nexcept ImportError:\n    absent = False\nother = False\ndef f():\n    absent.lost\n    other.lost\n", "8:11 lost builtins.bool own derived"},
		{"a long expression", "scripts/run.py", "(1,\n 2).lost\n", "2:5 lost builtins.tuple own result"},
		{"a module of a package is not imported by its last name", "app/cook.py", "import tools\ntools.Spoon().lost\n", ""},
		{"a stub", "app/tools.pyi", "''.lost\n", "1:4 lost builtins.str own result"},
		{"an empty file", "scripts/run.py", "", ""},
	} {
		w, p := newProgram(t, project)
		f := &ecosystem.SourceFile{Dir: w.project, Name: tt.file, Text: []byte(tt.text)}
		var members []ecosystem.AbsentMember
		if uses := p.(ecosystem.MemberChecker).Members(t.Context(), f); uses != nil {
			members = uses.Absent
		}
		var got []string
		for _, m := range members {
			line := fmt.Sprintf("%d:%d %s", m.Line, m.Column, m.Name)
			if want := lineOf(tt.text, m.Line); !strings.Contains(want, m.Text) {
				t.Errorf("%s: the expression is %q", tt.name, m.Text)
			}
			for _, o := range m.Owners {
				line += " " + o.Package + "." + o.Path
				if o.Own {
					line += " own"
				}
				switch o.Value {
				case ecosystem.Result:
					line += " result"
				case ecosystem.Derived:
					line += " derived"
				}
			}
			if len(m.Near) > 0 {
				line += " near " + strings.Join(m.Near, " ")
			}
			got = append(got, line)
		}
		if got := strings.Join(got, "\n"); got != tt.want {
			t.Errorf("%s: the members are\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
}

func TestProgram_MembersWithoutEnvironment(t *testing.T) {
	w := newWorld(t)
	for _, dir := range []string{"", w.project} {
		p := w.python().Program(t.Context(), w.project)
		f := &ecosystem.SourceFile{Dir: dir, Name: "x.py", Text: []byte("''.lost\n")}
		if uses := p.(ecosystem.MemberChecker).Members(t.Context(), f); uses == nil || len(uses.Absent) != 1 {
			t.Errorf("in %q, the members of builtin types are not checked: %+v", dir, uses)
		}
		if _, err := p.Package(t.Context(), f, ""); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("the error is %v", err)
		}
	}
}

func TestProgram_Package(t *testing.T) {
	project := files{
		"pyproject.toml":      "[project]\nname = 'app'\n",
		"app/__init__.py":     "from .tools import Spoon\n",
		"app/tools.py":        "class Spoon:\n    def __init__(self):\n        self.size = 3\n        self.name = 'x'\n        self.raw = b''\n        self.parts = []\n        self.table = {}\n        self.unique = {1}\n        self.other = Lid()\n        self.twice = 1\n        self.twice = ''\n    def copy(self): return self\n    def make(self): return Lid()\n    def mixed(self, x):\n        if x:\n            return []\n        return {}\n    def both(self, x):\n        if x:\n            return 'a'\n        return f(x)\n    def count(self, Lid): return Lid()\nclass Lid: ...\ndef new(): return Spoon()\ndef text(): return 'x' \ndef pass_(): yield 1\n",
		"src/inner/deep.py":   "def f(): ...\n",
		"scripts/run.py":      "x = 1\n",
		"scripts/my-tool.py":  "",
		"app/sub/__init__.py": "",
		"app/sub/leaf.py":     "y = 2\n",
		"plugins/json.py":     "x = 1\n",
		"scripts/json/x.json": "",
		"plugins/run.py":      "",
		"app/json.py":         "x = 1\n",
	}
	w, p := newProgram(t, project)
	for _, tt := range []struct{ name, file, text, module, want string }{
		{"the module of the file", "app/tools.py", project["app/tools.py"], "", "app.tools Spoon Spoon.__init__ Spoon.copy Spoon.make Spoon.mixed Spoon.both Spoon.count Spoon.size Spoon.name Spoon.raw Spoon.parts Spoon.table Spoon.unique Spoon.other Spoon.twice Lid new text pass_"},
		{"a package", "app/__init__.py", project["app/__init__.py"], "", "app Spoon Spoon.__init__ Spoon.copy Spoon.make Spoon.mixed Spoon.both Spoon.count Spoon.size Spoon.name Spoon.raw Spoon.parts Spoon.table Spoon.unique Spoon.other Spoon.twice"},
		{"a module below it", "app/sub/leaf.py", project["app/sub/leaf.py"], "", "app.sub.leaf y"},
		{"a script", "scripts/run.py", project["scripts/run.py"], "", "run x"},
		{"a text that differs from the file", "app/tools.py", "class Fork: ...\n", "", "app.tools Fork"},
		{"a file that does not exist yet", "app/new.py", "z = 1\n", "", "app.new z"},
		{"another module", "scripts/run.py", "", "app.sub.leaf", "app.sub.leaf y"},
		{"a folder for sources", "scripts/run.py", "", "inner.deep", "inner.deep f"},
		{"a module that does not exist", "scripts/run.py", "", "app.lost", "error"},
		{"a module of an installed package", "scripts/run.py", "", "pots", "error"},
		{"a module beside the file, with the name of one in the standard library", "plugins/run.py", "", "json", "error"},
		{"a module of a package, with the name of one in the standard library", "app/sub/leaf.py", "", "json", "json loads"},
		{"such a module beside a file that imports relatively", "app/tools.py", "from .sub import leaf\n", "json", "json loads"},
		{"such a module beside a file that may be run", "app/tools.py", "import json\nif __name__ == '__main__': json.x\n", "json", "error"},
		{"such a module beside a file that is only imported", "app/tools.py", "import json\n", "json", "json loads"},
		{"a directory with the name of a module in the standard library", "scripts/run.py", "", "json", "json loads"},
		{"a file that cannot be imported", "scripts/my-tool.py", "", "", "error"},
		{"the same again", "app/tools.py", project["app/tools.py"], "app.lost", "error"},
	} {
		f := &ecosystem.SourceFile{Dir: w.project, Name: tt.file, Text: []byte(tt.text)}
		got := "error"
		pkg, err := p.Package(t.Context(), f, tt.module)
		if err == nil {
			got = pkg.Name
			for _, s := range pkg.Symbols {
				got += " " + s.Path
				for _, m := range s.Members {
					got += " " + m.Path
				}
			}
			source := "workspace"
			if tt.module == "json" {
				source = "standard library"
			}
			if pkg.Provenance.Source != source || pkg.Ecosystem != "python" {
				t.Errorf("%s: the provenance is %+v", tt.name, pkg.Provenance)
			}
		}
		if got != tt.want {
			t.Errorf("%s: got %q, want %q (%v)", tt.name, got, tt.want, err)
		}
	}
}

// lineOf returns a line of a text.
func lineOf(text string, line int) string { return strings.Split(text, "\n")[line-1] }
