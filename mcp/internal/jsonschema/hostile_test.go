package jsonschema

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// nest returns a text with n levels of nesting.
func nest(open, inner, closing string, n int) string {
	return strings.Repeat(open, n) + inner + strings.Repeat(closing, n)
}

// within fails the test if f takes much longer than it does when limits are in force.
func within(t *testing.T, f func()) {
	t.Helper()
	start := time.Now()
	f()
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("took %v", d)
	}
}

func TestHostileSchemasAreRefused(t *testing.T) {
	many := make([]string, 30_000)
	for i := range many {
		many[i] = fmt.Sprintf(`"p%d":{}`, i)
	}
	for _, c := range []struct{ name, schema, want string }{
		{"too large", `{"title":"` + strings.Repeat("x", 5<<20) + `"}`, "more than the limit"},
		{"too deep", nest(`{"not":`, `{}`, `}`, 300), "nested too deeply"},
		{"too deep by far", nest(`[`, ``, `]`, 200_000), ""},
		{"too many subschemas", `{"properties":{` + strings.Join(many, ",") + `}}`, "more than 20000 subschemas"},
		{"itself", `{"$ref":"#"}`, "applies itself endlessly to the same value"},
		{"itself by another", `{"$ref":"#/$defs/a","$defs":{"a":{"anyOf":[{"type":"null"},{"$ref":"#/$defs/b"}]},"b":{"$ref":"#/$defs/a"}}}`, "applies itself endlessly to the same value"},
		{"itself by a dependency", `{"dependentSchemas":{"a":{"$ref":"#"}}}`, "applies itself endlessly to the same value"},
		{"network", `{"items":{"$ref":"https://example.com/schema.json#/a"}}`, `schema #/items: $ref: "https://example.com/schema.json#/a" is not part of this schema, and other schemas are never fetched`},
		{"file", `{"$ref":"file:///etc/passwd"}`, "never fetched"},
		{"metaschema from the network", `{"$schema":"https://example.com/my-dialect"}`, `the dialect "https://example.com/my-dialect" is not supported`},
		{"huge repetition", `{"pattern":"^(\\w{1000}){1000}$"}`, "pattern"},
		{"huge repetition in a row", `{"pattern":"` + strings.Repeat(`\\w{1000}`, 40) + `"}`, "too large"},
		{"deep groups", `{"pattern":"` + nest("(", "a", ")", 3000) + `"}`, "nests groups too deeply"},
		{"huge divisor", `{"multipleOf":` + strings.Repeat("9", 5000) + `}`, "more than 1000 characters"},
		{"two members of one name", `{"type":"string","type":"number"}`, `the member "type" twice`},
		{"not UTF-8", "{\"title\":\"\xff\"}", "not valid UTF-8"},
		{"not JSON", `{"type":}`, "not valid JSON"},
	} {
		t.Run(c.name, func(t *testing.T) {
			within(t, func() {
				_, err := Compile([]byte(c.schema), nil)
				if _, ok := errors.AsType[*CompileError](err); !ok || !strings.Contains(err.Error(), c.want) {
					t.Errorf("got %v, want …%s…", err, c.want)
				}
				if err != nil && len(err.Error()) > 2000 {
					t.Errorf("the error has %d bytes", len(err.Error()))
				}
			})
		})
	}
}

func TestLongPathsTakeNoRoom(t *testing.T) {
	parts := make([]string, 10_000)
	for i := range parts {
		parts[i] = fmt.Sprintf(`"p%d":{"type":"string"}`, i)
	}
	name := strings.Repeat("n", 1<<20)
	s, err := Compile([]byte(`{"properties":{"`+name+`":{"properties":{`+strings.Join(parts, ",")+`}}}}`), nil)
	if err != nil {
		t.Fatal(err)
	}
	within(t, func() {
		err := s.Validate([]byte(`{"` + name + `":{"p1":1}}`))
		if err == nil || len(err.Error()) > 5000 {
			t.Errorf("error of %d bytes", len(err.Error()))
		}
	})
}

