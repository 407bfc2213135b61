package jsonschema

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// constraint is a keyword in a struct tag.
type constraint struct {
	key   string
	types []string                                       // types of schemas to which the constraint applies; nil for all types
	read  func(text string, f *fragment) (string, error) // returns the value in JSON
}

var (
	numeric = []string{"integer", "number"}
	lists   = []string{"array"}
	texts   = []string{"string"}
)

// constraints contains the keywords that a tag may have besides description and, for a struct,
// additionalProperties. They are in the order in which they are written to the schema. Each is a
// part of the jsonschema tag or a separate tag.
var constraints = []constraint{
	{"title", nil, readText},
	{"enum", nil, readList},
	{"minimum", numeric, readNumber},
	{"maximum", numeric, readNumber},
	{"exclusiveMinimum", numeric, readNumber},
	{"exclusiveMaximum", numeric, readNumber},
	{"multipleOf", numeric, readDivisor},
	{"minLength", texts, readCount},
	{"maxLength", texts, readCount},
	{"pattern", texts, readPattern},
	{"format", texts, readText},
	{"minItems", lists, readCount},
	{"maxItems", lists, readCount},
	{"uniqueItems", lists, readBool},
	{"default", nil, readValue},
	{"examples", nil, readList},
	{"x-mcp-header", []string{"string", "integer", "boolean"}, readToken},
}

// ranges contains pairs of constraints. The first constraint of a pair must not exceed the second.
var ranges = [...][2]string{{"minimum", "maximum"}, {"minLength", "maxLength"}, {"minItems", "maxItems"}}

// valueCheck is a value in a tag that must match the schema of its field.
type valueCheck struct {
	f    *fragment
	sf   field
	key  string
	text string
}

func tagError(sf *field, key, format string, args ...any) error {
	text := fmt.Sprintf(format, args...)
	if value, ok := sf.words[key]; ok {
		return fmt.Errorf("type %s, field %s, tag jsonschema, %s=%s: %s", sf.owner, sf.goName, key, value, text)
	}
	return fmt.Errorf("type %s, field %s, tag %s:%q: %s", sf.owner, sf.goName, key, sf.tag.Get(key), text)
}

// readWords sets sf.words from the jsonschema tag, which is a description followed by keywords such
// as ",minLength=1". A value extends to the next keyword. A keyword whose value is a list may occur
// several times.
func (sf *field) readWords() error {
	text := sf.tag.Get("jsonschema")
	sf.words = map[string]string{}
	key, start := "description", 0
	put := func(end int) error {
		value := strings.TrimSuffix(text[start:end], ",")
		old, twice := sf.words[key]
		switch {
		case key == "description" && value == "":
			return nil
		case key == "description" && value == "required":
			return tagError(sf, "jsonschema", "required is not a keyword of fields; a field without omitempty is required anyway")
		case twice && !slices.Contains(listKeywords, key):
			return tagError(sf, "jsonschema", "it has %s twice", key)
		case twice && (strings.HasPrefix(old, "[") || strings.HasPrefix(value, "[")):
			return tagError(sf, "jsonschema", "it has %s twice; write one JSON array", key)
		case twice:
			value = old + "," + value
		}
		sf.words[key] = value
		return nil
	}
	for i := range len(text) {
		if i > 0 && text[i-1] != ',' {
			continue
		}
		rest := strings.TrimLeft(text[i:], " ")
		name, value, found := strings.Cut(rest, "=")
		if !found {
			break
		}
		keyword, ok := keywordOf(name)
		if !ok {
			continue
		}
		if keyword != name {
			return tagError(sf, "jsonschema", "keywords are spelled as in JSON Schema: %s", keyword)
		}
		if err := put(i); err != nil {
			return err
		}
		key, start = name, len(text)-len(value)
	}
	return put(len(text))
}

// listKeywords contains the keywords whose values are lists.
var listKeywords = []string{"enum", "examples"}

// keywordOf returns the keyword that equals name. It ignores case.
func keywordOf(name string) (string, bool) {
	for _, key := range []string{"description", "additionalProperties"} {
		if strings.EqualFold(name, key) {
			return key, true
		}
	}
	for _, c := range constraints {
		if strings.EqualFold(name, c.key) {
			return c.key, true
		}
	}
	return "", false
}

