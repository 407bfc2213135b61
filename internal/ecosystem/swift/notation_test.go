package swift

import (
	"testing"

	"github.com/docent-mcp/docent/internal/modeltest"
)

func TestSpellings(t *testing.T) {
	modeltest.Spellings(t, info.Style, []string{"struct Point", "method Point.move(by:_:in:)", "method Point.move(to:)", "property Point.length", "struct Flag", "struct Test", "macro Test(_:)", "macro expect(_:)"}, map[string]string{
		"Point/move(by:_:in:)-9x2ab": "Point.move(by:_:in:)", "Point.move()": "Point.move(by:_:in:) Point.move(to:)",
		"Point<Int>.length": "Point.length", "Point<Array<Int>>.move(to:)": "Point.move(to:)", "@Flag": "Flag", "@kit.Flag": "Flag",
		"@Test": "Test Test(_:)", "Test": "Test", "#expect": "expect(_:)",
	})
}
