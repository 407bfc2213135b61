package dts

import (
	"errors"
	"runtime"
	"strings"
	"testing"
)

func TestMoreThanCanBeReadIsRefusedWhileReading(t *testing.T) {
	for name, src := range map[string]string{
		"functions":        strings.Repeat("export declare function aaaaaaaaaaaaaaaaaaaaaaa(a: string): void;\n", 300_000),
		"members":          "export interface A {" + strings.Repeat("a:b;", 1<<20) + "}",
		"tokens of a body": "export const a = [" + strings.Repeat("1,", 3<<20) + "];",
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := Parse(src, Declarations)
		runtime.ReadMemStats(&after)
		if !errors.Is(err, ErrTooMuch) {
			t.Errorf("%s: %v", name, err)
		}
		if got := (after.TotalAlloc - before.TotalAlloc) >> 20; got > 450 { // This includes memory for the tokens, and for the smaller slices that were replaced as they grew.
			t.Errorf("%s: %d MB are allocated", name, got)
		}
	}
	if _, err := Parse(strings.Repeat("export declare function a(a: string): void;\n", 100_000), Declarations); err != nil {
		t.Error(err)
	}
}
