package npm

import (
	"testing"

	"github.com/docent-mcp/docent/internal/modeltest"
)

func TestSpellings(t *testing.T) {
	modeltest.Spellings(t, info.Style, []string{"class Client", "method Client.get", "function create"}, map[string]string{
		"Client#get": "Client.get", "Client.prototype.get": "Client.get", "Client<T>.get()": "Client.get", "create()": "create", "@Client": "Client",
	})
}
