package crate

import (
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
)

func TestUnstableConditions(t *testing.T) {
	for attribute, want := range map[string]string{
		`feature(portable_simd)`:              "always",
		`feature(doc_cfg)`:                    "",
		`cfg_attr(a, feature(portable_simd))`: "a",
		`cfg_attr(a, allow(b), cfg_attr(c, feature(portable_simd)), feature(asm))`: "all(a,c) a",
		`cfg_attr(a, cfg_attr(b, cfg_attr(c, feature(portable_simd))))`:            "all(all(a,b),c)",
		`cfg_attr()`: "",
		strings.Repeat("cfg_attr(a, ", maxConditional+2) + "feature(asm)" + strings.Repeat(")", maxConditional+2): "",
	} {
		text := "#![" + attribute + "]\n"
		inner := source.Parse(text).Inner
		if len(inner) != 1 {
			t.Fatalf("%s: %d attributes", text, len(inner))
		}
		got := unstableIn(text, inner[0])
		for i := range got {
			got[i] = strings.ReplaceAll(got[i], " ", "")
			if got[i] == "" {
				got[i] = "always"
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s is unstable if %q, want %q", attribute, got, want)
		}
	}
}
