package jsonrpc

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

var tooDeep = strings.Repeat(`{"a":[`, MaxDepth) + strings.Repeat("]}", MaxDepth)

// TestMalformed_ResponseID tests malformed responses whose ids must be found nevertheless.
func TestMalformed_ResponseID(t *testing.T) {
	for text, id := range map[string]string{
		`{"jsonrpc":"2.0","id":7,"result":` + tooDeep + `}`:                     "7",
		`{"jsonrpc":"2.0","result":` + tooDeep + `,"id":7}`:                     "7",
		` { "result" : ` + tooDeep + " , \"id\" : 7 , \"jsonrpc\" : \"2.0\" } ": "7",
		`{"jsonrpc":"2.0","id":"a}\"]","error":` + tooDeep + `}`:                `"a}\"]"`,
		`{"method":null,"id":7,"result":` + tooDeep + `}`:                       "7",
		"{\"id\":7,\"result\":{\"text\":\"\xff\"}}":                             "7",
		`{"id":7,"result":{"text":"a","b":}}`:                                   "7",
		`{"id":7,"result":{"text":"a`:                                           "7",
		`{"id":7,"result":`:                                                     "7",
		`{"id":7,"result":{}} x`:                                                "7",
		`{"id":7,"result":{"id":8}`:                                             "7",
		`{"id":7,"method":"m","params":` + tooDeep + `}`:                        "",
		`{"id":7,"params":` + tooDeep + `,"method":"m"}`:                        "",
		`{"result":` + tooDeep + `}`:                                            "",
		`{"id":7,"id":8,"result":` + tooDeep + `}`:                              "",
		`{"id":7.5,"result":` + tooDeep + `}`:                                   "",
		`{"id":null,"result":` + tooDeep + `}`:                                  "",
		`{"result":{},"id":7`:                                                   "",
		`{"id":7,"x":` + tooDeep + `}`:                                          "",
		`{"x":{"id":7,"result":1},`:                                             "",
		`"id":7,"result":` + tooDeep:                                            "",
		`{`:                                                                     "",
		`{"`:                                                                    "",
		`{"id"`:                                                                 "",
		`{"id":`:                                                                "",
		`{"id\`:                                                                 "",
		`hello {"id":7,"result":1}`:                                             "",
	} {
		if got := ResponseID([]byte(text)); string(got) != id {
			t.Errorf("%.80s: the id %q, want %q", text, got, id)
		}
		err := Parse([]byte(text), new(Message))
		e, ok := errors.AsType[*ParseError](err)
		if !strings.Contains(text, tooDeep) {
			id = "" // the text is not JSON, so it has no id
		}
		if !ok || e.Code != CodeParseError || string(e.ID) != id || e.Response != (id != "") {
			t.Errorf("%.80s: %+v, want the id %q", text, err, id)
		}
	}
}

func TestMalformed_Objects(t *testing.T) {
	deep := `{"id":1,"result":` + tooDeep + `}`
	for text, want := range map[string][]string{
		`[` + deep + `,{"id":2}]`:   {deep, `{"id":2}`},
		` [ {"id":2} , ` + deep:     {`{"id":2} `, deep},
		`[1,"{",[{"a":1}],{"b":"]`:  {`{"b":"]`},
		`[{"a":1},`:                 {`{"a":1}`},
		strings.Repeat("[", 10_000): nil,
		`{"a":1}`:                   nil,
		``:                          nil,
	} {
		if got := slices.Collect(func(yield func(string) bool) {
			Objects([]byte(text))(func(object []byte) bool { return yield(string(object)) })
		}); !slices.Equal(got, want) {
			t.Errorf("%.80s: %q, want %q", text, got, want)
		}
	}
}
