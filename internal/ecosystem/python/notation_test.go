package python

import (
	"testing"

	"github.com/docent-mcp/docent/internal/modeltest"
)

func TestSpellings(t *testing.T) {
	modeltest.Spellings(t, info.Style, []string{"class Client", "method Client.get", "function retry"}, map[string]string{
		"Client.get()": "Client.get", "Client[T].get": "Client.get", "kit.Client().get": "Client.get", "@retry": "retry",
	})
}
