package source

import (
	"fmt"
	"strings"
	"testing"
)

// outline formats statements as one line each, with their contents indented.
func outline(b *strings.Builder, body []Stmt, indent string) {
	for i := range body {
		s := &body[i]
		line := map[Kind]string{Def: "def", Class: "class", Assign: "assign", Import: "import", From: "from", Expr: "expr", If: "if", Try: "try", Block: "block", Del: "del", Raise: "raise"}[s.Kind]
		add := func(name, value string) {
			if value != "" {
				line += fmt.Sprintf(" %s=%s", name, Flat(value))
			}
		}
		if s.Async {
			line += " async"
		}
		add("name", strings.Repeat(".", s.Level)+s.Name)
		for _, n := range s.Names {
			line += " " + strings.TrimSuffix(n.Name+":"+n.As, ":")
		}
		add("type", s.TypeParams)
		add("params", s.Params)
		add("returns", s.Returns)
		for _, d := range s.Decorators {
			add("decorator", d.Text())
		}
		add("targets", strings.Join(s.Targets, ";"))
		add("annotation", s.Annotation.Text())
		add("op", s.Op)
		add("value", s.Value.Text())
		add("doc", s.Doc)
		add("comment", s.Comment)
		add("deprecated", s.Deprecated)
		fmt.Fprintf(b, "%s%d %s\n", indent, s.Line, line)
		outline(b, s.Body, indent+"  ")
		if len(s.Else) > 0 {
			b.WriteString(indent + "else\n")
			outline(b, s.Else, indent+"  ")
		}
	}
}

