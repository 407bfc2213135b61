package rustdoc

import (
	"os"
	"testing"

	"github.com/docent-mcp/docent/internal/filetest"
	"github.com/docent-mcp/docent/internal/modeltest"
)

// TestGolden reads the JSON that rustdoc wrote for constructs.rs and procmacro.rs, without the implementations for all types.
func TestGolden(t *testing.T) {
	for module, name := range map[string]string{"constructs": "constructs", "constructs::inner": "constructs", "pm": "procmacro"} {
		f, err := os.Open("testdata/" + name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		p, err := read(f, module)
		if err != nil {
			t.Fatal(err)
		}
		p.Style.Separator = "::"
		filetest.Golden(t, modeltest.File("testdata", module), modeltest.Text(p))
	}
}
