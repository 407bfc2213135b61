package jsonschema

import (
	"encoding"
	"encoding/json"
	"fmt"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Provider is implemented by types that write their own schema. The method is called on a pointer to a zero
// value and returns JSON text, which must not refer to other places of itself by "#/…".
type Provider interface{ JSONSchema() []byte }

// ForOptions tune For. The zero value gives the schema of a tool's input.
type ForOptions struct {
	// Output describes what encoding/json writes instead of what it reads: every field without omitempty or
	// omitzero is required, and nil slices, maps and pointers may be null.
	Output bool
	// Open leaves out "additionalProperties": false of structs.
	Open bool
	// Dialect adds "$schema".
	Dialect bool
}

// inlineSize is how many bytes the schema of a struct may have to be repeated where it is used again. Larger
// ones, and those that contain themselves, stand once under $defs.
const inlineSize = 200

// For returns a JSON Schema of draft 2020-12 for the JSON that encoding/json reads into a value of type t. The
// same type always gives the same bytes.
//
// A struct is an object without other properties than its fields, which are named, promoted and left out as
// encoding/json does. A field is required unless it has omitempty or omitzero, a pointer type or a
// default. Only pointers without omitempty and omitzero accept null. Then:
//
//   - sized integers have the bounds of their type, unsigned ones a minimum of 0; int, int64, uint64 have no
//     upper bounds; big.Int is an integer; time.Duration is an integer, of nanoseconds
//   - []byte is a string in base64, time.Time a string of format date-time, an array has a fixed length
//   - a map is an object with any property names that its key type can have
//   - a type with UnmarshalText (for output: MarshalText) is a string; one with UnmarshalJSON, json.RawMessage
//     and any are {}; a type that implements Provider is what it says
//   - channels, functions and complex numbers are an error that names the field
//
// The tag `jsonschema:"…"` of a field is its description. Constraints are tags of their own, named as in JSON
// Schema: title, enum, default, examples, minimum, maximum, exclusiveMinimum, exclusiveMaximum,
// multipleOf, minLength, maxLength, pattern, format, minItems, maxItems, uniqueItems. Those that do not
// suit a slice but suit its elements hold for the elements. Lists (enum, examples) are separated by commas,
// or are JSON when they start with '['; a default is JSON, or text for strings. A blank field describes the
// struct itself:
//
//	type Search struct {
//		_     struct{} `jsonschema:"What to look for."`
//		Query string   `json:"query" jsonschema:"words to find" minLength:"1"`
//		Limit int      `json:"limit,omitempty" minimum:"1" maximum:"100" default:"10"`
//		Order string   `json:"order,omitempty" enum:"newest,oldest"`
//	}
//
// A tag that does not fit its field is an error, and so is a default that its own schema refuses.
func For(t reflect.Type, opts ForOptions) ([]byte, error) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	g := &generator{opts: opts, root: t, uses: map[reflect.Type]int{}, recursive: map[reflect.Type]bool{},
		bodies: map[reflect.Type]*fragment{}, names: map[reflect.Type]string{}, defs: map[string]reflect.Type{}}
	g.survey(t, nil)
	f, err := g.typ(t, t.String(), true)
	if err != nil {
		return nil, err
	}
	if err := g.checkValues(); err != nil {
		return nil, err
	}
	if opts.Dialect {
		f.words = slices.Insert(f.words, 0, word{"$schema", strconv.Quote(DefaultDialect)})
	}
	if defs := g.definitions(t); defs != "" {
		f.add("$defs", defs)
	}
	out := f.text()
	if name := g.names[t]; name != "" {
		out = strings.ReplaceAll(out, refTo(name), `"$ref":"#"`)
	}
	if _, err := Compile([]byte(out), nil); err != nil {
		return nil, fmt.Errorf("the schema of %s: %w", t, err)
	}
	return []byte(out), nil
}

// generator makes the schema of one type and those it consists of.
type generator struct {
	opts      ForOptions
	root      reflect.Type
	uses      map[reflect.Type]int
	recursive map[reflect.Type]bool
	bodies    map[reflect.Type]*fragment
	names     map[reflect.Type]string // under $defs
	defs      map[string]reflect.Type
	order     []reflect.Type
	checks    []valueCheck
}

// fragment is a schema in the making.
type fragment struct {
	types []string
	ref   string // name under $defs
	words []word
}

// word is a keyword with its value as JSON.
type word struct{ key, text string }

