package suitetest

import (
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/mcp/internal/jsonschema"
)

// suiteDir is where the official test suite lies: JSON_SCHEMA_TEST_SUITE for a checkout of the whole of it
// (with tests/ and remotes/), else the part that the module of google/jsonschema-go carries.
func suiteDir(t testing.TB) (tests, remotes string) {
	if dir := os.Getenv("JSON_SCHEMA_TEST_SUITE"); dir != "" {
		return filepath.Join(dir, "tests"), filepath.Join(dir, "remotes")
	}
	dir := filepath.Join(moduleDir(t, "github.com/google/jsonschema-go"), "jsonschema", "testdata")
	return dir, filepath.Join(dir, "remotes")
}

func moduleDir(t testing.TB, module string) string {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		t.Fatalf("go list -m %s: %v", module, err)
	}
	return strings.TrimSpace(string(out))
}

// remoteSchemas are the documents that the suite expects at http://localhost:1234.
func remoteSchemas(t testing.TB, dir string) map[string][]byte {
	found := map[string][]byte{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".json" {
			return err
		}
		text, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
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

func readGroups(t testing.TB, file string) []group {
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

// run plays the files of one folder and counts. Each test that does not come out as the suite says must
// be listed in except, and each that is listed there must not.
func run(t *testing.T, pattern, dialect string, assertFormat bool, except map[string]string) {
	tests, remotes := suiteDir(t)
	files, _ := filepath.Glob(filepath.Join(tests, pattern))
	if len(files) == 0 {
		t.Skipf("the test suite at hand has no %s; set JSON_SCHEMA_TEST_SUITE to a checkout of it", pattern)
	}
	opts := &jsonschema.Options{Resources: remoteSchemas(t, remotes), Dialect: dialect, AssertFormat: assertFormat}
	passed, total := 0, 0
	wrong := map[string]bool{}
	for _, file := range files {
		for _, g := range readGroups(t, file) {
			s, err := jsonschema.Compile(g.Schema, opts)
			for _, test := range g.Tests {
				total++
				name := filepath.Base(file) + ": " + g.Description + ": " + test.Description
				if err == nil && (s.Validate(test.Data) == nil) == test.Valid {
					passed++
					continue
				}
				wrong[name] = true
				if except[name] == "" {
					got := err
					if err == nil {
						got = s.Validate(test.Data)
					}
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

// contentAssertions are optional tests of draft-07 that want contentEncoding and contentMediaType to refuse
// strings. Here they only annotate, as later drafts have it.
var contentAssertions = map[string]string{
	"content.json: validation of string-encoded content based on media type: an invalid JSON document":             "content annotates",
	"content.json: validation of binary string-encoding: an invalid base64 string (% is not a valid character)":    "content annotates",
	"content.json: validation of binary-encoded media type documents: a validly-encoded invalid JSON document":     "content annotates",
	"content.json: validation of binary-encoded media type documents: an invalid base64 string that is valid JSON": "content annotates",
}

func TestDraft2020Required(t *testing.T) { run(t, "draft2020-12/*.json", draft2020, false, nil) }
func TestDraft2019Required(t *testing.T) { run(t, "draft2019-09/*.json", draft2019, false, nil) }
func TestDraft7Required(t *testing.T)    { run(t, "draft7/*.json", draft7, false, nil) }

func TestDraft2020Optional(t *testing.T) {
	run(t, "draft2020-12/optional/*.json", draft2020, false, nil)
}
func TestDraft2019Optional(t *testing.T) {
	run(t, "draft2019-09/optional/*.json", draft2019, false, nil)
}
func TestDraft7Optional(t *testing.T) {
	run(t, "draft7/optional/*.json", draft7, false, contentAssertions)
}

func TestDraft2020Format(t *testing.T) {
	run(t, "draft2020-12/optional/format/*.json", draft2020, true, nil)
}

func TestDraft2019Format(t *testing.T) {
	run(t, "draft2019-09/optional/format/*.json", draft2019, true, nil)
}

func TestDraft7Format(t *testing.T) { run(t, "draft7/optional/format/*.json", draft7, true, nil) }
