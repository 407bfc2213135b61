package golang

import (
	"testing"

	"github.com/docent-mcp/docent/internal/modeltest"
)

func TestSpellings(t *testing.T) {
	modeltest.Spellings(t, info.Style, []string{"type Client", "method Client.Do", "func Get"}, map[string]string{
		"(*Client).Do": "Client.Do", "(*kit.Client).Do()": "Client.Do", "Client[T].Do": "Client.Do", "*Client": "Client", "Get()": "Get", "Client#Do": "Client.Do",
	})
}
