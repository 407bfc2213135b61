package jsonschema

import (
	"reflect"
	"strings"
	"testing"
)

const searchSchema = `{
	"type": "object",
	"properties": {
		"query": {"type": "string", "minLength": 1},
		"limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 10},
		"order": {"enum": ["newest", "oldest"]},
		"tags": {"type": "array", "items": {"type": "string", "pattern": "^[a-z]+$"}, "uniqueItems": true},
		"price": {"type": "number", "multipleOf": 0.01},
		"in": {"$ref": "#/$defs/place"}
	},
	"required": ["query"],
	"additionalProperties": false,
	"$defs": {"place": {"anyOf": [{"type": "string"}, {"type": "null"}]}}
}`

func TestAValidSearchPasses(t *testing.T) {
	s := MustCompile(searchSchema)
	for _, data := range []string{
		`{"query":"a"}`,
		`{"query":"é","limit":100,"order":"oldest","tags":["a","b"],"price":0.07,"in":null}`,
		"{\"qu\\u0065ry\" : \"a\" ,\t\"order\":\"n\\u0065west\"}",
		`{"query":"a","limit":1e1}`,
	} {
		if err := s.Validate([]byte(data)); err != nil {
			t.Errorf("%s: %v", data, err)
		}
	}
}

func TestAFailureSaysWhatToChange(t *testing.T) {
	s := MustCompile(searchSchema)
	for _, c := range []struct{ data, want string }{
		{`{"query":"a","limit":500}`, `/limit: 500 is more than the maximum 100`},
		{`{"limit":0}`, `/limit: 0 is less than the minimum 1; missing required property "query"; properties are: query, limit, order, tags, price, in`},
		{`{"query":"a","ordr":"newest"}`, `unknown property "ordr", did you mean "order"?; properties are: query, limit, order, tags, price, in`},
		{`{"query":"","tags":["a","B","a"]}`, `/query: must have at least 1 character, not 0; /tags/1: "B" does not match the pattern "^[a-z]+$"; /tags: "a" is in the list twice, but items must be unique`},
		{`{"query":"a","order":"best"}`, `/order: "best" is not one of the allowed values: "newest", "oldest"`},
		{`{"query":"a","price":0.071}`, `/price: 0.071 is not a multiple of 0.01`},
		{`{"query":"a","in":7}`, `/in: must be a string or null, not a number (7)`},
		{`[]`, `must be an object, not an array`},
		{`{"query":"a"`, ErrMalformed.Error()},
	} {
		err := s.Validate([]byte(c.data))
		if err == nil || err.Error() != c.want {
			t.Errorf("%s:\n got %v\nwant %s", c.data, err, c.want)
		}
	}
}

func TestValidatingAllocatesNothing(t *testing.T) {
	s := MustCompile(searchSchema)
	data := []byte(`{"query":"what \u0061 day","limit":50,"order":"oldest","tags":["a","b"],"price":0.07,"in":null}`)
	if n := fewestAllocs(func() {
		if err := s.Validate(data); err != nil {
			t.Fatal(err)
		}
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// fewestAllocs returns the smallest number of allocations of f in several runs. In some runs, the
// garbage collector or the race detector empties the pool of validators.
func fewestAllocs(f func()) float64 {
	fewest := testing.AllocsPerRun(1, f)
	for range 50 {
		fewest = min(fewest, testing.AllocsPerRun(1, f))
	}
	return fewest
}

func BenchmarkSixFields(b *testing.B) {
	s := MustCompile(`{"type":"object","properties":{
		"package":{"type":"string","minLength":1},"symbol":{"type":"string","maxLength":200},
		"version":{"type":"string","pattern":"^v?[0-9]+(\\.[0-9]+)*$"},"limit":{"type":"integer","minimum":1,"maximum":100},
		"language":{"type":"string","enum":["go","npm","python","rust","swift"]},
		"tags":{"type":"array","items":{"type":"string"},"maxItems":10}},"required":["package"],"additionalProperties":false}`)
	data := []byte(`{"package":"encoding/json","symbol":"Decoder.Decode","version":"v1.26.0","limit":20,"language":"go","tags":["stream","token"]}`)
	b.ReportAllocs()
	for b.Loop() {
		if err := s.Validate(data); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkRefused measures a call with invalid arguments, which needs two passes and a message.
func BenchmarkRefused(b *testing.B) {
	s := MustCompile(searchSchema)
	data := []byte(`{"query":"what a day","limit":500,"odrer":"oldest"}`)
	b.ReportAllocs()
	for b.Loop() {
		if s.Validate(data) == nil {
			b.Fatal("accepted")
		}
	}
}

func BenchmarkLongString(b *testing.B) {
	s := MustCompile(`{"type":"object","properties":{"text":{"type":"string","maxLength":100000}}}`)
	data := []byte(`{"text":"` + strings.Repeat("a line of text with \\\"quotes\\\" and é\\n", 1700) + `"}`)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if err := s.Validate(data); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCompile(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Compile([]byte(searchSchema), nil); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFor(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := For(reflect.TypeFor[zoo](), ForOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}
