package suitetest

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	santhosh "github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/docent-mcp/docent/mcp/internal/jsonschema"
)

// maker generates random schemas and instances from a small number of names and values, so that
// they often match.
type maker struct{ *rand.Rand }

func (m maker) pick(list ...string) string { return list[m.IntN(len(list))] }

func (m maker) name() string { return m.pick("a", "b", "c", "ab", "x-1") }

func (m maker) number() string {
	return m.pick("0", "1", "2", "-1", "3", "1.0", "1.5", "0.1", "0.3", "1e1", "10", "100", "9007199254740993",
		"9007199254740992", "-0", "1e400", "1e-3", "12345678901234567890", "0.30000000000000004")
}

func (m maker) text() string {
	return m.pick(`""`, `"a"`, `"b"`, `"ab"`, `"abc"`, `"é"`, `"😀"`, `"\u0061"`, `"\ud83d\ude00b"`, `"A1"`, `"x\ny"`, `"0"`)
}

func (m maker) value(depth int) string {
	n := m.IntN(9)
	if depth == 0 {
		n %= 6
	}
	switch n {
	case 0:
		return "null"
	case 1:
		return m.pick("true", "false")
	case 2, 3:
		return m.number()
	case 4, 5:
		return m.text()
	case 6:
		return m.list(m.IntN(4), func() string { return m.value(depth - 1) })
	}
	return m.object(m.IntN(4), m.name, func() string { return m.value(depth - 1) })
}

func (m maker) list(n int, item func() string) string {
	var parts []string
	for range n {
		parts = append(parts, item())
	}
	return "[" + strings.Join(parts, m.pick(",", " , ")) + "]"
}

func (m maker) object(n int, name, item func() string) string {
	var parts []string
	seen := map[string]bool{}
	for range n {
		if k := name(); !seen[k] {
			seen[k] = true
			parts = append(parts, fmt.Sprintf("%q:%s", k, item()))
		}
	}
	return "{" + strings.Join(parts, ",") + "}"
}

func (m maker) names() string {
	seen := map[string]bool{}
	var parts []string
	for range m.IntN(3) {
		if k := m.name(); !seen[k] {
			seen[k] = true
			parts = append(parts, fmt.Sprintf("%q", k))
		}
	}
	return "[" + strings.Join(parts, ",") + "]"
}

func (m maker) count() string { return fmt.Sprint(m.IntN(4)) }

