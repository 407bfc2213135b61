package setup

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

// yamlEditor edits YAML by the positions of its nodes, since yaml.v3 cannot write a file with its
// original formatting.
type yamlEditor struct{}

func (yamlEditor) decode(data []byte) (tree map[string]any, err error) {
	tree = map[string]any{}
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	if first := decoder.Decode(new(yaml.Node)); first == nil {
		if second := decoder.Decode(new(yaml.Node)); second == nil {
			return nil, errors.New("the file contains several YAML documents")
		}
	}
	return tree, yaml.Unmarshal(data, &tree)
}

// yamlPlace is a key and its value in a file, and the next key in the mapping, if any.
type yamlPlace struct {
	key, value, next *yaml.Node
	flow             bool // whether the mapping has braces
}

// find returns the root, and the places of those names of key that exist.
func (yamlEditor) find(data []byte, key []string) (root *yaml.Node, places []yamlPlace, err error) {
	var document yaml.Node
	if err := yaml.Unmarshal(data, &document); err != nil {
		return nil, nil, err
	}
	if len(document.Content) == 0 {
		return nil, nil, nil
	}
	root = document.Content[0]
	node := root
	for _, name := range key {
		var place *yamlPlace
		if node.Kind == yaml.MappingNode {
			for i := 0; i+1 < len(node.Content); i += 2 {
				if node.Content[i].Value == name {
					place = &yamlPlace{key: node.Content[i], value: node.Content[i+1], flow: node.Style&yaml.FlowStyle != 0}
					if i+2 < len(node.Content) {
						place.next = node.Content[i+2]
					}
				}
			}
		}
		if place == nil {
			break
		}
		places = append(places, *place)
		node = place.value
	}
	return root, places, nil
}

func (y yamlEditor) set(data []byte, key []string, fields []field) (splice, error) {
	newline := newlineOf(data)
	root, places, err := y.find(data, key)
	if err != nil {
		return splice{}, err
	}
	lines := lineStarts(data)
	atEnd := func(text string) splice {
		if len(data) == 0 || bytes.HasSuffix(data, []byte("\n")) {
			return splice{len(data), len(data), text}
		}
		if root != nil && len(root.Content) > 0 { // A line ending could become part of text at the end.
			at := lines[root.Content[0].Line-1]
			return splice{at, at, text}
		}
		return splice{len(data), len(data), newline + text}
	}
	if len(places) == len(key) {
		place := places[len(places)-1]
		indent := strings.Repeat(" ", place.key.Column-1)
		start, end, err := rangeOf(data, lines, place)
		if err != nil {
			return splice{}, err
		}
		if place.flow {
			return splice{start, end, yamlFlow(key[len(key)-1:], fields) + ", "}, nil
		}
		step := "  "
		if v := place.value; v.Kind == yaml.MappingNode && v.Style&yaml.FlowStyle == 0 {
			step = strings.Repeat(" ", v.Content[0].Column-place.key.Column)
		}
		text := yamlBlock(key[len(key)-1:], fields, indent, step, newline)
		if end == len(data) && !bytes.HasSuffix(data, []byte("\n")) {
			text = strings.TrimSuffix(text, newline)
		}
		return splice{start, end, text}, nil
	}
	if len(places) == 0 {
		if root == nil || root.Kind == yaml.ScalarNode && root.Tag == "!!null" || root.Kind == yaml.MappingNode && root.Style&yaml.FlowStyle == 0 {
			return atEnd(yamlBlock(key, fields, "", "  ", newline)), nil
		}
		return splice{}, errors.New("the file is not a block mapping")
	}
	place, missing := places[len(places)-1], key[len(places):]
	indent := strings.Repeat(" ", place.key.Column-1)
	value := place.value
	switch {
	case value.Kind == yaml.MappingNode && value.Style&yaml.FlowStyle == 0:
		child := strings.Repeat(" ", value.Content[0].Column-1)
		step := child[min(len(child), len(indent)):]
		at := lines[place.key.Line] // The position is the line after the key.
		return splice{at, at, yamlBlock(missing, fields, child, step, newline)}, nil
	case value.Kind == yaml.MappingNode && len(value.Content) > 0:
		at := offsetOf(data, lines, value.Line, value.Column) + 1
		return splice{at, at, yamlFlow(missing, fields) + ", "}, nil
	case value.Kind == yaml.MappingNode, value.Kind == yaml.ScalarNode && value.Tag == "!!null":
		start := offsetOf(data, lines, place.key.Line, place.key.Column)
		line := data[start:lines[place.key.Line]]
		colon := bytes.IndexByte(line, ':')
		if colon < 0 {
			return splice{}, fmt.Errorf("%s is written in a form that docent cannot edit", place.key.Value)
		}
		rest := bytes.TrimRight(line[colon+1:], "\r\n")
		from := start + colon + 1
		comment := ""
		text := string(rest)
		if i := strings.Index(text, " #"); i >= 0 {
			text, comment = text[:i], text[i:]
		}
		switch strings.TrimSpace(text) {
		case "", "{}", "{ }", "null", "~", "Null", "NULL":
		default:
			return splice{}, fmt.Errorf("%s is written in a form that docent cannot edit", place.key.Value)
		}
		block := comment + newline + yamlBlock(missing, fields, indent+"  ", "  ", newline)
		end := lines[place.key.Line]
		if !bytes.HasSuffix(line, []byte("\n")) {
			block = strings.TrimSuffix(block, newline)
		}
		return splice{from, end, block}, nil
	}
	return splice{}, fmt.Errorf("%s is not a mapping", place.key.Value)
}

