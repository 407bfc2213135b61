package skills

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestFrontmatter_HostileTakesLinearTime parses strings for which many YAML decoders need at least
// quadratic time.
func TestFrontmatter_HostileTakesLinearTime(t *testing.T) {
	var keys, anchors strings.Builder
	for i := 0; keys.Len() < maxFrontmatter-100; i++ {
		fmt.Fprintf(&keys, "%x:\n", i)
	}
	anchors.WriteString("a0: &a0 x\n")
	for i := 1; anchors.Len() < maxFrontmatter-100; i++ {
		fmt.Fprintf(&anchors, "a%d: &a%d [*a%d,*a%d]\n", i, i, i-1, i-1)
	}
	for name, text := range map[string]string{
		"many names":         keys.String(),
		"aliases":            anchors.String(),
		"deep lists":         strings.Repeat("[", 60_000),
		"deep objects":       strings.Repeat("{a: ", 15_000),
		"deep dashes":        strings.Repeat("- ", 30_000),
		"an alias to itself": "a: &a [*a]\n",
	} {
		start := time.Now()
		_, _ = parseFrontmatter([]byte("---\n" + text + "\n---\n"))
		if took := time.Since(start); took > 2*time.Second {
			t.Errorf("%s took %v", name, took)
		}
	}
}
