package jsonschema

import (
	"errors"
	"testing"
)

func TestMessagesTellAModelHowToCorrectItsCall(t *testing.T) {
	for _, c := range []struct{ name, schema, data, want string }{
		{"several types", `{"type":["string","integer"]}`, `1.5`, `must be a string or an integer, not a number (1.5)`},
		{"a number in quotes", `{"properties":{"n":{"type":"integer"}}}`, `{"n":"7"}`, `/n: must be an integer, not a string ("7")`},
		{"null", `{"properties":{"n":{"type":"integer"}}}`, `{"n":null}`, `/n: must be an integer, not null`},
		{"const", `{"const":{"a":1}}`, `{"a":2}`, `must be {"a":1}, not {"a":2}`},
		{"exclusive bounds", `{"exclusiveMinimum":0,"exclusiveMaximum":10}`, `10`, `10 is not less than 10`},
		{"exclusive bounds", `{"exclusiveMinimum":0,"exclusiveMaximum":10}`, `-0.5`, `-0.5 is not more than 0`},
		{"lengths are code points", `{"maxLength":1}`, `"😀é"`, `must have at most 1 character, not 2`},
		{"lengths of escapes", `{"maxLength":3}`, `"\u00e9\ud83d\ude00\n\\"`, `must have at most 3 characters, not 4`},
		{"lengths of escapes", `{"minLength":3}`, `"\\é"`, `must have at least 3 characters, not 2`},
		{"several missing", `{"required":["a","b"],"properties":{"a":{},"b":{},"c":{}}}`, `{}`, `missing required properties "a", "b"; properties are: a, b, c`},
		{"misspelt", `{"properties":{"projectPath":{},"package":{}},"additionalProperties":false}`, `{"project_path":1,"pakage":2,"xyz":3}`,
			`unknown property "project_path", did you mean "projectPath"?; properties are: projectPath, package; unknown property "pakage", did you mean "package"?; unknown property "xyz"`},
		{"not every name is a misspelling", `{"properties":{"a":{}},"additionalProperties":false}`, `{"b":1}`, `unknown property "b"; properties are: a`},
		{"a part of the name", `{"properties":{"limit":{},"projectPath":{}},"additionalProperties":false}`, `{"path":1}`,
			`unknown property "path", did you mean "projectPath"?; properties are: limit, projectPath`},
		{"unevaluated", `{"allOf":[{"properties":{"a":{}}}],"unevaluatedProperties":false}`, `{"a":1,"b":2}`, `unknown property "b"`},
		{"too many items", `{"prefixItems":[{},{}],"items":false}`, `[1,2,3,4]`, `must have at most 2 items`},
		{"items", `{"minItems":2}`, `[1]`, `must have at least 2 items, not 1`},
		{"members", `{"maxProperties":1}`, `{"a":1,"b":2}`, `must have at most 1 property, not 2`},
		{"contains", `{"contains":{"const":1},"minContains":2}`, `[1]`, `must contain at least 2 items that match the schema of contains, not 1`},
		{"a property name", `{"propertyNames":{"pattern":"^[a-z]+$"}}`, `{"A":1}`, `property name "A": "A" does not match the pattern "^[a-z]+$"`},
		{"a dependency", `{"dependentRequired":{"card":["address"]}}`, `{"card":1}`, `property "address" is required with "card"`},
		{"not", `{"not":{"type":"string"}}`, `"x"`, `"x" is excluded by the schema`},
		{"never", `{"properties":{"a":false}}`, `{"a":1}`, `/a: no value is allowed here`},
		{"alternatives that differ by type", `{"anyOf":[{"type":"string"},{"type":"array","items":{"type":"string"}}]}`, `[1]`, `/0: must be a string, not a number (1)`},
		{"alternatives of values", `{"anyOf":[{"const":"a"},{"enum":["b","c"]}]}`, `"d"`, `"d" is not one of the allowed values: "a", "b", "c"`},
		{"alternatives told apart by a constant", `{"oneOf":[{"properties":{"kind":{"const":"circle"},"r":{"type":"number"}},"required":["kind","r"]},{"properties":{"kind":{"const":"square"},"a":{}},"required":["kind","a"]}]}`,
			`{"kind":"circle","r":"1"}`, `/r: must be a number, not a string ("1")`},
		{"alternatives that are alike", `{"anyOf":[{"required":["a"]},{"required":["b"]}]}`, `{}`,
			`matches none of the 2 alternatives: (1) missing required property "a", (2) missing required property "b"`},
		{"too many alternatives match", `{"oneOf":[{"type":"number"},{"type":"integer"}]}`, `1`, `matches more than one of the alternatives where exactly one is allowed`},
		{"if then", `{"if":{"required":["a"]},"then":{"required":["b"]},"else":{"required":["c"]}}`, `{"a":1}`, `missing required property "b"`},
		{"names with slashes", `{"properties":{"a/b~c":{"type":"null"}}}`, `{"a/b~c":[1]}`, `/a~1b~0c: must be null, not an array`},
		{"names with escapes", `{"properties":{"é":{"properties":{"x":{"type":"null"}}}}}`, `{"\u00e9":{"x":1}}`, `/é/x: must be null, not a number (1)`},
		{"deep in lists", `{"items":{"items":{"maximum":1}}}`, `[[0],[0, 2]]`, `/1/1: 2 is more than the maximum 1`},
		{"large numbers as they are written", `{"maximum":9007199254740992}`, `9007199254740993`, `9007199254740993 is more than the maximum 9007199254740992`},
	} {
		s, err := Compile([]byte(c.schema), nil)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		err = s.Validate([]byte(c.data))
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: %s\n%s\n got %v\nwant %s", c.name, c.schema, c.data, err, c.want)
		}
	}
}

func TestFailuresAreListedUpToABound(t *testing.T) {
	s := MustCompile(`{"items":{"type":"string"}}`)
	err := s.Validate([]byte(`[1,2,3,4,5,6,7,8,9,10]`))
	invalid, ok := errors.AsType[*ValidationError](err)
	if !ok || len(invalid.Failures) != 8 || !invalid.More {
		t.Fatalf("got %v", err)
	}
	want := Failure{Pointer: "/7", Keyword: "type", Schema: "#/items", Message: "must be a string, not a number (8)"}
	if invalid.Failures[7] != want {
		t.Errorf("got %+v", invalid.Failures[7])
	}
}

func TestFormatsAreOnlyAssertedWhenAsked(t *testing.T) {
	schema := `{"properties":{"day":{"format":"date"},"odd":{"format":"no-such-format"}}}`
	data := []byte(`{"day":"tomorrow","odd":"x"}`)
	if err := MustCompile(schema).Validate(data); err != nil {
		t.Error(err)
	}
	s, err := Compile([]byte(schema), &Options{AssertFormat: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(data); err == nil || err.Error() != `/day: "tomorrow" is not a date such as 2006-01-02` {
		t.Errorf("got %v", err)
	}
}
