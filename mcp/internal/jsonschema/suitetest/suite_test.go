package suitetest

import (
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/mcp/internal/jsonschema"
)

// A suite is a directory of tests, and a directory of documents that the tests expect at
// http://localhost:1234.
type suite struct{ tests, remotes string }

// official returns the official test suite. It is the complete checkout in JSON_SCHEMA_TEST_SUITE
// or, if that is not set, the part of it in the module google/jsonschema-go.
func official(t *testing.T) suite {
	t.Helper()
	if dir := os.Getenv("JSON_SCHEMA_TEST_SUITE"); dir != "" {
		return suite{filepath.Join(dir, "tests"), filepath.Join(dir, "remotes")}
	}
	dir := filepath.Join(moduleDir(t, "github.com/google/jsonschema-go"), "jsonschema", "testdata")
	return suite{dir, filepath.Join(dir, "remotes")}
}

func moduleDir(t *testing.T, module string) string {
	t.Helper()
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		t.Fatalf("go list -m %s: %v", module, err)
	}
	return strings.TrimSpace(string(out))
}

// resources returns the documents in the suite by URI.
func (s suite) resources(t *testing.T) map[string][]byte {
	t.Helper()
	found := map[string][]byte{}
	err := filepath.WalkDir(s.remotes, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".json" {
			return err
		}
		text, err := os.ReadFile(path)
		rel, _ := filepath.Rel(s.remotes, path)
		found["http://localhost:1234/"+filepath.ToSlash(rel)] = text
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

type group struct {
	Description string
	Schema      json.RawMessage
	Tests       []struct {
		Description string
		Data        json.RawMessage
		Valid       bool
	}
}

func readGroups(t *testing.T, file string) []group {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var groups []group
	if err := json.Unmarshal(text, &groups); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return groups
}

// play runs the files in one directory and counts the tests. If a result differs from the expected
// one, the test must be listed in except with the reason. No other test may be listed there.
func (s suite) play(t *testing.T, pattern, dialect string, assertFormat bool, except map[string]string) {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(s.tests, pattern))
	if len(files) == 0 {
		t.Skipf("the test suite at hand has no %s; set JSON_SCHEMA_TEST_SUITE to a checkout of it", pattern)
	}
	opts := &jsonschema.Options{Resources: s.resources(t), Dialect: dialect, AssertFormat: assertFormat}
	passed, total := 0, 0
	wrong := map[string]bool{}
	for _, file := range files {
		for _, g := range readGroups(t, file) {
			compiled, err := jsonschema.Compile(g.Schema, opts)
			for _, test := range g.Tests {
				total++
				got := err
				if err == nil {
					got = compiled.Validate(test.Data)
				}
				if err == nil && (got == nil) == test.Valid {
					passed++
					continue
				}
				name := filepath.Base(file) + ": " + g.Description + ": " + test.Description
				wrong[name] = true
				if except[name] == "" {
					t.Errorf("%s: valid should be %v: %v\n\tschema %s\n\tdata %s", name, test.Valid, got, g.Schema, test.Data)
				}
			}
		}
	}
	for name := range except {
		if !wrong[name] {
			t.Errorf("%s is listed as an exception but is not one", name)
		}
	}
	t.Logf("%s: %d of %d", pattern, passed, total)
}

const (
	draft2020 = "https://json-schema.org/draft/2020-12/schema"
	draft2019 = "https://json-schema.org/draft/2019-09/schema"
	draft7    = "http://json-schema.org/draft-07/schema#"
)

// contentAssertions contains optional draft-07 tests in which contentEncoding and contentMediaType
// refuse strings. In this package, these keywords are only annotations, as in later drafts.
var contentAssertions = map[string]string{
	"content.json: validation of string-encoded content based on media type: an invalid JSON document":             "content annotates",
	"content.json: validation of binary string-encoding: an invalid base64 string (% is not a valid character)":    "content annotates",
	"content.json: validation of binary-encoded media type documents: a validly-encoded invalid JSON document":     "content annotates",
	"content.json: validation of binary-encoded media type documents: an invalid base64 string that is valid JSON": "content annotates",
}

// formatAssertions contains tests in which the format ipv4 refuses strings if the metaschema
// asserts formats.
var formatAssertions = map[string]string{
	"format-assertion.json: schema that uses custom metaschema with format-assertion: false: format-assertion: false: invalid string": "ipv4 annotates",
	"format-assertion.json: schema that uses custom metaschema with format-assertion: true: format-assertion: true: invalid string":   "ipv4 annotates",
}

func TestDraft2020Required(t *testing.T) {
	official(t).play(t, "draft2020-12/*.json", draft2020, false, nil)
}
func TestDraft2019Required(t *testing.T) {
	official(t).play(t, "draft2019-09/*.json", draft2019, false, nil)
}
func TestDraft7Required(t *testing.T) { official(t).play(t, "draft7/*.json", draft7, false, nil) }

func TestDraft2020Optional(t *testing.T) {
	official(t).play(t, "draft2020-12/optional/*.json", draft2020, false, formatAssertions)
}
func TestDraft2019Optional(t *testing.T) {
	official(t).play(t, "draft2019-09/optional/*.json", draft2019, false, nil)
}
func TestDraft7Optional(t *testing.T) {
	official(t).play(t, "draft7/optional/*.json", draft7, false, contentAssertions)
}

// asserted contains the files for the formats that can refuse strings, and for unknown formats.
var asserted = []string{"date.json", "date-time.json", "email.json", "uri.json", "unknown.json"}

// playFormats runs the tests of formats. If a format is not asserted, all strings must be valid,
// and the test logs the format's name.
func (s suite) playFormats(t *testing.T, folder, dialect string) {
	t.Helper()
	for _, name := range asserted {
		s.play(t, folder+"/optional/format/"+name, dialect, true, nil)
	}
	files, _ := filepath.Glob(filepath.Join(s.tests, folder, "optional/format/*.json"))
	var annotations []string
	for _, file := range files {
		if slices.Contains(asserted, filepath.Base(file)) {
			continue
		}
		annotations = append(annotations, strings.TrimSuffix(filepath.Base(file), ".json"))
		for _, g := range readGroups(t, file) {
			compiled, err := jsonschema.Compile(g.Schema, &jsonschema.Options{Dialect: dialect, AssertFormat: true})
			if err != nil {
				t.Errorf("%s: %s: %v", file, g.Description, err)
				continue
			}
			for _, test := range g.Tests {
				if err := compiled.Validate(test.Data); err != nil {
					t.Errorf("%s: %s: %s: a format that only annotates: %v", file, g.Description, test.Description, err)
				}
			}
		}
	}
	t.Logf("%s: not asserted: %s", folder, strings.Join(annotations, ", "))
}

func TestDraft2020Format(t *testing.T) { official(t).playFormats(t, "draft2020-12", draft2020) }
func TestDraft2019Format(t *testing.T) { official(t).playFormats(t, "draft2019-09", draft2019) }
func TestDraft7Format(t *testing.T)    { official(t).playFormats(t, "draft7", draft7) }
