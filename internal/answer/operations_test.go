package answer

import (
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
)

func TestATypeThatIsFoundNamesWhatCanBeDoneWithIt(t *testing.T) {
	p := &apidoc.Package{Ecosystem: "npm", Style: npmStyle, Name: "yard", Symbols: []apidoc.Symbol{
		{Path: "Gate", Kind: apidoc.Interface, Signature: "interface Gate", Doc: "A door in a wall.", Members: []apidoc.Symbol{{Path: "Gate.id", Kind: apidoc.Property, Signature: "id: string"}}},
		{Path: "GateLamp", Kind: apidoc.Interface, Signature: "interface GateLamp", Doc: "Shines at night."},
		{Path: "MendGateRequest", Kind: apidoc.Interface, Signature: "interface MendGateRequest"},
		{Path: "GatesService", Kind: apidoc.Class, Signature: "class GatesService", Members: []apidoc.Symbol{
			{Path: "GatesService.shut", Kind: apidoc.Method, Signature: "shut(request: ShutRequest): Promise<Gate>"},
			{Path: "GatesService.look", Kind: apidoc.Method, Signature: "look(id: string): Promise<Gate>"},
		}},
		{Path: "mendGate", Kind: "function", Signature: "function mendGate(request: MendGateRequest): void"},
		{Path: "mendGateLamp", Kind: "function", Signature: "function mendGateLamp(): void"},
		{Path: "listGates", Kind: "function", Signature: "function listGates(): string[]"},
	}}
	text := find(p, "door in a wall", Options{Guide: guide}).Text
	if want := "// used by GatesService: shut, look; mendGate, listGates\n"; !strings.Contains(text, want) {
		t.Errorf("no %q in\n%s", want, text)
	}
}

func TestAFieldOfManyTypesIsListedOnce(t *testing.T) {
	p := &apidoc.Package{Ecosystem: "go", Style: apidoc.Style{Syntax: goSyntax, Name: "Go"}, Name: "yard"}
	for _, name := range []string{"Gate", "Wall", "Door", "Lamp", "Path", "Pond", "Tree"} {
		p.Symbols = append(p.Symbols, apidoc.Symbol{Path: name, Kind: apidoc.Type, Signature: "type " + name + " struct{}", Members: []apidoc.Symbol{
			{Path: name + ".Label", Kind: apidoc.Field, Signature: "Label string", Doc: "Label is painted on it."},
		}})
	}
	text := find(p, "label painted", Options{Guide: guide}).Text
	if n := strings.Count(text, "painted on it"); n != 1 || !strings.Contains(text, "- Label is the same in Wall, Door, Lamp, Path and 2 more types\n") {
		t.Errorf("it is shown %d times:\n%s", n, text)
	}
}

// yardService returns a client with the same operations on several kinds of things.
func yardService() *apidoc.Package {
	client := apidoc.Symbol{Path: "Client", Kind: apidoc.Type, Signature: "type Client struct { … }"}
	p := &apidoc.Package{Ecosystem: "go", Style: apidoc.Style{Syntax: goSyntax, Name: "Go"}, Name: "yard"}
	for _, thing := range []string{"Gate", "Wall", "Door"} {
		p.Symbols = append(p.Symbols, apidoc.Symbol{Path: thing, Kind: apidoc.Type, Signature: "type " + thing + " struct {\n\tID string\n}"})
		for _, verb := range []string{"Open", "Paint", "Sell", "Mend", "Clean", "Measure"} {
			name := verb + thing
			fields := ""
			for field := range strings.FieldsSeq("First Second Third Fourth Fifth Sixth Seventh Eighth Ninth Tenth Eleventh Twelfth") {
				fields += "\t// " + field + " says when and why and by whom it is done.\n\t" + field + thing + "Of" + verb + " map[string][]string\n"
			}
			p.Symbols = append(p.Symbols, apidoc.Symbol{Path: name + "Input", Kind: apidoc.Type, Signature: "type " + name + "Input struct {\n" + fields + "}",
				Members: []apidoc.Symbol{{Path: name + "Input.First" + thing + "Of" + verb, Kind: apidoc.Field, Signature: "First" + thing + "Of" + verb + " map[string][]string"}}})
			client.Members = append(client.Members, apidoc.Symbol{Path: "Client." + name, Kind: apidoc.Method, Doc: name + " does it with a " + strings.ToLower(thing) + ".",
				Signature: "func (c *Client) " + name + "(in *" + name + "Input) (*" + thing + ", error)"})
		}
	}
	p.Symbols = append(p.Symbols, client)
	return p
}

func TestSearch_NamesTheOtherOperationsOnAThing(t *testing.T) {
	text := find(yardService(), "paint a gate", Options{Guide: guide}).Text
	for _, verb := range []string{"Open", "Paint", "Sell", "Mend", "Clean", "Measure"} {
		if !strings.Contains(text, verb+"Gate") {
			t.Errorf("there is no %sGate in\n%s", verb, text)
		}
	}
	if !strings.Contains(text, "\n- Client also has ") {
		t.Errorf("there is no line with the names of other operations in\n%s", text)
	}
}

func TestSearch_AnOperationInFullHasTheFieldsOfItsInput(t *testing.T) {
	text := find(yardService(), "paint a gate; sell a wall; mend a door; clean a gate; open a door; measure a wall", Options{Guide: guide}).Text
	full := 0
	for line := range strings.Lines(text) {
		if name, ok := strings.CutPrefix(line, "func (c *Client) "); ok { // in a block of code, not in a list
			name, _, _ = strings.Cut(name, "(")
			verb, thing := name[:len(name)-4], name[len(name)-4:]
			full++
			if !strings.Contains(text, "\tFirst"+thing+"Of"+verb+" ") || !strings.Contains(text, "\tTwelfth"+thing+"Of"+verb+" ") {
				t.Errorf("%s lacks fields of its input in\n%s", name, text)
			}
		}
	}
	if full < 3 {
		t.Errorf("%d operations are shown in full:\n%s", full, text)
	}
}

func TestSearch_ATypeOnALineIsFollowedByItsOperations(t *testing.T) {
	p := &apidoc.Package{Ecosystem: "npm", Style: npmStyle, Name: "yard", Symbols: []apidoc.Symbol{
		{Path: "paintGate", Kind: "function", Signature: "function paintGate(): void", Doc: "Paint paints a gate green."},
		{Path: "Gate", Kind: apidoc.Interface, Signature: "interface Gate", Doc: "A gate that one can paint green."},
		{Path: "Door", Kind: apidoc.Interface, Signature: "interface Door", Doc: "Paint gate green: a door."},
		{Path: "mendDoor", Kind: "function", Signature: "function mendDoor(): void", Doc: "Mends a door with nails and, in the end, paint in green, as at the gate."},
		{Path: "listDoors", Kind: "function", Signature: "function listDoors(): string[]", Doc: "Lists doors by the colour of the paint, such as green, of the nearest gate."},
		{Path: "shutDoors", Kind: "function", Signature: "function shutDoors(): string[]", Doc: "Shuts what has paint like a gate, unless it is green, which is skipped."},
	}}
	text := find(p, "paint gate green", Options{Guide: guide}).Text
	if !strings.Contains(text, "\n- `interface Door`: ") {
		t.Fatalf("the type is not on a line:\n%s", text)
	}
	for _, name := range []string{"mendDoor", "listDoors", "shutDoors"} {
		if !strings.Contains(text, name) {
			t.Errorf("there is no %s in\n%s", name, text)
		}
	}
}
