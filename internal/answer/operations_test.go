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
