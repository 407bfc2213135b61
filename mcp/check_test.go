package mcp

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/mcp/internal/jsonschema"
)

// FuzzURI compares checkURISyntax, whose errors explain what is wrong, with the independent check
// for the JSON Schema format uri.
func FuzzURI(f *testing.F) {
	for _, uri := range []string{"a:b", "http://u:p@[::1]:80/a;b?c=/?#d", "file:///%C3%A9", "x://a%4/", "x://h:8x/", "urn:isbn:1", "x:#a#"} {
		f.Add(uri)
	}
	format, err := jsonschema.Compile([]byte(`{"format":"uri"}`), &jsonschema.Options{AssertFormat: true})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, uri string) {
		text, err := json.Marshal(uri)
		if err != nil || strings.Contains(strings.ToLower(uri), "[v") {
			return // IPvFuture addresses are not supported
		}
		want := format.Validate(text) == nil
		if got := checkURISyntax(uri) == nil; got != want {
			t.Errorf("%q: %v, want %v", uri, got, want)
		}
	})
}
