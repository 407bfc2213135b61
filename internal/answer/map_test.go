package answer

import (
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
)

func TestNamesOfAMapHaveNoLabels(t *testing.T) {
	buffer := apidoc.Symbol{Path: "Buffer", Kind: apidoc.Class}
	for _, name := range []string{"read(length:)", "read(into:)", "write(_:at:)", "clear()"} {
		buffer.Members = append(buffer.Members, apidoc.Symbol{Path: "Buffer." + name, Kind: apidoc.Method})
	}
	for len(buffer.Members) < manyMethods+1 {
		buffer.Members = append(buffer.Members, apidoc.Symbol{Path: "Buffer.m" + strings.Repeat("x", len(buffer.Members)) + "(_:)", Kind: apidoc.Method})
	}
	groups := NewRenderer(&apidoc.Package{Symbols: []apidoc.Symbol{buffer}}).groups()
	if text := groups[0].text(1000); !strings.HasPrefix(text, "Methods of Buffer (12): read, write, clear, mxxxx,") {
		t.Errorf("got %s", text)
	}
}
