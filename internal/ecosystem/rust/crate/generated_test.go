package crate

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
)

func TestItemsOfACrateAreBounded(t *testing.T) {
	for _, items := range []int{maxItems - 3, maxItems - 2} {
		w := newWorld(t.Context(), nil)
		w.items = items
		_, err := w.open(sourceOf("src/lib.rs", "mod a;", "src/a.rs", "pub struct A; pub struct B;"))
		if refused := errors.Is(err, errTooMuch); refused != (items+3 > maxItems) {
			t.Errorf("with %d items read before: %v", items, err)
		}
	}
}

// TestGeneratedFiles checks that 20 MB files such as programs generate are either read
// in bounded memory or refused.
func TestGeneratedFiles(t *testing.T) {
	const size = 20 << 20
	text := func(head, line, tail string) string {
		var b strings.Builder
		b.Grow(size + 100)
		b.WriteString(head)
		for i := 0; b.Len() < size; i++ {
			fmt.Fprintf(&b, line, i)
		}
		b.WriteString(tail)
		return b.String()
	}
	for _, tc := range []struct {
		name, text string
		symbols    int // number of symbols that are read; 0 if the crate is refused
		memory     uint64
	}{
		{"a table", text("pub static A: [u32; 3] = [", "0x%x, ", "]; pub struct B;"), 2, 8},
		{"a string", text("pub const A: &str = \"", "line %d ", "\"; pub struct B;"), 2, 8},
		{"a function", text("pub fn a(x: u32) -> u32 { match x {", "%d => { 1 }\n", "} } pub struct B;"), 2, 8},
		{"fields", text("pub struct A {", "pub a%d: u8,\n", "}"), 0, 64},
		{"the call of a macro", text("macro_rules! m { ($($t:tt)*) => { $($t)* } } pub struct B; m! {", "pub const A%d: u32 = 5;\n", "}"), 1, 8},
		{"modules within modules", strings.Repeat("pub mod a {", size/11), 0, 8},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		p, err := Read(t.Context(), sourceOf("src/lib.rs", tc.text), nil)
		runtime.ReadMemStats(&after)
		switch {
		case err != nil && !errors.Is(err, errTooMuch):
			t.Errorf("%s: %v", tc.name, err)
		case err == nil && len(p.Symbols) != tc.symbols, err != nil && tc.symbols > 0:
			t.Errorf("%s: got %+v, %v, want %d symbols", tc.name, p, err, tc.symbols)
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > tc.memory*size {
			t.Errorf("%s: %d MB were allocated for %d MB", tc.name, used>>20, size>>20)
		}
	}
}
