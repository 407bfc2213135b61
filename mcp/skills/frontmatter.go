package skills

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"time"

	"go.yaml.in/yaml/v3"
)

const (
	maxFrontmatter = 64 << 10 // maximum size of frontmatter in bytes
	maxNesting     = 32       // maximum depth of values in frontmatter
	maxValues      = 10_000   // maximum number of values in frontmatter, including the values of aliases
)

// parseFrontmatter returns the YAML between the first two "---" lines of a SKILL.md. Its values
// have the types that encoding/json uses. Dates are unchanged strings.
func parseFrontmatter(file []byte) (map[string]any, error) {
	text, err := cutFrontmatter(file)
	if err != nil {
		return nil, err
	}
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil || len(document.Content) != 1 {
		return nil, fmt.Errorf("the frontmatter of %s is not valid YAML", mainFile)
	}
	d := yamlDecoder{values: maxValues}
	value, err := d.decode(document.Content[0], 0)
	if err != nil {
		return nil, fmt.Errorf("the frontmatter of %s, line %d: %w", mainFile, d.line+1, err)
	}
	fields, ok := value.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("the frontmatter of %s must consist of names and values", mainFile)
	}
	return fields, nil
}

// cutFrontmatter returns the text between the first two "---" lines.
func cutFrontmatter(file []byte) ([]byte, error) {
	file = bytes.TrimPrefix(file, []byte("\uFEFF"))
	first, rest, _ := bytes.Cut(file, []byte("\n"))
	if string(bytes.TrimRight(first, " \t\r")) != "---" {
		return nil, fmt.Errorf("%s must begin with frontmatter: fields between two lines that contain only ---", mainFile)
	}
	for length := 0; length < len(rest) && length <= maxFrontmatter; {
		line, _, _ := bytes.Cut(rest[length:], []byte("\n"))
		if string(bytes.TrimRight(line, " \t\r")) == "---" {
			return rest[:length], nil
		}
		length += len(line) + 1
	}
	return nil, fmt.Errorf("the frontmatter of %s must end with a line --- within %d bytes", mainFile, maxFrontmatter)
}

// yamlDecoder converts YAML nodes to JSON values in linear time. The decoder of package yaml takes
// quadratic time, because it compares all keys of a mapping in pairs.
type yamlDecoder struct {
	values int // number of further values that are allowed
	line   int // line of the last node
}

func (d *yamlDecoder) decode(n *yaml.Node, depth int) (any, error) {
	d.line = n.Line
	if d.values--; d.values < 0 {
		return nil, fmt.Errorf("more than %d values", maxValues)
	}
	if depth > maxNesting {
		return nil, fmt.Errorf("values are nested more than %d deep", maxNesting)
	}
	switch n.Kind {
	case yaml.AliasNode:
		return d.decode(n.Alias, depth+1)
	case yaml.SequenceNode:
		list := make([]any, len(n.Content))
		for i, element := range n.Content {
			value, err := d.decode(element, depth+1)
			if err != nil {
				return nil, err
			}
			list[i] = value
		}
		return list, nil
	case yaml.MappingNode:
		fields := make(map[string]any, len(n.Content)/2)
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := n.Content[i]
			if key.Kind != yaml.ScalarNode || key.ShortTag() == "!!merge" {
				return nil, errors.New("a name must be plain text")
			}
			value, err := d.decode(n.Content[i+1], depth+1)
			if err != nil {
				return nil, err
			}
			if _, repeated := fields[key.Value]; repeated {
				return nil, fmt.Errorf("the name %q occurs twice", clip(key.Value))
			}
			fields[key.Value] = value
		}
		return fields, nil
	case yaml.ScalarNode:
		return decodeScalar(n)
	}
	return nil, errors.New("not a value")
}

func decodeScalar(n *yaml.Node) (any, error) {
	switch n.ShortTag() {
	case "!!bool", "!!int", "!!float", "!!null":
		var value any
		if err := n.Decode(&value); err != nil {
			return nil, fmt.Errorf("%q is not a valid value", clip(n.Value))
		}
		return jsonValue(value)
	}
	return n.Value, nil
}

// jsonValue returns a number as encoding/json would decode it.
func jsonValue(value any) (any, error) {
	encoded, err := json.Marshal(value)
	if err != nil {
		return nil, errors.New("a number must be finite")
	}
	err = json.Unmarshal(encoded, &value)
	return value, err
}

// sameFrontmatter reports whether the fields of an entry equal those of SKILL.md. Two strings that
// represent the same time are equal, because programs that parse YAML write dates in different
// forms.
func sameFrontmatter(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for name, value := range a {
			if other, ok := b[name]; !ok || !sameFrontmatter(value, other) {
				return false
			}
		}
		return true
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for i := range a {
			if !sameFrontmatter(a[i], b[i]) {
				return false
			}
		}
		return true
	case string:
		b, ok := b.(string)
		if !ok || a == b {
			return ok
		}
		s, isTime := parseTime(a)
		t, isTimeToo := parseTime(b)
		return isTime && isTimeToo && s.Equal(t)
	}
	return reflect.DeepEqual(a, b)
}

func parseTime(text string) (time.Time, bool) {
	for _, layout := range []string{time.DateOnly, time.RFC3339Nano, time.DateTime} {
		if t, err := time.Parse(layout, text); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}
