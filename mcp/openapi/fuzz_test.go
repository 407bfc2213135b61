package openapi_test

import (
	"os"
	"testing"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/openapi"
)

// FuzzLoad creates tools from arbitrary descriptions. It must not panic, and every tool must have a
// name and a schema.
func FuzzLoad(f *testing.F) {
	description, err := os.ReadFile("testdata/pets.yaml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(description)
	f.Add([]byte(`{"openapi":"3.1.0","info":{"title":"a","version":"1"},"paths":{"/{a}":{"get":{"parameters":[{"in":"path","name":"a","required":true,"schema":{"$ref":"#/components/schemas/A"}}]}}},"components":{"schemas":{"A":{"allOf":[{"$ref":"#/components/schemas/A"}]}}}}`))
	f.Add([]byte("openapi: 3.1.0\npaths: {/a: {get: {parameters: [{name: b, in: query, schema: true}]}}}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		api, err := openapi.Load(data)
		if err != nil {
			return
		}
		s := mcp.NewServer(mcp.Implementation{Name: "fuzz", Version: "1"}, nil)
		report, err := api.AddTools(s, &openapi.Options{BaseURL: "http://127.0.0.1:1", Unsafe: true})
		if err == nil && len(report.Added) == 0 {
			t.Error("nothing is added, without an error")
		}
	})
}
