package prose

import (
	"strings"
	"testing"
	"testing/fstest"
)

func TestOtherMarkupIsConvertedAndAReadmeCanBeGiven(t *testing.T) {
	files := fstest.MapFS{
		"README.md":      {Data: []byte("# Not this\n\nText.\n")},
		"docs/guide.rst": {Data: []byte("Guide\n=====\n\nHow to.\n")},
	}
	convert := func(text string) string {
		return strings.ReplaceAll(strings.ReplaceAll(text, "\n=====", ""), "Guide", "# Guide")
	}
	sections, _ := Read(t.Context(), files, Layout{Markdown: map[string]func(string) string{".rst": convert}, Readme: &Document{Name: "README.rst", Text: "Guide\n=====\n\nThis one."}})
	var got []string
	for _, s := range sections {
		got = append(got, s.ID+": "+s.Title+": "+s.Body)
	}
	if want := "readme/guide: Guide: This one.|docs/guide: Guide: How to."; strings.Join(got, "|") != want {
		t.Errorf("%q", got)
	}
}
