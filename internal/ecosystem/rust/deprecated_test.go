package rust

import (
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
)

func TestAcceptsDeprecated(t *testing.T) {
	const text = `#[deprecated(since = "1.2.0")]
pub fn f() {
    old(); // accepted
}
#[doc(alias = "deprecated")]
fn g() { old(); }
impl S {
    #[allow(clippy::all, deprecated)]
    fn h(&self) { old(); } // accepted
    #[allow(unused)]
    fn i(&self) { old(); }
}
mod tests {
    #![cfg_attr(test, expect(deprecated))]
    fn j() { old(); } // accepted
}
`
	accepted := func(text string) (n int) {
		accepts := new(Rust).AcceptsDeprecated(&ecosystem.SourceFile{Name: "src/lib.rs", Text: []byte(text)})
		for i, line := range slices.Collect(strings.Lines(text)) {
			if strings.Contains(line, "old()") && accepts(i+1) {
				n++
				if !strings.Contains(line, "// accepted") && !strings.HasPrefix(text, "#![") {
					t.Errorf("line %d is accepted: %s", i+1, line)
				}
			}
		}
		return n
	}
	if n := accepted(text); n != 3 {
		t.Errorf("%d uses are accepted, want 3", n)
	}
	if n := accepted("#![allow(warnings)]\n" + text); n != 5 {
		t.Errorf("with an attribute of the file, %d uses are accepted, want 5", n)
	}
}