func (f *fragment) add(key, text string) { f.words = append(f.words, word{key, text}) }

func (f *fragment) get(key string) string {
	for _, w := range f.words {
		if w.key == key {
			return w.text
		}
	}
	return ""
}

func refTo(name string) string { return `"$ref":"#/$defs/` + name + `"` }

func (f *fragment) text() string {
	var parts []string
	null := slices.Contains(f.types, "null")
	switch {
	case f.ref != "" && null:
		parts = append(parts, `"anyOf":[{`+refTo(f.ref)+`},{"type":"null"}]`)
	case f.ref != "":
		parts = append(parts, refTo(f.ref))
	case len(f.types) == 1:
		parts = append(parts, `"type":"`+f.types[0]+`"`)
	case len(f.types) > 1:
		parts = append(parts, `"type":["`+strings.Join(f.types, `","`)+`"]`)
	}
	for _, w := range f.words {
		text := w.text
		if w.key == "enum" && null {
			text = strings.TrimSuffix(text, "]") + ",null]"
		}
		parts = append(parts, `"`+w.key+`":`+text)
	}
	return "{" + strings.Join(parts, ",") + "}"
}

func (f *fragment) nullable() *fragment {
	if f.ref == "" && len(f.types) == 0 || slices.Contains(f.types, "null") {
		return f
	}
	f.types = append(slices.Clip(f.types), "null")
	return f
}

var (
	timeType     = reflect.TypeFor[time.Time]()
	durationType = reflect.TypeFor[time.Duration]()
	bigIntType   = reflect.TypeFor[big.Int]()
	numberType   = reflect.TypeFor[json.Number]()
	providerType = reflect.TypeFor[Provider]()
)

// survey counts where each struct type is used and finds those that contain themselves.
func (g *generator) survey(t reflect.Type, path []reflect.Type) {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		if g.special(t) == nil {
			if t.Name() != "" { // only named types can contain themselves
				if g.circular(t, path) {
					return
				}
				path = append(path, t)
			}
			g.survey(t.Elem(), path)
		}
	case reflect.Struct:
		if g.special(t) != nil {
			return
		}
		if g.uses[t]++; g.circular(t, path) || g.uses[t] > 1 {
			return
		}
		path = append(path, t)
		for _, f := range structFields(t) {
			g.survey(f.typ, path)
		}
	}
}

func (g *generator) circular(t reflect.Type, path []reflect.Type) bool {
	at := slices.Index(path, t)
	if at >= 0 {
		g.recursive[t] = true
	}
	return at >= 0
}

// special returns the schema of types that are not what their kind says, or nil.
func (g *generator) special(t reflect.Type) *fragment {
	p := reflect.PointerTo(t)
	switch {
	case t.Kind() != reflect.Interface && p.Implements(providerType):
		return &fragment{words: []word{{"", ""}}}
	case t == timeType:
		return &fragment{types: []string{"string"}, words: []word{{"format", `"date-time"`}}}
	case t == bigIntType:
		return &fragment{types: []string{"integer"}}
	case t == numberType:
		return &fragment{types: []string{"number"}}
	case t.Kind() == reflect.Pointer, t.Kind() == reflect.Interface:
		return nil
	}
	var wholeJSON, text reflect.Type
	if g.opts.Output {
		wholeJSON, text = reflect.TypeFor[json.Marshaler](), reflect.TypeFor[encoding.TextMarshaler]()
	} else {
		wholeJSON, text = reflect.TypeFor[json.Unmarshaler](), reflect.TypeFor[encoding.TextUnmarshaler]()
	}
	switch {
	case p.Implements(wholeJSON):
		return &fragment{}
	case t.Implements(text), !g.opts.Output && p.Implements(text):
		return &fragment{types: []string{"string"}}
	case p.Implements(text):
		return &fragment{} // written as text only where it can be addressed
	}
	return nil
}

// typ returns the schema of t. Path names the place for errors.
func (g *generator) typ(t reflect.Type, path string, top bool) (*fragment, error) {
	if f := g.special(t); f != nil {
		if len(f.words) == 1 && f.words[0].key == "" {
			return g.provided(t, path)
		}
		return f, nil
	}
	switch t.Kind() {
	case reflect.Pointer:
		f, err := g.typ(t.Elem(), path, false)
		if err != nil {
			return nil, err
		}
		return f.nullable(), nil
	case reflect.Interface:
		if t.NumMethod() > 0 && !g.opts.Output {
			return nil, fmt.Errorf("%s: encoding/json cannot read into the interface %s; use any or a type that implements json.Unmarshaler", path, t)
		}
		return &fragment{}, nil
	case reflect.Struct:
		return g.structure(t, path, top)
	case reflect.Slice, reflect.Array:
		return g.list(t, path)
	case reflect.Map:
		return g.mapping(t, path)
	}
	f := scalar(t)
	if f == nil {
		return nil, fmt.Errorf("%s: a %s cannot be JSON; leave the field out with `json:\"-\"`", path, t)
	}
	return f, nil
}