// lookup returns the value of a keyword in the jsonschema tag or in a separate tag.
func (sf *field) lookup(key string) (text string, ok bool, err error) {
	text, ok = sf.words[key]
	value, hasOwn := sf.tag.Lookup(key)
	switch {
	case ok && hasOwn:
		return "", false, tagError(sf, key, "there is also the tag %s:%q; remove one of them", key, value)
	case hasOwn:
		return value, true, nil
	}
	return text, ok, nil
}

// describe reads the tags of a struct's blank fields.
func (g *generator) describe(f *fragment, t reflect.Type, open *bool) error {
	for sf := range t.Fields() {
		if sf.Name != "_" {
			continue
		}
		fd := field{owner: t, goName: "_", tag: sf.Tag}
		if err := setDescription(f, &fd); err != nil {
			return err
		}
		title, _, err := fd.lookup("title")
		if err != nil {
			return err
		}
		if title != "" {
			f.add("title", string(appendQuoted(nil, title)))
		}
		properties, _, err := fd.lookup("additionalProperties")
		switch {
		case err != nil:
			return err
		case properties == "true":
			*open = true
		case properties == "false":
			*open = false
		case properties != "":
			return tagError(&fd, "additionalProperties", "write true or false")
		}
		for _, c := range constraints {
			if _, ok := fd.words[c.key]; ok && c.key != "title" {
				return tagError(&fd, c.key, "it does not suit a struct; remove it")
			}
		}
	}
	return nil
}

// setDescription reads the jsonschema tag and adds its description.
func setDescription(f *fragment, sf *field) error {
	if err := sf.readWords(); err != nil {
		return err
	}
	if text := sf.words["description"]; text != "" {
		f.set("description", string(appendQuoted(nil, text)))
	}
	return nil
}

// set sets a keyword. It replaces the value that the type determines.
func (f *fragment) set(key, text string) {
	for i := range f.words {
		if f.words[i].key == key {
			f.words[i].text = text
			return
		}
	}
	f.add(key, text)
}

// applyTags adds the constraints in a field's tags to its schema.
func (g *generator) applyTags(f *fragment, sf *field) error {
	if err := setDescription(f, sf); err != nil {
		return err
	}
	if _, ok := sf.words["additionalProperties"]; ok {
		return tagError(sf, "additionalProperties", "it does not suit a field; use it at a field named _")
	}
	for _, c := range constraints {
		if small := strings.ToLower(c.key); small != c.key && sf.tag.Get(small) != "" {
			return tagError(sf, small, "tags are spelled like the keywords of JSON Schema: %s", c.key)
		}
		text, ok, err := sf.lookup(c.key)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		target := f
		var items *fragment
		if !c.suits(f) || c.key == "enum" && slices.Contains(f.types, "array") {
			if items = f.items(); items == nil || !c.suits(items) {
				return tagError(sf, c.key, "it does not suit a field of type %s; remove it", sf.typ)
			}
			target = items
		}
		val, err := c.read(text, target)
		if err == nil {
			err = target.allows(c.key, val)
		}
		if err != nil {
			return tagError(sf, c.key, "%v", err)
		}
		if c.key == "enum" || c.key == "default" || c.key == "examples" {
			g.checks = append(g.checks, valueCheck{target, *sf, c.key, val})
		}
		target.set(c.key, val)
		if items != nil {
			f.set("items", items.text())
		}
	}
	return nil
}

// allows returns an error if the number in text exceeds the bounds of the type, or contradicts the
// other bound of its range.
func (f *fragment) allows(key, text string) error {
	have := f.get(key)
	if key == "minimum" && have != "" && below(text, have) || key == "maximum" && have != "" && below(have, text) {
		return fmt.Errorf("the type itself has the %s %s", key, have)
	}
	for _, r := range ranges {
		low, high := f.get(r[0]), f.get(r[1])
		if key == r[0] {
			low = text
		}
		if key == r[1] {
			high = text
		}
		if (key == r[0] || key == r[1]) && low != "" && high != "" && below(high, low) {
			return fmt.Errorf("%s %s is above %s %s", r[0], low, r[1], high)
		}
	}
	return nil
}

// below reports whether the JSON number a is less than b.
func below(a, b string) bool { return parseDecimal([]byte(a)).cmp(parseDecimal([]byte(b))) < 0 }

func (c *constraint) suits(f *fragment) bool {
	if c.types == nil {
		return true
	}
	return slices.ContainsFunc(c.types, func(t string) bool { return slices.Contains(f.types, t) })
}

