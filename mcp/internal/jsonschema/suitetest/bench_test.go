package suitetest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	google "github.com/google/jsonschema-go/jsonschema"
	santhosh "github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/docent-mcp/docent/mcp/internal/jsonschema"
)

// sixFields is the input schema of a typical tool.
const sixFields = `{
	"$schema": "https://json-schema.org/draft/2020-12/schema",
	"type": "object",
	"properties": {
		"package":  {"type": "string", "minLength": 1, "description": "import path"},
		"symbol":   {"type": "string", "maxLength": 200},
		"version":  {"type": "string", "pattern": "^v?[0-9]+(\\.[0-9]+)*$"},
		"limit":    {"type": "integer", "minimum": 1, "maximum": 100},
		"language": {"type": "string", "enum": ["go", "npm", "python", "rust", "swift"]},
		"tags":     {"type": "array", "items": {"type": "string"}, "maxItems": 10}
	},
	"required": ["package"],
	"additionalProperties": false
}`

const sixValues = `{"package":"encoding/json","symbol":"Decoder.Decode","version":"v1.26.0","limit":20,"language":"go","tags":["stream","token"]}`

// nested is a schema with references, alternatives and lists.
const nested = `{
	"$schema": "https://json-schema.org/draft/2020-12/schema",
	"type": "object",
	"properties": {
		"items": {"type": "array", "items": {"$ref": "#/$defs/item"}},
		"note": {"anyOf": [{"type": "string"}, {"type": "null"}]}
	},
	"required": ["items"],
	"$defs": {
		"item": {
			"type": "object",
			"properties": {
				"id": {"type": "integer", "minimum": 0},
				"name": {"type": "string", "maxLength": 80},
				"price": {"type": "number", "exclusiveMinimum": 0},
				"kind": {"const": "product"}
			},
			"required": ["id", "name", "kind"],
			"additionalProperties": false
		}
	}
}`

func nestedValues(n int) string {
	var b bytes.Buffer
	b.WriteString(`{"note":null,"items":[`)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"id":%d,"name":"product number %d","price":%d.25,"kind":"product"}`, i, i, i+1)
	}
	b.WriteString(`]}`)
	return b.String()
}

// contenders returns several ways to validate raw bytes. A server receives raw bytes, and the other
// validators must decode them first.
func contenders(tb testing.TB, schema string) map[string]func(data []byte) error {
	tb.Helper()
	ours, err := jsonschema.Compile([]byte(schema), nil)
	if err != nil {
		tb.Fatal(err)
	}
	doc, err := santhosh.UnmarshalJSON(bytes.NewReader([]byte(schema)))
	if err != nil {
		tb.Fatal(err)
	}
	c := santhosh.NewCompiler()
	if err := c.AddResource("schema.json", doc); err != nil {
		tb.Fatal(err)
	}
	theirs := c.MustCompile("schema.json")
	var gs google.Schema
	if err := json.Unmarshal([]byte(schema), &gs); err != nil {
		tb.Fatal(err)
	}
	resolved, err := gs.Resolve(nil)
	if err != nil {
		tb.Fatal(err)
	}
	return map[string]func([]byte) error{
		"ours": ours.Validate,
		"santhosh": func(data []byte) error {
			v, err := santhosh.UnmarshalJSON(bytes.NewReader(data))
			if err != nil {
				return err
			}
			return theirs.Validate(v)
		},
		"google": func(data []byte) error {
			var v any
			if err := json.Unmarshal(data, &v); err != nil {
				return err
			}
			return resolved.Validate(v)
		},
	}
}

var cases = []struct{ name, schema, data string }{
	{"six fields", sixFields, sixValues},
	{"20 items", nested, nestedValues(20)},
}

func BenchmarkValidateBytes(b *testing.B) {
	for _, c := range cases {
		all := contenders(b, c.schema)
		for _, name := range []string{"ours", "santhosh", "google"} {
			b.Run(c.name+"/"+name, func(b *testing.B) {
				b.ReportAllocs()
				data := []byte(c.data)
				for b.Loop() {
					if err := all[name](data); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkValidateDecoded does not count the time that other validators need to decode the
// instance.
func BenchmarkValidateDecoded(b *testing.B) {
	for _, c := range cases {
		doc, _ := santhosh.UnmarshalJSON(bytes.NewReader([]byte(c.schema)))
		compiler := santhosh.NewCompiler()
		if err := compiler.AddResource("schema.json", doc); err != nil {
			b.Fatal(err)
		}
		theirs := compiler.MustCompile("schema.json")
		var gs google.Schema
		if err := json.Unmarshal([]byte(c.schema), &gs); err != nil {
			b.Fatal(err)
		}
		resolved, err := gs.Resolve(nil)
		if err != nil {
			b.Fatal(err)
		}
		var decoded any
		if err := json.Unmarshal([]byte(c.data), &decoded); err != nil {
			b.Fatal(err)
		}
		b.Run(c.name+"/santhosh", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := theirs.Validate(decoded); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(c.name+"/google", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := resolved.Validate(decoded); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkCompile(b *testing.B) {
	b.Run("ours", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := jsonschema.Compile([]byte(sixFields), nil); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("santhosh", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			doc, _ := santhosh.UnmarshalJSON(bytes.NewReader([]byte(sixFields)))
			c := santhosh.NewCompiler()
			if err := c.AddResource("schema.json", doc); err != nil {
				b.Fatal(err)
			}
			c.MustCompile("schema.json")
		}
	})
	b.Run("google", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var gs google.Schema
			if err := json.Unmarshal([]byte(sixFields), &gs); err != nil {
				b.Fatal(err)
			}
			if _, err := gs.Resolve(nil); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// TestRatios measures all validators in turn, so that a busy machine slows them equally, and prints
// how much slower the others are. It fails only if ours is not the fastest.
func TestRatios(t *testing.T) {
	const rounds, calls = 9, 500
	for _, c := range cases {
		all := contenders(t, c.schema)
		data := []byte(c.data)
		best := map[string]time.Duration{}
		for range rounds {
			for name, validate := range all {
				start := time.Now()
				for range calls {
					if err := validate(data); err != nil {
						t.Fatal(name, err)
					}
				}
				if d := time.Since(start) / calls; best[name] == 0 || d < best[name] {
					best[name] = d
				}
			}
		}
		t.Logf("%s: ours %v, santhosh %v (%.1fx), google %v (%.1fx)", c.name, best["ours"],
			best["santhosh"], float64(best["santhosh"])/float64(best["ours"]),
			best["google"], float64(best["google"])/float64(best["ours"]))
		if best["ours"] > best["santhosh"] || best["ours"] > best["google"] {
			t.Errorf("%s: another library is faster", c.name)
		}
	}
}
