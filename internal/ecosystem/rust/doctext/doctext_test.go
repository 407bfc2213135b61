package doctext

import (
	"strings"
	"testing"

	_ "github.com/docent-mcp/docent/internal/filetest" // the flag -update
)

func TestExamples(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"no example", "# Title\n# not hidden", "# Title\n# not hidden"},
		{"hidden lines", "```\n# use a::b;\n#\nlet x = 1;\n  # hidden();\n```\n# Title", "```rust\nlet x = 1;\n```\n# Title"},
		{"attributes and escaped lines", "```rust\n#[derive(Debug)]\n#![no_std]\n## a\n ##b\n```", "```rust\n#[derive(Debug)]\n#![no_std]\n# a\n #b\n```"},
		{"labels", "```should_panic,edition2021\na\n```", "```rust,should_panic,edition2021\na\n```"},
		{"a label of errors", "```compile_fail,E0277\na\n```", "```rust,compile_fail,E0277\na\n```"},
		{"other languages", "```text\n# kept\n```\n```sh\n# kept\n```", "```text\n# kept\n```\n```sh\n# kept\n```"},
		{"tildes and longer fences", "~~~~\n# a\n~~~\n# b\n~~~~\n# c", "~~~~rust\n~~~\n~~~~\n# c"},
		{"an indented fence", "- a\n  ```no_run\n  # b\n  c\n  ```", "- a\n  ```rust,no_run\n  c\n  ```"},
		{"a fence that is not closed", "```\n# a\nb", "```rust\nb"},
	} {
		if got := Examples(tc.text); got != tc.want {
			t.Errorf("%s:\n%s\nwant\n%s", tc.name, got, tc.want)
		}
	}
}

func TestLinks(t *testing.T) {
	resolve := func(target string) string {
		if rest, ok := strings.CutPrefix(target, "A"); ok {
			return "dep::A" + rest
		}
		return ""
	}
	for _, tc := range []struct{ name, text, want string }{
		{"a path", "See [A] and [`A::new`].", "See `dep::A` and `dep::A::new`."},
		{"no path", "See [b], [`b`] and a[0].", "See [b], [`b`] and a[0]."},
		{"a text with a target", "See [this](A::new), [that](`A`), [web](https://a.b/c).", "See [this](dep::A::new), [that](dep::A), [web](https://a.b/c)."},
		{"a text with a path behind it", "See [this][A], [that][b], [`A`][].", "See [this](dep::A), [that][b], `dep::A`."},
		{"a definition", "See [this] and [A].\n\n[this]: A::b\n[A]: https://a.b", "See [this](dep::A::b) and [A](https://a.b)."},
		{"definitions between paragraphs", "See [`this`][it] and [that][].\n[it]: ./struct.It.html\n[THAT]: https://a.b/c\n\nMore.", "See `this` and [that](https://a.b/c).\n\nMore."},
		{"a definition for a name", "See [`A`] and [`x`].\n\n[`A`]: A\n[`x`]: A::x", "See `dep::A` and `dep::A::x`."},
		{"a definition in code", "[a]\n```\n[a]: b\n```", "[a]\n```\n[a]: b\n```"},
		{"a footnote", "Text[^1].\n\n[^1]: Note", "Text[^1].\n\n[^1]: Note"},
		{"code", "`[A]` ``[`A`]`` [A]\n```\n[A]\n```\n[A]", "`[A]` ``[`A`]`` `dep::A`\n```\n[A]\n```\n`dep::A`"},
		{"a link over two lines", "See the [long\ntext][it], [one\nmore](A), [text][THE\nname] and [A].\n\n[it]: A::b\n[the name]: https://a.b", "See the [long\ntext](dep::A::b), [one\nmore](dep::A), [text](https://a.b) and `dep::A`."},
		{"a bracket that its paragraph does not close", "In [0, 1) is\n[A].\n\n[A]\n[b\n```\n[A]\n```", "In [0, 1) is\n`dep::A`.\n\n`dep::A`\n[b\n```\n[A]\n```"},
		{"an image in a link", "[![A](b.svg)](c)", "[![A](b.svg)](c)"},
		{"brackets that are not closed", "[A", "[A"},
		{"code that is not closed", "`[A]", "`[A]"},
	} {
		if got := Links(tc.text, resolve); got != tc.want {
			t.Errorf("%s:\n%s\nwant\n%s", tc.name, got, tc.want)
		}
	}
}

func FuzzText(f *testing.F) {
	f.Add("See [`A::b`], [x](A), [y][A] and ``[z]``.\n\n```should_panic\n# use a;\n## b\n```\n[q]: A")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<14 {
			return
		}
		got := Links(Examples(text), func(string) string { return "p" })
		if len(got) > 4*len(text)+16 {
			t.Errorf("%d bytes became %d", len(text), len(got))
		}
	})
}
