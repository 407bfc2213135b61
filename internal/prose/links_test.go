package prose

import (
	"strings"
	"testing"
	"testing/fstest"
)

func TestLinksBetweenSectionsLeadToTheirIDs(t *testing.T) {
	files := fstest.MapFS{
		"README.md": {Data: []byte("# Till\n\nSee [rounding](./docs/rounding.md#Half-coins), [use](#use), [again](#use-1), [gone](#license), [half\na coin](docs/rounding.md#HALF), [nothing](docs/rounding.md#no),\n" +
			"[a file](LICENSE), [the web](https://h.example/#use) and [above](../other.md).\n\n```\n[code](#use)\n```\n\n## Use\n\nOnce.\n\n## Use\n\nTwice.\n\n## License\n\nMIT\n")},
		"docs/rounding.md": {Data: []byte("# Rounding\n\n- [Half](#half-coins)\n- [Whole](#whole)\n- [All](#all)\n\n<a id=\"half\"></a>\n\n## Half coins <a name='h'></a>\n\nThey are counted as [above](../README.md), in `use` as in [use](/README.md#use) and [here](rounding.md).\n\n## Whole\n\nNo.\n\n## All\n\n- [Half](#half-coins)\n- [Whole](#h)\n- [Rounding](#rounding)\n")},
	}
	sections, _ := Read(t.Context(), files, Layout{})
	var got []string
	for _, s := range sections {
		got = append(got, s.ID+"|"+s.Body)
	}
	want := []string{
		"readme/till|See [rounding](docs/rounding/half-coins), [use](readme/use), [again](readme/use-1), gone, [half\na coin](docs/rounding/half-coins), [nothing](docs/rounding),\n" +
			"[a file](LICENSE), [the web](https://h.example/#use) and [above](../other.md).\n\n```\n[code](#use)\n```",
		"readme/use|Once.",
		"readme/use-1|Twice.",
		"docs/rounding|",
		"docs/rounding/half-coins|They are counted as [above](readme/till), in `use` as in [use](readme/use) and [here](docs/rounding).",
		"docs/rounding/whole|No.",
		"docs/rounding/all|- [Half](docs/rounding/half-coins)\n- [Whole](docs/rounding/half-coins)\n- [Rounding](docs/rounding)",
	}
	if strings.Join(got, "\n---\n") != strings.Join(want, "\n---\n") {
		t.Errorf("got\n%s", strings.Join(got, "\n---\n"))
	}
}
