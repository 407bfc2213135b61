package jsonrpc

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

func TestParseTellsTheKindsOfMessage(t *testing.T) {
	tests := []struct {
		line   string
		kind   Kind
		id     string
		method string
		params string
		result string
		err    string
	}{
		{`{"jsonrpc":"2.0","id":1,"method":"ping"}`, Request, `1`, "ping", ``, ``, ``},
		{`{"params":{"a":1},"method":"x/y","id":"\u0061","jsonrpc":"2.0"}`, Request, `"\u0061"`, "x/y", `{"a":1}`, ``, ``},
		{` { "jsonrpc" : "2.0" , "id" : -7 , "method" : "tools\/call" , "params" : { } , "more" : [ ] } `, Request, `-7`, "tools/call", `{ }`, ``, ``},
		{`{"jsonrpc":"2.0","method":"notifications/initialized"}`, Notification, ``, "notifications/initialized", ``, ``, ``},
		{`{"jsonrpc":"2.0","method":"","params":null}`, Notification, ``, "", ``, ``, ``},
		{`{"jsonrpc":"2.0","id":1,"result":null}`, Response, `1`, "", ``, `null`, ``},
		{`{"jsonrpc":"2.0","id":"a","error":{"code":1}}`, Response, `"a"`, "", ``, ``, `{"code":1}`},
		{`{"jsonrpc":"2.0","id":null,"error":{}}`, Response, `null`, "", ``, ``, `{}`},
		{`{"jsonrpc":"2.0","error":{}}`, Response, ``, "", ``, ``, `{}`},
		// Clients in languages without optional values write null for absent members.
		{`{"jsonrpc":"2.0","id":1,"result":{},"error":null}`, Response, `1`, "", ``, `{}`, ``},
		{`{"jsonrpc":"2.0","id":1,"result":null,"error":null}`, Response, `1`, "", ``, `null`, ``},
		{`{"jsonrpc":"2.0","id":1,"result":null,"error":{"code":1}}`, Response, `1`, "", ``, ``, `{"code":1}`},
		{`{"jsonrpc":"2.0","id":1,"method":null,"params":null,"result":{},"error":null}`, Response, `1`, "", ``, `{}`, ``},
		{`{"jsonrpc":"2.0","id":9007199254740993,"method":"m"}`, Request, `9007199254740993`, "m", ``, ``, ``},
	}
	for _, test := range tests {
		var m Message
		if err := Parse([]byte(test.line), &m); err != nil {
			t.Errorf("%s: %v", test.line, err)
			continue
		}
		if m.Kind != test.kind || string(m.ID) != test.id || m.Method != test.method || string(m.Params) != test.params || string(m.Result) != test.result || string(m.Error) != test.err {
			t.Errorf("%s: %+v", test.line, m)
		}
	}
}

