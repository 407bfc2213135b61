package setup

import (
	"os"
	"strings"
	"testing"
)

func TestTable_IsInTheDocumentation(t *testing.T) {
	text, err := os.ReadFile("../../docs/hosts.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), Table()) {
		t.Errorf("docs/hosts.md does not have this table:\n%s", Table())
	}
}
