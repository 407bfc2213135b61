package mcp_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/mcp"
)

// These patterns are the grammar for keys of _meta (specification 2025-11-25: Base Protocol,
// _meta).
var (
	keyLabel = regexp.MustCompile(`^[A-Za-z]([A-Za-z0-9-]*[A-Za-z0-9])?$`)
	keyName  = regexp.MustCompile(`^([A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?)?$`)
)

// isKey reports whether the grammar allows the key and no revision reserves its prefix. It allows
// io.modelcontextprotocol/, the prefix of official extensions.
func isKey(key string) bool {
	prefix, name, ok := strings.Cut(key, "/")
	if !ok {
		return keyName.MatchString(key)
	}
	labels := strings.Split(prefix, ".")
	for i, label := range labels {
		reserved := label == "mcp" || label == "modelcontextprotocol"
		if !keyLabel.MatchString(label) || reserved && (i == 1 || i == len(labels)-2) && prefix != "io.modelcontextprotocol" {
			return false
		}
	}
	return keyName.MatchString(name)
}

// someKeys returns keys with each character in each position, and with all sequences of up to four
// of the labels that can make a prefix reserved.
func someKeys() []string {
	var keys []string
	characters := []string{"", "é", "\u00a0", "aa", "--", "..", "a.b", "a-b", "a_b", "1", "A", "a/b", "//"}
	for c := range 128 {
		characters = append(characters, string(rune(c)))
	}
	for _, c := range characters {
		for _, key := range []string{
			"C", "aC", "Ca", "aCa", "C/map", "aC/map", "Ca/map", "aCa/map", "C.example/map", "aC.example/map", "Ca.example/map", "aCa.example/map",
			"com.C/map", "com.aC/map", "com.Ca/map", "com.aCa/map", "com.example.C/map", "com.example.aCa/map", "com.example/C", "com.example/aC",
			"com.example/Ca", "com.example/aCa", "a/C", "C/", "C/C",
		} {
			keys = append(keys, strings.ReplaceAll(key, "C", c))
		}
	}
	prefixes := []string{""}
	for range 4 {
		for _, prefix := range prefixes {
			for _, label := range []string{"com", "io", "mcp", "modelcontextprotocol", "mcpx", "MCP"} {
				longer := strings.TrimPrefix(prefix+"."+label, ".")
				keys = append(keys, longer+"/map", longer+"/")
				if prefixes = append(prefixes, longer); len(prefixes) > 400 {
					break
				}
			}
		}
	}
	return keys
}

func TestKeysFollowTheirGrammarWhereverTheyStand(t *testing.T) {
	proves(t, "meta.key.label-format", "meta.key.name-format", "meta.key.prefix-format", "meta.key.reserved-any-position", "meta.key.reserved-second-label", "ext.id-format")
	ranBeforeClients(t)
	s := newServer(nil)
	seen := map[string]bool{}
	for _, key := range someKeys() {
		if seen[key] {
			continue
		}
		seen[key] = true
		meta := mcp.Meta{key: 1}
		for what, err := range map[string]error{
			"tool":     mcp.AddTool(s, mcp.Tool{Name: "a", Meta: meta}, exitTool, mcp.Replace),
			"prompt":   s.AddPrompt(mcp.Prompt{Name: "a", Meta: meta}, says(), mcp.Replace),
			"resource": s.AddResource(mcp.Resource{URI: "x:a", Name: "a", Meta: meta}, holds(), mcp.Replace),
			"template": s.AddResourceTemplate(mcp.ResourceTemplate{URITemplate: "x:{a}", Name: "a", Meta: meta}, tells("a"), mcp.Replace),
		} {
			if want := isKey(key); (err == nil) != want {
				t.Errorf("the key %q of a %s: %v", key, what, err)
			}
		}
		prefix, name, _ := strings.Cut(key, "/")
		if want := isKey(key) && prefix != "" && name != ""; (s.AddExtension(key, nil) == nil) != want {
			t.Errorf("the extension %q: taken %v", key, !want)
		}
	}
	if len(seen) < 2000 {
		t.Errorf("only %d keys", len(seen))
	}
}

// belowKeyword returns a schema that contains schema in a keyword.
func belowKeyword(keyword, schema string) string {
	switch keyword {
	case "properties":
		return `{"type":"object","properties":{"a":` + schema + `}}`
	case "oneOf", "anyOf", "allOf", "prefixItems":
		return `{"type":"object","` + keyword + `":[{},` + schema + `]}`
	case "$defs", "definitions", "patternProperties", "dependentSchemas":
		return `{"type":"object","` + keyword + `":{"a":` + schema + `}}`
	}
	return `{"type":"object","` + keyword + `":` + schema + `}`
}

func TestMarksOfHeadersStandBelowPropertiesAlone(t *testing.T) {
	proves(t, "http.param.static-path", "http.param.no-dynamic-path", "http.param.primitive-only", "http.param.name-unique")
	ranBeforeClients(t)
	s := newServer(nil)
	add := func(schema string) error {
		return mcp.AddTool(s, mcp.Tool{Name: "a", InputSchema: []byte(schema)}, taking[map[string]any], mcp.Replace)
	}
	const mark = `{"type":"string","x-mcp-header":"A"}`
	check := func(keywords ...string) {
		t.Helper()
		schema, want := mark, true
		for i := range keywords {
			keyword := keywords[len(keywords)-1-i]
			schema = belowKeyword(keyword, schema)
			want = want && keyword == "properties"
		}
		if err := add(schema); (err == nil) != want {
			t.Errorf("%v: %v", keywords, err)
		}
	}
	all := strings.Fields(`properties items additionalItems contains unevaluatedItems unevaluatedProperties additionalProperties propertyNames not if then else
		contentSchema oneOf anyOf allOf prefixItems $defs definitions patternProperties dependentSchemas`)
	for _, a := range all {
		check(a)
		for _, b := range all {
			check(a, b)
			check(a, b, "properties")
			check(a, "properties", b)
			check("properties", a, b)
		}
		check("properties", "properties", "properties", a)
		check(a, "properties", "properties", "properties", "properties")
		check("properties", a, "properties", "properties", "properties")
	}
	for kind, want := range map[string]bool{
		"string": true, "integer": true, "boolean": true, "number": false, "object": false, "array": false, "null": false,
	} {
		for depth := range 4 {
			schema := fmt.Sprintf(`{"type":%q,"x-mcp-header":"A"}`, kind)
			for range depth + 1 {
				schema = belowKeyword("properties", schema)
			}
			if err := add(schema); (err == nil) != want {
				t.Errorf("a %s at depth %d: %v", kind, depth, err)
			}
		}
	}
	// No two values of x-mcp-header may be the same header name.
	for _, names := range [][2]string{{"Region", "Region"}, {"region", "REGION"}, {"Region", "Regions"}, {"a-B", "A-b"}} {
		for depth := range 3 {
			for other := range 3 {
				one, two := strings.Replace(mark, `"A"`, fmt.Sprintf("%q", names[0]), 1), strings.Replace(mark, `"A"`, fmt.Sprintf("%q", names[1]), 1)
				for range depth {
					one = belowKeyword("properties", one)
				}
				for range other {
					two = belowKeyword("properties", two)
				}
				err := add(`{"type":"object","properties":{"x":` + one + `,"y":` + two + `}}`)
				if want := !strings.EqualFold(names[0], names[1]); (err == nil) != want {
					t.Errorf("%q at depths %d and %d: %v", names, depth, other, err)
				}
			}
		}
	}
}
