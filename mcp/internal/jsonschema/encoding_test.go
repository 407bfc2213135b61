package jsonschema

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/big"
	"math/rand"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/quick"
	"time"

	gojson "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	gojsonv1 "github.com/go-json-experiment/json/v1"
)

type deepBase struct {
	Deep  string
	Hides string `json:"hides"`
}

type middle struct {
	deepBase
	Tagged string `json:"tagged"`
	Twice  int
}

type left struct {
	Twice int
	Only  int `json:"only"`
}

type Shown struct{ Inner int }

// zoo has a field of every kind that encoding/json treats specially.
type zoo struct {
	middle
	*left
	Shown
	Named   Shown `json:"named"`
	Hides   int   `json:"hides"`
	private int
	Bool    bool
	I8      int8
	I16     int16
	I32     int32
	I64     int64
	U8      uint8
	U16     uint16
	U32     uint32
	U64     uint64
	F32     float32
	F64     float64
	S       string
	SP      *string
	SPO     *string `json:",omitempty"`
	Bytes   []byte
	Array   [3]uint8
	Slice   []int
	SliceO  []int `json:"sliceO,omitempty"`
	Maps    map[string][]bool
	ByInt   map[int16]string
	Quoted  int64         `json:",string"`
	QuotedB bool          `json:",string"`
	QuotedS string        `json:",string"`
	QuotedF *float64      `json:",string"`
	Zero    time.Duration `json:",omitzero"`
	Any     any
	Raw     json.RawMessage
	Odd     string   `json:"an odd/name!"`
	Dash    int      `json:"-,"` //nolint:staticcheck // this is the name "-"
	Not     chan int `json:"-"`
	Tree    *tree
	Point   point
	Nested  struct{ X []struct{ Y *int } }
}

type times struct {
	T  time.Time
	TP *time.Time
	A  netip.Addr
	B  big.Int
	L  level
	M  map[netip.Addr]time.Duration
	N  json.Number `json:",omitempty"`
}

// fill makes a random value from testing/quick encodable.
func (z *zoo) fill(r *rand.Rand) {
	z.private = 1
	z.Any = []any{nil, 1.5, "x", map[string]any{"a": true}}[r.Intn(4)]
	z.Raw = json.RawMessage([]string{`null`, `{"a":[1]}`, `"x"`}[r.Intn(3)])
	z.Tree = []*tree{nil, {Value: "a", Children: []*tree{nil, {Value: "b"}}}}[r.Intn(2)]
}

func TestWhatEncodingJSONWritesMatchesTheOutputSchema(t *testing.T) {
	zoos := MustCompile(schemaFor[zoo](t, ForOptions{Output: true}))
	r := rand.New(rand.NewSource(1))
	check := func(s *Schema, v any) bool {
		data, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Validate(data); err != nil {
			t.Errorf("%v\n%s", err, data)
			return false
		}
		return true
	}
	config := &quick.Config{MaxCount: 300, Values: func(args []reflect.Value, r *rand.Rand) {
		args[0] = randomValue(reflect.TypeFor[zoo](), r, 3)
	}}
	if err := quick.Check(func(z zoo) bool { z.fill(r); return check(zoos, &z) && check(zoos, z) }, config); err != nil {
		t.Error(err)
	}
	now := time.Now()
	all := MustCompile(schemaFor[times](t, ForOptions{Output: true}))
	check(all, &times{T: now, TP: &now, A: netip.MustParseAddr("::1"), B: *big.NewInt(-7),
		M: map[netip.Addr]time.Duration{netip.MustParseAddr("10.0.0.1"): time.Second}, N: "1e400"})
	check(all, &times{M: map[netip.Addr]time.Duration{}})
}

// randomValue is like quick.Value, but does not set interfaces, channels and unexported
// fields.
func randomValue(t reflect.Type, r *rand.Rand, depth int) reflect.Value {
	v := reflect.New(t).Elem()
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			if f := v.Field(i); f.CanSet() {
				f.Set(randomValue(f.Type(), r, depth))
			}
		}
	case reflect.Pointer:
		if depth > 0 && r.Intn(2) == 0 {
			v.Set(reflect.New(t.Elem()))
			v.Elem().Set(randomValue(t.Elem(), r, depth-1))
		}
	case reflect.Slice:
		if t == reflect.TypeFor[json.RawMessage]() {
			return v
		}
		v.Set(reflect.MakeSlice(t, 0, 0)) // nil slices are encoded like empty ones; see ForOptions.Output
		for n := r.Intn(4); depth > 0 && n > 0; n-- {
			v.Set(reflect.Append(v, randomValue(t.Elem(), r, depth-1)))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(t))
		if r.Intn(3) > 0 {
			v.SetMapIndex(randomValue(t.Key(), r, depth-1), randomValue(t.Elem(), r, depth-1))
		}
	case reflect.Interface, reflect.Chan:
	default:
		if x, ok := quick.Value(t, r); ok {
			v.Set(x)
		}
	}
	return v
}

