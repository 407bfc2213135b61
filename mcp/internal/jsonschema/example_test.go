package jsonschema_test

import (
	"fmt"
	"os"
	"reflect"

	"github.com/docent-mcp/docent/mcp/internal/jsonschema"
)

func Example() {
	type Search struct {
		Query string `json:"query" jsonschema:"words to find,minLength=1"`
		Limit int    `json:"limit,omitempty" jsonschema:"minimum=1,maximum=100,default=10"`
	}
	text, err := jsonschema.For(reflect.TypeFor[Search](), jsonschema.ForOptions{})
	if err != nil {
		panic(err)
	}
	schema, err := jsonschema.Compile(text, nil)
	if err != nil {
		panic(err)
	}
	arguments := []byte(`{"query":"json"}`)
	if filled, changed := schema.AppendDefaults(nil, arguments); changed {
		arguments = filled
	}
	fmt.Fprintf(os.Stdout, "%s %v\n", arguments, schema.Validate(arguments))
	fmt.Fprintln(os.Stdout, schema.Validate([]byte(`{"limit":500}`)))
	// Output:
	// {"query":"json","limit":10} <nil>
	// /limit: 500 is more than the maximum 100; missing required property "query"; properties are: query, limit
}
