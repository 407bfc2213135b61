package source

import (
	"strings"
	"testing"
)

// TestRead_Layout checks line ends, continuations, comments and indentation in places where a
// reader easily loses the next declaration.
func TestRead_Layout(t *testing.T) {
	for _, tt := range []struct{ name, source, want string }{
		{"line ends of Windows after backslashes", "from a import \\\r\n    b\r\nx = 'c\\\r\nd'\r\ndef f(a, \\\r\n      b): pass\r\n", "1 from name=a b\n3 assign targets=x value='c\\\r\nd'\n5 def name=f params=a, b\n"},
		{"a comment as the last line without an end", "def f(): pass\n# end", "1 def name=f\n"},
		{"a comment after a bracket as the last line", "x = (1,  # first\n  2)  # last", "1 assign targets=x value=(1, 2)\n"},
		{"a comment of an attribute as the last line", "#: Of x.\nx = 1\n#: no", "2 assign targets=x value=1 comment=Of x.\n"},
		{"a comment of the first attribute of a class", "class A:\n    #: Of x.\n    x = 1\n    #: Of y,\n    #: too.\n    y = 2\n", "1 class name=A\n  3 assign targets=x value=1 comment=Of x.\n  6 assign targets=y value=2 comment=Of y, too.\n"},
		{"a comment before a docstring", "class A:\n    #: no\n    'Doc.'\n    x = 1\n", "1 class name=A doc='Doc.'\n  4 assign targets=x value=1\n"},
		{"only white space", " \t\n  \\\n", ""},
		{"a block that ends with the file", "class A:\n    def f(self):\n        return 1\n    # end", "1 class name=A\n  2 def name=f params=self\n"},
		{"tabs within a block of spaces", "class A:\n        x = 1\n\ty = 2\n\tdef f(self):\n\t\treturn 1\nz = 3\n", "1 class name=A\n  2 assign targets=x value=1\n  3 assign targets=y value=2\n  4 def name=f params=self\n6 assign targets=z value=3\n"},
		{"a string below a bracket", "x = [\n'''a\n''', \"b\"]\ny = f(c)['''\n''']\n", "1 assign targets=x value=['''a\n''', \"b\"]\n4 assign targets=y value=f(c)['''\n''']\n"},
		{"strings in parentheses are no docstring", "def f():\n    ('a')\nclass A:\n    ('b')\n    x = 1\n", "1 def name=f\n3 class name=A\n  4 expr value=('b')\n  5 assign targets=x value=1\n"},
		{"a docstring after a semicolon", "class A: 'Doc.'; x = 1\n", "1 class name=A doc='Doc.'\n  1 assign targets=x value=1\n"},
		{"a string below an assignment on one line", "x = 1; 'Of x.'\ny = 2\n'Of y.'\n", "1 assign targets=x value=1 doc='Of x.'\n2 assign targets=y value=2 doc='Of y.'\n"},
		{"lambdas and annotations", "f: Callable = lambda a: {'b': a}\ng = lambda *a, b=lambda: 1: a\nh: 'a: b' = {c: d for c in e}\n", "1 assign targets=f annotation=Callable value=lambda a: {'b': a}\n2 assign targets=g value=lambda *a, b=lambda: 1: a\n3 assign targets=h annotation='a: b' value={c: d for c in e}\n"},
		{"comparisons and shifts are no assignments", "a == b\nc = d == e\nf <<= 1\ng = (h := 1)\ni >>= 2\nj: k = l != m\n", "1 expr value=a == b\n2 assign targets=c value=d == e\n3 assign targets=f op=<<= value=1\n4 assign targets=g value=(h := 1)\n5 assign targets=i op=>>= value=2\n6 assign targets=j annotation=k value=l != m\n"},
		{"nested quotes in f-strings", "x = f'{a[\"b\"]!r:>{c}}'\ny = f\"{'}'}\" f'{{'\nz = rf'\\{a}'\nw = 1\n", "1 assign targets=x value=f'{a[\"b\"]!r:>{c}}'\n2 assign targets=y value=f\"{'}'}\" f'{{'\n3 assign targets=z value=rf'\\{a}'\n4 assign targets=w value=1\n"},
		{"an f-string that is never closed loses its line alone", "x = f'{a\ny = f\"{b}\ndef f(): pass\n", "1 assign targets=x value=f'{a\n2 assign targets=y value=f\"{b}\n3 def name=f\n"},
		{"decorators with comments and arguments", "@a(\n  1)  # why\n\n# between\n@b.c\n@d[0](e)\nasync def f(): ...\n", "7 def async name=f decorator=a(1) decorator=b.c decorator=d[0](e)\n"},
		{"else of loops and finally", "for a in b:\n    x = 1\nelse:\n    y = 2\nwhile c:\n    z = 3\nwith d as e, f:\n    w = 4\n", "1 block name=for value=a in b\n  2 assign targets=x value=1\n  4 assign targets=y value=2\n5 block\n  6 assign targets=z value=3\n7 block\n  8 assign targets=w value=4\n"},
		{"handlers of groups", "try:\n    import a\nexcept* (E, F) as g:\n    a = 1\n", "1 try\n  2 import a\nelse\n  4 assign targets=a value=1\n"},
		{"global and other words", "global a, b\nnonlocal c\nassert d, 'e: f'\npass\nraise g from h\nreturn 1\nx = 1\n", "5 raise\n7 assign targets=x value=1\n"},
		{"defaults and annotations with commas and colons", "def f(a: dict[str, int] = {'x': 1}, *, b=lambda c, d: (c, d), e: 'x, y' = [1, 2][0]) -> tuple[int, ...]: pass\n", "1 def name=f params=a: dict[str, int] = {'x': 1}, *, b=lambda c, d: (c, d), e: 'x, y' = [1, 2][0] returns=tuple[int, ...]\n"},
		{"names of other scripts", "def größe(ä: int) -> é: pass\nクラス = 1\n", "1 def name=größe params=ä: int returns=é\n2 assign targets=クラス value=1\n"},
	} {
		var b strings.Builder
		outline(&b, Read(tt.source).Body, "")
		if got := b.String(); got != tt.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
}
