package rust

import (
	"testing"

	"github.com/docent-mcp/docent/internal/modeltest"
)

func TestSpellings(t *testing.T) {
	modeltest.Spellings(t, info.Style, []string{"struct Vec", "method Vec::push", "macro vec", "attribute main"}, map[string]string{
		"Vec.push": "Vec::push", "Vec::<u8>::push": "Vec::push", "Vec::push()": "Vec::push", "kit.Vec.push": "Vec::push", "vec!": "vec", "#[kit::main]": "main",
	})
}
