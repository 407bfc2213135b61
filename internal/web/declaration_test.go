package web

import (
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/highlight"
)

// withParts returns a declaration with parts, each written as its role, its text and the index
// of its parent. Parts are in the order of the text.
func withParts(t *testing.T, text string, parts []textPart) apidoc.Decl {
	t.Helper()
	d := apidoc.Decl{Text: text}
	from := 0
	for _, p := range parts {
		i := strings.Index(text[from:], p.text)
		if i < 0 {
			t.Fatalf("%q is not in %q", p.text, text[from:])
		}
		from += i
		part := apidoc.Part{Role: p.role, Start: from, End: from + len(p.text), Parent: p.parent}
		if p.target != "" {
			part.Target = &apidoc.Ref{Path: p.target}
		}
		d.Parts = append(d.Parts, part)
	}
	if err := d.Check(); err != nil {
		t.Fatal(err)
	}
	return d
}

type textPart struct {
	role   apidoc.PartRole
	text   string
	parent int
	target string
}

func TestDeclaration_Highlighting(t *testing.T) {
	lexis := &highlight.Lexis{Keywords: highlight.Words("func type struct"), LineComment: "//"}
	href := func(r apidoc.Ref) string {
		if r.Path == "none" {
			return ""
		}
		return "/x/" + r.Path
	}
	for _, tt := range []struct {
		name, text string
		parts      []textPart
		want       string
	}{
		{"a text without parts", `func F(s "a<b") // c`, nil, `<span class="kw">func</span> F(s <span class="vl">&#34;a&lt;b&#34;</span>) <span class="cm">// c</span>`},
		{
			"names are none of the language's words, and links stay", "func type(struct T) U",
			[]textPart{
				{apidoc.DeclarationPart, "func type(struct T) U", -1, ""},
				{apidoc.NamePart, "type", 0, ""},
				{apidoc.ParamPart, "struct T", 0, ""},
				{apidoc.NamePart, "struct", 2, ""},
				{apidoc.TypePart, "T", 2, ""},
				{apidoc.ReferencePart, "T", 4, "T"},
				{apidoc.ResultPart, "U", 0, ""},
				{apidoc.ReferencePart, "U", 6, "none"},
			},
			`<span class="kw">func</span> <span class="nm">type</span>(<span class="pn">struct</span> <a href="/x/T">T</a>) <span class="rf">U</span>`,
		},
		{
			"literals within a type are marked, those of a value once", `type T = "a" | 1 = "b"`,
			[]textPart{
				{apidoc.DeclarationPart, `type T = "a" | 1 = "b"`, -1, ""},
				{apidoc.NamePart, "T", 0, ""},
				{apidoc.TypePart, `"a" | 1`, 0, ""},
				{apidoc.ValuePart, `"b"`, 0, ""},
			},
			`<span class="kw">type</span> <span class="nm">T</span> = <span class="vl">&#34;a&#34;</span> | <span class="vl">1</span> = <span class="vl">&#34;b&#34;</span>`,
		},
		{
			"links in comments", "f // [a<b](https://e.test/?x&y) [`c`](#c) [d](javascript://x) e[0](f)\ng // [h](//e.test)",
			[]textPart{{apidoc.DeclarationPart, "f // [a<b](https://e.test/?x&y) [`c`](#c) [d](javascript://x) e[0](f)\ng // [h](//e.test)", -1, ""}, {apidoc.CommentPart, "// [h](//e.test)", 0, ""}},
			`f <span class="cm">// <a href="https://e.test/?x&amp;y" rel="noreferrer noopener external">a&lt;b</a> ` + "`c`" + ` d e[0](f)</span>` + "\n" + `g <span class="cm">// h</span>`,
		},
		{
			"a part that begins within a string", `f("a b c")`,
			[]textPart{{apidoc.DeclarationPart, `f("a b c")`, -1, ""}, {apidoc.ReferencePart, "b", 0, "B"}},
			`f(<span class="vl">&#34;a </span><a href="/x/B">b</a><span class="vl"> c&#34;</span>)`,
		},
	} {
		if got := string(newDeclaration(withParts(t, tt.text, tt.parts), lexis, href).whole()); got != tt.want {
			t.Errorf("%s:\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
}

func TestCode_IsEscaped(t *testing.T) {
	lexis := &highlight.Lexis{Keywords: highlight.Words("if"), BlockComments: true}
	for text, want := range map[string]string{
		"":                            "",
		"if </code><script>":          `<span class="kw">if</span> &lt;/code&gt;&lt;script&gt;`,
		"\"</span>\" /* <b>\n</b> */": `<span class="vl">&#34;&lt;/span&gt;&#34;</span> <span class="cm">/* &lt;b&gt;` + "\n" + `&lt;/b&gt; */</span>`,
		"a\u202eb\x1b[0m":             "ab[<span class=\"vl\">0m</span>",
	} {
		if got := string(code(text, lexis)); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
	if got := string(code("if <b>", nil)); got != "if &lt;b&gt;" {
		t.Errorf("without a language: %q", got)
	}
}
