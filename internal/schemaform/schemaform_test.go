package schemaform

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func TestProperties(t *testing.T) {
	for _, tt := range []struct {
		name, schema string
		want         string // name:kind, with ! if it is required
	}{
		{"keep their order", `{"properties":{"b":{"type":"string"},"a":{"type":"integer"}},"required":["a"]}`, "b:string a:integer!"},
		{"name what there is to choose from", `{"properties":{"u":{"enum":["c","f"]},"o":{"oneOf":[{"const":1,"title":"One"},{"const":2}]}}}`, "u:c|f o:1|2"},
		{"have several types", `{"properties":{"n":{"type":["string","null"]},"x":true,"l":{"type":"array","items":{"type":"number"}}}}`, "n:string x:any l:list of number"},
		{"follow references", `{"properties":{"p":{"$ref":"#/$defs/P"},"l":{"type":"array","items":{"$ref":"#/definitions/a~1b"}}},"$defs":{"P":{"$ref":"#/$defs/Q"},"Q":{"type":"object"}},"definitions":{"a/b":{"type":"string"}}}`, "p:object l:list of string"},
		{"end at references that never end", `{"properties":{"p":{"$ref":"#/$defs/P"}},"$defs":{"P":{"$ref":"#/$defs/P","type":"string"}}}`, "p:string"},
		{"leave out what is malformed", `{"properties":{"a":{"type":5,"title":"A"},"b":{"$ref":"other.json"},"c":"x"}}`, "a:any b:any c:any"},
		{"are none in another schema", `[]`, ""},
		{"are none in a schema that ends early", `{"properties":{"a":`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, p := range Properties(json.RawMessage(tt.schema)) {
				one := p.Name + ":" + p.Kind()
				if p.Required {
					one += "!"
				}
				got = append(got, one)
			}
			if text := strings.Join(got, " "); text != tt.want {
				t.Errorf("got %q, want %q", text, tt.want)
			}
		})
	}
}

func TestProperties_WhatStandsBesideAReferenceCounts(t *testing.T) {
	all := Properties(json.RawMessage(`{"properties":{"p":{"$ref":"#/$defs/P","description":"mine"}},"$defs":{"P":{"type":"string","description":"theirs","title":"T"}}}`))
	if len(all) != 1 || all[0].Description != "mine" || all[0].Title != "T" || string(all[0].Schema) != `{"type":"string","description":"theirs","title":"T"}` {
		t.Errorf("got %+v", all)
	}
}

func TestParse(t *testing.T) {
	for _, tt := range []struct{ schema, typed, want string }{
		{`{"type":"string"}`, "5", `"5"`},
		{`{}`, "5", `"5"`},
		{`{"type":"number"}`, "9007199254740993", "9007199254740993"},
		{`{"type":"integer"}`, " 5 ", "5"},
		{`{"type":"integer"}`, "five", `"five" is not of type integer`},
		{`{"type":"boolean"}`, "true", "true"},
		{`{"type":["integer","string"]}`, "five", `"five"`},
		{`{"type":["integer","null"]}`, "null", "null"},
		{`{"type":"object"}`, `{"a":1}`, `{"a":1}`},
		{`{"type":"array","items":{"type":"integer"}}`, "5", "5"},
		{`{"type":"array","items":{"type":"integer"}}`, "[5]", "[5]"},
		{`{"type":"array"}`, "x", `"x"`},
	} {
		var p Property
		if err := json.Unmarshal([]byte(tt.schema), &p); err != nil {
			t.Fatal(err)
		}
		got, err := p.Parse(tt.typed)
		if text := fmt.Sprintf("%s%v", got, err); strings.TrimSuffix(text, "<nil>") != tt.want {
			t.Errorf("%q for %s is %s, want %s", tt.typed, tt.schema, text, tt.want)
		}
	}
}
