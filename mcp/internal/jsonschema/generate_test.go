package jsonschema

import (
	"encoding/json"
	"math/big"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"
	"unsafe"
)

func schemaFor[T any](t *testing.T, opts ForOptions) string {
	t.Helper()
	text, err := For(reflect.TypeFor[T](), opts)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

type echo struct {
	Message string `json:"message" jsonschema:"the text to send back"`
	Count   int    `json:"count,omitempty" minimum:"1" maximum:"10" default:"1"`
}

type point struct{ X, Y float64 }

type tree struct {
	Value    string  `json:"value"`
	Children []*tree `json:"children,omitempty"`
}

type address struct {
	Street  string `json:"street" jsonschema:"street and number, as it is written on a letter"`
	City    string `json:"city" jsonschema:"name of the city in the language of the country"`
	Country string `json:"country" jsonschema:"two letters, as ISO 3166 has them" pattern:"^[A-Z]{2}$"`
}

type order struct {
	From address  `json:"from" jsonschema:"where it is collected"`
	To   *address `json:"to"`
}

type page[T any] struct{ Items []T }

type nested struct {
	A page[tree]
	B page[tree]
	C page[address]
	D page[address]
}

type level int

func (l level) MarshalText() ([]byte, error)  { return []byte("high"), nil }
func (l *level) UnmarshalText(_ []byte) error { return nil }

type colour string

func (colour) JSONSchema() []byte { return []byte(`{"type":"string","enum":["red","green"]}`) }

type base struct {
	ID   int `json:"id"`
	Name string
}

type other struct{ Name string }

type embedding struct {
	base
	*other
	Extra bool `json:"extra"`
}

type recursiveList []recursiveList

func TestTheSchemaOfATypeIsWhatEncodingJSONReads(t *testing.T) {
	for _, c := range []struct {
		name, got, want string
	}{
		{"a tool's input", schemaFor[echo](t, ForOptions{}),
			`{"type":"object","properties":{"message":{"type":"string","description":"the text to send back"},"count":{"type":"integer","minimum":1,"maximum":10,"default":1}},"required":["message"],"additionalProperties":false}`},
		{"a tool's output", schemaFor[*echo](t, ForOptions{Output: true, Open: true, Dialect: true}),
			`{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"message":{"type":"string","description":"the text to send back"},"count":{"type":"integer","minimum":1,"maximum":10,"default":1}},"required":["message"]}`},
		{"numbers have the bounds of their type", schemaFor[struct {
			A int8
			B uint16
			C int64
			D uint64
			E float32
			F uint8 `maximum:"10"`
		}](t, ForOptions{}),
			`{"type":"object","properties":{"A":{"type":"integer","minimum":-128,"maximum":127},"B":{"type":"integer","minimum":0,"maximum":65535},"C":{"type":"integer"},"D":{"type":"integer","minimum":0},"E":{"type":"number"},"F":{"type":"integer","minimum":0,"maximum":10}},"required":["A","B","C","D","E","F"],"additionalProperties":false}`},
		{"a pointer accepts null unless it can be left out", schemaFor[struct {
			A *int
			B *int    `json:",omitempty"`
			C *string `enum:"x,y" json:"c"`
		}](t, ForOptions{}),
			`{"type":"object","properties":{"A":{"type":["integer","null"]},"B":{"type":"integer"},"c":{"type":["string","null"],"enum":["x","y",null]}},"additionalProperties":false}`},
		{"in output a pointer that is nil is null, and a slice or map empty", schemaFor[struct {
			A *int
			B []int
			C map[string]bool `json:",omitempty"`
			D map[int]any
		}](t, ForOptions{Output: true}),
			`{"type":"object","properties":{"A":{"type":["integer","null"]},"B":{"type":"array","items":{"type":"integer"}},"C":{"type":"object","additionalProperties":{"type":"boolean"}},"D":{"type":"object","propertyNames":{"pattern":"^-?[0-9]+$"},"additionalProperties":{}}},"required":["A","B","D"],"additionalProperties":false}`},
		{"types of the standard library", schemaFor[struct {
			T time.Time
			D time.Duration
			B []byte
			A [2]byte
			R json.RawMessage
			I any
			N json.Number
			Z big.Int
			P netip.Addr
		}](t, ForOptions{}),
			`{"type":"object","properties":{"T":{"type":"string","format":"date-time"},"D":{"type":"integer","description":"nanoseconds"},"B":{"type":"string","contentEncoding":"base64"},"A":{"type":"array","items":{"type":"integer","minimum":0,"maximum":255},"minItems":2,"maxItems":2},"R":{},"I":{},"N":{"type":"number"},"Z":{"type":"integer"},"P":{"type":"string"}},"required":["T","D","B","A","R","I","N","Z","P"],"additionalProperties":false}`},
		{"a type with text methods is a string, one with JSONSchema is what it says", schemaFor[struct {
			L level
			C colour `json:"c" jsonschema:"of the car"`
		}](t, ForOptions{}),
			`{"type":"object","properties":{"L":{"type":"string"},"c":{"type":"string","enum":["red","green"],"description":"of the car"}},"required":["L","c"],"additionalProperties":false}`},
		{"a type that contains itself refers to itself", schemaFor[tree](t, ForOptions{}),
			`{"type":"object","properties":{"value":{"type":"string"},"children":{"type":"array","items":{"anyOf":[{"$ref":"#"},{"type":"null"}]}}},"required":["value"],"additionalProperties":false}`},
		{"a list of itself", schemaFor[recursiveList](t, ForOptions{}), `{"type":"array","items":{"$ref":"#"}}`},
		{"a large struct used twice stands under $defs", schemaFor[order](t, ForOptions{}),
			`{"type":"object","properties":{"from":{"$ref":"#/$defs/address","description":"where it is collected"},"to":{"anyOf":[{"$ref":"#/$defs/address"},{"type":"null"}]}},"required":["from"],"additionalProperties":false,"$defs":{"address":{"type":"object","properties":{"street":{"type":"string","description":"street and number, as it is written on a letter"},"city":{"type":"string","description":"name of the city in the language of the country"},"country":{"type":"string","description":"two letters, as ISO 3166 has them","pattern":"^[A-Z]{2}$"}},"required":["street","city","country"],"additionalProperties":false}}}`},
		{"a small struct used twice does not", schemaFor[struct{ A, B point }](t, ForOptions{}),
			`{"type":"object","properties":{"A":{"type":"object","properties":{"X":{"type":"number"},"Y":{"type":"number"}},"required":["X","Y"],"additionalProperties":false},"B":{"type":"object","properties":{"X":{"type":"number"},"Y":{"type":"number"}},"required":["X","Y"],"additionalProperties":false}},"required":["A","B"],"additionalProperties":false}`},
		{"embedded fields are promoted, and hide each other", schemaFor[embedding](t, ForOptions{}),
			`{"type":"object","properties":{"id":{"type":"integer"},"extra":{"type":"boolean"}},"required":["id","extra"],"additionalProperties":false}`},
		{"the string option", schemaFor[struct {
			A int    `json:",string"`
			B *bool  `json:",string"`
			C []int  `json:",string"` //nolint:staticcheck // has no effect, which is what is tested
			D string `json:"-"`
			E string `json:"-,"` //nolint:staticcheck // this is the name "-"
		}](t, ForOptions{}),
			`{"type":"object","properties":{"A":{"type":"string","pattern":"^-?[0-9]+$"},"B":{"type":["string","null"],"enum":["true","false",null]},"C":{"type":"array","items":{"type":"integer"}},"-":{"type":"string"}},"required":["A","C","-"],"additionalProperties":false}`},
		{"keywords in the tag jsonschema", schemaFor[struct {
			_ struct{} `jsonschema:"What to do.,title=Job,additionalProperties=true"`
			A []string `json:"a" jsonschema:"enum=x, y,minItems=1,uniqueItems=true,default=x,y,examples=[[\"x\"]]"`
			B []int    `json:"b,omitempty" jsonschema:"minimum=3" x-ignored:"y"`
			C string   `json:"c,omitempty" jsonschema:"format=email, title=Mail, examples=a@b.example, examples=c@d.example"`
		}](t, ForOptions{}),
			`{"type":"object","description":"What to do.","title":"Job","properties":{"a":{"type":"array","items":{"type":"string","enum":["x","y"]},"minItems":1,"uniqueItems":true,"default":["x","y"],"examples":[["x"]]},"b":{"type":"array","items":{"type":"integer","minimum":3}},"c":{"type":"string","title":"Mail","format":"email","examples":["a@b.example","c@d.example"]}}}`},
		{"a description with commas and equal signs", schemaFor[struct {
			A string `jsonschema:"the city, in English (a=b, c=d), required,minLength=1,maxLength=9,pattern=^[a,b=]+$,default=a,b"`
			B string `jsonschema:"description=what to do,with what"`
			C string `jsonschema:"first, second" minLength:"1"`
		}](t, ForOptions{}),
			`{"type":"object","properties":{"A":{"type":"string","description":"the city, in English (a=b, c=d), required","minLength":1,"maxLength":9,"pattern":"^[a,b=]+$","default":"a,b"},"B":{"type":"string","description":"what to do,with what"},"C":{"type":"string","description":"first, second","minLength":1}},"required":["B","C"],"additionalProperties":false}`},
		{"tags of a slice that suit its elements hold for them", schemaFor[struct {
			_ struct{} `jsonschema:"What to do." title:"Job" additionalProperties:"true"`
			A []string `json:"a" enum:"x, y" minItems:"1" uniqueItems:"true" default:"x,y" examples:"[[\"x\"]]"`
			B []int    `json:"b,omitempty" minimum:"3" x-ignored:"y"`
			C string   `json:"c,omitempty" format:"email" title:"Mail" examples:"a@b.example, c@d.example"`
		}](t, ForOptions{}),
			`{"type":"object","description":"What to do.","title":"Job","properties":{"a":{"type":"array","items":{"type":"string","enum":["x","y"]},"minItems":1,"uniqueItems":true,"default":["x","y"],"examples":[["x"]]},"b":{"type":"array","items":{"type":"integer","minimum":3}},"c":{"type":"string","title":"Mail","format":"email","examples":["a@b.example","c@d.example"]}}}`},
	} {
		if c.got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, c.got, c.want)
		}
	}
}

