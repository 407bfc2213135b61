package answer

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// jobs returns a package whose options are intersections of other types.
func jobs() *apidoc.Package {
	property := func(path, signature, from string) apidoc.Symbol {
		return apidoc.Symbol{Path: path, Kind: apidoc.Property, Signature: signature, From: from}
	}
	p := &apidoc.Package{Ecosystem: "npm", Style: npmStyle, Name: "jobs", Symbols: []apidoc.Symbol{
		{Path: "work", Kind: "function", Signature: "function work(options: WorkOptions): void"},
		{Path: "draw", Kind: "function", Signature: "function draw(options: DrawOptions): void"},
		{Path: "FetchOptions", Kind: apidoc.Interface, Signature: "interface FetchOptions", Members: []apidoc.Symbol{
			property("FetchOptions.size", "size?: number", ""), property("FetchOptions.late", "late?: boolean", ""),
		}},
		{Path: "WorkOptions", Kind: apidoc.Type, Signature: "type WorkOptions = FetchOptions & PollOptions", Members: []apidoc.Symbol{
			property("WorkOptions.size", "size?: number", "FetchOptions"), property("WorkOptions.late", "late?: boolean", "FetchOptions"),
			property("WorkOptions.every", "every?: number", "PollOptions"),
		}},
		{Path: "BaseOptions", Kind: apidoc.Interface, Signature: "interface BaseOptions"},
		{Path: "DrawOptions", Kind: apidoc.Type, Signature: "type DrawOptions = BaseOptions & { color?: string; }", Members: []apidoc.Symbol{
			{Path: "DrawOptions.color", Kind: apidoc.Property, Signature: "color?: string", Doc: "Which color."},
		}},
	}}
	for i := range 40 {
		name := fmt.Sprintf("option%d", i)
		base, all := &p.Symbols[4], &p.Symbols[5]
		base.Members = append(base.Members, property("BaseOptions."+name, name+": (value: number) => string", ""))
		all.Members = append(all.Members, property("DrawOptions."+name, name+": (value: number) => string", "BaseOptions"))
	}
	return p
}

func TestOptionsShowWhatTheyInherit(t *testing.T) {
	text := describe(t, jobs(), Options{Guide: guide}, "work").Text
	want := "type WorkOptions = FetchOptions & PollOptions {\n  size?: number\n  late?: boolean\n  every?: number\n}\n"
	if !strings.Contains(text, want) || strings.Contains(text, "interface FetchOptions") {
		t.Errorf("no\n%swith each member once in\n%s", want, text)
	}
	text = describe(t, jobs(), Options{Guide: guide}, "draw").Text
	for want, times := range map[string]int{"  // Which color.\n  color?: string\n": 1, "  option0: (value: number) => string\n": 1, "option39: (value": 1, "interface BaseOptions": 0} {
		if strings.Count(text, want) != times {
			t.Errorf("%d times %q in\n%s", strings.Count(text, want), want, text)
		}
	}
}

func TestManyInheritedOptionsOfOtherPackagesAreNamed(t *testing.T) {
	p := jobs()
	p.Symbols = slices.Delete(p.Symbols, 4, 5) // remove BaseOptions
	all := &p.Symbols[4]
	all.Members = append(all.Members, apidoc.Symbol{Path: "DrawOptions.last", Kind: apidoc.Property, Signature: "last: boolean", From: "BaseOptions"})
	text := describe(t, p, Options{Guide: guide}, "draw").Text
	for _, want := range []string{"  // from BaseOptions: option0, option1, ", "  color?: string\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, "(value: number)") {
		t.Errorf("inherited options are written out:\n%s", text)
	}
}