// TestTheFieldsAreThoseOfEncodingJSON compares the property names of a schema with the members that
// encoding/json writes.
func TestTheFieldsAreThoseOfEncodingJSON(t *testing.T) {
	for _, v := range []any{
		&zoo{left: &left{}, SPO: new(string), SliceO: []int{1}, Zero: 1}, &embedding{other: &other{}}, &order{}, &nested{}, &times{N: "1"},
		&struct {
			deepBase `json:"base"`
			Shown    `json:",omitempty"` //nolint:modernize // has no effect, which is what is tested
			*point
		}{point: &point{}},
	} {
		text, err := For(reflect.TypeOf(v), ForOptions{Output: true})
		if err != nil {
			t.Fatal(err)
		}
		var schema struct{ Properties map[string]any }
		if err := json.Unmarshal(text, &schema); err != nil {
			t.Fatal(err)
		}
		data, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		var members map[string]any
		if err := json.Unmarshal(data, &members); err != nil {
			t.Fatal(err)
		}
		if got, want := sortedKeys(schema.Properties), sortedKeys(members); !slices.Equal(got, want) {
			t.Errorf("%T:\n got %v\nwant %v", v, got, want)
		}
	}
}

func sortedKeys(m map[string]any) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// allNames has tags that package mcp interprets in the same way with all Go releases. encoding/json
// before Go 1.27 interprets them differently.
type allNames struct {
	Price    int            `json:"€ [net]"`
	Embedded point          `json:",embed"`
	Rest     map[string]int `json:",embed"`
}

func TestTheMembersAreThoseThatPackageMCPWritesAndReads(t *testing.T) {
	v := allNames{Price: 1, Embedded: point{2, 3}, Rest: map[string]int{"more": 4}}
	data, err := gojson.Marshal(v, gojsonv1.DefaultOptionsV1())
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"€ [net]":1,"X":2,"Y":3,"more":4}`; string(data) != want {
		t.Errorf("written %s, not %s", data, want)
	}
	var again allNames
	if err := gojson.Unmarshal(data, &again, gojsonv1.DefaultOptionsV1()); err != nil || !reflect.DeepEqual(again, v) {
		t.Errorf("read %+v, %v", again, err)
	}
	for _, output := range []bool{false, true} {
		s := MustCompile(schemaFor[allNames](t, ForOptions{Output: output}))
		if err := s.Validate(data); err != nil {
			t.Error(err)
		}
		for _, other := range []string{`{"Price":1,"X":2,"Y":3}`, `{"€ [net]":1,"Embedded":{}}`, `{"€ [net]":1,"X":2,"Y":3,"more":"x"}`} {
			if s.Validate([]byte(other)) == nil {
				t.Errorf("output %v: %s is accepted", output, other)
			}
		}
	}
	if text := schemaFor[struct {
		Rest jsontext.Value `json:",embed"`
	}](t, ForOptions{}); text != `{"type":"object","additionalProperties":{}}` {
		t.Error(text)
	}
}

// streamed has the encoding and decoding methods of encoding/json/v2.
type streamed struct{ A int }

func (*streamed) MarshalJSONTo(e *jsontext.Encoder) error     { return e.WriteToken(jsontext.String("a")) }
func (*streamed) UnmarshalJSONFrom(d *jsontext.Decoder) error { return d.SkipValue() }

func TestTypesThatStreamThemselvesAreAnyValue(t *testing.T) {
	for _, output := range []bool{false, true} {
		if text := schemaFor[streamed](t, ForOptions{Output: output}); text != `{}` {
			t.Errorf("output %v: %s", output, text)
		}
	}
}

// FuzzInputMatchesDecoding checks that values that satisfy a type's input schema can be decoded.
// When the decoded values are encoded again, they must satisfy the output schema.
func FuzzInputMatchesDecoding(f *testing.F) {
	for _, s := range []string{
		`{"value":"a","children":[{"value":"b"}],"limit":3,"by":{"1":"x"},"at":null,"ratio":1e3,"big":12345678901234567890,"bytes":"aGk="}`,
		`{"value":"","at":-5}`, `{"value":"x","ratio":0.1,"by":{}}`, `{"VALUE":"x"}`, `{"value":1}`,
	} {
		f.Add([]byte(s))
	}
	type in struct {
		Value    string           `json:"value"`
		Children []*tree          `json:"children,omitempty"`
		Limit    int8             `json:"limit,omitempty"`
		By       map[int16]string `json:"by,omitempty"`
		At       *int64           `json:"at"`
		Ratio    float64          `json:"ratio,omitempty"`
		Big      *big.Int         `json:"big,omitempty"`
		Bytes    []byte           `json:"bytes,omitempty"`
	}
	input, err := For(reflect.TypeFor[in](), ForOptions{})
	if err != nil {
		f.Fatal(err)
	}
	output, err := For(reflect.TypeFor[in](), ForOptions{Output: true})
	if err != nil {
		f.Fatal(err)
	}
	reads, writes := MustCompile(string(input)), MustCompile(string(output))
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := parseValue(data, 1000); err != nil || reads.Validate(data) != nil {
			return
		}
		var v in
		d := json.NewDecoder(bytes.NewReader(data))
		d.DisallowUnknownFields()
		if err := d.Decode(&v); err != nil {
			if isBeyondSchema(err) {
				return
			}
			t.Fatalf("accepted but not decoded: %v\n%s", err, data)
		}
		again, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if err := writes.Validate(again); err != nil {
			t.Fatalf("%v\n%s", err, again)
		}
	})
}

// isBeyondSchema reports whether an error has a cause that JSON Schema cannot express. In JSON
// Schema, 1.0 and 1e2 are also integers. int64 and float64 have limits, keys have a range, and
// bytes have an encoding.
func isBeyondSchema(err error) bool {
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return strings.HasPrefix(wrong.Value, "number")
	}
	return strings.Contains(err.Error(), "base64") || strings.Contains(err.Error(), "big.Int")
}
