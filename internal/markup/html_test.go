package markup

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestWithoutHTML(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"nothing to do", "a *b* c", "a *b* c"},
		{"what only looks like a tag stays", "Map<T>, Array<string> and <https://x.org>, a < b", "Map<T>, Array<string> and <https://x.org>, a < b"},
		{"headings stand alone", "<h1 align='center'>\n  Till &amp; <b>Co</b>\n</h1>\nText", "\n# Till &amp; **Co**\n\nText"},
		{"links keep their targets", `See <a href="https://x.org/a">the <i>docs</i></a>.`, "See [the *docs*](https://x.org/a)."},
		{"anchors without text go", `<a name="x"></a>Text <a href="#y">there</a>`, "Text [there](#y)"},
		{"pictures keep their words", `<picture><source srcset="d.svg"><img src="l.svg" alt="The [flow]"></picture>`, "![The (flow)](l.svg)"},
		{"details are told", "<details>\n<summary><b>More</b></summary>\n\nText\n\n```js\nx < 1\n```\n</details>\nEnd", "\n**More**\n\nText\n\n```js\nx < 1\n```\n\nEnd"},
		{"a table", "<table><thead><tr><th>Name<th>Use</tr></thead>\n<tr><td><code>a|b</code></td><td>First<br>of all</td></tr><tr><td>c</table>", "\n| Name | Use |\n| --- | --- |\n| `a\\|b` | First of all |\n| c |  |\n"},
		{"a table of pictures", `<table><tr><td><a href="x"><img alt="Gold" src="g.png"></a></td></tr></table>`, ""},
		{"a table that lays out prose", "<table><tr><td>One\n\nand more</td><td>Two</td></tr></table>", "\nOne\n\nand more\n\nTwo\n"},
		{"lists within lists", "<ul><li>one<ol><li>a<li>b</ol><li>two</ul>", "\n- one\n  1. a\n  2. b\n- two\n"},
		{"definitions", "<dl><dt>size</dt><dd>how big</dd></dl>", "\n**size**\nhow big\n"},
		{"a quotation", "<blockquote>a<br>b</blockquote>", "\n> a\n> b\n"},
		{"code", "<kbd>Ctrl</kbd> <code>a < b &lt; `c`</code>", "`Ctrl` `` a < b < `c` ``"},
		{"a block of code", "<pre><code class=\"language-js\">if (a &lt; b)\n\n    <b>x</b>\n</code></pre>", "\n```js\nif (a < b)\n\n    x\n```\n"},
		{"a block of code in Markdown within HTML", "<pre>\n```js\nx\n```\n</pre>", "\n```js\nx\n```\n"},
		{"code spans and blocks are quoted as they are", "`<b>` ``<a href>`` \n\n```html\n<b>x</b> &amp;\n```\n\n    <i>", "`<b>` ``<a href>``\n\n```html\n<b>x</b> &amp;\n```\n\n    <i>"},
		{"what is set high", "2<sup>8</sup> <sup>small</sup>", "2^8 small"},
		{"comments", "a<!-- <b>\n\n    c --> d", "a d"},
		{"entities", "a&nbsp;b &copy; &lt;b&gt; &amp;amp; &", "a b © &lt;b&gt; &amp;amp; &"},
		{"scripts", "a<script>if (a</b) { }</script>b<style>x</style><svg><path/></svg>c", "abc"},
		{"elements that never end", "<b>bold\n\nnext <a href=x>link\n\nlast", "bold\n\nnext link\n\nlast"},
		{"ends without a beginning", "a</b></td></table></a> b", "a b"},
		{"a break in a row of a table", "| a<br>b | c |", "| a b | c |"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := WithoutHTML(tt.in); got != strings.TrimSuffix(tt.want, "\n") && got != tt.want {
				t.Errorf("WithoutHTML(%q) =\n%q, want\n%q", tt.in, got, tt.want)
			}
		})
	}
}

func TestFromHTML(t *testing.T) {
	const page = `<!DOCTYPE html><html><head><title>x</title><script>no()</script></head><body><nav><a href="/">home</a></nav>
<main class="a"><h2>Options</h2>
<p>All   of
  them: <em>a</em>,<code>b &amp;&amp; c</code>.</p><pre class="lang-ts">let x:
  y</pre><ul>
  <li><p>One</p></li>
  <li>Two &lt;T&gt;</li>
</ul></main><footer>(c)</footer></body></html>`
	const want = "## Options\n\nAll of them: *a*,`b && c`.\n\n```ts\nlet x:\n  y\n```\n\n- One\n- Two <T>"
	if got := FromHTML(page); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := FromHTML("plain"); got != "plain" {
		t.Errorf("got %q", got)
	}
}

