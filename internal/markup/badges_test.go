package markup

import "testing"

func TestWithoutBadges(t *testing.T) {
	for _, tt := range []struct{ name, md, want string }{
		{"no image", "A [link][b].\n\n\n[b]: x", "A [link][b].\n\n\n[b]: x"},
		{"badges with reference links, in HTML", "<div align=\"center\">\n\n[![A B]][Crate] [![C\nD]](./L)<br>\n[![E]][Docs]<br>\n\n[Docs] and more\n\n</div>\n\n# T\n\n[A B]: https://x.test/a.svg\n[C D]: https://x.test/c.svg\n[E]: e.svg\n[Crate]: https://x.test\n[Docs]: https://d.test\n",
			"[Docs] and more\n\n# T\n\n[Docs]: https://d.test"},
		{"badges above text in one paragraph", "[![A](a.svg)](b)\n![C](d.png)\nText ![E](f.png) goes on.\n", "Text ![E](f.png) goes on."},
		{"badges with entities between", "[![a]](b)&ensp;[![c]](d)&#32;![e]\n\nText", "Text"},
		{"an image of HTML", "<p><img src=\"a.png\" alt=\"A\"></p>\n\nText", "Text"},
		{"text beside an image", "<p><img src=\"a.png\"> Text</p>", "<p><img src=\"a.png\"> Text</p>"},
		{"code", "![A](b)\n\n```\n![A](b)\n\n\nx\n```", "```\n![A](b)\n\n\nx\n```"},
		{"a type parameter is text", "![A](b)\n\nVec<a>", "Vec<a>"},
		{"an image beside a macro", "vec![]\n\nvec![1]", "vec![]\n\nvec![1]"},
	} {
		if got := WithoutBadges(tt.md); got != tt.want {
			t.Errorf("%s:\n got %q\nwant %q", tt.name, got, tt.want)
		}
		if got := WithoutBadges(tt.want); got != tt.want {
			t.Errorf("%s: a second time it is %q", tt.name, got)
		}
	}
}
