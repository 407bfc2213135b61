package jsonschema

import (
	"fmt"
	"strings"
	"testing"
)

func TestDefaultsFillInWhatIsMissing(t *testing.T) {
	const list = `{"type":"object","properties":{
		"limit":{"default":10},"order":{"$ref":"#/$defs/order"},"plain":{},
		"filter":{"properties":{"deep":{"default":[1, 2]}}},
		"rows":{"items":{"$ref":"#/$defs/row"}},
		"pair":{"prefixItems":[{"$ref":"#/$defs/row"}],"items":{"properties":{"z":{"default":null}}}},
		"maybe":{"anyOf":[{"$ref":"#/$defs/row"},{"type":"null"}]}
	},"additionalProperties":{"$ref":"#/$defs/row"},
	"$defs":{"order":{"default":"new\"est"},"row":{"properties":{"n":{"default":0},"sub":{"$ref":"#/$defs/row"}}}}}`
	for _, c := range []struct{ name, schema, data, want string }{
		{"an empty object", list, `{}`, `{"limit":10,"order":"new\"est"}`},
		{"white space", list, " {\n\"plain\" : 1\n} ", " {\n\"plain\" : 1,\"limit\":10,\"order\":\"new\\\"est\"\n} "},
		{"nothing missing", list, `{"order":1,"limit":2}`, ``},
		{"a name with escapes is there", list, `{"\u006frder":1,"limit":2}`, ``},
		{"null is there", list, `{"limit":null,"order":null}`, ``},
		{"nested", list, `{"limit":1,"order":1,"filter":{}}`, `{"limit":1,"order":1,"filter":{"deep":[1, 2]}}`},
		{"in lists", list, `{"limit":1,"order":1,"rows":[{},{"n":1},5,{"sub":{"sub":{}}}]}`,
			`{"limit":1,"order":1,"rows":[{"n":0},{"n":1},5,{"sub":{"sub":{"n":0},"n":0},"n":0}]}`},
		{"in tuples", list, `{"limit":1,"order":1,"pair":[{},{}]}`, `{"limit":1,"order":1,"pair":[{"n":0},{"z":null}]}`},
		{"something or null", list, `{"limit":1,"order":1,"maybe":{}}`, `{"limit":1,"order":1,"maybe":{"n":0}}`},
		{"null itself", list, `{"limit":1,"order":1,"maybe":null}`, ``},
		{"other members", list, `{"limit":1,"order":1,"x":{}}`, `{"limit":1,"order":1,"x":{"n":0}}`},
		{"not an object", list, `[{}]`, ``},
		{"broken text", list, `{"filter":{},"limit":`, ``},
		{"allOf", `{"allOf":[{"properties":{"a":{"default":1}}},{"properties":{"a":{"default":2},"b":{"default":3}}}]}`, `{}`, `{"a":1,"b":3}`},
		{"recursive", `{"properties":{"v":{"default":1},"next":{"$ref":"#"}}}`, `{"next":{"next":{}}}`, `{"next":{"next":{"v":1},"v":1},"v":1}`},
	} {
		s := MustCompile(c.schema)
		if !s.HasDefaults() {
			t.Errorf("%s: no defaults", c.name)
		}
		out, changed := s.AppendDefaults([]byte("> "), []byte(c.data))
		want := "> " + c.want
		if string(out) != want || changed != (c.want != "") {
			t.Errorf("%s: %s\n got %s %v\nwant %s", c.name, c.data, out, changed, want)
		}
	}
}

func TestWithoutDefaultsThereIsNothingToDo(t *testing.T) {
	s := MustCompile(`{"properties":{"a":{"default":1}},"$defs":{"b":{"properties":{"c":{}}}}}`)
	sub, err := s.Sub("#/$defs/b")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []*Schema{sub, MustCompile(`{"properties":{"a":{}}}`), MustCompile(`true`), MustCompile(`{"default":{}}`)} {
		if out, changed := s.AppendDefaults(nil, []byte(`{}`)); s.HasDefaults() || changed || out != nil {
			t.Errorf("got %s, %v", out, changed)
		}
	}
}

func TestManyDefaultsOfOneObject(t *testing.T) {
	var parts, want []string
	for i := range 100 {
		parts = append(parts, fmt.Sprintf(`"p%d":{"default":%d}`, i, i))
		want = append(want, fmt.Sprintf(`"p%d":%d`, i, i))
	}
	s := MustCompile(`{"properties":{` + strings.Join(parts, ",") + `}}`)
	out, _ := s.AppendDefaults(nil, []byte(`{"p0":0}`))
	if string(out) != "{"+strings.Join(want, ",")+"}" {
		t.Errorf("got %s", out)
	}
}

func TestFindingNothingMissingAllocatesNothing(t *testing.T) {
	s := MustCompile(searchSchema)
	data := []byte(`{"query":"a","limit":5,"tags":["a"]}`)
	if n := testing.AllocsPerRun(100, func() {
		if _, changed := s.AppendDefaults(nil, data); changed {
			t.Fatal("changed")
		}
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
	buf, short := make([]byte, 0, 100), []byte(`{"query":"a"}`)
	if n := testing.AllocsPerRun(100, func() { buf, _ = s.AppendDefaults(buf[:0], short) }); n > 0 {
		t.Errorf("%v allocations to fill in", n)
	}
}

func TestDefaultsThatGrowWithoutMeasureAreLeftOut(t *testing.T) {
	s := MustCompile(`{"items":{"properties":{"a":{"default":"` + strings.Repeat("x", 1<<20) + `"}}}}`)
	if out, changed := s.AppendDefaults(nil, []byte(`[{}`+strings.Repeat(`,{}`, 1000)+`]`)); changed {
		t.Errorf("grew to %d bytes", len(out))
	}
	if out, changed := s.AppendDefaults(nil, []byte(`[{},{}]`)); !changed || len(out) < 2<<20 {
		t.Errorf("%d bytes, %v", len(out), changed)
	}
}
