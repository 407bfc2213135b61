package dts

import (
	"strings"
	"testing"
)

func TestTemplatesArePrintedAsTypes(t *testing.T) {
	for src, want := range map[string]string{
		"`a${ B }c`": "`a${B}c`", "`${A<\n\tB\n>}${'x'|'y'}`": "`${A<B>}${'x' | 'y'}`", "`${`${A}`}}`": "`${`${A}`}}`",
		"1_000": "1000", "0x1_0": "16", "0x10": "0x10", "1_0n": "10n",
		"`\\${A}`": "`\\${A}`", "`${ {a:1}[ 'a' ] }`": "`${{ a: 1; }['a']}`", "`${}`": "`${}`",
		"`" + strings.Repeat("${`", 100) + strings.Repeat("`}", 100) + "`": "`" + strings.Repeat("${`", 100) + strings.Repeat("`}", 100) + "`",
	} {
		if got := parseType(src, false).String(); got != want {
			t.Errorf("%s is printed as %s, not %s", src, got, want)
		}
	}
}
