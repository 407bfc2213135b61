package teamserver

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/filetest"
)

// shelf is a language with the package turtle, which has two versions.
type shelf struct{ tape }

func (l shelf) Find(_ context.Context, q ecosystem.Query) (*ecosystem.Found, error) {
	name, version, _ := strings.Cut(q.Package, "@")
	if q.Version != "" {
		version = q.Version
	}
	if version == "" {
		version = "2"
	}
	switch {
	case name == "hidden":
		return nil, ecosystem.Fail(ecosystem.Refused, "%s is not for everyone", name)
	case name == "away":
		return nil, ecosystem.Fail(ecosystem.Unreachable, "the registry of %s does not respond", name)
	case name != "turtle" && name != "deep/turtle":
		return nil, ecosystem.Fail(ecosystem.NotFound, "there is no package %s", name)
	}
	return &ecosystem.Found{Read: func(context.Context) (*apidoc.Package, error) {
		p := &apidoc.Package{
			Ecosystem: "tape", Style: l.Info().Style, Name: name, Version: version, Doc: "Draws. Asked for [" + q.ProjectDir + "].",
			Provenance: apidoc.Provenance{Source: "tape", ChosenBy: "test"},
			Symbols: []apidoc.Symbol{
				{Path: "plot", Kind: apidoc.Function, Signature: "plot(x)", Doc: "Draws a line.", File: "turtle.tape", Line: 3},
				{Path: "Pen", Kind: apidoc.Class, Signature: "class Pen", Members: []apidoc.Symbol{{Path: "Pen.up", Kind: apidoc.Method, Signature: "up()", Doc: "Lifts the pen."}}},
			},
		}
		if version == "1" {
			p.Symbols = append(p.Symbols, apidoc.Symbol{Path: "erase", Kind: apidoc.Function, Signature: "erase()"})
		}
		return p, nil
	}}, nil
}

func (l shelf) Releases(_ context.Context, _ string, p *ecosystem.Used) (*ecosystem.Releases, error) {
	if p.Name != "turtle" {
		return nil, ecosystem.Fail(ecosystem.NotFound, "the registry has no %s", p.Name)
	}
	out := &ecosystem.Releases{Newest: "2", Deprecated: "use hare"}
	out.Versions = func() []ecosystem.Version {
		return []ecosystem.Version{{Version: "3-rc"}, {Version: "2", Published: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}, {Version: "1", Yanked: "broken"}}
	}
	return out, nil
}

// get requests a path of the HTTP API.
func (r *running) get(t *testing.T, key, path string) (status int, text string) {
	t.Helper()
	status, header, text := request(t, http.MethodGet, r.url+path, key, "")
	if kind := header.Get("Content-Type"); kind != "application/json" && status != http.StatusForbidden {
		t.Errorf("%s: content type %q", path, kind)
	}
	return status, text
}

func TestAPI(t *testing.T) {
	dir := t.TempDir()
	keys, add := newKeys(t)
	key := add("alice", 0)
	audit := filepath.Join(t.TempDir(), "audit.jsonl")
	r := start(t, shelf{}, Options{Keys: keys, AuditLog: audit, Rate: 1000, Groups: map[string]Group{everyone: {Projects: []string{dir}}}})
	_, description := r.get(t, key, "/v1/openapi.json")
	var api map[string]any
	if err := json.Unmarshal([]byte(description), &api); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		path   string
		status int
		want   []string
	}{
		{"/v1/packages/tape/turtle", 200, []string{`"name":"turtle","version":"2"`, `"path":"Pen.up"`}},
		{"/v1/packages/tape/turtle@1", 200, []string{`"version":"1"`, `"path":"erase"`}},
		{"/v1/packages/tape/turtle?version=1", 200, []string{`"version":"1"`}},
		{"/v1/packages/tape/deep/turtle", 200, []string{`"name":"deep/turtle"`}},
		{"/v1/packages/tape/turtle?project=" + dir, 200, []string{"Asked for [" + dir + "]"}},
		{"/v1/symbols/tape/turtle?symbol=Pen.up,plot,none", 200, []string{`"path":"Pen.up"`, `"line":3`, `"problems":["no symbol none in turtle@2`}},
		{"/v1/search/tape/turtle?query=draws+line&limit=1", 200, []string{`"query":"draws line"`, `"path":"plot"`}},
		{"/v1/diff/tape/turtle@1?to=2", 200, []string{`"erase"`, `"removed"`}},
		{"/v1/versions/tape/turtle", 200, []string{`"version":"2","newest":"2","versions":[{"version":"3-rc"},{"version":"2","published":"2026-01-02","deprecated":"use hare"},{"version":"1","yanked":"broken"}]`}},
		{"/v1/versions/tape/turtle@1", 200, []string{`"package":"turtle","version":"1"`}},
		{"/v1/versions/tape/deep/turtle", 404, []string{"the registry has no deep/turtle"}},
		{"/v1/versions/tape/hidden", 403, []string{"not for everyone"}},
		{"/v1/symbols/tape/turtle?symbol=none", 404, []string{"no symbol none"}},
		{"/v1/symbols/tape/turtle", 400, []string{"the parameter symbol is missing"}},
		{"/v1/symbols/tape/turtle?symbol=a&symbol=b", 400, []string{"the parameter symbol occurs 2 times"}},
		{"/v1/search/tape/turtle?query=x&limit=1000", 400, []string{"not a number from 1 to 100"}},
		{"/v1/search/tape/turtle?query=" + strings.Repeat("x", 3000), 400, []string{"longer than 2000 bytes"}},
		{"/v1/packages/tape/tortoise", 404, []string{"there is no package tortoise"}},
		{"/v1/packages/tape/", 400, []string{"must end with the name of a package"}},
		{"/v1/packages/tape/away", 502, []string{"does not respond"}},
		{"/v1/packages/tape/hidden", 403, []string{"not for everyone"}},
		{"/v1/packages/disc/turtle", 400, []string{"disc"}},
		{"/v1/packages/tape/%2Fetc", 403, []string{"is a directory"}},
		{"/v1/packages/tape/%2E%2E%2Fother", 403, []string{"is a directory"}},
		{"/v1/packages/tape/turtle?project=/etc", 403, []string{"is not a directory that you may use"}},
		{"/v1/packages/tape/turtle?project=project:none", 404, []string{"there is no project"}},
	} {
		status, text := r.get(t, key, tt.path)
		if status != tt.status {
			t.Errorf("%s: status %d, want %d: %s", tt.path, status, tt.status, text)
		}
		for _, want := range tt.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q in %s", tt.path, want, text)
			}
		}
		name := "Problem"
		if tt.status == 200 {
			name = map[string]string{"packages": "Package", "symbols": "Symbols", "search": "Results", "diff": "Comparison", "versions": "Versions"}[strings.Split(tt.path, "/")[2]]
		}
		var data any
		if err := json.Unmarshal([]byte(text), &data); err != nil {
			t.Fatalf("%s: %v", tt.path, err)
		}
		conforms(t, api, tt.path, map[string]any{"$ref": "#/components/schemas/" + name}, data)
	}
	if status, text := r.get(t, "", "/v1/packages/tape/turtle"); status != 401 || strings.Contains(text, "turtle") {
		t.Errorf("without a key: %d %s", status, text)
	}
	logged := filetest.Read(t, audit)
	for _, want := range []string{`"tool":"getPackage","package":"turtle@1"`, `"tool":"search"`, `"outcome":"answered"`, `"outcome":"not found"`} {
		if !strings.Contains(string(logged), want) {
			t.Errorf("the audit log has no %s: %s", want, logged)
		}
	}
	if strings.Contains(string(logged), "draws") {
		t.Errorf("the audit log has the words of a search: %s", logged)
	}
}