func (y yamlEditor) remove(data []byte, key []string) (splice, error) {
	_, places, err := y.find(data, key)
	if err != nil {
		return splice{}, err
	}
	if len(places) < len(key) {
		return splice{}, errors.New("there is no such entry")
	}
	lines := lineStarts(data)
	place := places[len(places)-1]
	start, end, err := rangeOf(data, lines, place)
	if err != nil {
		return splice{}, err
	}
	return splice{start, end, ""}, nil
}

// rangeOf returns the start and end of a key and its value. In a block mapping, these are the line of
// the key and all lines after it that are indented more deeply. Between braces, the range ends at
// the next key.
func rangeOf(data []byte, lines []int, place yamlPlace) (start, end int, err error) {
	if place.flow && place.next != nil {
		return offsetOf(data, lines, place.key.Line, place.key.Column), offsetOf(data, lines, place.next.Line, place.next.Column), nil
	}
	start = lines[place.key.Line-1]
	if len(bytes.TrimSpace(data[start:offsetOf(data, lines, place.key.Line, place.key.Column)])) > 0 {
		return 0, 0, fmt.Errorf("%s is written in a form that docent cannot edit", place.key.Value)
	}
	end = lines[place.key.Line]
	for i := place.key.Line; i < len(lines)-1; i++ {
		line := data[lines[i]:lines[i+1]]
		if text := bytes.TrimSpace(line); len(text) == 0 || text[0] == '#' { // A comment belongs to the entry only if more of the entry follows.
			continue
		}
		if len(line)-len(bytes.TrimLeft(line, " ")) < place.key.Column {
			break
		}
		end = lines[i+1]
	}
	return start, end, nil
}

// lineStarts returns the offsets of all lines, and the length of data.
func lineStarts(data []byte) []int {
	starts := []int{0}
	for i, c := range data {
		if c == '\n' && i+1 < len(data) {
			starts = append(starts, i+1)
		}
	}
	return append(starts, len(data))
}

// offsetOf returns the offset of a line and column, which both start at 1. Columns count
// characters.
func offsetOf(data []byte, lines []int, line, column int) int {
	offset := lines[line-1]
	for range column - 1 {
		offset++
		for offset < len(data) && data[offset]&0xc0 == 0x80 {
			offset++
		}
	}
	return min(offset, len(data))
}

// yamlBlock renders nested mappings in block style.
func yamlBlock(key []string, fields []field, indent, step, newline string) string {
	step = cmp.Or(step, "  ")
	var b strings.Builder
	for i, name := range key {
		b.WriteString(indent + strings.Repeat(step, i) + name + ":" + newline)
	}
	inner := indent + strings.Repeat(step, len(key))
	for _, f := range fields {
		items, list := f.value.([]string)
		if !list {
			b.WriteString(inner + f.name + ": " + yamlValue(f.value) + newline)
			continue
		}
		b.WriteString(inner + f.name + ":" + newline)
		for _, item := range items {
			b.WriteString(inner + "- " + yamlValue(item) + newline)
		}
	}
	return b.String()
}

// yamlFlow renders nested mappings in flow style.
func yamlFlow(key []string, fields []field) string {
	text := jsonStyle{}.inline(fields)
	for i := len(key) - 1; i > 0; i-- {
		text = "{" + key[i] + ": " + text + "}"
	}
	return key[0] + ": " + text
}

// yamlValue renders a scalar. Strings are plain if every parser reads them as strings, and
// otherwise quoted as in JSON, which is also valid YAML.
func yamlValue(value any) string {
	text, ok := value.(string)
	if fields, isMapping := value.([]field); isMapping {
		return jsonStyle{}.inline(fields)
	}
	if !ok {
		return quoteJSON(value)
	}
	letters := strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ /-_.")
	if letters == "" && text != "" && text[0]|0x20 >= 'a' && text[0]|0x20 <= 'z' && strings.TrimSpace(text) == text {
		var node yaml.Node
		if yaml.Unmarshal([]byte(text), &node) == nil && len(node.Content) == 1 && node.Content[0].Tag == "!!str" {
			return text
		}
	}
	return quoteJSON(text)
}
