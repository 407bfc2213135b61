package setup

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/docent-mcp/docent/internal/quote"
)

// jsonEditor edits JSON, with or without comments and trailing commas.
type jsonEditor struct{}

// parseJSON parses JSON with comments and trailing commas. Errors do not contain the name of the parser.
func parseJSON(data []byte) (hujson.Value, error) {
	value, err := hujson.Parse(data)
	if err != nil {
		err = errors.New(strings.TrimPrefix(quote.Error(err).Error(), "hujson: "))
	}
	return value, err
}

func (jsonEditor) decode(data []byte) (map[string]any, error) {
	tree := map[string]any{}
	if len(bytes.TrimSpace(data)) == 0 {
		return tree, nil
	}
	root, err := parseJSON(bytes.Clone(data)) // Standardize changes it
	if err != nil {
		return nil, err
	}
	root.Standardize()
	decoder := json.NewDecoder(bytes.NewReader(root.Pack()))
	decoder.UseNumber()
	return tree, decoder.Decode(&tree)
}

func (e jsonEditor) set(data []byte, key []string, fields []field) (splice, error) {
	return e.put(data, key, fields)
}

// put adds or replaces the value at the path key. Missing objects are added.
func (jsonEditor) put(data []byte, key []string, content any) (splice, error) {
	style := styleOf(data)
	value, change, err := style.find(data, key, content)
	if value == nil {
		return change, err
	}
	text := style.render(content, lineIndent(data, value.StartOffset))
	if !bytes.Contains(data[value.StartOffset:value.EndOffset], []byte("\n")) {
		text = style.inline(content)
	}
	return splice{value.StartOffset, value.EndOffset, text}, nil
}

// walk returns the value at the path key. If names of the key are missing, it returns them and the
// object that lacks the first of them.
func walk(root *hujson.Value, key []string) (value *hujson.Value, object *hujson.Object, missing []string, err error) {
	value = root
	for i, name := range key {
		object, ok := value.Value.(*hujson.Object)
		if !ok {
			if i == 0 {
				return nil, nil, nil, errors.New("the file does not contain a JSON object")
			}
			return nil, nil, nil, fmt.Errorf("%s is not an object", strings.Join(key[:i], "."))
		}
		member := memberOf(object, name)
		if member < 0 {
			return value, object, key[i:], nil
		}
		value = &object.Members[member].Value
	}
	return value, nil, nil, nil
}

// find returns the value at the path key. If there is none, find returns nil and the change that adds
// content there.
func (s jsonStyle) find(data []byte, key []string, content any) (*hujson.Value, splice, error) {
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, splice{0, len(data), s.render(nest(key, content), "") + s.newline}, nil
	}
	root, err := parseJSON(data)
	if err != nil {
		return nil, splice{}, err
	}
	value, object, missing, err := walk(&root, key)
	if err != nil {
		return nil, splice{}, err
	}
	if len(missing) > 0 {
		return nil, s.insert(data, value, object, missing[0], nest(missing[1:], content)), nil
	}
	return value, splice{}, nil
}

func (jsonEditor) remove(data []byte, key []string) (splice, error) {
	root, err := parseJSON(data)
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
			m := &object.Members[member]
			var previous *hujson.Value
			if member > 0 {
				previous = &object.Members[member-1].Value
			}
			return cutElement(data, m.Name.StartOffset, &m.Value, previous), nil
		}
		value = &object.Members[member].Value
	}
	return splice{}, errors.New("there is no such entry")
}

