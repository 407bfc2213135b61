package npm

import (
	"encoding/json"
	"testing"
)

func TestPlainJSON(t *testing.T) {
	for text, want := range map[string]string{
		`{"a": [1, 2,], /* , */ "b": "//", } // c`: `{"a":[1,2],"b":"//"}`,
		`{"a": "\"/*", "b": 1}`:                    `{"a":"\"/*","b":1}`,
		"{}":                                       "{}",
	} {
		var v any
		if err := json.Unmarshal(plainJSON(text), &v); err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got, _ := json.Marshal(v); string(got) != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func FuzzPlainJSON(f *testing.F) {
	f.Add(`{"a": [1,], // b` + "\n" + `"c": "\\"}`)
	f.Add(`/* {`)
	f.Fuzz(func(t *testing.T, text string) {
		if got := plainJSON(text); len(got) > len(text) {
			t.Errorf("%q became longer: %q", text, got)
		}
	})
}
