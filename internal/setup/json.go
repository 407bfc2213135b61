package setup

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// jsonEditor edits JSON, with or without comments and trailing commas.
type jsonEditor struct{}

func (jsonEditor) decode(data []byte) (map[string]any, error) {
	tree := map[string]any{}
	if len(bytes.TrimSpace(data)) == 0 {
		return tree, nil
	}
	plain, err := hujson.Standardize(bytes.Clone(data))
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(plain))
	decoder.UseNumber()
	return tree, decoder.Decode(&tree)
}

func (jsonEditor) set(data []byte, key []string, fields []field) (splice, error) {
	style := styleOf(data)
	if len(bytes.TrimSpace(data)) == 0 {
		text := style.object(nest(key, fields), "") + style.newline
		return splice{0, len(data), text}, nil
	}
	root, err := hujson.Parse(data)
	if err != nil {
		return splice{}, err
	}
	value := &root
	for i, name := range key {
		object, ok := value.Value.(*hujson.Object)
		if !ok {
			return splice{}, fmt.Errorf("%s is not an object", strings.Join(key[:i], "."))
		}
		member := memberOf(object, name)
		if member < 0 {
			return style.insert(data, value, object, name, nest(key[i+1:], fields)), nil
		}
		value = &object.Members[member].Value
	}
	indent := lineIndent(data, value.StartOffset)
	text := style.object(fields, indent)
	if !bytes.Contains(data[value.StartOffset:value.EndOffset], []byte("\n")) {
		text = style.inline(fields)
	}
	return splice{value.StartOffset, value.EndOffset, text}, nil
}

func (jsonEditor) remove(data []byte, key []string) (splice, error) {
	root, err := hujson.Parse(data)
	if err != nil {
		return splice{}, err
	}
	value := &root
	for i, name := range key {
		object, ok := value.Value.(*hujson.Object)
		if !ok {
			break
		}
		member := memberOf(object, name)
		if member < 0 {
			break
		}
		if i == len(key)-1 {
			return cutMember(data, object, member), nil
		}
		value = &object.Members[member].Value
	}
	return splice{}, errors.New("there is no such entry")
}

