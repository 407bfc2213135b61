package jsonschema

import (
	"encoding/json"
	"testing"
)

func TestWithoutNulls(t *testing.T) {
	const schema = `{"type":"object","properties":{
		"name":{"type":"string"},"city":{"type":"string"},"days":{"$ref":"#/$defs/count"},
		"maybe":{"type":["string","null"]},"any":{},"one":{"enum":[1,null]},
		"inner":{"type":"object","properties":{"deep":{"type":"integer"},"need":{"type":"integer"}},"required":["need"]},
		"rows":{"items":{"properties":{"n":{"type":"number"}}}},
		"pair":{"prefixItems":[{"properties":{"n":{"type":"number"}}}]},
		"either":{"anyOf":[{"type":"null"},{"type":"object","properties":{"n":{"type":"number"}}}]}
	},"required":["name"],"additionalProperties":{"type":"string"},"$defs":{"count":{"type":"integer"}}}`
	s := MustCompile(schema)
	for _, c := range []struct{ name, data, want string }{
		{"the only member", `{"city":null}`, `{}`},
		{"the first", `{"city":null,"name":"a"}`, `{"name":"a"}`},
		{"the first two", `{ "city" : null , "days":null , "name":"a"}`, `{ "name":"a"}`},
		{"the last", `{"name":"a","city":null}`, `{"name":"a"}`},
		{"in the middle", `{"name":"a","city":null,"days":1}`, `{"name":"a","days":1}`},
		{"all", `{"city":null,"days":null}`, `{}`},
		{"a name with escapes", `{"c\u0069ty":null}`, `{}`},
		{"through a reference", `{"days":null}`, `{}`},
		{"required", `{"name":null}`, ``},
		{"null is allowed", `{"maybe":null,"any":null,"one":null}`, ``},
		{"not a property", `{"other":null}`, ``},
		{"inside", `{"inner":{"deep":null,"need":null}}`, `{"inner":{"need":null}}`},
		{"in lists", `{"rows":[{"n":null},{"n":1},null]}`, `{"rows":[{},{"n":1},null]}`},
		{"in tuples", `{"pair":[{"n":null},{"n":null}]}`, `{"pair":[{},{"n":null}]}`},
		{"something or null", `{"either":{"n":null}}`, `{"either":{}}`},
		{"either is null", `{"either":null}`, ``},
		{"no object", `[null]`, ``},
		{"malformed", `{"city":null,"name":`, ``},
	} {
		out, changed := s.WithoutNulls([]byte(c.data))
		want := c.want
		if want == "" {
			want = c.data
		}
		if compacted(t, string(out)) != compacted(t, want) || changed != (c.want != "") {
			t.Errorf("%s: %s\n got %s %v\nwant %s", c.name, c.data, out, changed, want)
		}
	}
}

// compacted returns JSON text without white space. It returns other text unchanged.
func compacted(t *testing.T, text string) string {
	t.Helper()
	if !json.Valid([]byte(text)) {
		return text
	}
	var v json.RawMessage
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	compact, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(compact)
}
