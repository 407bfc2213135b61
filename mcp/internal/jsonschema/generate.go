package jsonschema

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Provider is implemented by types that provide their own schema. The method is called on a pointer
// to a zero value and returns JSON text, which must not contain references of the form "#/…".
type Provider interface{ JSONSchema() []byte }

// ForOptions configure For. The zero value generates the schema of a tool's input.
type ForOptions struct {
	// Output makes the schema describe the JSON that is written instead of the JSON that is read.
	// Every field without omitempty or omitzero is required, and nil pointers are null. In contrast
	// to encoding/json, nil slices and maps are [] and {}.
	Output bool
	// Open omits "additionalProperties": false from structs.
	Open bool
	// Dialect adds "$schema" to the schema.
	Dialect bool
}

// inlineSize is the maximum size in bytes of a struct's schema that is repeated wherever the struct
// is used. Larger and recursive schemas are under $defs.
const inlineSize = 200

// For returns a draft 2020-12 JSON Schema for the JSON that encoding/json reads into a value of
// type t. The result for a given type is always the same.
//
// A struct is an object whose properties are its fields, named, promoted and omitted
// according to the rules of encoding/json; other properties are not allowed. A field is
// required unless it has omitempty, omitzero, a pointer type or a default. Only
// pointers without omitempty and omitzero accept null. Other types:
//
//   - sized integers have the bounds of their type, unsigned ones a minimum of 0; int, int64 and
//     uint64 have no upper bound; big.Int is an integer; time.Duration is an integer number of
//     nanoseconds
//   - []byte is a base64 string, time.Time a string with format date-time; an array has a fixed
//     length
//   - a map is an object with any property names that its key type can have
//   - a type with UnmarshalText (for output: MarshalText) is a string; one with UnmarshalJSON or UnmarshalJSONFrom,
//     json.RawMessage and any are {}; the schema of a type that implements
//     Provider is the one that it returns
//   - channels, functions and complex numbers are an error that names the field, as is a json tag
//     that releases of encoding/json interpret differently
//
// The tag `jsonschema:"…"` of a field is its description, followed by constraints with the names of JSON
// Schema, such as ",minLength=1"; each can also be a separate tag. A value extends to the next comma and
// constraint. They are title, enum, default, examples, minimum, maximum, exclusiveMinimum, exclusiveMaximum,
// multipleOf, minLength, maxLength, pattern, format, minItems, maxItems, uniqueItems. On a slice, constraints
// of its elements' type apply to the elements. Lists (enum, examples) are separated by commas, or are JSON if
// they start with '['; a default is JSON, or plain text for strings. The tags of a blank field describe the
// struct itself:
//
//	type Search struct {
//		_     struct{} `jsonschema:"What to look for."`
//		Query string   `json:"query" jsonschema:"words to find,minLength=1"`
//		Limit int      `json:"limit,omitempty" jsonschema:"minimum=1,maximum=100,default=10"`
//		Order string   `json:"order,omitempty" jsonschema:"enum=newest,oldest"`
//	}
//
// A tag that does not apply to its field is an error, as is a default that does not match the
// schema.
func For(t reflect.Type, opts ForOptions) ([]byte, error) {
	d, err := Derive(t, opts)
	if err != nil {
		return nil, err
	}
	return d.Text, nil
}

// Derived is the schema for a Go type.
type Derived struct {
	Text   []byte
	Schema *Schema
	// Fixed is true if the schema depends only on the type and not on a Provider.
	Fixed bool
}

// Derive returns the schema that For generates, compiled with Compile. It checks
// the schema of a Provider against its metaschema.
func Derive(t reflect.Type, opts ForOptions) (*Derived, error) {
	for t.Kind() == reflect.Pointer && t.Name() == "" {
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
	f.types = slices.DeleteFunc(f.types, func(s string) bool { return s == "null" })
	if defs := g.definitions(t); defs != "" {
		f.add("$defs", defs)
	}
	out := f.text()
	if name := g.names[t]; name != "" {
		out = strings.ReplaceAll(out, refTo(name), `"$ref":"#"`)
	}
	if opts.Dialect {
		out = `{"$schema":"` + DefaultDialect + `",` + out[1:]
	}
	compiled, err := Compile([]byte(out), &Options{Strict: g.foreign})
	if err != nil {
		return nil, fmt.Errorf("the schema of %s: %w", t, err)
	}
	return &Derived{[]byte(out), compiled, !g.foreign}, nil
}

// generator generates the schema for a type and the types that it contains.
type generator struct {
	opts      ForOptions
	root      reflect.Type
	uses      map[reflect.Type]int
	recursive map[reflect.Type]bool
	bodies    map[reflect.Type]*fragment
	names     map[reflect.Type]string // names under $defs
	defs      map[string]reflect.Type
	order     []reflect.Type
	checks    []valueCheck
	foreign   bool // whether part of the schema comes from a Provider
}

// fragment is a schema under construction.
type fragment struct {
	types []string
	ref   string // name under $defs
	words []word
}

// word is a keyword and its value in JSON.
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

// survey counts the uses of each struct type and finds recursive types.
func (g *generator) survey(t reflect.Type, path []reflect.Type) {
	if g.opaque(t) {
		return
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		if t.Name() != "" { // only named types can be recursive
			if g.circular(t, path) {
				return
			}
			path = append(path, t)
		}
		g.survey(t.Elem(), path)
	case reflect.Struct:
		if g.uses[t]++; g.circular(t, path) || g.uses[t] > 1 {
			return
		}
		path = append(path, t)
		fields, rest := structFields(t)
		for _, f := range fields {
			g.survey(f.typ, path)
		}
		if rest != nil {
			g.survey(rest, path)
		}
	}
}

func (g *generator) circular(t reflect.Type, path []reflect.Type) bool {
	index := slices.Index(path, t)
	if index >= 0 {
		g.recursive[t] = true
	}
	return index >= 0
}

// typ returns the schema for t. path is the location that errors contain.
func (g *generator) typ(t reflect.Type, path string, top bool) (*fragment, error) {
	switch {
	case provides(t):
		return g.provided(t, path)
	case g.opaque(t):
		return g.special(t), nil
	case t.Kind() == reflect.Struct || g.recursive[t]:
		return g.sharedType(t, path, top)
	}
	return g.plain(t, path)
}

// sharedType returns the schema of a type that may be used in several places, or a reference to its
// schema under $defs.
func (g *generator) sharedType(t reflect.Type, path string, top bool) (*fragment, error) {
	if g.recursive[t] {
		if name, ok := g.names[t]; ok && !top {
			return &fragment{ref: name}, nil
		}
		g.nameOf(t)
	}
	body := g.bodies[t]
	if body == nil {
		var err error
		if t.Kind() == reflect.Struct {
			body, err = g.object(t, path)
		} else {
			body, err = g.plain(t, path)
		}
		if err != nil {
			return nil, err
		}
		g.bodies[t] = body
	}
	if !top && (g.recursive[t] || g.uses[t] > 1 && len(body.text()) > inlineSize) {
		return &fragment{ref: g.nameOf(t)}, nil
	}
	return &fragment{ref: body.ref, types: slices.Clone(body.types), words: slices.Clone(body.words)}, nil
}

// nameOf returns the name for t under $defs.
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

// shortName returns the name of a type without package paths. For example,
// Page[example.com/shop.Item] becomes PageItem.
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

// definitions returns the value of $defs as a JSON object without root, or "" if it would be empty.
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
