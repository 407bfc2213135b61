package search

import (
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
)

func TestWhatManyCommentsShareIsNotSearched(t *testing.T) {
	const signed = "Requests are signed with the account of the client, and repeated while the service is busy."
	p := &apidoc.Package{Name: "mill"}
	for _, name := range []string{"Grind", "Sift", "Weigh", "Bake"} {
		p.Symbols = append(p.Symbols, apidoc.Symbol{Path: name, Kind: apidoc.Func, Doc: name + "s flour.\n\n" + signed})
	}
	p.Symbols = append(p.Symbols, apidoc.Symbol{Path: "Options", Kind: apidoc.Type, Doc: "Options say how.\n\nThey name the account that requests are signed with."})
	hits, _ := New(p).Search("signed with the account", Options{})
	if got := strings.Join(labels(hits), " "); got != "Options" {
		t.Errorf("found %s", got)
	}
	if hits, _ := New(p).Without(Boilerplate).Search("signed with the account", Options{}); len(hits) != 5 {
		t.Errorf("found %s", labels(hits))
	}
}

func TestWhatAFewCommentsShareIsSearchedIfAWordIsCommonToTheirNames(t *testing.T) {
	const stable = "All that stands behind it moves forward, so that nothing changes places on the shelf."
	shelf := func(names ...string) *Index {
		p := &apidoc.Package{Name: "shelf"}
		for _, name := range names {
			p.Symbols = append(p.Symbols, apidoc.Symbol{Path: name, Kind: apidoc.Func, Doc: "Takes one out.\n\n" + stable})
		}
		return New(p)
	}
	few := []string{"shift_remove", "shift_remove_full", "shift_remove_entry", "shift_remove_index", "shift_take"}
	if hits, _ := shelf(few...).Search("changes places", Options{}); len(hits) != len(few) {
		t.Errorf("found %s", labels(hits))
	}
	if hits, _ := shelf(append(few, "pop")...).Search("changes places", Options{}); len(hits) != 0 {
		t.Errorf("no word is common to all, found %s", labels(hits))
	}
	many := slices.Clone(few)
	for len(many) < manyShared {
		many = append(many, "shift_"+string(rune('a'+len(many))))
	}
	if hits, _ := shelf(many...).Search("changes places", Options{}); len(hits) != 0 {
		t.Errorf("many share it, found %s", labels(hits))
	}
}

func TestTheFirstParagraphIsSearchedWhoeverSharesIt(t *testing.T) {
	const same = "Says that somebody else has the thing in hand, and that the caller may try again."
	p := &apidoc.Package{Name: "mill"}
	for _, name := range []string{"WheelBusy", "AxleBusy", "StoneBusy", "SieveBusy"} {
		p.Symbols = append(p.Symbols, apidoc.Symbol{Path: name, Kind: apidoc.Type, Doc: same})
	}
	if hits, _ := New(p).Search("somebody else has it", Options{}); len(hits) != 4 {
		t.Errorf("found %s", labels(hits))
	}
}
