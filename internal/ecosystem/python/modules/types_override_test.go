package modules

import (
	"slices"
	"strings"
	"testing"
)

func TestOverride_ClassOfAnObject(t *testing.T) {
	expectAbsent(t, []memberCase{
		{"an assignment to __class__", `
class B(Pot):
    def copy(self):
        a = Lid()
        a.no_a
        a.__class__ = self.__class__
        a.size; a.anything
        b = Lid()
        try: b.__class__ = self.__class__
        except ValueError: b.anything
`},
		{"a class method and a method that return the class or the object on which they are called", `
class A:
    @classmethod
    def make(cls): return cls()
    def again(self): return self
    def clone(self): return type(self)()
    def other(self): return A()
class B(A):
    def more(self): ...
B.make().more; B().again().more; B().clone().more; B.make().again().more
B.make().no_a; B().again().no_b; B().other().no_more
`},
		{"classes in classes of tests", `
class Outer:
    def __init__(self): self.pot = Pot()
    def helper(self): ...
    class Inner:
        def test(self): self.pot; self.helper; self.no_a
        class Deep:
            def test(self): self.pot; self.test; self.no_b
`},
	})
}

func TestOverride_ClassesThatFunctionsReturn(t *testing.T) {
	const lib = "-- lib.py\nfrom typing import Self\nclass A:\n    @classmethod\n    def load(cls) -> Self: ...\ndef make() -> type[A]: ...\n"
	missing := typesOf(lib).Check(t.Context(), "", "from lib import A, make\nA.load().x\nmake().load().y\nmake()().z\n").Missing
	if len(missing) != 3 {
		t.Fatalf("absent are %v, want x, y and z", missing)
	}
	for i, made := range []bool{false, true, true} {
		if got := missing[i].Owners[0].Made; got != made {
			t.Errorf("%s: the class may be one that code makes: %v, want %v", missing[i].Text, got, made)
		}
	}
}

func TestOverride_ResultsOfMethods(t *testing.T) {
	const lib = `-- lib.py
class A:
    def text(self): return ""
    def stated(self) -> str: return ""
    def through(self): return self.text()
    async def later(self): return self.text()
    @property
    def lazy(self): return ""
    def parts(self): return [self.text()]
    @staticmethod
    def free(): return ""
class B(A): ...
`
	for _, tt := range []struct{ name, code, want string }{
		{"the declared class", "def f(a: A): a.text().x", "A.text"},
		{"a derived class", "def f(b: B): b.text().x", "B.text"},
		{"a method that calls another", "def f(b: B): b.through().x", "A.text B.through"},
		{"a method of the result", "def f(a: A): a.text().upper().x", "A.text"},
		{"a property", "def f(a: A): a.lazy.x", "A.lazy"},
		{"a coroutine", "async def f(a: A): (await a.later()).x", "A.later A.text"},
		{"elements", "def f(a: A):\n    for p in a.parts(): p.x", "A.parts A.text"},
		{"one of several values", "def f(a: A, c):\n    s = '' if c else a.text()\n    s.x", "A.text"},
		{"an object of exactly the class", "A().text().x", ""},
		{"an annotation", "def f(a: A): a.stated().x", ""},
		{"a static method", "def f(a: A): a.free().x", ""},
	} {
		missing := typesOf(lib).Check(t.Context(), "", "from lib import A, B\n"+tt.code+"\n").Missing
		if len(missing) != 1 || missing[0].Name != "x" {
			t.Errorf("%s: absent are %v, want x", tt.name, missing)
			continue
		}
		var got []string
		for _, o := range missing[0].Unless {
			got = append(got, o.Class.Path+"."+o.Name)
		}
		slices.Sort(got)
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("%s: the result depends on %q, want %q", tt.name, s, tt.want)
		}
	}
}
