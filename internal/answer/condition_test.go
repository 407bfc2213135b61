package answer

import (
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
)

func TestWhatASymbolNeedsIsReported(t *testing.T) {
	for constraint, want := range map[string]string{
		"windows":                    "only on windows",
		`feature = "net" (on)`:       `only with feature = "net", which is on`,
		`feature = "trace" (off)`:    `only with feature = "trace", which is off`,
		`feature = "ws" (requested)`: `only with feature = "ws", which was requested and is off otherwise`,
	} {
		if got := condition(constraint); got != want {
			t.Errorf("%s: got %q, want %q", constraint, got, want)
		}
	}
	p := &apidoc.Package{Platform: "linux", Elsewhere: []apidoc.Symbol{
		{Path: "Registry", Constraint: "windows"}, {Path: "Tcp", Constraint: `feature = "net" (off)`},
	}}
	if got, want := elsewhere(p), `Not on linux, so not shown: Registry (windows). Off, so not shown: Tcp (feature = "net").`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	p.Elsewhere = []apidoc.Symbol{{Path: "Cores", Constraint: "-tags cuda (off)"}, {Path: "Grid", Constraint: "-tags cuda (off)"}}
	if got, want := elsewhere(p), "Off (-tags cuda), so not shown: Cores and Grid."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	p.Elsewhere = nil
	if got := elsewhere(p); got != "" {
		t.Errorf("got %q for nothing", got)
	}
}

func TestAConditionOfAllSymbolsIsShownOnce(t *testing.T) {
	p := pump()
	for i := range p.Symbols {
		p.Symbols[i].Constraint = "windows"
	}
	for name, text := range map[string]string{
		"overview": NewRenderer(p).Overview(nil, Options{Guide: guide}).Text,
		"symbols":  describe(t, p, Options{Guide: guide}, "Slow Speed").Text,
		"search":   find(p, "slow speed", Options{Guide: guide}).Text,
	} {
		if n := strings.Count(text, "only on windows"); n != 1 || !strings.Contains(text, "\n> All declarations: only on windows.\n") {
			t.Errorf("%s: shown %d times:\n%s", name, n, text)
		}
	}
	p.Symbols[0].Constraint = "linux"
	if text := describe(t, p, Options{Guide: guide}, "Slow Speed").Text; strings.Contains(text, "All declarations:") || !strings.Contains(text, "(only on windows)") {
		t.Errorf("not all have one condition:\n%s", text)
	}
}

func TestAPackageOfModulesAloneIsNotCalledComplete(t *testing.T) {
	p := &apidoc.Package{Name: "win", Doc: "Bindings.", Subpackages: []apidoc.Subpackage{{Name: "win::fs"}}}
	if text := NewRenderer(p).Overview(nil, Options{Guide: guide}).Text; strings.Contains(text, "Complete") || !strings.Contains(text, "below win…:\n- ::fs") {
		t.Errorf("got\n%s", text)
	}
}

func TestAConditionThatHoldsIsShownWithTheSymbolAskedFor(t *testing.T) {
	p := &apidoc.Package{Ecosystem: "rust", Style: apidoc.Style{Syntax: rustSyntax, Rules: apidoc.Rules{Self: "Self"}, Name: "Rust", Separator: "::"}, Name: "pump", Symbols: []apidoc.Symbol{
		{Path: "Pump", Kind: "struct", Signature: "pub struct Pump { /* private fields */ }", Members: []apidoc.Symbol{
			{Path: "Pump::start", Kind: apidoc.Method, Signature: "pub fn start(&self)", Constraint: `feature = "std" (on)`},
			{Path: "Pump::stop", Kind: apidoc.Method, Signature: "pub fn stop(&self)", Constraint: "unix"},
		}},
	}}
	const note = "only with feature = \"std\", which is on"
	for name, text := range map[string]string{
		"its type": describe(t, p, Options{Guide: guide}, "Pump").Text,
		"search":   find(p, "start", Options{Guide: guide}).Text,
		"overview": NewRenderer(p).Overview(nil, Options{Guide: guide}).Text,
	} {
		if strings.Contains(text, "feature") || name != "search" && !strings.Contains(text, "(only on unix)") {
			t.Errorf("%s:\n%s", name, text)
		}
	}
	if text := describe(t, p, Options{Guide: guide}, "Pump::start").Text; !strings.Contains(text, note) {
		t.Errorf("no %q in\n%s", note, text)
	}
}