// conforms checks data against a schema of the API description. It supports only the parts of JSON
// Schema that the description uses. All properties must be described.
func conforms(t *testing.T, api map[string]any, at string, schema map[string]any, data any) {
	t.Helper()
	if ref, ok := schema["$ref"].(string); ok {
		name := strings.TrimPrefix(ref, "#/components/schemas/")
		target, ok := api["components"].(map[string]any)["schemas"].(map[string]any)[name].(map[string]any)
		if !ok {
			t.Errorf("%s: there is no schema %s", at, name)
			return
		}
		schema = target
	}
	if choices, ok := schema["anyOf"].([]any); ok {
		if data == nil {
			return
		}
		schema = choices[0].(map[string]any)
		conforms(t, api, at, schema, data)
		return
	}
	kind, _ := schema["type"].(string)
	switch value := data.(type) {
	case map[string]any:
		if kind != "object" {
			t.Errorf("%s is an object, not %q", at, kind)
			return
		}
		required, _ := schema["required"].([]any)
		for _, name := range required {
			if _, ok := value[name.(string)]; !ok {
				t.Errorf("%s has no %s", at, name)
			}
		}
		for name, member := range value {
			properties, _ := schema["properties"].(map[string]any)
			sub, ok := properties[name].(map[string]any)
			if !ok {
				sub, ok = schema["additionalProperties"].(map[string]any)
			}
			if !ok {
				t.Errorf("%s: %s is not described", at, name)
				continue
			}
			conforms(t, api, at+"."+name, sub, member)
		}
	case []any:
		items, ok := schema["items"].(map[string]any)
		if kind != "array" || !ok {
			t.Errorf("%s is an array, not %q", at, kind)
			return
		}
		for i, item := range value {
			conforms(t, api, fmt.Sprintf("%s[%d]", at, i), items, item)
		}
	default:
		if want := map[string]string{"string": "string", "bool": "boolean", "float64": "number"}[fmt.Sprintf("%T", data)]; kind != "" && kind != want && (kind != "integer" || want != "number") {
			t.Errorf("%s is %v, not of the type %q", at, data, kind)
		}
	}
}

func TestAPI_Limits(t *testing.T) {
	keys, add := newKeys(t)
	key := add("alice", 0)
	r := start(t, shelf{}, Options{Keys: keys, Rate: 1})
	refused := 0
	for range 20 {
		if status, text := r.get(t, key, "/v1/packages/tape/turtle"); status == http.StatusTooManyRequests && strings.Contains(text, "send fewer per second") {
			refused++
		}
	}
	if refused < 10 {
		t.Errorf("%d of 20 requests were refused", refused)
	}
}

func TestAPI_OtherSites(t *testing.T) {
	r := start(t, shelf{}, Options{})
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, r.url+"/v1/packages/tape/turtle", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Origin", "https://evil.test")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != http.StatusForbidden {
		t.Errorf("a page of another site gets status %d", res.StatusCode)
	}
}
