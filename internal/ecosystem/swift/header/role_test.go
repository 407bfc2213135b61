package header

import (
	"os"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// TestRole_Module checks that the roles of the symbols in the headers in testdata
// correspond to their kinds in C.
func TestRole_Module(t *testing.T) {
	root := os.DirFS("testdata")
	symbols, _ := ReadModule(nil, root, headersBelow(root, "include"))
	roles := map[string]apidoc.Role{}
	for i := range symbols {
		roles[symbols[i].Path] = symbols[i].Role()
		for k := range symbols[i].Members {
			roles[symbols[i].Members[k].Path] = symbols[i].Members[k].Role()
		}
	}
	for path, want := range map[string]apidoc.Role{
		"KILN_MAX_CELSIUS": apidoc.ValueRole, "KILN_FLAG": apidoc.MacroRole, "kiln_make": apidoc.CallableRole, "kiln_t": apidoc.TypeRole,
		"kiln_options_t.celsius": apidoc.FieldRole, "kiln_result.KILN_OK": apidoc.EnumValueRole, "KilnController": apidoc.TypeRole,
		"KilnController.fireTo:completion:": apidoc.CallableRole, "KilnController.controllerWithFormat:": apidoc.CallableRole, "KilnController.name": apidoc.FieldRole,
		"NSString": apidoc.ModuleRole, "KilnDelegate": apidoc.TypeRole,
	} {
		if got := roles[path]; got != want {
			t.Errorf("%s is a %s, want a %s", path, got, want)
		}
	}
}