func scalar(t reflect.Type) *fragment {
	switch k := t.Kind(); k {
	case reflect.Bool:
		return &fragment{types: []string{"boolean"}}
	case reflect.String:
		return &fragment{types: []string{"string"}}
	case reflect.Float32, reflect.Float64:
		return &fragment{types: []string{"number"}}
	case reflect.Int, reflect.Int64:
		f := &fragment{types: []string{"integer"}}
		if t == durationType {
			f.add("description", `"nanoseconds"`)
		}
		return f
	case reflect.Uint, reflect.Uint64, reflect.Uintptr:
		return &fragment{types: []string{"integer"}, words: []word{{"minimum", "0"}}}
	case reflect.Int8, reflect.Int16, reflect.Int32:
		top := int64(1)<<(t.Bits()-1) - 1
		return &fragment{types: []string{"integer"}, words: []word{
			{"minimum", strconv.FormatInt(-top-1, 10)}, {"maximum", strconv.FormatInt(top, 10)}}}
	case reflect.Uint8, reflect.Uint16, reflect.Uint32:
		return &fragment{types: []string{"integer"}, words: []word{
			{"minimum", "0"}, {"maximum", strconv.FormatUint(1<<t.Bits()-1, 10)}}}
	}
	return nil
}

func (g *generator) provided(t reflect.Type, path string) (*fragment, error) {
	text := reflect.New(t).Interface().(Provider).JSONSchema()
	v, err := parseValue(text, 256)
	if err != nil {
		return nil, fmt.Errorf("%s: the schema that %s.JSONSchema returns cannot be used: %w", path, t, err)
	}
	f := &fragment{}
	switch {
	case v.kind == kindBool && !v.isTrue():
		f.add("not", "{}")
	case v.kind == kindBool:
	case v.kind != kindObject:
		return nil, fmt.Errorf("%s: the schema that %s.JSONSchema returns is %s, not an object", path, t, show(v))
	}
	for i, key := range v.keys {
		if kind := v.items[i]; key == "type" && kind.kind == kindString {
			f.types = []string{kind.str}
			continue
		}
		f.add(key, string(v.items[i].raw))
	}
	return f, nil
}

func (g *generator) list(t reflect.Type, path string) (*fragment, error) {
	elem := t.Elem()
	f := &fragment{}
	if t.Kind() == reflect.Slice && elem.Kind() == reflect.Uint8 && g.special(elem) == nil {
		f = &fragment{types: []string{"string"}, words: []word{{"contentEncoding", `"base64"`}}}
	} else {
		items, err := g.typ(elem, path+"[]", false)
		if err != nil {
			return nil, err
		}
		f.types = []string{"array"}
		f.add("items", items.text())
	}
	if t.Kind() == reflect.Array {
		n := strconv.Itoa(t.Len())
		f.add("minItems", n)
		f.add("maxItems", n)
	} else if g.opts.Output {
		f.nullable()
	}
	return f, nil
}

func (g *generator) mapping(t reflect.Type, path string) (*fragment, error) {
	f := &fragment{types: []string{"object"}}
	key := t.Key()
	marshals := key.Implements(reflect.TypeFor[encoding.TextMarshaler]())
	if !g.opts.Output {
		marshals = reflect.PointerTo(key).Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
	}
	switch s := scalar(key); {
	case key.Kind() == reflect.String || marshals:
	case s != nil && s.types[0] == "integer":
		f.add("propertyNames", `{"pattern":"^-?[0-9]+$"}`)
	default:
		return nil, fmt.Errorf("%s: a map with keys of type %s cannot be JSON; keys must be strings, integers or encoding.TextMarshaler", path, key)
	}
	items, err := g.typ(t.Elem(), path+"[]", false)
	if err != nil {
		return nil, err
	}
	f.add("additionalProperties", items.text())
	if g.opts.Output {
		f.nullable()
	}
	return f, nil
}