// items returns the schema of the elements if f is an array of scalars, and otherwise nil.
func (f *fragment) items() *fragment {
	text := f.get("items")
	if text == "" || !slices.Contains(f.types, "array") {
		return nil
	}
	v, err := parseValue([]byte(text), 256)
	if err != nil || v.get("type") == nil {
		return nil
	}
	items := &fragment{}
	for i, key := range v.keys {
		if key != "type" {
			items.add(key, string(v.items[i].raw))
			continue
		}
		if items.types = []string{v.items[i].str}; v.items[i].kind == kindArray {
			items.types = nil
			for _, t := range v.items[i].items {
				items.types = append(items.types, t.str)
			}
		}
	}
	return items
}

func readText(text string, _ *fragment) (string, error) { return string(appendQuoted(nil, text)), nil }

func readBool(text string, _ *fragment) (string, error) {
	if text != "true" && text != "false" {
		return "", errors.New("write true or false")
	}
	return text, nil
}

func readNumber(text string, _ *fragment) (string, error) {
	if v, err := parseValue([]byte(text), 1); err != nil || v.kind != kindNumber {
		return "", errors.New("write a number")
	}
	return text, nil
}

func readDivisor(text string, f *fragment) (string, error) {
	if _, err := readNumber(text, f); err != nil || !below("0", text) {
		return "", errors.New("write a number above 0")
	}
	return text, nil
}

func readPattern(text string, f *fragment) (string, error) {
	if _, err := newPattern(text); err != nil {
		return "", fmt.Errorf("the pattern %w", err)
	}
	return readText(text, f)
}

// readToken reads the name of an HTTP header, and returns it as a JSON string.
func readToken(text string, f *fragment) (string, error) {
	for _, c := range []byte(text) {
		if !isLetter(c) && !isDigit(c) && !strings.ContainsRune("!#$%&'*+-.^_`|~", rune(c)) {
			return "", errors.New("write a name of letters, digits and hyphens")
		}
	}
	if text == "" {
		return "", errors.New("write a name")
	}
	return readText(text, f)
}

func readCount(text string, _ *fragment) (string, error) {
	if n, ok := count(text); !ok || n == maxCount {
		return "", errors.New("write an integer of 0 or more")
	}
	return text, nil
}

// readValue returns the value in text as JSON: a string if f is a string, a list if f is an array,
// and otherwise text itself.
func readValue(text string, f *fragment) (string, error) {
	if slices.Contains(f.types, "string") && (text != "null" || !slices.Contains(f.types, "null")) {
		return string(appendQuoted(nil, text)), nil
	}
	if slices.Contains(f.types, "array") && !strings.HasPrefix(text, "[") {
		if items := f.items(); items != nil {
			return readList(text, items)
		}
	}
	if !json.Valid([]byte(text)) {
		want := "any JSON"
		if len(f.types) > 0 {
			want = strings.Join(f.types, " or ")
		}
		return "", fmt.Errorf("%s is not JSON; this field expects %s", quote(text), want)
	}
	return text, nil
}

// readList returns comma-separated values as a JSON array, or text itself if it is a JSON array.
func readList(text string, f *fragment) (string, error) {
	if strings.HasPrefix(text, "[") {
		if v, err := parseValue([]byte(text), 256); err != nil || v.kind != kindArray {
			return "", errors.New("it starts with '[' but is not a JSON array")
		}
		return text, nil
	}
	var list []string
	for part := range strings.SplitSeq(text, ",") {
		v, err := readValue(strings.TrimSpace(part), f)
		if err != nil {
			return "", err
		}
		list = append(list, v)
	}
	return "[" + strings.Join(list, ",") + "]", nil
}

// checkValues returns an error if a default, an example or an enum value does not match the
// schema of its field.
func (g *generator) checkValues() error {
	defs := g.definitions(nil)
	for _, c := range g.checks {
		doc := `{"allOf":[` + c.f.text() + `]`
		if defs != "" {
			doc += `,"$defs":` + defs
		}
		s, err := Compile([]byte(doc+"}"), &Options{AssertFormat: true})
		if err != nil {
			return tagError(&c.sf, c.key, "it makes the field's schema unusable: %v", err)
		}
		values := []*value{}
		v, err := parseValue([]byte(c.text), 256)
		if err != nil {
			return tagError(&c.sf, c.key, "%v", err)
		}
		if values = append(values, v); c.key != "default" {
			values = v.items
		}
		for _, x := range values {
			if err := s.Validate(x.raw); err != nil {
				return tagError(&c.sf, c.key, "%s does not match the field's own schema: %v; change one of them", showShort(x), err)
			}
		}
	}
	return nil
}
