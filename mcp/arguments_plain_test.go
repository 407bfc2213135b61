package mcp

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/go-json-experiment/json"
	jsonv1 "github.com/go-json-experiment/json/v1"

	"github.com/docent-mcp/docent/mcp/internal/jsonrpc"
)

type plainArguments struct {
	Text   string  `json:"text"`
	Yes    bool    `json:"yes,omitempty"`
	Small  int8    `json:"small"`
	Whole  int     `json:"whole,omitzero"`
	Count  uint16  `json:"count"`
	Ratio  float64 `json:"ratio"`
	Single float32 `json:"single"`
	Named  string
}

// FuzzPlainArguments checks that decoding without package json gives the same result as package
// json.
func FuzzPlainArguments(f *testing.F) {
	for _, args := range []string{
		`{}`, `{"text":"a"}`, `{"text":"a\n\ud83d\ude00 \ud800x","yes":true,"Named":"b"}`,
		`{"small":127,"whole":-0,"count":65535,"ratio":1e3,"single":0.1}`,
		`{"small":128}`, `{"small":1.0}`, `{"count":-1}`, `{"single":1e60}`, `{"ratio":1e999}`,
		`{"text":null,"whole":null}`, `{"yes":"true"}`, `{"text":1}`, `{"yes":false,"yes":true}`,
		`{"named":"c"}`, `{"other":[{}]}`, `{"te\u0078t":"d"}`, ` { "text" : "e" , "yes" : false } `,
	} {
		f.Add([]byte(args))
	}
	plain := plainFieldsOf(reflect.TypeFor[plainArguments]())
	f.Fuzz(func(t *testing.T, args []byte) {
		if end, err := jsonrpc.Skip(args, 0); err != nil || end != len(args) {
			return // malformed JSON does not reach this function
		}
		var got, want plainArguments
		if !plain.decode(args, reflect.ValueOf(&got).Elem()) {
			return
		}
		if err := json.Unmarshal(args, &want, userJSON, jsonv1.ReportErrorsWithLegacySemantics(false)); err != nil || got != want {
			t.Errorf("%s is %+v, and to package json %+v, %v", args, got, want, err)
		}
	})
}

func TestPlainArgumentsAreDecodedWithoutPackageJSON(t *testing.T) {
	args := `{"text":"a\né","yes":true,"small":-128,"whole":5,"count":6,"ratio":-1.5e2,"single":0.1,"Named":"b"}`
	var got plainArguments
	if !plainFieldsOf(reflect.TypeFor[plainArguments]()).decode([]byte(args), reflect.ValueOf(&got).Elem()) {
		t.Fatal("they are not plain")
	}
	if want := (plainArguments{"a\né", true, -128, 5, 6, -150, 0.1, "b"}); got != want {
		t.Errorf("got %+v", got)
	}
}

type (
	ownJSON  struct{ Text string }
	ownText  struct{ Text string }
	ownField string
)

func (*ownJSON) UnmarshalJSON([]byte) error { return nil }
func (*ownText) UnmarshalText([]byte) error { return nil }

func TestTypesThatPackageJSONHasToDecode(t *testing.T) {
	var many []reflect.StructField
	for i := range 65 {
		many = append(many, reflect.StructField{Name: fmt.Sprintf("Field%d", i), Type: reflect.TypeFor[string]()})
	}
	for _, v := range []any{
		reflect.New(reflect.StructOf(many)).Elem().Interface(),
		ownJSON{}, ownText{}, map[string]string{}, "",
		struct{ Field ownField }{},
		struct{ ownText }{},
		struct{ hidden string }{},
		struct{ List []string }{},
		struct{ Pointer *string }{},
		struct{ Any any }{},
		struct {
			Number int `json:"n,string"`
		}{},
		struct {
			Skipped string `json:"-"`
		}{},
		struct {
			Quoted string `json:"'a,b'"`
		}{},
		struct {
			Text string `json:"text,case:ignore"`
		}{},
		struct {
			A     string
			Other string `json:"A"`
		}{},
	} {
		if plainFieldsOf(reflect.TypeOf(v)) != nil {
			t.Errorf("%T counts as plain", v)
		}
	}
}