// cutMember removes a member with one comma and the white space before it.
// Comments around it stay.
func cutMember(data []byte, object *hujson.Object, i int) splice {
	m := &object.Members[i]
	start, end := m.Name.StartOffset, m.Value.EndOffset
	for start > 0 && isSpace(data[start-1]) {
		start--
	}
	after := end + len(m.Value.AfterExtra)
	switch {
	case data[after] == ',':
		return splice{start, after + 1, string(data[end:after])}
	case i > 0:
		previous := &object.Members[i-1].Value
		comma := previous.EndOffset + len(previous.AfterExtra)
		return splice{comma, end, string(data[comma+1 : max(comma+1, start)])}
	}
	if data[end] == '\n' || data[end] == '\r' || data[end] == ' ' || data[end] == '\t' {
		rest := end
		for isSpace(data[rest]) {
			rest++
		}
		if data[rest] == '}' && data[start-1] == '{' {
			end = rest
		}
	}
	return splice{start, end, ""}
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// memberOf returns the index of the member that readers of JSON use: the last
// of a name.
func memberOf(object *hujson.Object, name string) int {
	for i, member := range slices.Backward(object.Members) {
		if literal, ok := member.Name.Value.(hujson.Literal); ok && literal.String() == name {
			return i
		}
	}
	return -1
}

// nest wraps fields into objects, outermost first.
func nest(key []string, fields []field) []field {
	for _, name := range slices.Backward(key) {
		fields = []field{{name, fields}}
	}
	return fields
}

// jsonStyle is the layout of a file.
type jsonStyle struct {
	newline, unit string
}

func styleOf(data []byte) jsonStyle {
	style := jsonStyle{newline: newlineOf(data), unit: "  "}
	for line := range bytes.Lines(data) {
		if text := bytes.TrimLeft(line, " \t"); len(text) > 0 && len(text) < len(line) && text[0] == '"' {
			style.unit = string(line[:len(line)-len(text)])
			break
		}
	}
	return style
}

// insert adds a member behind the last one of an object.
func (s jsonStyle) insert(data []byte, value *hujson.Value, object *hujson.Object, name string, content []field) splice {
	outer := lineIndent(data, value.StartOffset)
	indent := outer + s.unit
	if len(object.Members) == 0 {
		end := value.EndOffset - 1
		start := value.StartOffset + 1
		text := s.newline + indent + quoteJSON(name) + ": " + s.render(content, indent)
		if len(bytes.TrimSpace(data[start:end])) > 0 {
			return splice{start, start, text} // comments follow
		}
		return splice{start, end, text + s.newline + outer}
	}
	last := &object.Members[len(object.Members)-1]
	lead := data[object.Members[len(object.Members)-1].Name.StartOffset-leading(data, last.Name.StartOffset) : last.Name.StartOffset]
	if !bytes.Contains(lead, []byte("\n")) { // all on one line
		inline := ", " + quoteJSON(name) + ": " + s.inline(content)
		return s.afterLast(data, last, inline, true)
	}
	indent = lineIndent(data, last.Name.StartOffset)
	return s.afterLast(data, last, s.newline+indent+quoteJSON(name)+": "+s.render(content, indent), false)
}

// afterLast returns the splice that adds a member behind the last one. A comment
// on the same line stays with the last one.
func (s jsonStyle) afterLast(data []byte, last *hujson.ObjectMember, text string, inline bool) splice {
	end := last.Value.EndOffset
	after := end + len(last.Value.AfterExtra)
	if data[after] == ',' {
		after++
		if inline {
			return splice{after, after, strings.TrimPrefix(text, ",") + ","}
		}
		comment := sameLineComment(data[after:])
		return splice{after + len(comment), after + len(comment), text + ","}
	}
	if inline {
		return splice{end, end, text}
	}
	comment := sameLineComment(data[end:])
	return splice{end, end + len(comment), "," + string(comment) + text}
}

// sameLineComment returns the comment that begins on the current line and ends
// with it, with the white space before it.
func sameLineComment(data []byte) []byte {
	text := bytes.TrimLeft(data, " \t")
	if !bytes.HasPrefix(text, []byte("//")) {
		return nil
	}
	line, _, _ := bytes.Cut(data, []byte("\n"))
	return bytes.TrimSuffix(line, []byte("\r"))
}

func leading(data []byte, at int) int {
	n := 0
	for n < at && isSpace(data[at-n-1]) {
		n++
	}
	return n
}

func (s jsonStyle) render(content any, indent string) string {
	switch v := content.(type) {
	case []field:
		return s.object(v, indent)
	default:
		return s.inline(v)
	}
}

func (s jsonStyle) object(fields []field, indent string) string {
	var b strings.Builder
	b.WriteString("{")
	for i, f := range fields {
		if i > 0 {
			b.WriteString(",")
		}
		b.WriteString(s.newline + indent + s.unit + quoteJSON(f.name) + ": " + s.render(f.value, indent+s.unit))
	}
	b.WriteString(s.newline + indent + "}")
	return b.String()
}

// inline renders a value on one line.
func (s jsonStyle) inline(content any) string {
	switch v := content.(type) {
	case []field:
		var members []string
		for _, f := range v {
			members = append(members, quoteJSON(f.name)+": "+s.inline(f.value))
		}
		return "{" + strings.Join(members, ", ") + "}"
	case []string:
		var items []string
		for _, item := range v {
			items = append(items, quoteJSON(item))
		}
		return "[" + strings.Join(items, ", ") + "]"
	}
	return quoteJSON(content)
}

func quoteJSON(value any) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return "null"
	}
	return strings.TrimSpace(b.String())
}

// lineIndent returns the white space with which the line of an offset begins.
func lineIndent(data []byte, offset int) string {
	start := bytes.LastIndexByte(data[:offset], '\n') + 1
	end := start
	for end < len(data) && (data[end] == ' ' || data[end] == '\t') {
		end++
	}
	return string(data[start:end])
}

// newlineOf returns the line ending of a file. Behind a bare "\r" at the end, a
// "\n" would make another one of it.
func newlineOf(data []byte) string {
	if bytes.Contains(data, []byte("\r\n")) || bytes.HasSuffix(data, []byte("\r")) {
		return "\r\n"
	}
	return "\n"
}