func TestPlain(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"nothing to do", "# a\n\nb", "# a\n\nb"},
		{"front matter", "---\ntitle: x\n---\n# a", "# a"},
		{"a rule is no front matter", "---\n\na\n\n---\nb", "---\n\na\n\n---\nb"},
		{"underlined headings", "Title\n=====\ntext\n\nSub\n---\n\nmore", "# Title\ntext\n\n## Sub\n\nmore"},
		{"what is no heading", "- a\n---\n\n| a |\n|---|\n\ntwo\nlines\n---\n\n```\na\n===\n```", "- a\n---\n\n| a |\n|---|\n\ntwo\nlines\n---\n\n```\na\n===\n```"},
		{"links by reference", "See [the docs][d], [D][], [d] and [x].\n\n[d]: https://x.org/d \"Docs\"\n[unused]: y", "See [the docs](https://x.org/d), [D](https://x.org/d), [d](https://x.org/d) and [x].\n"},
		{"images by reference", "[![build][b]][c] `[c]` \\[c]\n\n[b]: b.svg\n[c]: <https://ci>", "[![build](b.svg)](https://ci) `[c]` \\[c]\n"},
		{"notes are no links", "a[^1] [1, 2] x[0]\n\n[^1]: text of it", "a[^1] [1, 2] x[0]\n\n[^1]: text of it"},
		{"code is no definition", "```\n[a]: b\n```\n[a]", "```\n[a]: b\n```\n[a]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Plain(tt.in); got != tt.want {
				t.Errorf("Plain(%q) =\n%q, want\n%q", tt.in, got, tt.want)
			}
		})
	}
}

func TestFrontTitle(t *testing.T) {
	for in, want := range map[string]string{
		"---\nlang: en\ntitle: \"Route: how\"\n---\n# a": "Route: how", "---\na: b\n---\n": "", "# a\n\ntitle: b": "", "---\ntitle: x": "",
	} {
		if got := FrontTitle(in); got != want {
			t.Errorf("FrontTitle(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestWithoutImages(t *testing.T) {
	for in, want := range map[string]string{
		"[![a](b)](c) x": " x", "![a][b]": "", "a ![b](c(d)) e": "a  e", "[ ![a](b) ](c)": "", "![": "![", "[x](y)": "[x](y)", "[![a\nb](c)\n](d)": "",
	} {
		if got := WithoutImages(in); got != want {
			t.Errorf("WithoutImages(%q) = %q, want %q", in, got, want)
		}
	}
}

// What grows with the square of such a text does not end before go test gives up.
func TestHostileProseEnds(*testing.T) {
	for _, unit := range []string{
		"<a href='x'>", "<pre>", "<script>", "![", "[![x](y)](z)", "`", "<!--\n    x\n", "<h1>", "# <b>\n", "```\n", "<p a=\"", "[](#x)", "[", "[a][", "[a", "[a]: b\n",
		"<table><tr><td>", "<ul><li>", "<td>", "</a>", "<b>\n\n", "&", "&amp;", "` `` ```", "a\n===\n", "(", "<li><ol>", "<", "\\",
	} {
		md := strings.Repeat(unit, (1<<19)/len(unit))
		Plain(WithoutHTML(md))
		FromHTML(md)
	}
}

func FuzzHTML(f *testing.F) {
	for _, s := range []string{
		"# a\n<h1><a href='x'><!-- <pre>```\n[![x](y)][z]", "<table><tr><td>a|b<td><ul><li>x</table>", "<details><summary>a</summary>\n\n```js\nx\n```\n</details>",
		"---\na: b\n---\nT\n==\n[a][b] ![c][b]\n\n[b]: <d>", "<dl><dt>a<dd>b<blockquote>c</dl>&nbsp;&lt;", "<a\nhref = \"x\" b=c d>e</A>",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		s = Clean(s)
		for name, got := range map[string]string{"WithoutHTML": WithoutHTML(s), "FromHTML": FromHTML(s), "Plain": Plain(s), "WithoutImages": WithoutImages(s)} {
			if !utf8.ValidString(got) {
				t.Errorf("%s(%q) = %q", name, s, got)
			}
			if len(got) > 64*len(s)+1000 {
				t.Errorf("%s makes %d bytes of %d", name, len(got), len(s))
			}
		}
	})
}
