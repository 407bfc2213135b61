package npm

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/filetest"
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

// TestCompilerOptions_BaseURL checks to which directory the targets of paths are relative.
func TestCompilerOptions_BaseURL(t *testing.T) {
	for name, test := range map[string]struct {
		files map[string]string
		want  string
	}{
		"inherited": {map[string]string{
			"config/base.json": `{"compilerOptions": {"baseUrl": "../src"}}`,
			"tsconfig.json":    `{"extends": "./config/base", "compilerOptions": {"paths": {"@/*": ["x/*"]}}}`,
		}, "[{@/* [src/x/*]} {* [src/*]}]"},
		"with inherited paths": {map[string]string{
			"config/base.json": `{"compilerOptions": {"paths": {"@/*": ["x/*"]}}}`,
			"tsconfig.json":    `{"extends": "./config/base", "compilerOptions": {"baseUrl": "src"}}`,
		}, "[{@/* [src/x/*]} {* [src/*]}]"},
		"none": {map[string]string{
			"config/base.json": `{"compilerOptions": {"paths": {"@/*": ["../x/*"]}}}`,
			"tsconfig.json":    `{"extends": "./config/base"}`,
		}, "[{@/* [x/*]}]"},
	} {
		dir := filetest.Dir(t, test.files)
		if got := fmt.Sprint(New(ecosystem.Options{}).compilerOptions(dir, dir).Paths); got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}
