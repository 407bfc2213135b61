package modules

import (
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
)

func TestPathOf(t *testing.T) {
	chain := func(parts int) *dts.Expr {
		x := &dts.Expr{Kind: dts.ExprName, Text: "a"}
		for range parts - 1 {
			x = &dts.Expr{Kind: dts.ExprMember, Text: "a", List: []*dts.Expr{x}}
		}
		return x
	}
	for parts, want := range map[int]string{
		1:           "a",
		3:           "a.a.a",
		maxPath:     "a" + strings.Repeat(".a", maxPath-1),
		maxPath + 1: "",
		100_000:     "",
	} {
		if got := pathOf(chain(parts)); got != want {
			t.Errorf("the path of a chain with %d parts is %q, want %q", parts, got, want)
		}
	}
}
