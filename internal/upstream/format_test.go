package upstream

import (
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
)

func FuzzDecode(f *testing.F) {
	p := &apidoc.Package{
		Name: "a", Version: "1", Groups: []apidoc.Group{{Signature: "const ("}}, Sections: []apidoc.Section{{ID: "readme", Level: 1}},
		Symbols: []apidoc.Symbol{{Path: "T", Kind: apidoc.Class, Line: 3, Members: []apidoc.Symbol{{Path: "T.m", Kind: apidoc.Method, From: "U", Group: 1}}}},
	}
	good, err := Encode(p)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(good))
	f.Add(strings.Replace(string(good), " 1\n", " 2\n", 1))
	f.Add("docent package 1\n")
	f.Fuzz(func(t *testing.T, data string) {
		p, err := decode(data)
		if err != nil {
			return
		}
		if again, err := Encode(p); err != nil {
			t.Error(err)
		} else if _, err := decode(string(again)); err != nil {
			t.Error(err)
		}
	})
}

func TestFailure(t *testing.T) {
	sent := ecosystem.Fail(ecosystem.NotFound, "no package a").WithNear("b").WithNext("check the name")
	sent.Unsure, sent.Packages = true, []apidoc.Subpackage{{Name: "a/c", Synopsis: "Package c."}}
	got := NewFailure(sent).asError("docs.example.com")
	if got.Error() != "no package a, according to docs.example.com; close by: b; check the name" || got.Reason != sent.Reason || !got.Unsure || len(got.Packages) != 1 {
		t.Errorf("got %+v", got)
	}
}
