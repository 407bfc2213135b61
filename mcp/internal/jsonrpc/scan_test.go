package jsonrpc

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"
)

// samples contains strings that are JSON or nearly JSON, as seeds for fuzzing.
var samples = []string{
	`{}`, `[]`, `null`, `true`, `false`, `0`, `-0`, `-1.5e+10`, `1E-2`, `""`, `"a"`, `"\u00e9\n\"\\\/\b\f\r\t"`, `"\ud83d\ude00"`, `"\ud83d"`, `"é😀"`,
	`{"a":1,"b":[true,null,{"c":"d"}],"a":2}`, ` { "a" : 1 , "b" : [ ] } `, "[\n1,\r2\t]", `[[[[]]]]`, `{"a\u0062":{}}`,
	`{"":""}`, `"12345678\"90abcdef"`, `"1234567890123456789012345678901234567890"`,
	``, ` `, `{`, `}`, `[`, `]`, `{]`, `[}`, `{"a"}`, `{"a":}`, `{"a":1,}`, `[1,]`, `[,1]`, `{,}`, `{1:2}`, `"`, `"\`, `"\x"`, `"\u12"`, `"\u12g4"`, "\"a\nb\"",
	"\"\x00\"", "\"\x1f\"", "\"\x7f\"", "\"\xff\"", "\"\xed\xa0\x80\"", "\"\xc0\x80\"", "\"\xf4\x90\x80\x80\"", `01`, `-`, `+1`, `.5`, `1.`, `1e`, `1e+`, `0x1`, `Infinity`, `NaN`, `nul`, `nulll`, `tru`, `True`,
	`1 2`, `{} {}`, `[] ]`, `"a""b"`, `{"a":1 "b":2}`, `[1 2]`, "\ufeff{}", "{\"a\":\"12345678\xff\"}", `{"a":1}x`,
	`{"a":"\\","b":"\\\""}`, `["\"", "\\"]`,
}

// depth returns how deeply arrays and objects are nested in data, which is
// JSON.
func depth(data []byte) int {
	deepest, now := 0, 0
	dec := json.NewDecoder(bytes.NewReader(data))
	for {
		token, err := dec.Token()
		if err != nil {
			return deepest
		}
		switch token {
		case json.Delim('['), json.Delim('{'):
			now++
			deepest = max(deepest, now)
		case json.Delim(']'), json.Delim('}'):
			now--
		}
	}
}

// valid is the reference implementation for Skip and ReadObject.
func valid(data []byte, deepest int) bool {
	return json.Valid(data) && utf8.Valid(data) && depth(data) <= deepest
}

func checkSkip(t *testing.T, data []byte) {
	t.Helper()
	text := bytes.Trim(data, " \t\r\n")
	end, err := Skip(data, skipSpace(data, 0))
	if end < 0 || end > len(data) {
		t.Fatalf("Skip(%q) went to %d", data, end)
	}
	whole := err == nil && skipSpace(data, end) == len(data)
	if want := valid(text, MaxDepth); whole != want {
		t.Fatalf("Skip(%q) = %d, %v; encoding/json says %v", data, end, err, want)
	}
	if err == nil && !valid(bytes.Trim(data[:end], " \t\r\n"), MaxDepth) {
		t.Fatalf("Skip(%q) took %q for a value", data, data[:end])
	}
}

func TestSkipAgreesWithEncodingJSON(t *testing.T) {
	for _, s := range samples {
		checkSkip(t, []byte(s))
		// Test the same text at every position in an eight-byte word.
		for pad := range 9 {
			checkSkip(t, []byte(`["`+strings.Repeat("x", pad)+`",`+s+`]`))
			checkSkip(t, []byte(`{"`+strings.Repeat("x", pad)+`":`+s+`}`))
		}
	}
	for c := range 256 {
		for offset := range 17 {
			s := []byte(`"` + strings.Repeat("x", 16) + `"`)
			s[1+min(offset, 15)] = byte(c)
			checkSkip(t, s)
		}
	}
}

func TestNestingHasALimit(t *testing.T) {
	for _, pair := range []string{"[]", "{}"} {
		open, closed := pair[:1], pair[1:]
		if open == "{" {
			open = `{"":`
		}
		nested := func(n int) []byte {
			inner := pair
			if n == 0 {
				return []byte(`0`)
			}
			return []byte(strings.Repeat(open, n-1) + inner + strings.Repeat(closed, n-1))
		}
		for _, n := range []int{0, 1, 63, 64, 65, 511, MaxDepth} {
			if end, err := Skip(nested(n), 0); err != nil || end != len(nested(n)) {
				t.Errorf("%d levels of %s: %v", n, pair, err)
			}
		}
		for _, n := range []int{MaxDepth + 1, 10_000, 1_000_000} {
			if _, err := Skip(nested(n), 0); !errors.Is(err, errDepth) {
				t.Errorf("%d levels of %s: %v", n, pair, err)
			}
		}
	}
	// Many arrays next to each other do not increase the depth. Arrays and objects must be
	// distinguished at every level.
	wide := "[" + strings.Repeat("[{}],", 10_000) + "[]]"
	checkSkip(t, []byte(wide))
	mixed := strings.Repeat(`[{"a":`, MaxDepth/2) + "1" + strings.Repeat("}]", MaxDepth/2)
	checkSkip(t, []byte(mixed))
	checkSkip(t, []byte(strings.Replace(mixed, "}]", "]}", 1)))
}

func FuzzSkip(f *testing.F) {
	for _, s := range samples {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) { checkSkip(t, data) })
}

// members returns the members of an object according to encoding/json, in
// order.
func members(data []byte) (names []string, values []string) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.Token()
	for dec.More() {
		name, _ := dec.Token()
		var value json.RawMessage
		dec.Decode(&value)
		names = append(names, name.(string))
		values = append(values, string(value))
	}
	return names, values
}

func checkObject(t *testing.T, data []byte) {
	t.Helper()
	var names, values []string
	o := ReadObject(data)
	for o.Next() {
		names = append(names, string(o.Name))
		values = append(values, string(o.Value))
	}
	if o.Next() || o.Name != nil || o.Value != nil {
		t.Fatalf("%q: Next goes on after the end", data)
	}
	text := bytes.Trim(data, " \t\r\n")
	isObject := len(text) > 0 && text[0] == '{' && valid(text, MaxDepth+1)
	if (o.Err == nil) != isObject {
		t.Fatalf("%q: %v; encoding/json says it is an object: %v", data, o.Err, isObject)
	}
	if !isObject {
		return
	}
	wantNames, wantValues := members(text)
	if strings.Join(names, "\xff") != strings.Join(wantNames, "\xff") || strings.Join(values, "\xff") != strings.Join(wantValues, "\xff") {
		t.Fatalf("%q:\n got %q %q\nwant %q %q", data, names, values, wantNames, wantValues)
	}
}

func TestReadObjectAgreesWithEncodingJSON(t *testing.T) {
	for _, s := range samples {
		checkObject(t, []byte(s))
		checkObject(t, []byte(`{"a":`+s+`}`))
		checkObject(t, []byte("\n{ \"a\" : 1 ,\t\"b\":"+s+" , \"\\u0063\":[2] }\r\n"))
	}
}

func FuzzReadObject(f *testing.F) {
	for _, s := range samples {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) { checkObject(t, data) })
}

func checkString(t *testing.T, data []byte) {
	t.Helper()
	if end, err := Skip(data, 0); err != nil || end != len(data) {
		return // String requires text that Skip has checked
	}
	var want string
	isString := json.Unmarshal(data, &want) == nil && data[0] == '"'
	got, ok := String(data)
	if ok != isString || ok && got != want {
		t.Fatalf("String(%q) = %q, %v; encoding/json has %q, %v", data, got, ok, want, isString)
	}
	if ok && string(AppendUnquoted([]byte("x"), data[1:len(data)-1])) != "x"+want {
		t.Fatalf("AppendUnquoted(%q) is not %q", data, want)
	}
}

func TestStringAgreesWithEncodingJSON(t *testing.T) {
	for _, s := range append(samples, `"\ud83dx"`, `"\ud83d\n"`, `"\ude00\ud83d"`, `"\ud83d\ud83d\ude00"`, `"\uD83D\uDE00"`, `"\ud83d\u0041"`, `"\ud83d\\ude00"`, `"\u0000"`, `"\uFFFD"`, `"\uffff"`) {
		checkString(t, []byte(s))
	}
	for _, bad := range []string{``, `"`, `x`, `1`} {
		if s, ok := String([]byte(bad)); ok {
			t.Errorf("String(%q) = %q", bad, s)
		}
	}
}

func FuzzString(f *testing.F) {
	for _, s := range samples {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		checkString(t, data)
		quoted, _ := json.Marshal(string(data))
		checkString(t, quoted)
		AppendUnquoted(nil, data) // AppendUnquoted must not panic for any text
	})
}
