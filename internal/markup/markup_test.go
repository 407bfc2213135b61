package markup

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestClean(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"plain text stays", "a b\n\tc", "a b\n\tc"},
		{"letters of any script stay", "größer 日本語 עברית", "größer 日本語 עברית"},
		{"accents and symbols stay", "e\u0301 → € 🙂", "e\u0301 → € 🙂"},
		{"terminal escapes go", "\x1b[31mred\x1b[0m\x07", "[31mred[0m"},
		{"C1 controls go", "a\u009bb", "ab"},
		{"bidirectional controls go", "a\u202eb\u2066c\u2069\u200f", "abc"},
		{"zero-width characters go", "a\u200bb\u200c\u200d\u2060\ufeffc", "abc"},
		{"tags go", "a\U000E0041\U000E007Fb", "ab"},
		{"variation selectors go", "a\ufe0fb\U000E0100", "ab"},
		{"soft hyphens and fillers go", "a\u00adb\u3164c", "abc"},
		{"private use goes", "a\ue000b", "ab"},
		{"line ends of others become ours", "a\r\nb\rc", "a\nb\nc"},
		{"line separators go", "a\u2028b\u2029c", "abc"},
		{"bytes that are not UTF-8 are shown", "a\xffb", "a\ufffdb"},
		{"delete goes", "a\x7fb", "ab"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Clean(tt.in); got != tt.want {
				t.Errorf("Clean(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestSynopsis(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"the first sentence", "Foo does it. And more.", "Foo does it."},
		{"over several lines", "\nFoo does\nit all. More.\n\nNext.", "Foo does it all."},
		{"no full stop", "Foo does it\n\nNext paragraph.", "Foo does it"},
		{"a stop within a word does not end it", "See net/http.Client for more. Then.", "See net/http.Client for more."},
		{"an abbreviation does not end it", "Numbers, e.g. 1.5, and J. Doe. More.", "Numbers, e.g. 1.5, and J. Doe."},
		{"links lose their targets", "Like [Reader](https://x.org/a_(b)) and [w](#w). More.", "Like Reader and w."},
		{"generic calls are no links", "Map[K](x) maps. More.", "Map[K](x) maps."},
		{"a heading is no sentence", "# Title\n\nText.", ""},
		{"a heading in bold is none", "**Parameters:**\n\n- `a`: b", ""},
		{"words in bold are one", "**Note**: it does. More.", "**Note**: it does."},
		{"a label and a link refer elsewhere", "**Usage:** [Foo](../foo.md)\n\nFoo does it. More.", "Foo does it."},
		{"a label and more than a link do not", "**Usage:** [Foo](../foo.md), [Bar](../bar.md) as well.\n\nFoo does it.", "**Usage:** Foo, Bar as well."},
		{"nor does a link with words behind it", "**Note:** [Foo](../foo.md) does it.\n\nMore.", "**Note:** Foo does it."},
		{"a label and a link before a heading in bold", "**Usage:** [Foo](../foo.md)\n\n**Parameters:**\n\n- a", ""},
		{"nothing but a label and a link", "**Usage:** [Foo](../foo.md)", "**Usage:** Foo"},
		{"code is no sentence", "```\nx.\n```\n", ""},
		{"nothing", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Synopsis(tt.in); got != tt.want {
				t.Errorf("Synopsis(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestDemote(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"nothing to do", "a\n\nb", "a\n\nb"},
		{"headings move together", "# A\n## B\ntext", "### A\n#### B\ntext"},
		{"deep ones stop at six", "# A\n##### B", "### A\n###### B"},
		{"deeper ones stay", "#### A", "#### A"},
		{"code is not touched", "# A\n```sh\n# comment\n```\n\n\t# tab", "### A\n```sh\n# comment\n```\n\n\t# tab"},
		{"a tag is no heading", "#include\n# A", "#include\n### A"},
		{"an open fence is closed", "# A\n~~~~\ncode", "### A\n~~~~\ncode\n~~~~"},
		{"an open fence is closed without headings too", "```\ncode\n", "```\ncode\n```"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Demote(tt.in, 3); got != tt.want {
				t.Errorf("Demote(%q, 3) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestParts(t *testing.T) {
	got := Parts("intro\n\n# One {#hdr-One}\n\na\n\n```\n# not\n```\n\n## Two ##\nb\n# C#\n")
	want := []Part{
		{"", 0, "intro"},
		{"One", 1, "a\n\n```\n# not\n```"},
		{"Two", 2, "b"},
		{"C#", 1, ""},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}

func TestFenceIsLongerThanAnyInTheCode(t *testing.T) {
	for code, want := range map[string]string{"": "```", "a`b``c": "```", "```x": "````", "a`````": "``````"} {
		if got := Fence(code); got != want {
			t.Errorf("Fence(%q) = %q, want %q", code, got, want)
		}
	}
}

func TestNothingHidesAmongPlainBytes(t *testing.T) {
	for _, around := range []string{" ", "~", "\n", "a\t"} {
		for c := range 256 {
			for offset := range 20 {
				s := strings.Repeat(around, 20)
				s = s[:offset] + string([]byte{byte(c)}) + s[offset:]
				want := len(s)
				if (c < ' ' || c >= 0x7f) && c != '\n' && c != '\t' {
					want = offset
				}
				if got := plain(s); got != want {
					t.Fatalf("%q: %d bytes are plain, want %d", s, got, want)
				}
			}
		}
	}
}

func FuzzMarkdown(f *testing.F) {
	f.Fuzz(func(t *testing.T, s string) {
		clean := Clean(s)
		if !utf8.ValidString(clean) || Clean(clean) != clean {
			t.Errorf("Clean(%q) = %q is not clean", s, clean)
		}
		var lines []string
		for l := range Lines(clean) {
			lines = append(lines, l.Text)
		}
		if got := strings.Join(lines, "\n"); got != clean {
			t.Errorf("Lines changed %q to %q", clean, got)
		}
		demoted := Demote(clean, 3)
		fence := ""
		for l := range Lines(demoted) {
			fence = track(fence, l)
			if l.Level > 0 && l.Level < 3 {
				t.Errorf("Demote(%q, 3) = %q has a heading of level %d", clean, demoted, l.Level)
			}
		}
		if fence != "" {
			t.Errorf("Demote(%q, 3) = %q leaves code open", clean, demoted)
		}
		if strings.Contains(Synopsis(clean), "\n") {
			t.Errorf("Synopsis(%q) has several lines", clean)
		}
		if got := WithoutBadges(clean); len(got) > len(clean) || !strings.Contains(clean, "![") && !strings.Contains(clean, "<img") && got != clean {
			t.Errorf("WithoutBadges(%q) = %q", clean, got)
		}
		Parts(clean)
		PlainLinks(clean)
	})
}

func TestTheTargetOfALinkMayStandOnTheNextLine(t *testing.T) {
	for md, want := range map[string]string{
		"See [a][] and [b].\n\n[a]:\n  #there\n[b]: #here": "See [a](#there) and [b](#here).\n",
		"[Note]:\nThis is no target.":                      "[Note]:\nThis is no target.",
		"The end is\n[a]:":                                 "The end is\n[a]:",
		"[a]:\n\nA paragraph.":                             "[a]:\n\nA paragraph.",
	} {
		if got := Plain(md); strings.TrimSpace(got) != strings.TrimSpace(want) {
			t.Errorf("%q became %q, want %q", md, got, want)
		}
	}
}
