package jsonschema

import (
	"strings"
	"testing"
)

func TestAWrongSchemaSaysWhereAndWhat(t *testing.T) {
	for _, c := range []struct{ schema, want string }{
		{`5`, `schema #: a schema must be an object or a boolean, not 5`},
		{`{"properties":{"limit":{"type":"int"}}}`, `schema #/properties/limit: type: "int" is not a type; the types are null, boolean, integer, number, string, array and object`},
		{`{"properties":{"limit":{"minimum":"1"}}}`, `schema #/properties/limit: minimum: it must be a number, not "1"`},
		{`{"properties":[1]}`, `schema #: properties: it must be an object of schemas, not an array`},
		{`{"items":[{"type":"string"}]}`, `schema #: items: it must be a schema; a list of schemas is written as prefixItems`},
		{`{"anyOf":[]}`, `schema #: anyOf: it must be a list of at least one schema, not an array`},
		{`{"required":"name"}`, `schema #: required: it must be a list of names, not "name"`},
		{`{"required":[1]}`, `schema #: required: it must be a list of names, but one is 1`},
		{`{"maxLength":-1}`, `schema #: maxLength: it must be an integer of 0 or more, not -1`},
		{`{"minItems":1.5}`, `schema #: minItems: it must be an integer of 0 or more, not 1.5`},
		{`{"multipleOf":0}`, `schema #: multipleOf: it must be a number above 0, not 0`},
		{`{"uniqueItems":"yes"}`, `schema #: uniqueItems: it must be true or false, not "yes"`},
		{`{"enum":"a"}`, `schema #: enum: it must be a list of values, not "a"`},
		{`{"type":[]}`, `schema #: type: it must name at least one type`},
		{`{"pattern":"["}`, `schema #: pattern: the pattern "[" has a '[' without ']'`},
		{`{"patternProperties":{"(?!a)":{}}}`, `schema #: patternProperties: the pattern "(?!a)" uses lookahead or lookbehind, which is not supported`},
		{`{"allOf":[{"$ref":"#/$defs/a"}]}`, `schema #/allOf/0: $ref: "#/$defs/a" refers to a location that does not exist`},
		{`{"$ref":"#a"}`, `schema #: $ref: "#a" refers to an anchor that does not exist`},
		{`{"$ref":5}`, `schema #: $ref: it must be a string, not 5`},
		{`{"$ref":"%"}`, `schema #: $ref: "%" is not a URI reference`},
		{`{"$id":"a#b"}`, `schema #: $id: it must not have a fragment; use $anchor`},
		{`{"$anchor":"1a"}`, `schema #: $anchor: "1a" is not a name of letters, digits, '-', '_' and '.'`},
		{`{"$defs":{"a":{"$anchor":"x"},"b":{"$anchor":"x"}}}`, `schema #/$defs/b: $anchor: the anchor "x" is used twice`},
		{`{"$defs":{"a":{"$id":"x"},"b":{"$id":"x"}}}`, `schema #/$defs/b: $id: "x" is also the $id of another schema`},
		{`{"$schema":"http://json-schema.org/draft-04/schema#"}`, `schema #: $schema: the dialect "http://json-schema.org/draft-04/schema#" is not supported; drafts 2020-12, 2019-09 and 07 are, such as "https://json-schema.org/draft/2020-12/schema"`},
		{`{"$defs":{"a/b~c":{"type":7}}}`, `schema #/$defs/a~1b~0c: type: 7 is not a type; the types are null, boolean, integer, number, string, array and object`},
		{`{"dependentRequired":{"a":"b"}}`, `schema #: dependentRequired: it must be a list of names, not "b"`},
		{`{"format":1}`, `schema #: format: it must be a string, not 1`},
	} {
		_, err := Compile([]byte(c.schema), nil)
		if err == nil || err.Error() != c.want {
			t.Errorf("%s:\n got %v\nwant %s", c.schema, err, c.want)
		}
	}
}

func TestStrictAlsoAsksTheMetaschema(t *testing.T) {
	for _, c := range []struct{ schema, want string }{
		{`{"required":["a","a"]}`, `schema #/required: "a" is in the list twice, but items must be unique`},
		{`{"properties":{"a":{"examples":"b"}}}`, `schema #/properties/a/examples: must be an array, not a string ("b")`},
		{`{"$schema":"http://json-schema.org/draft-07/schema#","enum":[]}`, `schema #/enum: must have at least 1 item, not 0`},
		{`{"$schema":"https://json-schema.org/draft/2019-09/schema","readOnly":1}`, `schema #/readOnly: must be a boolean, not a number (1)`},
	} {
		if _, err := Compile([]byte(c.schema), nil); err != nil {
			t.Errorf("%s: %v", c.schema, err)
		}
		_, err := Compile([]byte(c.schema), &Options{Strict: true})
		if err == nil || err.Error() != c.want {
			t.Errorf("%s:\n got %v\nwant %s", c.schema, err, c.want)
		}
	}
	if _, err := Compile([]byte(searchSchema), &Options{Strict: true}); err != nil {
		t.Error(err)
	}
}

