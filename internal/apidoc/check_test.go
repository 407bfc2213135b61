package apidoc

import (
	"crypto/sha256"
	"encoding/hex"
	"reflect"
	"testing"
)

func TestEncodingFormat(t *testing.T) {
	var full Package
	n := 0
	fill(reflect.ValueOf(&full).Elem(), &n, 3)
	full.Symbols = append(full.Symbols, Symbol{Path: "T", Kind: Class, Members: []Symbol{{Path: "T.m", Kind: Method, From: "U"}}})
	sum := sha256.Sum256(encoded(t, &full))
	const want = "83b8ab4f7444e331"
	if got := hex.EncodeToString(sum[:8]); got != want {
		t.Errorf("the encoding has changed: increment EncodingFormat and replace the hash with %s", got)
	}
}

func TestCheck(t *testing.T) {
	good := func() *Package {
		return &Package{
			Name: "a", Version: "1", Groups: []Group{{Signature: "const ("}}, Sections: []Section{{ID: "readme", Level: 1}},
			Symbols: []Symbol{
				{Path: "A", Kind: Class, Line: 3, Members: []Symbol{{Path: "A.b", Kind: Field, Group: 1}, {Path: "A.c", Kind: Method, From: "B"}}},
			},
		}
	}
	for name, change := range map[string]func(*Package){
		"":                         func(*Package) {},
		"no name":                  func(p *Package) { p.Name = "" },
		"no version":               func(p *Package) { p.Version = "" },
		"a line below zero":        func(p *Package) { p.Symbols[0].Line = -1 },
		"a group that is missing":  func(p *Package) { p.Symbols[0].Members[0].Group = 2 },
		"a group below zero":       func(p *Package) { p.Symbols[0].Group = -1 },
		"a group of an inherited":  func(p *Package) { p.Symbols[0].Members[1].Group = 2 },
		"a line of an internal":    func(p *Package) { p.Internal = []Symbol{{Path: "x", Line: -1}} },
		"a group of another place": func(p *Package) { p.Elsewhere = []Symbol{{Path: "x", Group: 7}} },
		"a level below zero":       func(p *Package) { p.Sections[0].Level = -1 },
		"a level out of range":     func(p *Package) { p.Sections[0].Level = 1 << 40 },
	} {
		p := good()
		change(p)
		if err := roundTrip(t, p).Check(); (err == nil) != (name == "") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
