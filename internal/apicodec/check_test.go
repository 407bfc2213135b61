package apicodec

import (
	"crypto/sha256"
	"encoding/hex"
	"reflect"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
)

func TestFormat(t *testing.T) {
	var full apidoc.Package
	n := 0
	fill(reflect.ValueOf(&full).Elem(), &n, 3)
	full.Symbols = append(full.Symbols, apidoc.Symbol{Path: "T", Kind: apidoc.Class, Members: []apidoc.Symbol{{Path: "T.m", Kind: apidoc.Method, From: "U"}}})
	sum := sha256.Sum256(encoded(t, &full))
	const want = "862e21d74cb8951a"
	if got := hex.EncodeToString(sum[:8]); got != want {
		t.Errorf("the encoding has changed: increment Format and replace the hash with %s", got)
	}
}

func TestCheck(t *testing.T) {
	good := func() *apidoc.Package {
		return &apidoc.Package{
			Name: "a", Version: "1", Groups: []apidoc.Group{{Signature: "const ("}}, Sections: []apidoc.Section{{ID: "readme", Level: 1}},
			Symbols: []apidoc.Symbol{
				{Path: "A", Kind: apidoc.Class, Line: 3, Members: []apidoc.Symbol{{Path: "A.b", Kind: apidoc.Field, Group: 1}, {Path: "A.c", Kind: apidoc.Method, From: "B"}}},
			},
		}
	}
	for name, change := range map[string]func(*apidoc.Package){
		"":                         func(*apidoc.Package) {},
		"no name":                  func(p *apidoc.Package) { p.Name = "" },
		"no version":               func(p *apidoc.Package) { p.Version = "" },
		"a line below zero":        func(p *apidoc.Package) { p.Symbols[0].Line = -1 },
		"a group that is missing":  func(p *apidoc.Package) { p.Symbols[0].Members[0].Group = 2 },
		"a group below zero":       func(p *apidoc.Package) { p.Symbols[0].Group = -1 },
		"a group of an inherited":  func(p *apidoc.Package) { p.Symbols[0].Members[1].Group = 2 },
		"a line of an internal":    func(p *apidoc.Package) { p.Internal = []apidoc.Symbol{{Path: "x", Line: -1}} },
		"a group of another place": func(p *apidoc.Package) { p.Elsewhere = []apidoc.Symbol{{Path: "x", Group: 7}} },
		"a level below zero":       func(p *apidoc.Package) { p.Sections[0].Level = -1 },
		"a level out of range":     func(p *apidoc.Package) { p.Sections[0].Level = 1 << 40 },
	} {
		p := good()
		change(p)
		if err := Check(roundTrip(t, p)); (err == nil) != (name == "") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
