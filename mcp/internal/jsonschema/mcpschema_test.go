package jsonschema

import (
	"os"
	"path/filepath"
	"testing"
)

// schemaDir returns the schema directory of the MCP specification, which contains
// <revision>/schema.json for each revision.
func schemaDir(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("MCP_SCHEMA_DIR")
	if dir == "" {
		t.Skip("MCP_SCHEMA_DIR is not set, and this test compiles the schemas in it; to run it, set it to the folder schema of a checkout of the MCP specification")
	}
	return dir
}

func TestTheSchemasOfEveryRevisionCompile(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(schemaDir(t), "*", "schema.json"))
	if len(files) == 0 {
		t.Fatal("there is no revision in MCP_SCHEMA_DIR")
	}
	for _, file := range files {
		t.Run(filepath.Base(filepath.Dir(file)), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			s, err := Compile(text, nil)
			if err != nil {
				t.Fatal(err)
			}
			group := "#/definitions/"
			call, err := s.Sub(group + "CallToolRequest")
			if err != nil {
				group = "#/$defs/"
				if call, err = s.Sub(group + "CallToolRequest"); err != nil {
					t.Fatal(err)
				}
			}
			if err := call.Validate([]byte(`{"method":"tools/call","params":{"arguments":{}}}`)); err == nil {
				t.Error("a call without a tool's name should not match CallToolRequest")
			}
			result, err := s.Sub(group + "CallToolResult")
			if err != nil {
				t.Fatal(err)
			}
			good := `{"content":[{"type":"text","text":"hi"}],"isError":false,"resultType":"complete"}`
			if err := result.Validate([]byte(good)); err != nil {
				t.Error(err)
			}
			bad := `{"content":[{"type":"text","text":7}],"resultType":"complete"}`
			err = result.Validate([]byte(bad))
			if err == nil {
				t.Error("a number as text should not match CallToolResult")
			}
			t.Log(err)
		})
	}
}

func TestTheExamplesOfTheSpecificationMatchTheirTypes(t *testing.T) {
	revisions, _ := filepath.Glob(filepath.Join(schemaDir(t), "*", "examples"))
	for _, dir := range revisions {
		text, err := os.ReadFile(filepath.Join(dir, "..", "schema.json"))
		if err != nil {
			t.Fatal(err)
		}
		s, err := Compile(text, &Options{AssertFormat: true})
		if err != nil {
			t.Fatal(err)
		}
		files, _ := filepath.Glob(filepath.Join(dir, "*", "*.json"))
		for _, file := range files {
			name := filepath.Base(filepath.Dir(file))
			sub, err := s.Sub("#/$defs/" + name)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if err := sub.Validate(data); err != nil {
				t.Errorf("%s/%s: %v", name, filepath.Base(file), err)
			}
		}
		t.Logf("%d examples", len(files))
	}
}