func TestDeclarationsAreRead(t *testing.T) {
	for _, tt := range []struct{ name, source, want string }{
		{"a function with every kind of parameter", "def f(a, /, b: int = 1, *args, c=(1, 2), **kw) -> 'X':\n    '''Doc.'''\n    return 1\n",
			"1 def name=f params=a, /, b: int = 1, *args, c=(1, 2), **kw returns='X' doc='''Doc.'''\n"},
		{"a signature over several lines with comments", "async def f(\n    a,  # the first: (\n    b={'x': [1]},\n):\n    pass\nx = 1\n",
			"1 def async name=f params=a, b={'x': [1]},\n6 assign targets=x value=1\n"},
		{"type parameters", "def f[T: (int, str) = int](x: T) -> T: ...\nclass A[T](B[T], metaclass=M): ...\ntype X[T] = list[T]\n",
			"1 def name=f type=T: (int, str) = int params=x: T returns=T\n2 class name=A type=T params=B[T], metaclass=M\n  2 expr value=...\n3 assign name=X type=T targets=X value=list[T]\n"},
		{"members of a class", "class A:\n    '''Doc.'''\n    x: int = 1\n    '''Of x.'''\n    #: Of y.\n    y = 2\n    @property\n    def z(self): return 1\n",
			"1 class name=A doc='''Doc.'''\n  3 assign targets=x annotation=int value=1 doc='''Of x.'''\n  6 assign targets=y value=2 comment=Of y.\n  8 def name=z params=self decorator=property\n"},
		{"attributes that __init__ assigns", "class A:\n    def __init__(self, a):\n        if a:\n            self.a: int = a  #: Of a.\n        def f():\n            self.no = 1\n        self.b = self.c = None\n        '''Of b.'''\n",
			"1 class name=A\n  2 def name=__init__ params=self, a\n    4 assign targets=self.a annotation=int value=a comment=Of a.\n    7 assign targets=self.b;self.c value=None doc='''Of b.'''\n"},
		{"imports", "import a.b as c, d\nfrom . import (e,  # why\n   f as g)\nfrom ..h.i import *\nfrom j import \\\n    k\n",
			"1 import a.b:c d\n2 from name=. e f:g\n4 from name=..h.i *\n5 from name=j k\n"},
		{"conditions", "if a:\n    x = 1\nelif b:\n    x = 2\nelse:\n    x = 3\n",
			"1 if value=a\n  2 assign targets=x value=1\nelse\n  3 if value=b\n    4 assign targets=x value=2\n  else\n    6 assign targets=x value=3\n"},
		{"what is tried", "try:\n    import a\nexcept ImportError:\n    a = None\nelse:\n    b = 1\nfinally:\n    c = 1\n",
			"1 try\n  2 import a\n  6 assign targets=b value=1\n  8 assign targets=c value=1\nelse\n  4 assign targets=a value=None\n"},
		{"several statements on a line", "x = 1; y: int; import z\nif a: b = 1; c = 2\nd = 1\n",
			"1 assign targets=x value=1\n1 assign targets=y annotation=int\n1 import z\n2 if value=a\n  2 assign targets=b value=1\n  2 assign targets=c value=2\n3 assign targets=d value=1\n"},
		{"assignments", "a = b = {'x': 1}\nc += [1]\nd, e = 1, 2\nf = lambda x, y=1: x\ng[0] = h.i = 1\n",
			"1 assign targets=a;b value={'x': 1}\n2 assign targets=c op=+= value=[1]\n3 assign targets=d, e value=1, 2\n4 assign targets=f value=lambda x, y=1: x\n5 assign targets=g[0];h.i value=1\n"},
		{"targets in brackets", "a = (\n    b\n) = (\n    c\n) = d = 1\n(e, f) = (g)\n", "1 assign targets=a;b;c;d value=1\n6 assign targets=(e, f) value=(g)\n"},
		{"a comment before self", "class A:\n    def __init__(  # type: ignore\n        self, a\n    ):\n        self.a = a\n", "1 class name=A\n  2 def name=__init__ params=self, a\n    5 assign targets=self.a value=a\n"},
		{"strings that look like code", "x = '''\ndef no(): pass\n'''\ny = 'a\\\nb'\nz = f\"{x['''}''']}\"\ndef yes(): pass\n",
			"1 assign targets=x value='''\ndef no(): pass\n'''\n4 assign targets=y value='a\\\nb'\n6 assign targets=z value=f\"{x['''}''']}\"\n7 def name=yes\n"},
		{"quotes within an f-string of the same quotes", "x = f\"{d[\"(\"]}\"\ny = 1\n", "1 assign targets=x value=f\"{d[\"(\"]}\"\n2 assign targets=y value=1\n"},
		{"tabs and form feeds", "class A:\n\tx = 1\n        y = 2\n\f\nz = 3\n", "1 class name=A\n  2 assign targets=x value=1\n  3 assign targets=y value=2\n5 assign targets=z value=3\n"},
		{"what Python 2 left", "print 'a', x\nexec \"y = 1\"\ntry:\n    pass\nexcept E, e:\n    z = 0777\ndef f(a, (b, c)): pass\n",
			"3 try\nelse\n  6 assign targets=z value=0777\n7 def name=f params=a, (b, c)\n"},
		{"soft keywords", "match = 1\ntype = 2\nmatch x:\n    case 1:\n        y = 1\ncase = match\n",
			"1 assign targets=match value=1\n2 assign targets=type value=2\n3 block\n  4 block\n    5 assign targets=y value=1\n6 assign targets=case value=match\n"},
		{"a function that warns that it is deprecated", "def f():\n    '''Doc.'''\n    warnings.warn('use g', DeprecationWarning, stacklevel=2)\n",
			"1 def name=f doc='''Doc.''' deprecated='use g'\n"},
		{"__getattr__ of a module", "def __getattr__(name):\n    from .a import b\n    return b\n", "1 def name=__getattr__ params=name\n  2 from name=.a b\n  3 expr name=return value=b\n"},
		{"line ends of Windows", "class A:\r\n    '''Doc.'''\r\n    x = 1\r\n", "1 class name=A doc='''Doc.'''\n  3 assign targets=x value=1\n"},
		{"a bracket that is never closed loses its statement alone", "x = (1,\ndef f(): pass\ny = 1\n", "1 assign targets=x value=(1,\n2 def name=f\n3 assign targets=y value=1\n"},
		{"a string that is never closed loses its statement alone", "x = '''a\ndef f(): pass\n", "1 assign targets=x value='''a\n2 def name=f\n"},
		{"deletion", "del a, b\n", "1 del a b\n"},
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

func TestGapsAreReported(t *testing.T) {
	for source, want := range map[string]string{
		"x = 1\ny = (1,\ndef f(): pass\n": "2: a bracket is never closed",
		"x = '''a\n":                      "1: a string is never closed",
		strings.Repeat("if x:\n", 1) + deep(maxNesting+10): "blocks are nested too deeply",
	} {
		f := Read(source)
		if len(f.Gaps) == 0 || !strings.Contains(fmt.Sprintf("%d: %s", f.Gaps[0].Line, f.Gaps[0].Text), want) {
			t.Errorf("%.20q: got %v, want %q", source, f.Gaps, want)
		}
	}
}

func deep(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", i+1) + "if x:\n")
	}
	return b.String()
}

func TestModuleDocstring(t *testing.T) {
	for source, want := range map[string]string{
		"#!/usr/bin/python\n# -*- coding: utf-8 -*-\n\n'''Doc.'''\nx = 1\n": "'''Doc.'''",
		"r\"\"\"Doc \\d.\"\"\"":   "r\"\"\"Doc \\d.\"\"\"",
		"'a' 'b'\n":               "'a' 'b'",
		"x = 1\n'''No.'''\n":      "",
		"'''No.'''.format(1)\n":   "",
		"b'''No.'''\n":            "",
		"\ufeff'''Doc.'''\n":      "'''Doc.'''",
		"'''Doc.'''; x = 1\n":     "'''Doc.'''",
		"\"\"\"Doc.\"\"\"  # c\n": "\"\"\"Doc.\"\"\"",
	} {
		if got := ReadBytes([]byte(source)).Doc; got != want {
			t.Errorf("%q: got %q, want %q", source, got, want)
		}
	}
}

func TestEncodings(t *testing.T) {
	for _, tt := range []struct{ name, source, want, gap string }{
		{"UTF-8 without a word", "x = 'é'", "'é'", ""},
		{"ISO 8859-1", "# coding: latin-1\nx = '\xe9'", "'é'", ""},
		{"Windows 1252 in the second line", "#!/usr/bin/python\n# vim: set fileencoding=cp1252 :\nx = '\x80'", "'€'", ""},
		{"Russian", "# coding: koi8-r\nx = '\xc9'", "'и'", ""},
		{"Windows 1251 in capitals", "# -*- Coding: none -*- coding: WINDOWS-1251\nx = '\xe8'", "'и'", ""},
		{"Japanese", "# -*- coding: euc_jp -*-\nx = '\xc6\xfc'", "'日'", ""},
		{"Japanese, whose second byte is a backslash", "# coding: sjis\nx = '\x95\x5c'", "'表'", ""},
		{"Chinese", "# coding=gb2312\nx = '\xd6\xd0'", "'中'", ""},
		{"Big5", "# coding: big5\nx = '\xa4\xa4'", "'中'", ""},
		{"Korean", "# coding: cp949\nx = '\xc7\xd1'", "'한'", ""},
		{"a name as Emacs writes it", "# -*- coding: utf-8-unix -*-\nx = 'é'", "'é'", ""},
		{"a mark before UTF-8", "\xef\xbb\xbf# coding: latin-1\nx = 'é'", "'é'", ""},
		{"UTF-16 with a mark", "\xff\xfex\x00=\x001\x00", "", "1 it is in UTF-16, which Python cannot read either, so the file is skipped"},
		{"UTF-16 without a mark", "x\x00=\x001\x00", "", "1 it is in UTF-16, which"},
		{"UTF-16 that is declared", "# coding: utf_16_le\nx = 1", "", "it declares utf_16_le, which Python cannot read either"},
		{"UTF-32", "\xff\xfe\x00\x00x\x00\x00\x00", "", "it is in UTF-32, which"},
		{"an unknown one", "# coding: klingon\nx = '\xe9'", "'\uFFFD'", "its encoding klingon is unknown, so only ASCII is read"},
		{"an unknown one of ASCII alone", "# coding: klingon\nx = 'e'", "'e'", ""},
		{"bytes that are none", "\nx = '\xff'", "'\uFFFD'", "2 the byte 0xff is not UTF-8"},
		{"a byte that the encoding lacks", "# coding: cp1252\nx = '\x81'", "'\uFFFD'", "2 bytes that are invalid in cp1252"},
		{"names that cannot be decoded", "def f\xff(): pass\nx = 1\ndef g(a=caf\xe9): pass\n", "1", "3 it contains bytes that could not be decoded, so the declaration is not read"},
	} {
		f := ReadBytes([]byte(tt.source))
		if len(f.Body) != 1 && tt.want != "" || len(f.Body) > 0 && f.Body[0].Value.Text() != tt.want {
			t.Errorf("%s: got %+v, want %s", tt.name, f.Body, tt.want)
		}
		if got := fmt.Sprint(f.Gaps); tt.gap != "" && !strings.Contains(got, tt.gap) || tt.gap == "" && len(f.Gaps) > 0 {
			t.Errorf("%s: gaps %s", tt.name, got)
		}
	}
}

func TestDecode_CarriageReturns(t *testing.T) {
	const written = "a = 1\rb = 2\r\nc = '''x\ry'''\r"
	data := []byte(written)
	text, gap := Decode(data)
	if want := "a = 1\nb = 2\r\nc = '''x\ny'''\n"; text != want || gap.Text != "" {
		t.Errorf("text is %q, gap %v; want %q", text, gap, want)
	}
	if string(data) != written {
		t.Errorf("the data was changed to %q", data)
	}
}

func TestUnquote(t *testing.T) {
	for literal, want := range map[string]string{
		`'a\n\x41\u00e9\N{BULLET}\101\q'`: "a\nAé•A\\q",
		`r'a\n'`:                          `a\n`,
		`"a" 'b'`:                         "ab",
		"('a')":                           "!",
		`b'a'`:                            "!",
		`f'{a}'`:                          "!",
		"'''a\\\nb'''":                    "ab",
		`'a`:                              "!",
		`''`:                              "",
		"'a'\n  # c\n  'b'":               "ab",
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

func TestParams(t *testing.T) {
	got := ""
	for _, p := range Params("a, b: 'x, y' = {1: 2}, /, c=lambda x, y: (x, 1), *, d: Callable[[int], str],  # d\n e, **kw: int,") {
		got += fmt.Sprintf("%d %s %s %s\n", p.Kind, p.Name, p.Annotation, p.Default)
	}
	want := "0 a  \n0 b 'x, y' {1: 2}\n1 c  lambda x, y: (x, 1)\n3 d Callable[[int], str] \n3 e  \n4 kw int \n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestExpressions(t *testing.T) {
	for source, want := range map[string]string{
		"a.b.c":                            "a.b.c",
		"f(1, *a, x=2, **b)":               "call(f 1 *a x=2 **b)",
		"[1, 'a' 'b', ...]":                "list(1 'ab' ...)",
		"(1,)":                             "tuple(1)",
		"{'a': 1, **b}":                    "dict('a':1 **b)",
		"{1, 2}":                           "set(1 2)",
		"a + b * c ** -d":                  "(a + (b * (c ** (-d))))",
		"not a in b and c or d":            "((not (a in b) and c) or d)",
		"a if b else c":                    "(a if b else c)",
		"x[1:2, 'k']":                      "sub(x ? 'k')",
		"[x for x in y]":                   "loop(x for(x y))",
		"lambda x: x":                      "?",
		"a is not None":                    "(a is not None)",
		"a <":                              "?",
		"f(":                               "?",
		"":                                 "?",
		strings.Repeat("(", 100_000):       "?",
		strings.Repeat("a+", 1000) + "a":   "?deep",
		"f'{a}'":                           "format(a)",
		"Optional['X'] | None":             "(sub(Optional 'X') | None)",
		"sys.version_info >= (3, 8)":       "(sys.version_info >= tuple(3 8))",
		strings.Repeat("not ", 5000) + "a": "?",
		"[a for b, c in d if e if f for g in (h, i)]": "loop(a for(tuple(b c) d e f) for(g tuple(h i)))",
		"{a for b in c}":                  "loop(a for(b c))",
		"f(a for b in c)":                 "call(f loop(a for(b c)))",
		"[a async for b in c]":            "loop(a for(b c))",
		"{a: b for c, d in e}":            "dictloop(a b a:for(tuple(c d) e))",
		"[a for b in c if d if e else f]": "?",
		"f'a{b.c}{d}'":                    "format('a' b.c d)",
		"f'{a!r}' + f'{a:>3}' + f'{{}}' + rf'{a}' + f'{a[\"b\"]}'": "((((? + ?) + ?) + ?) + ?)",
	} {
		got := written(Parse(source))
		if want == "?deep" {
			if !strings.HasPrefix(got, "((((") {
				t.Errorf("%.30s: got %.50s", source, got)
			}
			continue
		}
		if got != want {
			t.Errorf("%.30s: got %s, want %s", source, got, want)
		}
	}
}

func written(t *Tree) string {
	var args []string
	for i, a := range t.Args {
		text := written(a)
		switch {
		case i < len(t.Keys) && t.Keys[i] == nil:
			text = "**" + text
		case i < len(t.Keys):
			text = written(t.Keys[i]) + ":" + text
		}
		args = append(args, text)
	}
	all := strings.Join(args, " ")
	switch t.Kind {
	case Name, Attribute:
		return t.Dotted()
	case Call:
		return "call(" + written(t.X) + " " + all + ")"
	case Subscript:
		return "sub(" + written(t.X) + " " + all + ")"
	case String:
		return "'" + t.Name + "'"
	case Number, Constant:
		return t.Name
	case Tuple:
		return "tuple(" + all + ")"
	case List:
		return "list(" + all + ")"
	case Set:
		return "set(" + all + ")"
	case Dict:
		return "dict(" + all + ")"
	case Binary, Logical, Compare:
		return "(" + written(t.X) + " " + t.Name + " " + all + ")"
	case Not:
		return "not " + written(t.X)
	case Unary:
		return "(" + t.Name + written(t.X) + ")"
	case Condition:
		return "(" + args[0] + " if " + written(t.X) + " else " + args[1] + ")"
	case Starred:
		return t.Name + written(t.X)
	case Keyword:
		return t.Name + "=" + written(t.X)
	case DictLoop:
		return "dictloop(" + written(t.Keys[0]) + " " + written(t.X) + " " + all + ")"
	case Loop:
		return "loop(" + written(t.X) + " " + all + ")"
	case For:
		return "for(" + written(t.X) + " " + all + ")"
	case Format:
		return "format(" + all + ")"
	}
	return "?"
}

// hostile contains inputs that take a careless reader a long time.
func hostile(n int) map[string]string {
	return map[string]string{
		"brackets":             strings.Repeat("(", n),
		"brackets by line":     strings.Repeat("[\n", n/2),
		"closing brackets":     strings.Repeat(")", n),
		"triple quotes":        strings.Repeat("'''\\", n/4),
		"both triple quotes":   strings.Repeat("\"\"\"'''\n", n/7),
		"f-strings":            strings.Repeat("f\"{", n/3),
		"f-strings in lines":   strings.Repeat("x = f'{\n", n/8),
		"semicolons":           strings.Repeat("a;", n/2),
		"elif":                 "if a: pass\n" + strings.Repeat("elif a: pass\n", n/13),
		"else":                 strings.Repeat("else: pass\n", n/11),
		"empty bodies":         strings.Repeat("class A:;b\ndef c():;d\nif e:;f\nelse:;g\n", n/38),
		"nested blocks":        deep(min(n/300, 2000)),
		"decorators":           strings.Repeat("@a\n", n/3),
		"assignments":          strings.Repeat("a = ", n/4),
		"backslashes":          "'''" + strings.Repeat("\\", n),
		"continued lines":      strings.Repeat("\\\n", n/2),
		"comments":             strings.Repeat("#:\n", n/3),
		"lambdas":              "x = " + strings.Repeat("lambda:", n/7),
		"classes on one line":  strings.Repeat("class a:", n/8),
		"backslash in strings": strings.Repeat("'\\\n", n/3),
		"imports":              "from a import " + strings.Repeat("b, ", n/3),
		"parameters":           "def f(" + strings.Repeat("a=(", n/3),
		"unclosed definitions": strings.Repeat("def f(\n", n/7),
	}
}

// TestHostileFilesEnd reads files for which a quadratic algorithm would take hours.
func TestHostileFilesEnd(*testing.T) {
	for _, text := range hostile(1 << 19) {
		f := Read(text)
		for i := range f.Body[:min(len(f.Body), 5)] {
			Params(f.Body[i].Params)
			f.Body[i].Value.Tree()
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range hostile(64) {
		f.Add([]byte(s))
	}
	f.Add([]byte("# coding: latin-1\nclass A(B[T], metaclass=M):\n    'doc'\n    x: int = f'{a!r:>{b}}'\n    def __init__(self, a=(1,), *, b: 'X' = {}):\n        self.a = a\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		file := ReadBytes(data)
		text, _ := Decode(data)
		lines := strings.Count(text, "\n") + 1
		called := false
		var walk func([]Stmt)
		walk = func(body []Stmt) {
			for i := range body {
				s := &body[i]
				if s.Line < 1 || s.Line > lines {
					t.Fatalf("line %d of %d", s.Line, lines)
				}
				if len(s.Value.Text()) > len(text) || len(s.Params) > len(text) {
					t.Fatal("a text is longer than the file")
				}
				Params(s.Params)
				s.Value.Loop()
				if s.Kind == Def && !called {
					called = true
					ReadBody(data, s.Line)
				}
				Flat(s.Value.Text())
				if tree := Parse(s.Value.Text()); tree.Kind != Other && tree.Kind != String && len(tree.Text) > len(s.Value.Text()) {
					t.Fatalf("%q holds %q", s.Value.Text(), tree.Text)
				}
				walk(s.Body)
				walk(s.Else)
			}
		}
		walk(file.Body)
		ReadDoc(data)
	})
}

func FuzzExpression(f *testing.F) {
	for _, s := range []string{"a.b[c:d](*e, f=g) if h else lambda x: {**y}", "[i for i in j]", "'a' f'{b}'", "not -x ** 2 in (1, 2,)", "x := 1", "yield from a"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		tree := Parse(s)
		if tree == nil {
			t.Fatal("no tree")
		}
		written(tree)
		tree.Dotted()
		tree.Strings()
		tree.Argument("a", 0)
		Unquote(s)
		if strings.Contains(Flat(s), "\n") && !strings.ContainsAny(s, `"'`) {
			t.Fatalf("%q is not flat", Flat(s))
		}
	})
}

func TestTheBodyOfOneFunctionIsRead(t *testing.T) {
	text := "import a\nif b:\n    @c\n    def f(d):\n        'Doc.'\n        for e, g in d:\n            if e: continue\n            def h(): return g\n        return h\n    x = 1\ndef g(): return 1\n"
	var got strings.Builder
	var write func(body []Stmt)
	write = func(body []Stmt) {
		for i := range body {
			s := &body[i]
			fmt.Fprintf(&got, "%d %s %s;", s.Line, s.Name, s.Value.Text())
			write(s.Body)
		}
	}
	write(ReadBody([]byte(text), 4))
	if want := "6 for e, g in d;7  e;7 continue ;8 h ;9 return h;"; got.String() != want {
		t.Errorf("got %s, want %s", got.String(), want)
	}
	for _, line := range []int{0, 1, 3, 10, 12, 99} {
		if body := ReadBody([]byte(text), line); body != nil {
			t.Errorf("line %d: %v", line, body)
		}
	}
	if _, ok := (&Expression{text: "a in b] + [c"}).Loop(); ok {
		t.Error("two lists are the head of a loop")
	}
}

func TestBodiesEndWhereTheirIndentationDoes(t *testing.T) {
	for _, body := range []string{
		"    x = '''\ndef hidden(): pass\n'''\n",
		"    x = \"\"\"\nclass hidden: pass\n\"\"\"\n",
		"    x = f(1,\nhidden)\n",
		"    x = [1,\nhidden, {\n}]\n",
		"    x = 'a \\\nhidden = 1'\n",
		"    x = 1 + \\\nhidden\n",
		"    x = (\n)\n    y = 1\n",
		"    if x:\n# a comment\n\n        return \"(\"\n",
		"    return 1\n# a comment\n    # another\n",
	} {
		f := Read("def f():\n    pass\n" + body + "@last\ndef g(): pass\n")
		if len(f.Body) != 2 || f.Body[1].Name != "g" || len(f.Body[1].Decorators) != 1 || len(f.Gaps) > 0 {
			t.Errorf("%q: %+v %v", body, f.Body, f.Gaps)
		}
	}
}

func TestExpression_IsParsedOnce(t *testing.T) {
	f := Read("class A(B, metaclass=C): pass\nx = f(1)\nlong = [" + strings.Repeat("1, ", maxKept) + "]\n")
	class, x, long := &f.Body[0], &f.Body[1].Value, &f.Body[2].Value
	if t1 := x.Tree(); t1 != x.Tree() || t1.Kind != Call || t1.Text != x.Text() {
		t.Errorf("x is %+v", t1)
	}
	if call := class.Call(); call != class.Call() || len(call.Args) != 2 || call.Argument("metaclass", -1).Dotted() != "C" {
		t.Errorf("the bases are %+v", call)
	}
	class.Params = "D"
	if call := class.Call(); len(call.Args) != 1 || call.Args[0].Dotted() != "D" {
		t.Errorf("the changed bases are %+v", call)
	}
	if t1 := long.Tree(); t1 == long.Tree() || len(t1.Args) != maxKept {
		t.Errorf("the tree of a text of %d bytes is kept", len(long.Text()))
	}
	var none *Expression
	if none.Text() != "" || none.Tree().Kind != Other {
		t.Error("nil is an expression")
	}
}