func TestParseSaysWhatIsWrongAndWhomToTell(t *testing.T) {
	tests := []struct {
		line   string
		code   int
		id     string
		method string
	}{
		{``, CodeParseError, ``, ``},
		{`{`, CodeParseError, ``, ``},
		{`x`, CodeParseError, ``, ``},
		{`[1`, CodeParseError, ``, ``},
		{`{"jsonrpc":"2.0","id":1,"method":"m"`, CodeParseError, ``, ``},
		{`{"jsonrpc":"2.0","id":1,"method":"m"}}`, CodeParseError, ``, ``},
		{`{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":tru}}`, CodeParseError, ``, ``},
		{`5`, CodeInvalidRequest, ``, ``},
		{`[]`, CodeInvalidRequest, ``, ``},
		{`{}`, CodeInvalidRequest, ``, ``},
		{`{"id":1,"method":"m"}`, CodeInvalidRequest, `1`, `m`},
		{`{"jsonrpc":"2.1","id":1,"method":"m"}`, CodeInvalidRequest, `1`, `m`},
		{`{"jsonrpc":"2\u002e0","id":1,"method":"m"}`, CodeInvalidRequest, `1`, `m`},
		{`{"jsonrpc":"2.0","id":1}`, CodeInvalidRequest, `1`, ``},
		{`{"jsonrpc":"2.0"}`, CodeInvalidRequest, ``, ``},
		{`{"jsonrpc":"2.0","result":{}}`, CodeInvalidRequest, ``, ``},
		{`{"jsonrpc":"2.0","id":1,"result":{},"error":{}}`, CodeInvalidRequest, `1`, ``},
		{`{"jsonrpc":"2.0","id":1,"method":"m","error":{}}`, CodeInvalidRequest, `1`, `m`},
		{`{"jsonrpc":"2.0","id":null,"method":"m"}`, CodeInvalidRequest, ``, `m`},
		{`{"jsonrpc":"2.0","id":1.0,"method":"m"}`, CodeInvalidRequest, ``, `m`},
		{`{"jsonrpc":"2.0","id":1e2,"method":"m"}`, CodeInvalidRequest, ``, `m`},
		{`{"jsonrpc":"2.0","id":[1],"method":"m"}`, CodeInvalidRequest, ``, `m`},
		{`{"jsonrpc":"2.0","id":true,"result":{}}`, CodeInvalidRequest, ``, ``},
		{`{"jsonrpc":"2.0","id":1,"method":null}`, CodeInvalidRequest, `1`, ``},
		{`{"jsonrpc":"2.0","id":"a","method":["m"]}`, CodeInvalidRequest, `"a"`, ``},
		{`{"jsonrpc":"2.0","id":1,"method":"m","params":[]}`, CodeInvalidRequest, `1`, `m`},
		{`{"jsonrpc":"2.0","id":1,"method":"m","params":7}`, CodeInvalidRequest, `1`, `m`},
		{`{"jsonrpc":"2.0","method":"notifications/x","params":[]}`, CodeInvalidRequest, ``, `notifications/x`},
		{`{"jsonrpc":"2.0","id":1,"method":"m","method":"n"}`, CodeInvalidRequest, ``, ``},
		{`{"jsonrpc":"2.0","id":1,"method":"m","i\u0064":2}`, CodeInvalidRequest, ``, ``},
		{`{"jsonrpc":"2.0","id":1,"method":"m","params":{},"params":{}}`, CodeInvalidRequest, ``, ``},
	}
	for _, test := range tests {
		var m Message
		err := Parse([]byte(test.line), &m)
		e, ok := errors.AsType[*ParseError](err)
		if !ok {
			t.Errorf("%s: %v, %+v", test.line, err, m)
			continue
		}
		if e.Code != test.code || string(e.ID) != test.id || e.Method != test.method || e.Error() == "" {
			t.Errorf("%s: %+v", test.line, e)
		}
	}
}

func TestAMalformedResponseIsDistinguishedFromAMalformedRequest(t *testing.T) {
	tests := []struct {
		line     string
		id       string
		response bool
	}{
		{`{"jsonrpc":"2.0","id":1,"result":{},"error":{}}`, `1`, true},
		{`{"jsonrpc":"2.0","id":1,"error":null}`, `1`, true},
		{`{"jsonrpc":"1.0","id":1,"result":{}}`, `1`, true},
		{`{"id":"a","error":{}}`, `"a"`, true},
		{`{"jsonrpc":"2.0","id":1,"result":{},"result":{}}`, `1`, true},
		{`{"jsonrpc":"2.0","result":{},"jsonrpc":"2.0","id":1}`, `1`, true},
		{`{"jsonrpc":"2.0","id":1,"result":{},"id":2}`, ``, true},
		{`{"jsonrpc":"2.0","id":1.5,"result":{}}`, ``, true},
		{`{"jsonrpc":"2.0","result":{}}`, ``, true},
		{`{"jsonrpc":"2.0","id":1,"method":"m","result":{}}`, `1`, false},
		{`{"jsonrpc":"2.0","id":1,"method":"m","result":{},"id":1}`, ``, false},
		{`{"jsonrpc":"2.0","id":1,"method":null}`, `1`, false},
		{`{"jsonrpc":"2.0","id":1}`, `1`, false},
		{`{"jsonrpc":"2.0","id":1,"result":{}`, ``, false}, // the text is not JSON, so it is not a message
	}
	for _, test := range tests {
		var m Message
		err := Parse([]byte(test.line), &m)
		e, ok := errors.AsType[*ParseError](err)
		if !ok || string(e.ID) != test.id || e.Response != test.response {
			t.Errorf("%s: %+v, %v", test.line, m, err)
		}
	}
}