// schema returns a schema with a few keywords. References refer only to $defs at the root, and
// occur only within properties or items, so that validation terminates.
func (m maker) schema(depth int, descended bool) string {
	if m.IntN(12) == 0 || depth == 0 && m.IntN(3) == 0 {
		return m.pick("true", "true", "false")
	}
	sub := func() string { return m.schema(depth-1, descended) }
	below := func() string { return m.schema(depth-1, true) }
	subs := func() string { return m.list(1+m.IntN(3), sub) }
	keys := []func() (string, string){
		func() (string, string) {
			return "type", m.pick(`"object"`, `"array"`, `"string"`, `"number"`, `"integer"`, `"boolean"`, `"null"`,
				`["object","null"]`, `["string","integer"]`, `["array","object"]`)
		},
		func() (string, string) { return "type", m.pick(`"object"`, `"array"`) },
		func() (string, string) { return "enum", m.list(1+m.IntN(4), func() string { return m.value(1) }) },
		func() (string, string) { return "const", m.value(2) },
		func() (string, string) {
			return m.pick("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), m.number()
		},
		func() (string, string) { return "multipleOf", m.pick("1", "2", "0.1", "0.01", "3", "1.5", "1e-2") },
		func() (string, string) {
			return m.pick("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"), m.count()
		},
		func() (string, string) {
			return "pattern", m.pick(`"^[a-c]+$"`, `"a"`, `"^\\d"`, `"^.$"`, `"b$"`, `"^[^a]*$"`)
		},
		func() (string, string) { return "uniqueItems", m.pick("true", "false") },
		func() (string, string) { return "required", m.names() },
		func() (string, string) { return "dependentRequired", m.object(m.IntN(3), m.name, m.names) },
	}
	if depth > 0 {
		keys = append(keys,
			func() (string, string) { return "properties", m.object(m.IntN(4), m.name, below) },
			func() (string, string) { return "properties", m.object(m.IntN(4), m.name, below) },
			func() (string, string) {
				return "patternProperties", m.object(m.IntN(3), func() string { return m.pick("^a", "b", ".") }, below)
			},
			func() (string, string) { return "additionalProperties", below() },
			func() (string, string) { return "propertyNames", below() },
			func() (string, string) { return "dependentSchemas", m.object(m.IntN(3), m.name, sub) },
			func() (string, string) { return "items", below() },
			func() (string, string) { return "prefixItems", m.list(1+m.IntN(3), below) },
			func() (string, string) { return "contains", below() },
			func() (string, string) { return m.pick("minContains", "maxContains"), m.count() },
			func() (string, string) { return "unevaluatedItems", below() },
			func() (string, string) { return "unevaluatedProperties", below() },
			func() (string, string) { return "allOf", subs() },
			func() (string, string) { return "anyOf", subs() },
			func() (string, string) { return "oneOf", subs() },
			func() (string, string) { return "not", sub() },
			func() (string, string) { return "if", sub() },
			func() (string, string) { return "then", sub() },
			func() (string, string) { return "else", sub() },
		)
		if descended {
			keys = append(keys, func() (string, string) { return "$ref", m.pick(`"#/$defs/one"`, `"#/$defs/two"`, `"#"`) })
		}
	}
	var parts []string
	seen := map[string]bool{}
	for range m.IntN(5) {
		if k, v := keys[m.IntN(len(keys))](); !seen[k] {
			seen[k] = true
			parts = append(parts, fmt.Sprintf("%q:%s", k, v))
		}
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// TestAgreesWithAnotherValidator compares the results of two validators for random schemas and
// instances.
func TestAgreesWithAnotherValidator(t *testing.T) {
	const schemas, instances = 5000, 15
	compared, valid := 0, 0
	for seed := range uint64(schemas) {
		m := maker{rand.New(rand.NewPCG(seed, 1))}
		schema := m.schema(4, false)
		if strings.HasPrefix(schema, "{") {
			defs := fmt.Sprintf(`"$defs":{"one":%s,"two":%s}`, m.schema(2, false), m.schema(2, false))
			if schema == "{}" {
				schema = "{" + defs + "}"
			} else {
				schema = "{" + defs + "," + schema[1:]
			}
		}
		ours, err := jsonschema.Compile([]byte(schema), nil)
		if err != nil {
			if strings.Contains(err.Error(), "applies itself") || strings.Contains(err.Error(), "refers to a location that does not exist") {
				continue
			}
			t.Fatalf("seed %d: %v\n%s", seed, err, schema)
		}
		doc, err := santhosh.UnmarshalJSON(strings.NewReader(schema))
		if err != nil {
			t.Fatal(err)
		}
		c := santhosh.NewCompiler()
		if err := c.AddResource("schema.json", doc); err != nil {
			t.Fatal(err)
		}
		theirs, err := c.Compile("schema.json")
		if err != nil {
			t.Logf("seed %d: only ours takes %s: %v", seed, schema, err)
			continue
		}
		for range instances {
			data := m.value(4)
			v, err := santhosh.UnmarshalJSON(bytes.NewReader([]byte(data)))
			if err != nil {
				t.Fatal(err)
			}
			want, got := theirs.Validate(v), ours.Validate([]byte(data))
			if compared++; got == nil {
				valid++
			}
			if (want == nil) != (got == nil) {
				t.Errorf("seed %d: ours says %v, the other %v\n%s\n%s", seed, got, want, schema, data)
			}
			if got != nil && !isValidationError(got) {
				t.Errorf("seed %d: %v\n%s\n%s", seed, got, schema, data)
			}
		}
	}
	t.Logf("%d verdicts compared, %d of them valid", compared, valid)
}

func isValidationError(err error) bool {
	_, ok := errors.AsType[*jsonschema.ValidationError](err)
	return ok
}
