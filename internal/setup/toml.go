package setup

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// tomlEditor edits TOML.
type tomlEditor struct{}

func (tomlEditor) decode(data []byte) (map[string]any, error) {
	tree := map[string]any{}
	return tree, toml.Unmarshal(data, &tree)
}

// expression is a table header, with the settings below it, or a setting of the
// root table.
type expression struct {
	key        []string
	table      bool
	start, end int // whole lines, without comments and empty lines after them
}

// expressions returns the tables and the settings before the first table.
func expressions(data []byte) ([]expression, error) {
	var list []expression
	p := unstable.Parser{}
	p.Reset(data)
	type mark struct {
		start int
		e     *expression
	}
	var marks []mark
	inTable := false
	for p.NextExpression() {
		node := p.Expression()
		e := expression{table: node.Kind != unstable.KeyValue}
		offset := -1
		for it := node.Key(); it.Next(); {
			if offset < 0 {
				offset = int(it.Node().Raw.Offset)
			}
			e.key = append(e.key, string(it.Node().Data))
		}
		if offset < 0 {
			continue
		}
		start := bytes.LastIndexByte(data[:offset], '\n') + 1
		if !e.table && inTable {
			marks = append(marks, mark{start, nil})
			continue
		}
		inTable = inTable || e.table
		e.start = start
		marks = append(marks, mark{start, &e})
	}
	if err := p.Error(); err != nil {
		return nil, err
	}
	for i := range marks {
		if marks[i].e == nil {
			continue
		}
		next := i + 1
		for next < len(marks) && marks[next].e == nil {
			next++
		}
		end := len(data)
		if next < len(marks) {
			end = marks[next].start
		}
		e := *marks[i].e
		e.end = trimLines(data, e.start, end)
		list = append(list, e)
	}
	return list, nil
}

// trimLines returns the end of a range without its trailing empty lines and comments.
func trimLines(data []byte, start, end int) int {
	for end > start {
		line := bytes.LastIndexByte(data[start:end-1], '\n') + 1 + start
		if text := bytes.TrimSpace(data[line:end]); line <= start || len(text) > 0 && text[0] != '#' {
			break
		}
		end = line
	}
	return end
}

func (tomlEditor) set(data []byte, key []string, fields []field) (splice, error) {
	newline := newlineOf(data)
	list, err := expressions(data)
	if err != nil {
		return splice{}, err
	}
	table := tomlTable(key, fields, newline)
	inline := tomlKey(key) + " = " + tomlValue(fields) + newline
	for _, e := range list {
		if under(e.key, key) {
			cut, _ := cutTables(data, list, key)
			text := table
			if !e.table {
				text = inline
			}
			if cut.end == len(data) && !bytes.HasSuffix(data, []byte("\n")) {
				text = strings.TrimSuffix(text, newline)
			}
			return splice{cut.start, cut.end, text + cut.text}, nil
		}
	}
	lead := ""
	if len(data) > 0 && !bytes.HasSuffix(data, []byte("\n")) {
		lead = newline
	}
	if len(bytes.TrimSpace(data)) > 0 {
		lead += newline
	}
	parent := key[:len(key)-1]
	for _, e := range slices.Backward(list) {
		if e.table || !under(e.key, parent) {
			continue
		}
		if len(e.key) > len(parent) { // A table cannot continue dotted keys.
			text := inline
			if data[e.end-1] != '\n' {
				text = newline + text
			}
			return splice{e.end, e.end, text}, nil
		}
		brace := bytes.LastIndexByte(data[:e.end], '}')
		open := bytes.IndexByte(data[e.start:e.end], '{') + e.start
		if brace < 0 || open < e.start {
			break
		}
		start := brace
		for start > open+1 && isSpace(data[start-1]) {
			start--
		}
		text := " " + tomlKey(key[len(parent):]) + " = " + tomlValue(fields)
		if start > open+1 {
			text = "," + text
		}
		return splice{start, start, text}, nil
	}
	return splice{len(data), len(data), lead + table}, nil
}

func (tomlEditor) remove(data []byte, key []string) (splice, error) {
	list, err := expressions(data)
	if err != nil {
		return splice{}, err
	}
	cut, table := cutTables(data, list, key)
	if cut.end == 0 {
		return splice{}, errors.New("there is no such table")
	}
	newline := newlineOf(data)
	if table && cut.text == "" && bytes.HasSuffix(data[:cut.start], []byte(newline+newline)) {
		cut.start -= len(newline)
	}
	return cut, nil
}

// cutTables removes all tables and settings below key, but keeps the text between them. table
// reports whether the first of them is a table.
func cutTables(data []byte, list []expression, key []string) (cut splice, table bool) {
	var ranges []expression
	for _, e := range list {
		if under(e.key, key) {
			ranges = append(ranges, e)
		}
	}
	if len(ranges) == 0 {
		return splice{}, false
	}
	first, last := ranges[0], ranges[len(ranges)-1]
	rest := data[first.start:last.end]
	for _, e := range slices.Backward(ranges) {
		rest = splice{e.start - first.start, e.end - first.start, ""}.apply(rest)
	}
	return splice{first.start, last.end, string(rest)}, first.table
}

// under reports whether key begins with prefix.
func under(key, prefix []string) bool {
	return len(key) >= len(prefix) && slices.Equal(key[:len(prefix)], prefix)
}

func tomlTable(key []string, fields []field, newline string) string {
	var b strings.Builder
	b.WriteString("[" + tomlKey(key) + "]" + newline)
	for _, f := range fields {
		b.WriteString(tomlKey([]string{f.name}) + " = " + tomlValue(f.value) + newline)
	}
	return b.String()
}

func tomlKey(key []string) string {
	parts := make([]string, len(key))
	for i, name := range key {
		parts[i] = name
		if name == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") != "" {
			parts[i] = quoteJSON(name)
		}
	}
	return strings.Join(parts, ".")
}

// tomlValue renders a value on one line. A string of JSON is a basic string of
// TOML except for U+007F.
func tomlValue(value any) string {
	switch v := value.(type) {
	case []field:
		var members []string
		for _, f := range v {
			members = append(members, tomlKey([]string{f.name})+" = "+tomlValue(f.value))
		}
		return "{ " + strings.Join(members, ", ") + " }"
	case []string:
		var items []string
		for _, item := range v {
			items = append(items, tomlValue(item))
		}
		return "[" + strings.Join(items, ", ") + "]"
	}
	return strings.ReplaceAll(quoteJSON(value), "\x7f", `\u007f`)
}