func TestHostileValuesAreBounded(t *testing.T) {
	doubling := `{"$ref":"#/$defs/a0","$defs":{`
	for i := range 40 {
		doubling += fmt.Sprintf(`"a%d":{"allOf":[{"$ref":"#/$defs/a%d"},{"$ref":"#/$defs/a%d"}]},`, i, i+1, i+1)
	}
	doubling += `"a40":{"type":"string"}}}`
	tree := `{"anyOf":[{"properties":{"c":{"$ref":"#"}},"required":["x"]},{"properties":{"c":{"$ref":"#"}},"required":["y"]}]}`
	numbers := make([]string, 200_000)
	for i := range numbers {
		numbers[i] = fmt.Sprint(i)
	}
	names := make([]string, 2000)
	for i := range names {
		names[i] = fmt.Sprintf(`{"properties":{"a%d":{"type":"string"}},"patternProperties":{"b%d":false}}`, i, i)
	}
	for _, c := range []struct {
		name, schema, data string
		want               error
	}{
		{"references that double forty times", doubling, `"x"`, ErrTooComplex},
		{"alternatives that double at each level", tree, nest(`{"c":`, `{}`, `}`, 60), ErrTooComplex},
		{"deep value under a recursive schema", `{"items":{"$ref":"#"}}`, nest(`[`, ``, `]`, 1_000_000), ErrTooDeep},
		{"deep value that no schema looks at", `{"type":"array"}`, nest(`[`, ``, `]`, 1_000_000), nil},
		{"deep unique value", `{"uniqueItems":true}`, nest(`[`, `1,2`, `]`, 1_000_000), ErrTooDeep},
		{"many unique numbers", `{"uniqueItems":true}`, `[` + strings.Join(numbers, ",") + `]`, nil},
		{"many members against many alternatives", `{"anyOf":[` + strings.Join(names, ",") + `],"required":["q"]}`,
			`{` + strings.Repeat(`"bb":1,`, 50_000) + `"z":1}`, nil},
		{"an exponent without end", `{"type":"integer","maximum":5,"multipleOf":7}`, `1e1000000000000000000000000`, nil},
		{"an exponent without end below zero", `{"type":"number","exclusiveMinimum":0}`, `1e-1000000000000`, nil},
		{"a number without end", `{"multipleOf":0.000123456789012345678901234567890123}`, strings.Repeat("7", 500_000), nil},
		{"a string against a large pattern", `{"pattern":"(a?){500}a{500}$"}`, `"` + strings.Repeat("a", 1<<20) + `"`, ErrTooComplex},
		{"an enum of long arrays", `{"enum":[` + strings.TrimSuffix(strings.Repeat(`[[[[1,2]]]],`, 5000), ",") + `]}`, nest(`[`, `1,3`, `]`, 4), nil},
		{"a string of escapes", `{"maxLength":3}`, `"` + strings.Repeat(`\"`, 1<<20) + `"`, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := Compile([]byte(c.schema), nil)
			if err != nil {
				t.Fatal(err)
			}
			within(t, func() {
				err := s.Validate([]byte(c.data))
				if c.want != nil && !errors.Is(err, c.want) {
					t.Errorf("got %.200v, want %v", err, c.want)
				}
				if err != nil && len(err.Error()) > 3000 {
					t.Errorf("the error has %d bytes", len(err.Error()))
				}
			})
		})
	}
}

func TestAValueThatIsTooComplexToExplainIsStillRefusedWithWhatWasFound(t *testing.T) {
	s, err := Compile([]byte(`{"properties":{"a":{"type":"string"}},"additionalProperties":{"type":"integer"}}`), &Options{MaxSteps: 50})
	if err != nil {
		t.Fatal(err)
	}
	data := `{"a":1` + strings.Repeat(`,"b":2`, 100) + `}`
	err = s.Validate([]byte(data))
	invalid, ok := errors.AsType[*ValidationError](err)
	if !ok || !invalid.More || len(invalid.Failures) != 1 || invalid.Failures[0].Pointer != "/a" {
		t.Errorf("got %v", err)
	}
}

