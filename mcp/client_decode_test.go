package mcp_test

import (
	"context"
	"encoding/json"
	"reflect"
	"testing"

	"github.com/docent-mcp/docent/mcp"
)

// TestCallTool_DecodesAsEncodingJSON decodes structured content into types whose fields have no
// tags, or have names that differ in case from the members.
func TestCallTool_DecodesAsEncodingJSON(t *testing.T) {
	s := mcp.NewServer(mcp.Implementation{Name: "test", Version: "1"}, nil)
	contents := map[string]string{
		"sum": `{"sum":3.5}`, "exact": `{"SUM":1,"Sum":2,"sum":3}`, "nested": `{"user":{"firstname":"A","TAGS":["x"]},"count":2}`, "tagged": `{"Total":7}`,
	}
	for name, content := range contents {
		if err := mcp.AddTool(s, mcp.Tool{Name: name}, func(context.Context, *mcp.Request, struct{}) (json.RawMessage, error) {
			return json.RawMessage(content), nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	c, err := mcp.Connect(t.Context(), &mcp.ServerTransport{Server: s}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	type user struct {
		FirstName string
		Tags      []string
	}
	checkDecoding(t, c, "sum", contents, struct{ Sum float64 }{})
	if got, err := mcp.CallTool[struct{ Sum float64 }](t.Context(), c, "exact", nil, nil); err == nil {
		t.Errorf("three names for one field were decoded into %+v", got)
	}
	checkDecoding(t, c, "nested", contents, struct {
		User  user
		Count int
	}{})
	checkDecoding(t, c, "tagged", contents, struct {
		N int `json:"total"`
	}{})
}

func checkDecoding[Out any](t *testing.T, c *mcp.Client, name string, contents map[string]string, _ Out) {
	t.Helper()
	var want Out
	if err := json.Unmarshal([]byte(contents[name]), &want); err != nil {
		t.Fatal(err)
	}
	got, err := mcp.CallTool[Out](t.Context(), c, name, nil, nil)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%s: got %+v, %v; encoding/json decodes %+v", name, got, err, want)
	}
}
