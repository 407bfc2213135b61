package source

import (
	"strings"
	"testing"
)

// TestStatements reads statements that declare nothing, and what is within and after them.
func TestStatements(t *testing.T) {
	for _, tt := range []struct{ name, source, want string }{
		{"loops", "for i, x in enumerate(y):\n    a = i\nelse:\n    b = 1\nwhile (c := f()):\n    d = c\n    break\n", "1 block name=for value=i, x in enumerate(y)\n  2 assign targets=a value=i\n  4 assign targets=b value=1\n5 block\n  6 assign targets=d value=c\n  7 expr name=break\n"},
		{"asynchronous statements in a function", "async def f():\n    async with a as b:\n        self.no = 1\n    async for c in d:\n        pass\n    await e\nx = 1\n", "1 def async name=f\n7 assign targets=x value=1\n"},
		{"with over several lines", "with (\n    open('a') as f,\n    open('b') as g,\n):\n    x = 1\ny = 2\n", "1 block\n  5 assign targets=x value=1\n6 assign targets=y value=2\n"},
		{"groups of exceptions", "try:\n    import a\nexcept* (ValueError, TypeError) as e:\n    b = 1\nc = 2\n", "1 try\n  2 import a\nelse\n  4 assign targets=b value=1\n5 assign targets=c value=2\n"},
		{"exceptions without brackets", "try:\n    import a\nexcept ValueError, TypeError:\n    b = 1\n", "1 try\n  2 import a\nelse\n  4 assign targets=b value=1\n"},
		{"patterns", "match command.split():\n    case [x, *rest] if x:\n        a = 1\n    case {'k': v, **others} | Point(x=0):\n        b = 1\n    case _:\n        c = 1\nd = 1\n", "1 block\n  2 block\n    3 assign targets=a value=1\n  4 block\n    5 assign targets=b value=1\n  6 block\n    7 assign targets=c value=1\n8 assign targets=d value=1\n"},
		{"names that are soft keywords", "match = re.match(x)\nmatch.group(1)\nmatch[0] = 1\ncase: int = 2\ntype = type(x)\n_ = gettext\n", "1 assign targets=match value=re.match(x)\n2 expr value=match.group(1)\n3 assign targets=match[0] value=1\n4 assign targets=case annotation=int value=2\n5 assign targets=type value=type(x)\n6 assign targets=_ value=gettext\n"},
		{"statements of one word", "pass\nx = 1\nassert x, 'no: = 2'\nglobal y\nraise E from None\ny = 1\n", "2 assign targets=x value=1\n5 raise\n6 assign targets=y value=1\n"},
		{"annotations", "a: 'X' = 1\nc: dict[str, int]\nd.e: int = 2\ng: Callable[[int], lambda: x] = h\n", "1 assign targets=a annotation='X' value=1\n2 assign targets=c annotation=dict[str, int]\n3 assign targets=d.e annotation=int value=2\n4 assign targets=g annotation=Callable[[int], lambda: x] value=h\n"},
		{"augmented assignments", "a -= 1\nb **= 2\nc //= 3\nd >>= 4\ne @= f\ng |= {1: 2}\nh == 1\n", "1 assign targets=a op=-= value=1\n2 assign targets=b op=**= value=2\n3 assign targets=c op=//= value=3\n4 assign targets=d op=>>= value=4\n5 assign targets=e op=@= value=f\n6 assign targets=g op=|= value={1: 2}\n7 expr value=h == 1\n"},
		{"decorators", "@a\n# c\n@b.c(1, d=[2])\n\n@(lambda f: f)\n@x[0].y\nasync def f(): pass\n@z\nclass A: pass\n", "7 def async name=f decorator=a decorator=b.c(1, d=[2]) decorator=(lambda f: f) decorator=x[0].y\n9 class name=A decorator=z\n"},
		{"a decorator of nothing", "@a\nx = 1\ndef f(): pass\n", "2 assign targets=x value=1\n3 def name=f\n"},
		{"a class without brackets, and one with none in them", "class A: x = 1\nclass B(): pass\nclass C(\n    D,  # d\n    metaclass=M,\n): pass\n", "1 class name=A\n  1 assign targets=x value=1\n2 class name=B\n3 class name=C params=D, metaclass=M,\n"},
		{"type parameters of every kind", "def f[T: int = bool, *Ts = *tuple[int, ...], **P](x): ...\ntype A[*Ts] = tuple[*Ts]\n", "1 def name=f type=T: int = bool, *Ts = *tuple[int, ...], **P params=x\n2 assign name=A type=*Ts targets=A value=tuple[*Ts]\n"},
		{"a docstring after a comment", "def f():\n    # c\n\n    '''Doc.'''\n    x = 1\nclass A:\n    # c\n    '''Doc.'''\n", "1 def name=f doc='''Doc.'''\n6 class name=A doc='''Doc.'''\n"},
		{"a docstring on the line of its function", "def f(): '''Doc.'''\ndef g(): 'Doc.'; return 1\n", "1 def name=f doc='''Doc.'''\n2 def name=g doc='Doc.'\n"},
		{"bytes and formatted strings are not docstrings", "def f():\n    f'''{x}'''\ndef g():\n    b'x'\n", "1 def name=f\n3 def name=g\n"},
		{"comments of attributes", "class A:\n    #: One,\n    #: two.\n    x = 1\n\n    #: Apart.\n\n    y = 2\n    z = 3  #: Of z.\n    '''Rather this.'''\n    # : no\n    w = 4\n", "1 class name=A\n  4 assign targets=x value=1 comment=One, two.\n  8 assign targets=y value=2\n  9 assign targets=z value=3 doc='''Rather this.''' comment=Of z.\n  12 assign targets=w value=4\n"},
		{"names of other scripts", "def größe(π): pass\nclass Ünder_score: Ω = 1\n名 = 2\n", "1 def name=größe params=π\n2 class name=Ünder_score\n  2 assign targets=Ω value=1\n3 assign targets=名 value=2\n"},
		{"no line end", "def f(): pass", "1 def name=f\n"},
		{"a line that consists of a backslash", "x = 1\n\\\ndef f(): pass\n\\\n\\\nclass A:\n    y = 2\n", "1 assign targets=x value=1\n3 def name=f\n6 class name=A\n  7 assign targets=y value=2\n"},
		{"lines that go on", "x = 1 + \\\n    2\nassert a, \\\n  b\nfrom a import b, \\\n    c as d\n", "1 assign targets=x value=1 + 2\n5 from name=a b c:d\n"},
		{"a line with only a backslash", "\\\ndef f(): pass\nclass A:\n    \\\n    x = 1\n    \\\ndef g(self): pass\n    y = 2\n\\\n\\\nz = 3\n", "2 def name=f\n3 class name=A\n  5 assign targets=x value=1\n  7 def name=g params=self\n  8 assign targets=y value=2\n11 assign targets=z value=3\n"},
		{"quotes in comments, and hashes in strings", "x = '#'  # it's\ny = \"\"\"#\"\"\"  # \"\"\"\nz = 3\n", "1 assign targets=x value='#'\n2 assign targets=y value=\"\"\"#\"\"\"\n3 assign targets=z value=3\n"},
		{"prefixes of strings", "a = rb'\\''\nb = Rb\"\\\"\"\nc = u'x'\nd = fr'{x}\\'{y}'\ne = t'{x}'\nf = bR'''a'''\n", "1 assign targets=a value=rb'\\''\n2 assign targets=b value=Rb\"\\\"\"\n3 assign targets=c value=u'x'\n4 assign targets=d value=fr'{x}\\'{y}'\n5 assign targets=e value=t'{x}'\n6 assign targets=f value=bR'''a'''\n"},
		{"formatted strings in each other", "x = f'{f\"{a!r:>{w}}\"}' f'{{}}'\ny = f'''{\n    a  # }\n}'''\nz = 1\n", "1 assign targets=x value=f'{f\"{a!r:>{w}}\"}' f'{{}}'\n2 assign targets=y value=f'''{\n    a  # }\n}'''\n5 assign targets=z value=1\n"},
		{"future and relative imports", "from __future__ import annotations\nfrom .. import a\nfrom ... b import c\nfrom . .d import e\nimport f as g, h.i\n", "1 from name=__future__ annotations\n2 from name=.. a\n3 from name=...b c\n4 from name=..d e\n5 import f:g h.i\n"},
		{"deletion of several kinds", "del a[0], b.c, (d, e)\ndel f\n", "1 del a[0] b.c d e\n2 del f\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var b strings.Builder
			outline(&b, Read(tt.source).Body, "")
			if got := b.String(); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

// TestStatements_Recovery reads files with errors. One error must not cost the declarations after it.
func TestStatements_Recovery(t *testing.T) {
	for _, tt := range []struct{ name, source, want string }{
		{"a function without a colon", "def f(a)\n    x = 1\ndef g(): pass\n", "f g"},
		{"a function without brackets", "def f:\n    pass\ndef g(): pass\n", "f g"},
		{"a class without a name", "class :\n    x = 1\ndef g(): pass\n", "g"},
		{"indentation that fits nothing", "def f():\n        a = 1\n    b = 2\ndef g(): pass\n", "f g"},
		{"a block without content", "if x:\ndef g(): pass\n", "g"},
		{"else without if", "else:\n    x = 1\ndef g(): pass\n", "g"},
		{"except without try", "except E:\n    x = 1\ndef g(): pass\n", "g"},
		{"a bracket that is not closed in a class", "class A:\n    x = [1,\n    def f(self): pass\n    def h(self): pass\ndef g(): pass\n", "A.f A.h g"},
		{"a bracket that nothing opened", "x = 1)\ndef g(): pass\n", "g"},
		{"brackets of different kinds", "x = (1]\ndef g(): pass\n", "g"},
		{"a short string that does not end", "x = 'abc\ndef g(): pass\n", "g"},
		{"an import without names", "from a import\nimport\nfrom import b\ndef g(): pass\n", "g"},
		{"marks of a merge", "<<<<<<< HEAD\ndef f(): pass\n=======\ndef g(): pass\n>>>>>>> b\n", "f g"},
		{"NUL bytes", "x = 1\x00\ndef g(): pass\n", "g"},
		{"the code of a template", "{% if x %}\nclass {{ name }}:\n    pass\ndef g(): pass\n", "g"},
	} {
		var names []string
		var walk func(prefix string, body []Stmt)
		walk = func(prefix string, body []Stmt) {
			for i := range body {
				s := &body[i]
				if s.Kind == Def {
					names = append(names, prefix+s.Name)
				}
				if s.Kind == Class {
					walk(prefix+s.Name+".", s.Body)
				} else if s.Kind != Def {
					walk(prefix, s.Body)
				}
			}
		}
		walk("", Read(tt.source).Body)
		if got := strings.Join(names, " "); got != tt.want {
			t.Errorf("%s: the functions are %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestUnquote_Escapes(t *testing.T) {
	for literal, want := range map[string]string{
		`'\a\b\f\v\r\t\0'`:                "\a\b\f\v\r\t\x00",
		`'\'\"\\'`:                        `'"\`,
		`'\1234'`:                         "S4",
		`'\8'`:                            `\8`,
		`'\x4'`:                           "\x04",
		`'\xzz'`:                          `\xzz`,
		`'\U0001F600'`:                    "😀",
		`'\UFFFFFFFF'`:                    `\UFFFFFFFF`,
		`'\N{EM DASH}\N{en dash}'`:        "—–",
		`'\N{DEGREE SIGN}\N{MICRO SIGN}'`: "°µ",
		`'\N{HORIZONTAL ELLIPSIS}'`:       "…",
		`'\N{LEFT SINGLE QUOTATION MARK}x\N{RIGHT SINGLE QUOTATION MARK}'`: "‘x’",
		`'\N{SNOWMAN}'`:      "{SNOWMAN}",
		`'\Nx'`:              `\Nx`,
		`r'\N{BULLET}' '\n'`: "\\N{BULLET}\n",
		`R"""a\
b"""`: "a\\\nb",
		"'a\\\r\nb'":      "ab",
		"'''a\r\nb'''":    "a\nb",
		`u'é'`:            "é",
		`'a' b'b'`:        "!",
		`'a' f'{b}'`:      "!",
		`'a' 1`:           "!",
		`"it's" 'a "b"'`:  `it'sa "b"`,
		`"""say "hi" """`: `say "hi" `,
		"'a' \\\n 'b'":    "ab",
		`''''''`:          "",
		`x`:               "!",
	} {
		got, ok := Unquote(literal)
		if !ok {
			got = "!"
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", literal, got, want)
		}
	}
}

func TestExpressions_Operators(t *testing.T) {
	for source, want := range map[string]string{
		"a or b and c":                     "(a or (b and c))",
		"a | b ^ c & d":                    "(a | (b ^ (c & d)))",
		"a << b + c":                       "(a << (b + c))",
		"a @ b // c % d":                   "(((a @ b) // c) % d)",
		"-a ** -b":                         "(-(a ** (-b)))",
		"~a + +b":                          "((~a) + (+b))",
		"a < b < c":                        "((a < b) < c)",
		"a not in b":                       "(a not in b)",
		"not a == b":                       "not (a == b)",
		"a <> b":                           "(a <> b)",
		"a if b else c if d else e":        "(a if b else (c if d else e))",
		"a if b":                           "?",
		"(a := 1)":                         "?",
		"(a)":                              "a",
		"()":                               "tuple()",
		"a,":                               "tuple(a)",
		"*a, b":                            "tuple(*a b)",
		"[*a, *b]":                         "list(*a *b)",
		"{}":                               "dict()",
		"{*a, b}":                          "set(*a b)",
		"{a: b, c}":                        "?",
		"{a: b for a, b in c}":             "dictloop(a b a:for(tuple(a b) c))",
		"a[b]":                             "sub(a b)",
		"a[b, c]":                          "sub(a b c)",
		"a[::2]":                           "sub(a ?)",
		"a[*b]":                            "sub(a *b)",
		"a[()]":                            "sub(a tuple())",
		"f()()":                            "call(call(f ) )",
		"f(a)(b=c)":                        "call(call(f a) b=c)",
		"f(a, *b, c=d, **e,)":              "call(f a *b c=d **e)",
		"lambda: 0":                        "?",
		"lambda *a, b={1: 2}, **c: (a, b)": "?",
		"f(lambda x: x, 1)":                "call(f ? 1)",
		"await f(a)":                       "?",
		"yield from a":                     "?",
		"0xFF_FF":                          "0xFF_FF",
		"1_000.5e-3j":                      "1_000.5e-3j",
		".5":                               ".5",
		"None":                             "None",
		"...":                              "...",
		"b'a'":                             "?",
		"'a' 'b'":                          "'ab'",
		"a.1":                              "?",
		"a b":                              "?",
		"a +":                              "?",
		"a[":                               "?",
		"class":                            "?",
		"'%s' % a":                         "('%s' % a)",
		"a.b.c is not None and d":          "((a.b.c is not None) and d)",
		"( # c\n a +\n b )":                "(a + b)",
		"f'{a}b{c.d}'":                     "format(a 'b' c.d)",
		"f'{a=}'":                          "?",
	} {
		if got := written(Parse(source)); got != want {
			t.Errorf("%s: got %s, want %s", source, got, want)
		}
	}
}