func TestAnIDIsAStringOrAnInteger(t *testing.T) {
	for value, want := range map[string]bool{`0`: true, `-0`: true, `-5`: true, `123456789012345678901234567890`: true, `""`: true, `"1.5"`: true, `"e"`: true,
		``: false, `1.5`: false, `1.0`: false, `1e2`: false, `1E2`: false, `null`: false, `true`: false, `false`: false, `[]`: false, `{}`: false, `[1]`: false} {
		if got := ValidID([]byte(value)); got != want {
			t.Errorf("ValidID(%s) = %v", value, got)
		}
	}
}

func TestIDsAreEqualHoweverTheyAreEscaped(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want bool
	}{{`1`, `1`, true}, {`"a"`, `"\u0061"`, true}, {`"/"`, `"\/"`, true}, {`1`, `"1"`, false}, {`1`, `2`, false}, {`"a"`, `"A"`, false}, {`"1"`, `1`, false}, {`""`, ``, false}, {``, ``, true}} {
		if got := ID(test.a).Equal(ID(test.b)); got != test.want {
			t.Errorf("%s and %s: %v", test.a, test.b, got)
		}
	}
}

// envelopes contains the seeds for fuzzing messages.
var envelopes = []string{
	`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"message":"x"}}}`,
	`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"a"}}`,
	`{"jsonrpc":"2.0","id":"a","result":{}}`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"m"}}`,
	`{"jsonrpc":"2.0","id":1,"id":2,"method":"m"}`, `{"jsonrpc":"2.0","id":1.5,"method":"m"}`, `{"jsonrpc":"2.0","id":1,"method":"\u0070ing"}`,
	"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"a\":\"\xff\"}}", `{"result":{"a":[}]},"id":"a"}`, `[{"id":1,"result":[}]},{"b":"]"},`,
	`[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"n"}]`, `[1,"a",{},[]]`, `[]`, `[ ]`, `[1,]`,
}

func checkParse(t *testing.T, data []byte) {
	t.Helper()
	m := Message{Method: "left from before"}
	err := Parse(data, &m)
	if id := ResponseID(data); id != nil && (!ValidID(id) || err == nil && (m.Kind != Response || string(m.ID) != string(id))) {
		t.Fatalf("%q: the id %q of a response, %+v", data, id, m)
	}
	text := bytes.Trim(data, " \t\r\n")
	good := valid(text, MaxDepth+1)
	if err != nil {
		e, ok := errors.AsType[*ParseError](err)
		if !ok || e.Code != CodeParseError && e.Code != CodeInvalidRequest || len(e.ID) > 0 && !ValidID(e.ID) || strings.Contains(e.Message, "\n") {
			t.Fatalf("%q: %#v", data, err)
		}
		if good && e.Code == CodeParseError && depth(text) <= MaxDepth {
			t.Fatalf("%q is JSON, but: %v", data, err)
		}
		return
	}
	if !good {
		t.Fatalf("%q is taken for a message", data)
	}
	var want struct {
		ID     json.RawMessage `json:"id"`
		Method *string         `json:"method"`
		Params json.RawMessage `json:"params"`
	}
	names, values := members(text) // encoding/json ignores the case of member names
	for i, name := range names {
		switch name {
		case "id":
			want.ID = json.RawMessage(values[i])
		case "method":
			json.Unmarshal([]byte(values[i]), &want.Method)
		case "params":
			if want.Params = json.RawMessage(values[i]); values[i] == "null" {
				want.Params = nil
			}
		}
	}
	if string(m.ID) != string(want.ID) || m.Kind != Response && (want.Method == nil || m.Method != *want.Method || string(m.Params) != string(want.Params)) {
		t.Fatalf("%q: %+v", data, m)
	}
	switch m.Kind {
	case Request:
		if !ValidID(m.ID) || m.Result != nil || m.Error != nil {
			t.Fatalf("%q: a request %+v", data, m)
		}
	case Notification:
		if m.ID != nil || m.Result != nil || m.Error != nil {
			t.Fatalf("%q: a notification %+v", data, m)
		}
	case Response:
		if m.Method != "" || (m.Result == nil) == (m.Error == nil) {
			t.Fatalf("%q: a response %+v", data, m)
		}
	default:
		t.Fatalf("%q: %+v", data, m)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range append(envelopes, samples...) {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) { checkParse(t, data) })
}

func checkBatch(t *testing.T, data []byte) {
	t.Helper()
	const limit = 5
	text := bytes.Trim(data, " \t\r\n")
	if isArray := len(text) > 0 && text[0] == '['; IsBatch(data) != isArray {
		t.Fatalf("IsBatch(%q) is %v", data, !isArray)
	}
	if !IsBatch(data) {
		return // IsBatch is true for arrays only
	}
	var objects [][]byte
	for object := range Objects(data) {
		objects = append(objects, object)
	}
	elements, err := Batch(data, limit)
	var want []json.RawMessage
	good := valid(text, MaxDepth)
	if good {
		json.Unmarshal(text, &want)
	}
	e, _ := errors.AsType[*ParseError](err)
	switch {
	case !good:
		if e == nil || e.Code != CodeParseError {
			t.Fatalf("%q: %v", data, err)
		}
	case len(want) == 0 || len(want) > limit:
		if e == nil || e.Code != CodeInvalidRequest {
			t.Fatalf("%q: %v", data, err)
		}
	default:
		if err != nil || len(elements) != len(want) {
			t.Fatalf("%q: %q, %v", data, elements, err)
		}
		for i := range want {
			if string(elements[i]) != string(want[i]) {
				t.Fatalf("%q: element %d is %q", data, i, elements[i])
			}
			if elements[i][0] != '{' {
				continue
			}
			if len(objects) == 0 || string(bytes.TrimRight(objects[0], " \t\r\n")) != string(want[i]) {
				t.Fatalf("%q: element %d is no object of %q", data, i, objects)
			}
			objects = objects[1:]
		}
	}
}

func TestBatchAgreesWithEncodingJSON(t *testing.T) {
	for _, s := range append(envelopes, samples...) {
		checkBatch(t, []byte(s))
		checkBatch(t, []byte(" [ "+s+"\t,\n"+s+" ] "))
	}
	for n := range 8 {
		checkBatch(t, []byte("["+strings.TrimSuffix(strings.Repeat("0,", n), ",")+"]"))
	}
}

func FuzzBatch(f *testing.F) {
	for _, s := range append(envelopes, samples...) {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) { checkBatch(t, data) })
}

func BenchmarkParse(b *testing.B) {
	small := []byte(envelopes[0])
	large := []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"message":"` + strings.Repeat("The quick brown fox jumps over the lazy dog. ", 1500) + `"}}}`)
	for name, line := range map[string][]byte{"small": small, "64KiB": large} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(line)))
			b.ReportAllocs()
			var m Message
			for b.Loop() {
				if err := Parse(line, &m); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func TestParsingAKnownMethodAllocatesNothing(t *testing.T) {
	var m Message
	line := []byte(envelopes[0])
	if n := testing.AllocsPerRun(100, func() {
		if err := Parse(line, &m); err != nil {
			t.Fatal(err)
		}
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