func TestEachDraftHasItsOwnKeywords(t *testing.T) {
	const d7, d2019 = `"$schema":"http://json-schema.org/draft-07/schema#"`, `"$schema":"https://json-schema.org/draft/2019-09/schema"`
	for _, c := range []struct {
		schema, data string
		valid        bool
	}{
		{`{` + d7 + `,"items":[{"type":"string"}],"additionalItems":false}`, `["a",1]`, false},
		{`{` + d7 + `,"items":[{"type":"string"}],"additionalItems":{"type":"integer"}}`, `["a",1]`, true},
		{`{` + d7 + `,"$ref":"#/definitions/a","maximum":1,"definitions":{"a":{"type":"integer"}}}`, `5`, true},
		{`{"$ref":"#/definitions/a","maximum":1,"definitions":{"a":{"type":"integer"}}}`, `5`, false},
		{`{` + d7 + `,"dependencies":{"a":["b"],"c":{"required":["d"]}}}`, `{"a":1}`, false},
		{`{` + d7 + `,"dependencies":{"a":["b"],"c":{"required":["d"]}}}`, `{"c":1}`, false},
		{`{` + d7 + `,"dependencies":{"a":["b"],"c":{"required":["d"]}}}`, `{"a":1,"b":2}`, true},
		{`{` + d7 + `,"definitions":{"a":{"$id":"#x","type":"null"}},"items":{"$ref":"#x"}}`, `[1]`, false},
		{`{` + d7 + `,"unevaluatedProperties":false,"dependentRequired":{"a":["b"]},"minContains":5}`, `{"a":1}`, true},
		{`{"$schema":"https://json-schema.org/draft-07/schema","$ref":"#/definitions/a","type":"string","definitions":{"a":true}}`, `5`, true},
		{`{` + d2019 + `,"items":[{"type":"string"}],"additionalItems":false}`, `["a",1]`, false},
		{`{` + d2019 + `,"$recursiveAnchor":true,"properties":{"a":{"$recursiveRef":"#"}},"additionalProperties":false}`, `{"a":{"b":1}}`, false},
		{`{` + d2019 + `,"contains":{"type":"string"},"unevaluatedItems":false}`, `["a"]`, false},
		{`{"contains":{"type":"string"},"unevaluatedItems":false}`, `["a"]`, true},
		{`{"prefixItems":[{"type":"string"}],"items":false}`, `["a",1]`, false},
		// A draft ignores the keywords of later drafts, even if their form is wrong.
		{`{` + d2019 + `,"prefixItems":{}}`, `[1]`, true},
		{`{` + d2019 + `,"prefixItems":[{"type":"string"}]}`, `[1]`, true},
		{`{` + d7 + `,"prefixItems":{},"$defs":[],"dependentSchemas":[],"dependentRequired":7}`, `[1]`, true},
		{`{` + d7 + `,"unevaluatedItems":[],"unevaluatedProperties":"x","contentSchema":7}`, `{"a":1}`, true},
		{`{` + d7 + `,"$defs":{"a":{"type":"null"}},"items":{"$ref":"#/$defs/a"}}`, `[1]`, false},
	} {
		s, err := Compile([]byte(c.schema), nil)
		if err != nil {
			t.Errorf("%s: %v", c.schema, err)
			continue
		}
		if err := s.Validate([]byte(c.data)); (err == nil) != c.valid {
			t.Errorf("%s\n%s: %v", c.schema, c.data, err)
		}
	}
}

func TestResourcesAreTheOnlyOtherSchemas(t *testing.T) {
	opts := &Options{Resources: map[string][]byte{
		"https://example.com/address.json": []byte(`{"properties":{"zip":{"$ref":"types.json#/$defs/zip"}}}`),
		"https://example.com/types.json":   []byte(`{"$defs":{"zip":{"type":"string","pattern":"^\\d{5}$"}}}`),
	}}
	s, err := Compile([]byte(`{"$id":"https://example.com/order.json","properties":{"to":{"$ref":"address.json"}}}`), opts)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Validate([]byte(`{"to":{"zip":"12345"}}`)); err != nil {
		t.Error(err)
	}
	err = s.Validate([]byte(`{"to":{"zip":"1234"}}`))
	if err == nil || err.Error() != `/to/zip: "1234" does not match the pattern "^\\d{5}$"` {
		t.Errorf("got %v", err)
	}
}

func TestSubFindsSchemasByPointerAndAnchor(t *testing.T) {
	s := MustCompile(`{"$defs":{"A":{"$anchor":"a","type":"string"},"B/C":{"items":{"type":"null"}}},"properties":{"x":{"$ref":"#a"}}}`)
	for fragment, data := range map[string]string{"#": `{}`, "#/$defs/A": `"x"`, "#a": `"x"`, "#/$defs/B~1C": `[null]`, "#/$defs/B~1C/items": `null`, "#/properties/x": `"x"`} {
		sub, err := s.Sub(fragment)
		if err != nil {
			t.Errorf("%s: %v", fragment, err)
		} else if err := sub.Validate([]byte(data)); err != nil {
			t.Errorf("%s: %v", fragment, err)
		}
	}
	for _, fragment := range []string{"", "#/$defs", "#/$defs/X", "#b"} {
		if _, err := s.Sub(fragment); err == nil || !strings.Contains(err.Error(), "there is no schema at this location") {
			t.Errorf("%q: %v", fragment, err)
		}
	}
}

func TestMustCompilePanicsOnAWrongSchema(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	MustCompile(`{"type":1}`)
}
