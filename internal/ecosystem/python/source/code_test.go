package source

import (
	"strings"
	"testing"
)

// codeOutline writes statements with their kinds, names and values.
func codeOutline(b *strings.Builder, body []Code, indent string) {
	for i := range body {
		s := &body[i]
		b.WriteString(indent + string(rune('a'+s.Kind)) + " " + s.Name)
		for _, t := range s.Targets {
			b.WriteString(" " + written(t) + " =")
		}
		if s.Value != nil {
			b.WriteString(" " + written(s.Value))
		}
		for _, item := range s.Items {
			b.WriteString(" " + written(item.Value))
			if item.Target != nil {
				b.WriteString(" as " + written(item.Target))
			}
		}
		b.WriteString("\n")
		codeOutline(b, s.Body, indent+" ")
		for k := range s.Handlers {
			codeOutline(b, s.Handlers[k:k+1], indent+" !")
		}
		codeOutline(b, s.Else, indent+" |")
		codeOutline(b, s.Finally, indent+" .")
	}
}

func TestParseCode(t *testing.T) {
	for code, want := range map[string]string{
		"def f(a: int = 1) -> str:\n  return a.b\n":                                 "b f\n g  a.b\n",
		"if a: b\nelif c:\n  d\nelse:\n  e\nf\n":                                    "k  a\n f  b\n |k  c\n | f  d\n | |f  e\nf  f\n",
		"for a, b in c:\n  d = e\nelse: f\n":                                        "m  tuple(a b) = c\n d  d = e\n |f  f\n",
		"try:\n  a\nexcept (B, C) as d:\n  e\nexcept:\n  f\nelse:\n  g\nfinally: h": "o \n f  a\n !p d tuple(B C)\n ! f  e\n !p \n ! f  f\n |f  g\n .f  h\n",
		"with (a as b, c):\n  d\nwith a() as b.c, d: e\n":                           "n  a as b c\n f  d\nn  call(a ) as b.c d\n f  e\n",
		"a = b = c; d += e\nf: int = g\n":                                           "d  a = b = c\ne += d = e\nd  f = g\n",
		"match a:\n  case B(c): d\nmatch = 1\n":                                     "q  a\n r  B(c)\n  f  d\nd  match = 1\n",
		"@a\nclass B(C, d=E):\n  def f(self): pass\n":                               "c B call(f C d=E)\n b f\n  a \n",
		"x[1:\n 2] = y\nglobal a, b\n":                                              "d  sub(x ?) = y\nt \n",
		"def f(:\n  a\n)\nb = 1\n":                                                  "d  b = 1\n",
	} {
		var b strings.Builder
		codeOutline(&b, ParseCode(code), "")
		if got := b.String(); got != want {
			t.Errorf("%q: got\n%swant\n%s", code, got, want)
		}
	}
}

func TestParseCode_Positions(t *testing.T) {
	code := "def f(a):\n  if x:\n    return a.b(\n      c.d)\n"
	f := ParseFunction(code, 0)
	if f == nil {
		t.Fatal("no function")
	}
	call := f.Body[0].Body[0].Value
	if got := code[call.Args[0].Pos:]; !strings.HasPrefix(got, "c.d)") {
		t.Errorf("the argument is at %q", got)
	}
}

func FuzzParseCode(f *testing.F) {
	for _, code := range []string{"def f(a, *b):\n  with a as b: c\n", "try:\n a\nexcept B as c: pass\nelse:\n b", "match a:\n case {b: c}: d", "x = (yield from y) if z else [*a, {b: c for d in e}]\n", "for a in\\\n b: c; d", "@a\n@b\n", "= 3\n+= 3\n: int = 4\n", "if a:\n\tb\n  c\nelse"} {
		f.Add(code)
	}
	f.Fuzz(func(t *testing.T, code string) {
		var check func(*Tree)
		check = func(tree *Tree) {
			if tree == nil {
				return
			}
			if tree.Pos < 0 || tree.Pos > len(code) {
				t.Fatalf("%d is not an offset in %q", tree.Pos, code)
			}
			check(tree.X)
			for _, a := range tree.Args {
				check(a)
			}
		}
		var all func([]Code)
		all = func(body []Code) {
			for i := range body {
				check(body[i].Value)
				for _, target := range body[i].Targets {
					if target == nil {
						t.Fatalf("a target in %q is nil", code)
					}
					check(target)
				}
				all(body[i].Body)
				all(body[i].Else)
			}
		}
		all(ParseCode(code))
		ParseFunction(code, 2)
	})
}
