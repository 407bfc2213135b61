package search

import (
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
)

func TestInputs_WordsOfFieldsCountForTheOperation(t *testing.T) {
	op := func(verb, noun string) apidoc.Symbol {
		return apidoc.Symbol{
			Path: "Client." + verb + noun, Kind: apidoc.Method, Signature: "func (c *Client) " + verb + noun + "(in *api." + verb + noun + "Input)",
			Doc: verb + noun + " can take a " + strings.ToLower(noun) + ".\n\n**Fails:**\n\n- Busy: it is busy.",
		}
	}
	input := func(typ string, field, doc string) apidoc.Symbol {
		return apidoc.Symbol{Path: typ + "Input", Kind: apidoc.Type, Members: []apidoc.Symbol{
			{Path: typ + "Input.ID", Kind: apidoc.Field, Doc: "ID names it."}, {Path: typ + "Input." + field, Kind: apidoc.Field, Doc: doc},
		}}
	}
	x := New(&apidoc.Package{
		Symbols: []apidoc.Symbol{{Path: "Client", Kind: apidoc.Type, Members: []apidoc.Symbol{op("Open", "Fan"), op("Close", "Fan"), op("Open", "Belt")}}},
		// The inputs belong to another package.
		Internal: []apidoc.Symbol{input("OpenFan", "Name", "Name is what it is called."), input("CloseFan", "Leave", "Leave keeps its children open.")},
	})
	const query = "keep children of fan"
	hits, _ := x.Search(query, Options{})
	if len(hits) == 0 || label(hits[0]) != "Client.CloseFan" {
		t.Errorf("found %q", labels(hits))
	}
	if hits, _ := x.Without(Inputs).Search(query, Options{}); len(hits) == 0 || label(hits[0]) == "Client.CloseFan" {
		t.Errorf("without the part it found %q", labels(hits))
	}
	if hits, _ := x.Search("open fan fails", Options{}); len(hits) == 0 || strings.Contains(hits[0].Snippet(), "**") {
		t.Errorf("the snippet is %q", hits[0].Snippet())
	}
}

func TestInputs_CommentOnTheSubjectCountsForTheOperation(t *testing.T) {
	service := func(noun, doc string) []apidoc.Symbol {
		return []apidoc.Symbol{
			{Path: noun, Kind: apidoc.Type, Signature: "type " + noun + " struct", Doc: doc},
			{Path: "Await" + noun, Kind: apidoc.Func, Signature: "func Await" + noun + "(id string) *" + noun, Doc: "Waits until no change is under way."},
			{Path: noun + "Service", Kind: apidoc.Type, Signature: "type " + noun + "Service struct", Members: []apidoc.Symbol{
				{Path: noun + "Service.All", Kind: apidoc.Method, Signature: "func (s *" + noun + "Service) All() iter.Seq[*" + noun + "]", Doc: "Goes through all pages."},
			}},
		}
	}
	p := &apidoc.Package{Symbols: append(service("Gate", "What keeps water back."), service("GateLight", "What shows ships the way.")...)}
	for query, want := range map[string]string{
		"wait until what keeps water back is calm": "AwaitGate",
		"wait until what shows ships is calm":      "AwaitGateLight",
		"all pages of what keeps water back":       "GateService.All",
		"all pages of what shows ships":            "GateLightService.All",
	} {
		hits, _ := New(p).Search(query, Options{})
		if len(hits) == 0 || label(hits[0]) != want {
			t.Errorf("%q found %q, want %s", query, labels(hits), want)
		}
		if hits, _ := New(p).Without(Inputs).Search(query, Options{}); len(hits) > 0 && label(hits[0]) == want && strings.HasPrefix(want, "GateLight") {
			t.Errorf("%q finds %s without the part", query, want)
		}
	}
}
