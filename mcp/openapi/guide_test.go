package openapi_test

import (
	"errors"
	"io/fs"
	"log"
	"os"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/mcptest"
	"github.com/docent-mcp/docent/mcp/openapi"
)

// gateway is the code shown in docs/library.md.
func gateway(description []byte) (*mcp.Server, error) {
	token := os.Getenv("SHOP_TOKEN")
	if token == "" {
		return nil, errors.New("set SHOP_TOKEN")
	}
	api, err := openapi.Load(description) // JSON or YAML
	if err != nil {
		return nil, err
	}
	s := mcp.NewServer(mcp.Implementation{Name: "shop", Version: "1.0.0"}, nil)
	report, err := api.AddTools(s, &openapi.Options{
		BaseURL:   "https://shop.example.com/v1",
		Authorize: openapi.Bearer(token),
		Unsafe:    true, // now Include alone keeps operations out that change something
		Include: func(op openapi.Operation) bool {
			return !op.Deprecated && (op.Safe() || op.ID == "cancelOrder") // one DELETE
		},
		Name: func(op openapi.Operation) string {
			if op.ID == "getOrdersV2" {
				return "list_orders"
			}
			return "" // the default
		},
	})
	if err != nil {
		return nil, err
	}
	for operation, reason := range report.Skipped {
		log.Printf("no tool for %s: %s", operation, reason)
	}
	return s, nil
}

func TestGateway(t *testing.T) {
	t.Setenv("SHOP_TOKEN", "")
	if _, err := gateway([]byte(shop)); err == nil {
		t.Error("it starts without a token")
	}
	t.Setenv("SHOP_TOKEN", "s3cret")
	s, err := gateway([]byte(shop))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for tool, err := range mcptest.Connect(t, s, nil).Tools(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, tool.Name)
	}
	if want := []string{"cancelOrder", "getOrder", "list_orders"}; !equal(names, want) {
		t.Errorf("tools %q", names)
	}
}

// TestGuide compares the code in the guide's section with the code of gateway.
func TestGuide(t *testing.T) {
	guide, err := os.ReadFile("../../docs/library.md")
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("the repository around the module is missing, and this test compares with its guide; to run it, use a checkout of the whole repository")
	}
	if err != nil {
		t.Fatal(err)
	}
	own, err := os.ReadFile("guide_test.go")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(guide), "\n## Gateways from OpenAPI\n")
	section, _, _ = strings.Cut(section, "\n## ")
	_, code, _ := strings.Cut(section, "```go\n")
	code, _, found := strings.Cut(code, "```")
	if !found || !strings.Contains(string(own), "\t"+strings.ReplaceAll(strings.TrimSuffix(code, "\n"), "\n", "\n\t")+"\n") {
		t.Errorf("the guide shows other code than gateway:\n%s", code)
	}
}