func TestBrokenTextIsAnErrorAndNoPanic(t *testing.T) {
	s := MustCompile(`{
		"properties": {"a": {"uniqueItems": true, "items": {"type": ["string", "integer", "null", "object"]}}, "s": {"pattern": "x"}},
		"patternProperties": {"^b": {"enum": [1, {"x": [1]}, "y"]}},
		"unevaluatedProperties": {"contains": {"const": [1, {"a": null}]}},
		"propertyNames": {"maxLength": 5}
	}`)
	whole := `{"a":["x\u00e9",1.5e3,{"b":null},-7],"b":{"x":[1]},"c":[[1,{"a":null}],true],"s":"\ud83d\ude00x"}`
	for i := range whole {
		if err := s.Validate([]byte(whole[:i])); err == nil {
			t.Errorf("%q is accepted", whole[:i])
		}
		for _, c := range []byte(`{}[]",:\x0 -e`) {
			broken := []byte(whole)
			broken[i] = c
			s.Validate(broken)
			s.AppendDefaults(nil, broken)
		}
	}
	for _, data := range []string{"", " ", "nul", "tru", "-", "+1", ".5", "'a'", "\x00", `{"a" 1}`, `{a:1}`, `{"a":1,}`, `1 2`, `{}}`, `"`, `"\`} {
		if err := s.Validate([]byte(data)); !errors.Is(err, ErrMalformed) {
			t.Errorf("%q: %v", data, err)
		}
	}
}

func TestHugeValuesAreCutInMessages(t *testing.T) {
	s := MustCompile(`{"properties":{"a":{"maxLength":3},"b":{"enum":["x"]},"c":{"type":"integer"},"d":{"const":1}},"additionalProperties":false}`)
	long := strings.Repeat("y", 100_000)
	for _, data := range []string{`{"a":"` + long + `"}`, `{"b":"` + long + `"}`, `{"c":"` + long + `"}`,
		`{"d":` + strings.Repeat("8", 1000) + `}`, `{"` + long + `":1}`} {
		err := s.Validate([]byte(data))
		if err == nil || len(err.Error()) > 300 {
			t.Errorf("%.40s: %.400v", data, err)
		}
	}
}

func TestEqualElementsAreFoundWhateverTheyLookLike(t *testing.T) {
	s := MustCompile(`{"uniqueItems":true}`)
	for data, unique := range map[string]bool{
		`[1,1.0]`: false, `[1,true]`: true, `["a","\u0061"]`: false, `[{"a":1,"b":2},{"b":2.0,"a":1e0}]`: false,
		`[{"a":1,"b":2},{"a":2,"b":1}]`: true, `[[1,2],[2,1]]`: true, `[0,-0,false]`: false, `[null,0,"",[],{}]`: true,
		`[1e400,10e399]`: false, `[9007199254740993,9007199254740992]`: true, `[{"a":{}},{"a":[]}]`: true, `["1",1]`: true,
	} {
		if err := s.Validate([]byte(data)); (err == nil) != unique {
			t.Errorf("%s: %v", data, err)
		}
	}
}

func TestSchemasAreSafeForConcurrentUse(t *testing.T) {
	s := MustCompile(searchSchema)
	done := make(chan error)
	for i := range 8 {
		go func() {
			var err error
			for range 200 {
				if i%2 == 0 {
					err = errors.Join(err, s.Validate([]byte(`{"query":"a","tags":["\u0061","b"]}`)))
				} else if s.Validate([]byte(`{"query":"\u0061","tags":["b","b"],"limit":1000}`)) == nil {
					err = errors.New("an invalid value passed")
				}
				if _, subErr := s.Sub("#/$defs/place"); subErr != nil {
					err = subErr
				}
			}
			done <- err
		}()
	}
	for range 8 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

func TestSchemaBytesCanBeReusedAfterCompile(t *testing.T) {
	text := []byte(`{"enum":["abc",[1,2]],"default":5}`)
	s, err := Compile(text, nil)
	if err != nil {
		t.Fatal(err)
	}
	copy(text, slices.Repeat([]byte{' '}, len(text)))
	if err := errors.Join(s.Validate([]byte(`"abc"`)), s.Validate([]byte(`[1,2]`))); err != nil {
		t.Error(err)
	}
}