// structure returns the schema of a struct, or a reference when it stands under $defs.
func (g *generator) structure(t reflect.Type, path string, top bool) (*fragment, error) {
	if g.recursive[t] {
		if name, ok := g.names[t]; ok && !top {
			return &fragment{ref: name}, nil
		}
		g.nameOf(t)
	}
	body := g.bodies[t]
	if body == nil {
		var err error
		if body, err = g.object(t, path); err != nil {
			return nil, err
		}
		g.bodies[t] = body
	}
	if !top && (g.recursive[t] || g.uses[t] > 1 && len(body.text()) > inlineSize) {
		return &fragment{ref: g.nameOf(t)}, nil
	}
	clone := *body
	clone.words = slices.Clip(slices.Clone(body.words))
	return &clone, nil
}

// nameOf gives t a name under $defs.
func (g *generator) nameOf(t reflect.Type) string {
	if name, ok := g.names[t]; ok {
		return name
	}
	base := shortName(t)
	name := base
	for n := 2; g.defs[name] != nil; n++ {
		name = base + strconv.Itoa(n)
	}
	g.names[t], g.defs[name] = name, t
	g.order = append(g.order, t)
	return name
}

// shortName is the name of a type without packages: Page[example.com/shop.Item] is PageItem.
func shortName(t reflect.Type) string {
	var b strings.Builder
	for part := range strings.FieldsFuncSeq(t.Name(), func(r rune) bool { return strings.ContainsRune("[],* ", r) }) {
		part = part[strings.LastIndexAny(part, "/.")+1:]
		for _, r := range part {
			if r < 0x80 && (isAnchorName("_" + string(r))) {
				b.WriteRune(r)
			}
		}
	}
	if b.Len() == 0 {
		return "object"
	}
	return b.String()
}

// definitions returns the text of $defs, without the root.
func (g *generator) definitions(root reflect.Type) string {
	var parts []string
	for _, t := range g.order {
		if t != root {
			parts = append(parts, `"`+g.names[t]+`":`+g.bodies[t].text())
		}
	}
	if parts == nil {
		return ""
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// object makes the schema of a struct itself.
func (g *generator) object(t reflect.Type, path string) (*fragment, error) {
	f := &fragment{types: []string{"object"}}
	open := g.opts.Open
	if err := g.describe(f, t, &open); err != nil {
		return nil, err
	}
	var properties, required []string
	for _, sf := range structFields(t) {
		at := path + "." + sf.goName
		p, err := g.field(&sf, at)
		if err != nil {
			return nil, err
		}
		properties = append(properties, string(appendQuoted(nil, sf.name))+":"+p.text())
		if g.requires(&sf, p) {
			required = append(required, string(appendQuoted(nil, sf.name)))
		}
	}
	if properties != nil {
		f.add("properties", "{"+strings.Join(properties, ",")+"}")
	}
	if required != nil {
		f.add("required", "["+strings.Join(required, ",")+"]")
	}
	if !open {
		f.add("additionalProperties", "false")
	}
	return f, nil
}

func (g *generator) requires(sf *field, p *fragment) bool {
	if sf.omits || sf.throughPt {
		return false
	}
	return g.opts.Output || sf.typ.Kind() != reflect.Pointer && p.get("default") == ""
}

// field makes the schema of a struct's field with its tags.
func (g *generator) field(sf *field, path string) (*fragment, error) {
	t := sf.typ
	pointer := t.Kind() == reflect.Pointer
	if pointer && sf.omits {
		t = t.Elem() // null is never written, and leaving it out says the same
	}
	var f *fragment
	if sf.quoted {
		f = quotedScalar(t)
	} else {
		var err error
		if f, err = g.typ(t, path, false); err != nil {
			return nil, err
		}
		if !pointer && sf.omits && g.opts.Output {
			f.types = slices.DeleteFunc(slices.Clone(f.types), func(s string) bool { return s == "null" })
		}
	}
	return f, g.applyTags(f, sf)
}

// quotedScalar is a scalar that the string option puts in quotes.
func quotedScalar(t reflect.Type) *fragment {
	f := &fragment{types: []string{"string"}}
	base := t
	if t.Kind() == reflect.Pointer {
		base = t.Elem()
	}
	switch s := scalar(base); s.types[0] {
	case "integer":
		f.add("pattern", `"^-?[0-9]+$"`)
	case "boolean":
		f.add("enum", `["true","false"]`)
	}
	if base != t {
		f.nullable()
	}
	return f
}