// cutElement removes a member of an object or an element of an array, which
// begins at start and ends with value, with one comma and the white space before
// it. Comments around it stay. previous is nil for the first one.
func cutElement(data []byte, start int, value, previous *hujson.Value) splice {
	end := value.EndOffset
	for start > 0 && isSpace(data[start-1]) {
		start--
	}
	after := end + len(value.AfterExtra)
	switch {
	case data[after] == ',':
		return splice{start, after + 1, string(data[end:after])}
	case previous != nil:
		comma := previous.EndOffset + len(previous.AfterExtra)
		return splice{comma, end, string(data[comma+1 : max(comma+1, start)])}
	}
	if isSpace(data[end]) {
		rest := end
		for isSpace(data[rest]) {
			rest++
		}
		if open := data[start-1]; data[rest] == '}' && open == '{' || data[rest] == ']' && open == '[' {
			end = rest
		}
	}
	return splice{start, end, ""}
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// memberOf returns the index of the member that readers of JSON use: the last one with that name.
func memberOf(object *hujson.Object, name string) int {
	for i, member := range slices.Backward(object.Members) {
		if literal, ok := member.Name.Value.(hujson.Literal); ok && literal.String() == name {
			return i
		}
	}
	return -1
}

// nest wraps content into objects, outermost first.
func nest(key []string, content any) any {
	for _, name := range slices.Backward(key) {
		content = []field{{name, content}}
	}
	return content
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

// insert adds a member after the last member of an object.
func (s jsonStyle) insert(data []byte, value *hujson.Value, object *hujson.Object, name string, content any) splice {
	outer := lineIndent(data, value.StartOffset)
	indent := outer + s.unit
	if len(object.Members) == 0 {
		return s.only(data, value, s.newline+indent+quoteJSON(name)+": "+s.render(content, indent), outer)
	}
	last := &object.Members[len(object.Members)-1]
	if !onOwnLine(data, last.Name.StartOffset) {
		return s.afterLast(data, &last.Value, ", "+quoteJSON(name)+": "+s.inline(content), true)
	}
	indent = lineIndent(data, last.Name.StartOffset)
	return s.afterLast(data, &last.Value, s.newline+indent+quoteJSON(name)+": "+s.render(content, indent), false)
}

// add adds an element after the last element of an array.
func (s jsonStyle) add(data []byte, value *hujson.Value, array *hujson.Array, content any) splice {
	outer := lineIndent(data, value.StartOffset)
	if len(array.Elements) == 0 {
		indent := outer + s.unit
		return s.only(data, value, s.newline+indent+s.render(content, indent), outer)
	}
	last := &array.Elements[len(array.Elements)-1]
	if !onOwnLine(data, last.StartOffset) {
		return s.afterLast(data, last, ", "+s.inline(content), true)
	}
	indent := lineIndent(data, last.StartOffset)
	return s.afterLast(data, last, s.newline+indent+s.render(content, indent), false)
}

// only returns the splice that makes text the only content of an empty object or
// array.
func (s jsonStyle) only(data []byte, value *hujson.Value, text, outer string) splice {
	start, end := value.StartOffset+1, value.EndOffset-1
	if len(bytes.TrimSpace(data[start:end])) > 0 {
		return splice{start, start, text} // Comments follow.
	}
	return splice{start, end, text + s.newline + outer}
}

// onOwnLine reports whether only white space precedes an offset in its line.
func onOwnLine(data []byte, offset int) bool {
	return bytes.Contains(data[offset-leading(data, offset):offset], []byte("\n"))
}

// afterLast returns the splice that adds text after the last member or element. A comment on the
// same line stays with the last one.
func (jsonStyle) afterLast(data []byte, last *hujson.Value, text string, inline bool) splice {
	end := last.EndOffset
	if after := end + len(last.AfterExtra); data[after] == ',' {
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
	if text := bytes.TrimLeft(data, " \t"); !bytes.HasPrefix(text, []byte("//")) {
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
	case [][]field:
		var b strings.Builder
		for i, element := range v {
			if i > 0 {
				b.WriteString(",")
			}
			b.WriteString(s.newline + indent + s.unit + s.object(element, indent+s.unit))
		}
		return "[" + b.String() + s.newline + indent + "]"
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
	case [][]field:
		var elements []string
		for _, element := range v {
			elements = append(elements, s.inline(element))
		}
		return "[" + strings.Join(elements, ", ") + "]"
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

// newlineOf returns the line ending of a file. After a bare "\r" at the end, a "\n" would make it a
// different line ending.
func newlineOf(data []byte) string {
	if bytes.Contains(data, []byte("\r\n")) || bytes.HasSuffix(data, []byte("\r")) {
		return "\r\n"
	}
	return "\n"
}