func TestGenericTypesHaveShortNames(t *testing.T) {
	text := schemaFor[nested](t, ForOptions{})
	for _, want := range []string{`"$ref":"#/$defs/tree"`, `"$ref":"#/$defs/pageaddress"`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in %s", want, text)
		}
	}
}

func TestATypeThatCannotBeJSONNamesTheField(t *testing.T) {
	type inner struct{ Done chan int }
	for _, c := range []struct {
		typ  reflect.Type
		want string
	}{
		{reflect.TypeFor[struct{ In []inner }](), ".In[].Done: a chan int cannot be represented in JSON"},
		{reflect.TypeFor[struct{ F func() }](), ".F: a func() cannot be represented in JSON"},
		{reflect.TypeFor[struct{ C complex64 }](), ".C: a complex64 cannot be represented in JSON"},
		{reflect.TypeFor[struct{ P unsafe.Pointer }](), ".P: a unsafe.Pointer cannot be represented in JSON"},
		{reflect.TypeFor[struct{ M map[float64]int }](), ".M: a map with keys of type float64 cannot be represented in JSON"},
		{reflect.TypeFor[struct{ S error }](), ".S: encoding/json cannot read into the interface error"},
	} {
		if _, err := For(c.typ, ForOptions{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: got %v, want …%s…", c.typ, err, c.want)
		}
	}
}

type badProvider struct{}

func (*badProvider) JSONSchema() []byte { return []byte(`{"type":`) }

func TestATagThatDoesNotFitSaysWhatToChange(t *testing.T) {
	for _, c := range []struct {
		typ  reflect.Type
		want string
	}{
		{reflect.TypeFor[struct {
			A string `minimum:"1"`
		}](), `field A, tag minimum:"1": it does not suit a field of type string; remove it`},
		{reflect.TypeFor[struct {
			A int `enum:"1,two"`
		}](), `field A, tag enum:"1,two": "two" is not JSON; this field expects integer`},
		{reflect.TypeFor[struct {
			A int `enum:"1,2.5"`
		}](), `field A, tag enum:"1,2.5": 2.5 does not match the field's own schema: must be an integer, not a number (2.5)`},
		{reflect.TypeFor[struct {
			A int `default:"0" minimum:"1"`
		}](), `tag default:"0": 0 does not match the field's own schema: 0 is less than the minimum 1; change one of them`},
		{reflect.TypeFor[struct {
			A string `default:"c" enum:"a,b"`
		}](), `tag default:"c": "c" does not match the field's own schema: "c" is not one of the allowed values: "a", "b"`},
		{reflect.TypeFor[struct {
			A time.Time `default:"yesterday"`
		}](), `"yesterday" is not a date and time such as`},
		{reflect.TypeFor[struct {
			A int `maximum:"many"`
		}](), `tag maximum:"many": write a number`},
		{reflect.TypeFor[struct {
			A uint8 `maximum:"300"`
		}](), `the type itself has the maximum 255`},
		{reflect.TypeFor[struct {
			A int `minimum:"9" maximum:"3"`
		}](), `minimum 9 is above maximum 3`},
		{reflect.TypeFor[struct {
			A string `pattern:"(?=a)"`
		}](), `the pattern uses lookahead or lookbehind, which is not supported`},
		{reflect.TypeFor[struct {
			A int `multipleOf:"0"`
		}](), `write a number above 0`},
		{reflect.TypeFor[struct {
			A []int `uniqueItems:"yes"`
		}](), `write true or false`},
		{reflect.TypeFor[struct {
			A string `maxLength:"-1"`
		}](), `write an integer of 0 or more`},
		{reflect.TypeFor[struct {
			A string `jsonschema:"required,minLength=3"`
		}](), `required is not a keyword of fields; a field without omitempty is required anyway`},
		{reflect.TypeFor[struct {
			A string `jsonschema:"required, unless b=c"`
		}](), ``},
		{reflect.TypeFor[struct {
			A string `jsonschema:"required"`
		}](), `a field without omitempty is required anyway`},
		{reflect.TypeFor[struct {
			A string `minlength:"3"`
		}](), `tag minlength:"3": tags are spelled like the keywords of JSON Schema: minLength`},
		{reflect.TypeFor[struct {
			A string `json:"B"`
			B string
		}](), `the fields A and B are both "B" in JSON; rename one of them`},
		{reflect.TypeFor[struct {
			A string "json:\"an \\\"odd\\\" name\""
		}](), `.A: the name in json:"an \"odd\" name" must be valid UTF-8 without quotes and backslashes`},
		{reflect.TypeFor[struct {
			A string `json:"'a,b'"`
		}](), `without quotes and backslashes`},
		{reflect.TypeFor[struct {
			A time.Time `json:"a,format:DateOnly"`
		}](), `does not support the option format`},
		{reflect.TypeFor[struct {
			A map[string]int `json:"a,embed"`
		}](), `the option embed only without a name`},
		{reflect.TypeFor[struct {
			A string `jsonschema:"minLength=3,maxLength=2"`
		}](), `field A, tag jsonschema, maxLength=2: minLength 3 is above maxLength 2`},
		{reflect.TypeFor[struct {
			A string `jsonschema:"a name,minLength=3" minLength:"3"`
		}](), `field A, tag jsonschema, minLength=3: there is also the tag minLength:"3"; remove one of them`},
		{reflect.TypeFor[struct {
			A string `jsonschema:"a name,minLength=3,minLength=4"`
		}](), `it has minLength twice`},
		{reflect.TypeFor[struct {
			A string `jsonschema:"a name,enum=[\"a\"],enum=b"`
		}](), `it has enum twice; write one JSON array`},
		{reflect.TypeFor[struct {
			A string `jsonschema:"a name,description=another"`
		}](), `it has description twice`},
		{reflect.TypeFor[struct {
			A string `jsonschema:"a name, minlength=3"`
		}](), `keywords are spelled as in JSON Schema: minLength`},
		{reflect.TypeFor[struct {
			A int `jsonschema:"a number,minLength=3"`
		}](), `field A, tag jsonschema, minLength=3: it does not suit a field of type int; remove it`},
		{reflect.TypeFor[struct {
			A int `jsonschema:"a number,additionalProperties=true"`
		}](), `it does not suit a field; use it at a field named _`},
		{reflect.TypeFor[struct {
			_ struct{} `jsonschema:"A thing.,minLength=1"`
		}](), `it does not suit a struct; remove it`},
		{reflect.TypeFor[struct {
			A int `jsonschema:"minimum=x"`
		}](), `field A, tag jsonschema, minimum=x: write a number`},
		{reflect.TypeFor[struct {
			A string `jsonschema:"enum=a,b,default=c"`
		}](), `tag jsonschema, default=c: "c" does not match the field's own schema: "c" is not one of the allowed values: "a", "b"`},
		{reflect.TypeFor[struct {
			_ struct{} `additionalProperties:"no"`
		}](), `write true or false`},
		{reflect.TypeFor[struct {
			A string `x-mcp-header:"Two Words"`
		}](), `write a name of letters, digits and hyphens`},
		{reflect.TypeFor[struct{ A badProvider }](), `the schema that jsonschema.badProvider.JSONSchema returns cannot be used`},
	} {
		_, err := For(c.typ, ForOptions{})
		if c.want == "" {
			if err != nil {
				t.Errorf("%v: %v", c.typ, err)
			}
		} else if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v:\n got %v\nwant …%s…", c.typ, err, c.want)
		}
	}
}
