package search

import (
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
